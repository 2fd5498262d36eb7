/// An element from its start tag to its end, for one that is hidden or keeps its lines.
///
/// As end tags may be missing, it also ends at the end tag of an element around it, and where browsers imply its end:
/// nothing that browsers show may be lost.
package struct OpenElement {
    let name: String
    /// The number of open elements of each name in it.
    private var open: [String: Int] = [:]
    private(set) var isEnded = false

    package init(_ name: String) {
        self.name = name
        isEnded = HTMLNames.voids.contains(name)
    }

    /// Reads the next token; false if it comes after the end of the element.
    fileprivate mutating func consume(_ token: HTMLToken) -> Bool {
        switch token {
        case .text: return true
        case .open(let name, _):
            isEnded = isEnded(by: name)
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

    /// Whether a start tag implies the end tag of the element.
    private func isEnded(by tag: String) -> Bool {
        func isOpen(_ names: String...) -> Bool { names.contains { open[$0, default: 0] > 0 } }
        return switch name {
        case "p": HTMLTag(name: tag).endsParagraph || HTMLNames.tableParts.contains(tag)
        case "li": tag == "li" && !isOpen("ul", "ol", "menu", "dir")
        case "dt", "dd": ["dt", "dd"].contains(tag) && !isOpen("dl")
        case "td", "th": HTMLNames.tableParts.contains(tag) && !isOpen("table")
        case "tr": !["td", "th"].contains(tag) && HTMLNames.tableParts.contains(tag) && !isOpen("table")
        default: false
        }
    }
}

extension OpenElement? {
    /// Reads the next token, and forgets the element at its end; false if the token isn't part of one.
    package mutating func consume(_ token: HTMLToken) -> Bool {
        let isPart = self?.consume(token) ?? false
        if !isPart || self?.isEnded == true { self = nil }
        return isPart
    }
}
