/// An element that its author hides, from its start tag to its end.
///
/// As end tags may be missing, it also ends at the end tag of an element around it, and where browsers add one: nothing
/// that is shown may be lost.
struct HiddenElement {
    private let name: String
    /// How many elements of each name are open in it.
    private var open: [String: Int] = [:]
    private(set) var isEnded = false

    /// The element that a start tag begins; nil if it is shown.
    ///
    /// Pages that wait for a script hide all of themselves.
    init?(_ name: String, _ attributes: [String: String]) {
        let isHidden = attributes["hidden"] != nil || attributes["style"].map(Self.hides) == true
        guard isHidden, name != "html", name != "body" else { return nil }
        self.name = name
        isEnded = HTMLNames.voids.contains(name)
    }

    static func hides(_ style: String) -> Bool {
        let style = style.lowercased().filter { !$0.isWhitespace }
        return style.split(separator: ";").contains {
            ["display:none", "visibility:hidden"].contains($0.replacing("!important", with: ""))
        }
    }

    /// Takes the next token; false if it is behind the end of the element.
    mutating func take(_ token: HTMLToken) -> Bool {
        switch token {
        case .text: return true
        case .open(let name, _):
            isEnded = endsEarly(at: name)
            if !isEnded, !HTMLNames.voids.contains(name) { open[name, default: 0] += 1 }
            return !isEnded
        case .close(let name):
            if let count = open[name], count > 0 {
                open[name] = count - 1
                return true
            }
            isEnded = true
            return name == self.name
        }
    }

    /// Whether a start tag ends the element, whose end tag may be missing.
    private func endsEarly(at tag: String) -> Bool {
        func isOpen(_ names: String...) -> Bool { names.contains { open[$0, default: 0] > 0 } }
        return switch name {
        case "p": Self.paragraphEnds.contains(tag)
        case "li": tag == "li" && !isOpen("ul", "ol")
        case "dt", "dd": ["dt", "dd"].contains(tag) && !isOpen("dl")
        case "td", "th": ["td", "th", "tr", "tbody", "tfoot"].contains(tag) && !isOpen("table")
        case "tr": ["tr", "tbody", "tfoot"].contains(tag) && !isOpen("table")
        default: false
        }
    }

    private static let paragraphEnds = HTMLNames.first.subtracting(["audio", "iframe", "img", "picture", "video"])
}
