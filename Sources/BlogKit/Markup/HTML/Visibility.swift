/// What of HTML can be seen: decided here for bodies, titles, summaries, comparisons of texts, and articles.
///
/// It reads the tokens of a text in their order. The rules are in docs/articles.md, "What is left out". Which visible
/// parts of a page aren't its article is another question, which ``ArticleFinder`` answers.
package struct Visibility {
    /// Elements whose content isn't markup, and isn't shown.
    static let raw: Set<String> = ["script", "style"]

    /// Elements that browsers don't show.
    ///
    /// A tag without an end tag is more likely a word: "the <template> element".
    private static let unseen: Set<String> = [
        "head", "title", "template", "noscript", "noembed", "noframes", "datalist", "dialog", "desc", "metadata",
        "defs",
        "symbol",
    ]

    /// Elements whose content is for browsers that can't show them, but for the addresses of a video.
    static let withFallback: Set<String> = ["audio", "video", "canvas", "iframe"]

    private let html: [UInt8]
    /// Whether the reader knows what to do with the source of a formula, which browsers don't show.
    private let readsFormulas: Bool
    private lazy var outline = Outline(of: html)
    /// Whether the text has end tags of some names.
    private var ended: [String: Bool] = [:]
    private var hidden: OpenElement?
    /// Whether the hidden element can be seen itself, and only its content can't.
    private var hidesOnlyContent = false
    /// Whether nothing but tags came after the last formula.
    private var isAfterFormula = false
    /// The number of open elements of code, and of tables that number its lines.
    private var code = 0
    private var numberedCode = 0
    private var disclosure = Disclosure()
    /// The picture or formula made of elements, and how often its name is open, whose label isn't shown, so that its
    /// hidden text is.
    private var labelled: (name: String, depth: Int)?

    /// - Parameter html: all that the tokens come from.
    package init(of html: [UInt8], readsFormulas: Bool = false) {
        self.html = html
        self.readsFormulas = readsFormulas
    }

    /// Whether the next token can be seen.
    package mutating func shows(_ token: HTMLToken) -> Bool {
        switch token {
        case .text(let text): return showsText(isBlank: text.isBlank)
        case .open(let name, let attributes):
            if isHiding, hidesOnlyContent, name == "source" { return true }
            if hidden.consume(token) { return false }
            let isHidden = hides(name, attributes)
            if isHidden || Self.withFallback.contains(name) && isEnded(name) { hide(name, onlyContent: !isHidden) }
            return !isHidden
        case .close(let name):
            if hidden.consume(token) {
                // It was counted where it began.
                if !isHiding { endLabelled(name) }
                return hidesOnlyContent && !isHiding
            }
            end(name)
            return true
        }
    }

    /// Whether the next text can be seen.
    mutating func showsText(isBlank: @autoclosure () -> Bool) -> Bool {
        guard hidden == nil else { return false }
        isAfterFormula = false
        if disclosure.mayOpen, !isBlank() { disclosure = Disclosure() }
        return true
    }

    /// Whether an element is open that can't be seen.
    var isHiding: Bool { hidden != nil }

    /// Whether a `noscript` is open, which may hold the picture that a script would load.
    var isInNoscript: Bool { hidden?.name == "noscript" }

    /// Hides an element that begins.
    private mutating func hide(_ name: String, onlyContent: Bool = false) {
        let element = OpenElement(name)
        hidden = element.isEnded ? nil : element
        hidesOnlyContent = onlyContent
    }

    /// Hides a cell that begins with the numbers of lines, in a table that turns out to be code.
    mutating func hideLineNumbers(in cell: String) {
        numberedCode += 1
        hide(cell)
    }

    /// Shows all again: text of another kind follows.
    mutating func showAll() { hidden = nil }

    // MARK: Elements

    /// Whether a start tag begins an element that can't be seen.
    mutating func hides(_ name: String, _ attributes: ElementAttributes) -> Bool {
        disclosure.open(name, attributes)
        if labelled?.name == name { labelled?.depth += 1 }
        switch name {
        // Pages that wait for a script hide all of themselves.
        case "html", "body": return false
        case HTMLToken.formula: return isAfterFormula
        case "script" where attributes["type"]?.hasPrefix(HTMLToken.formula) == true: return isAfterFormula
        case "annotation", "annotation-xml": return !readsFormulas
        case "img" where isAfterFormula && attributes.arePictureOfFormula: return true
        case "pre": code += 1
        case "table" where attributes.areNumberedCode: numberedCode += 1
        case "dialog" where attributes["open"] != nil: break
        // Browsers show the content of a component that comes with the page.
        case "template" where attributes.pairs.contains { $0.name.hasPrefix("shadowroot") }: break
        case _ where Self.raw.contains(name): return true
        case _ where Self.unseen.contains(name): return isEnded(name)
        default: break
        }
        return !attributes.pairs.isEmpty && hidesText(name, attributes)
    }

    /// The attributes of a start tag, if some may hide its element; `class` and `id` alone don't.
    ///
    /// Most elements of a page have others, which needn't be decoded for that.
    static func attributes(in scanner: borrowing TagScanner) -> ElementAttributes {
        let mayHide = scanner.attributes.contains { attribute in
            switch scanner.lowercased(attribute.name) {
            case "hidden", "style", "aria-hidden", "aria-label", "aria-expanded", "aria-haspopup", "role", "open",
                "type":
                true
            case let name: name.hasPrefix("shadowroot")
            }
        }
        return mayHide ? scanner.attributeValues : [:]
    }

    private mutating func hidesText(_ name: String, _ attributes: ElementAttributes) -> Bool {
        if labelled == nil, attributes.areLabelled, !HTMLNames.voids.contains(name) { labelled = (name, 1) }
        // A picture or break that only screen readers leave out can be seen.
        if attributes.hideElement || attributes.areAriaHidden && labelled == nil && !HTMLNames.voids.contains(name) {
            return attributes.hideText(isAfterFormula: isAfterFormula) && !isOpenable(attributes)
        }
        guard attributes["class"] != nil else { return false }
        return attributes.areForEditors || (code > 0 || numberedCode > 0) && attributes.areLineNumbers
    }

    /// Whether a click of the reader shows an element.
    private mutating func isOpenable(_ attributes: ElementAttributes) -> Bool {
        if disclosure.mayOpen || attributes["role"] == "tabpanel" { return true }
        return attributes["id"].map { outline.controlled.contains($0) } ?? false
    }

    /// Whether the text has an end tag of a name.
    mutating func hasEndTag(of name: String) -> Bool { outline.ended.contains(name) }

    /// The same for one of the few elements that browsers don't show.
    private mutating func isEnded(_ name: String) -> Bool {
        if let known = ended[name] { return known }
        // Nearly all tags are written so, and found without reading all of the text.
        let isEnded = html.position(of: Array("</\(name)>".utf8)) != nil || hasEndTag(of: name)
        ended[name] = isEnded
        return isEnded
    }

    /// Reads an end tag that can be seen.
    mutating func end(_ name: String) {
        endLabelled(name)
        if name == "math" { isAfterFormula = true }
        if name == "pre", code > 0 { code -= 1 }
        if name == "table", numberedCode > 0 { numberedCode -= 1 }
        disclosure.close(name)
    }

    private mutating func endLabelled(_ name: String) {
        guard labelled?.name == name else { return }
        labelled?.depth -= 1
        if labelled?.depth == 0 { labelled = nil }
    }
}

/// Follows a button that shows what comes after it: one that says so, or all of a heading, as of a question.
private struct Disclosure {
    private var isInHeading = false
    private var hasButton = false
    /// Whether nothing but white space came after such a button.
    private(set) var mayOpen = false

    mutating func open(_ name: String, _ attributes: ElementAttributes) {
        if Self.isHeading(name) {
            self = Disclosure()
            isInHeading = true
        } else if name == "button" || attributes["role"] == "button", attributes["aria-haspopup"] == nil {
            hasButton = isInHeading || attributes["aria-expanded"] != nil
            mayOpen = false
        }
    }

    mutating func close(_ name: String) {
        if Self.isHeading(name) {
            (isInHeading, mayOpen) = (false, hasButton)
        } else if hasButton, !isInHeading, !HTMLNames.inlines.contains(name) || name == "a" {
            mayOpen = true
        }
    }

    private static func isHeading(_ name: String) -> Bool {
        name.utf8.count == 2 && (name == "dt" || name.utf8.first == UInt8(ascii: "h") && name != "hr")
    }
}

/// What all of a text tells about elements, whether it comes before or after them.
private struct Outline {
    /// The names of end tags.
    private(set) var ended: Set<String> = []
    /// The IDs of elements that a button shows.
    private(set) var controlled: Set<String> = []

    init(of html: [UInt8]) {
        html.withUnsafeBufferPointer { bytes in
            var scanner = TagScanner(bytes)
            while let token = scanner.next() {
                switch token {
                case .text, .characterData: break
                case .close(let range): ended.insert(scanner.lowercased(range))
                case .open(let range, _):
                    if scanner.attributes.contains(where: { Self.lengths.contains($0.name.count) }) {
                        note(scanner.attributeValues)
                    }
                    if Visibility.raw.contains(scanner.lowercased(range)) { scanner.skipContent(of: range) }
                }
            }
        }
    }

    private static let names = ["aria-controls", "data-bs-target", "data-target"]
    private static let lengths = names.map(\.utf8.count)

    private mutating func note(_ attributes: ElementAttributes) {
        guard attributes["aria-haspopup"] == nil else { return }
        let ids = Self.names.compactMap { attributes[$0] }
        for id in ids.joined(separator: " ").split(separator: " ") {
            controlled.insert(String(id.hasPrefix("#") ? id.dropFirst() : id))
        }
    }
}
