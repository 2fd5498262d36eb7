import BlogMarkup

@testable import BlogRendering

/// An HTML5 page, read by a parser that tolerates no mistakes and knows only what our pages consist of.
package struct StrictPage {
    package struct Malformed: Error {
        package let reason: String
    }

    package struct Element {
        package let name: String
        package let attributes: [String: String]
        /// The names of the elements around it, outermost first.
        package let around: [String]
    }

    /// The elements in document order.
    package private(set) var elements: [Element] = []
    /// The text between the tags, without styles.
    package private(set) var text = ""
    private var open: [String] = []

    /// Throws ``Malformed`` if the page isn't well-formed or has an element, attribute or address that isn't allowed.
    package init(_ html: String) throws {
        guard html.hasPrefix("<!DOCTYPE html>\n") else { throw Malformed(reason: "no doctype") }
        // Any other script isn't allowed.
        let html = html.replacing(PageScript.folding.html, with: "")
        var rest = html.dropFirst("<!DOCTYPE html>\n".count).unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "<" {
                try readTag(&rest)
            } else {
                text += try Self.text(&rest) { $0 == "<" }
            }
        }
        guard open.isEmpty else { throw Malformed(reason: "\(open) not closed") }
        let ids = elements.compactMap { $0.attributes["id"] }
        guard Set(ids).count == ids.count else { throw Malformed(reason: "duplicate id in \(ids)") }
        for target in elements.compactMap({ $0.attributes["href"] }) where target.hasPrefix("#") {
            guard ids.contains(String(target.dropFirst())) else { throw Malformed(reason: "no id \(target)") }
        }
    }

    /// The elements with a name, and with a class if one is given.
    package func all(_ name: String, class style: String? = nil) -> [Element] {
        elements.filter { $0.name == name && (style == nil || $0.attributes["class"] == style) }
    }

    /// All values of an attribute.
    package func values(_ attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }

    // MARK: Reading

    private mutating func readTag(_ rest: inout Substring.UnicodeScalarView) throws {
        rest.removeFirst()
        let isEnd = rest.first == "/"
        if isEnd { rest.removeFirst() }
        let name = Self.word(&rest)
        guard let allowed = Self.allowed[name] else { throw Malformed(reason: "element “\(name)”") }
        if isEnd {
            guard rest.popFirst() == ">", open.popLast() == name else { throw Malformed(reason: "</\(name)>") }
            return
        }
        var attributes: [String: String] = [:]
        while rest.first == " " {
            let (key, value) = try Self.attribute(&rest)
            guard allowed.union(Self.everywhere).contains(key), attributes.updateValue(value, forKey: key) == nil else {
                throw Malformed(reason: "attribute “\(key)” of \(name)")
            }
        }
        guard rest.popFirst() == ">" else { throw Malformed(reason: "end of <\(name)>") }
        try Self.checkAddresses(attributes)
        try checkPlace(of: name)
        elements.append(Element(name: name, attributes: attributes, around: open))
        guard !Self.empty.contains(name) else { return }
        if name == "style" {
            rest = rest[(rest.firstIndex(of: "<") ?? rest.endIndex)...]
        }
        open.append(name)
    }

    private func checkPlace(of name: String) throws {
        if let outer = open.last(where: Self.phrasing.contains), !Self.inside.contains(name) {
            throw Malformed(reason: "\(name) in \(outer)")
        }
        if name == "a", open.contains("a") { throw Malformed(reason: "a link in a link") }
        if name == "dt" || name == "dd", open.last != "dl" { throw Malformed(reason: "\(name) in \(open)") }
        if name == "li", !["ol", "ul"].contains(open.last) { throw Malformed(reason: "li in \(open)") }
    }

    private static func attribute(_ rest: inout Substring.UnicodeScalarView) throws -> (String, String) {
        rest.removeFirst()
        let key = word(&rest)
        guard !key.isEmpty else { throw Malformed(reason: "a space in a tag") }
        guard rest.first == "=" else { return (key, "") }
        rest.removeFirst()
        guard rest.popFirst() == "\"" else { throw Malformed(reason: "no quote after \(key)") }
        // The value of this attribute is our own, and has quotes in it.
        let value = try text(&rest, allowing: key == "content" ? ["'"] : []) { $0 == "\"" }
        guard rest.popFirst() == "\"" else { throw Malformed(reason: "no quote at the end of \(key)") }
        return (key, value)
    }

    private static func word(_ rest: inout Substring.UnicodeScalarView) -> String {
        let word = rest.prefix {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || $0 == "-" || ("1"..."6").contains($0)
        }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// Text up to an end, with its references replaced.
    private static func text(
        _ rest: inout Substring.UnicodeScalarView, allowing allowed: Set<Unicode.Scalar> = [],
        until isEnd: (Unicode.Scalar) -> Bool
    ) throws -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, !isEnd(scalar) {
            rest.removeFirst()
            let isControl =
                scalar.value < 0x20 && scalar != "\n" && scalar != "\t" || (0x7F...0x9F).contains(scalar.value)
            let isMark = [">", "'", "\""].contains(scalar) && !allowed.contains(scalar)
            guard !isControl, !isMark, scalar.value & 0xFFFE != 0xFFFE else {
                throw Malformed(reason: "“\(scalar)” in \(String(text))")
            }
            guard scalar == "&" else {
                text.append(scalar)
                continue
            }
            let name = String(rest.prefix { $0 != ";" })
            guard let meant = references[name] else { throw Malformed(reason: "reference \(name.prefix(10))") }
            rest = rest.dropFirst(name.unicodeScalars.count + 1)
            text.append(meant)
        }
        return String(text)
    }

    private static func checkAddresses(_ attributes: [String: String]) throws {
        if let target = attributes["href"], target != "data:,", !isOwn(target),
            !["http://", "https://", "mailto:"].contains(where: target.hasPrefix)
        {
            throw Malformed(reason: "a link to \(target)")
        }
        if let source = attributes["src"], !["http://", "https://", "data:image/"].contains(where: source.hasPrefix) {
            throw Malformed(reason: "a picture at \(source)")
        }
    }

    /// Whether an address is that of a page next to this one, or of an anchor.
    private static func isOwn(_ target: String) -> Bool {
        let path = target.hasPrefix("../") ? target.dropFirst(3) : target[...]
        // A page of an index links to groups on the others.
        let name = path.hasPrefix("#") ? path : path.prefix { $0 != "#" }
        let isPlain = name.dropFirst().utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-/.".utf8.contains($0) }
        return isPlain && (name.hasPrefix("#") || name.hasSuffix(".html") && !name.contains("..") && name.first != "/")
    }

    private static let references: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'",
    ]
    private static let everywhere: Set<String> = [
        "class", "id", "lang", "dir", "title", "tabindex", "role", "aria-label", "aria-hidden",
    ]
    private static let empty: Set<String> = ["meta", "link", "img", "br", "hr", "input"]
    /// Elements that contain only text and phrasing elements.
    private static let phrasing: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "span", "em", "strong", "del", "code", "summary", "title", "mark",
        "time", "sup", "sub", "q", "kbd", "ins", "abbr", "ruby", "rt", "rp",
    ]
    private static let inside: Set<String> = [
        "a", "span", "em", "strong", "del", "code", "mark", "time", "img", "br", "sup", "sub", "q", "kbd", "ins",
        "abbr", "ruby", "rt", "rp", "input",
    ]
    private static let allowed: [String: Set<String>] = {
        var allowed: [String: Set<String>] = [
            "html": [], "meta": ["charset", "name", "content", "http-equiv"], "link": ["rel", "href"],
            "a": ["href", "rel"], "img": ["src", "alt", "loading", "width", "height"], "ol": ["start"],
            "th": ["scope", "colspan", "rowspan"], "td": ["colspan", "rowspan"], "time": ["datetime"],
            "details": ["open"], "input": ["type", "disabled", "checked"],
        ]
        let plain = [
            "head", "title", "style", "body", "header", "main", "nav", "footer", "section", "article", "h1", "h2", "h3",
            "h4", "h5", "h6", "p", "ul", "li", "div", "span", "em", "strong", "del", "code", "pre", "blockquote", "hr",
            "br", "table", "thead", "tbody", "tr", "figure", "figcaption", "ruby", "rt", "rp", "summary", "mark", "svg",
            "sup", "sub", "q", "kbd",
            "ins", "abbr", "dl", "dt", "dd",
        ]
        for name in plain { allowed[name] = [] }
        return allowed
    }()
}
