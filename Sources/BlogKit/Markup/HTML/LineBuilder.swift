/// Makes one line of HTML, as titles and summaries show it, with the same characters as in bodies.
package struct LineBuilder {
    private var builder: HTMLBuilder

    /// - Parameter html: all that the tokens come from.
    package init(of html: [UInt8]) { builder = HTMLBuilder(of: html) }

    package mutating func add(_ token: HTMLToken) {
        switch token {
        case .text: builder.add(token)
        case .open(let name, let attributes):
            let standard = HTMLNames.standard(name)
            builder.add(Self.left.contains(name) ? .text(" ") : .open(name: standard, attributes: attributes))
        case .close(let name):
            builder.add(Self.left.contains(name) ? .text(" ") : .close(name: HTMLNames.standard(name)))
        }
    }

    /// The text, in which white space isn't collapsed.
    package mutating func finish() -> String { builder.finish().line }

    /// Whether more than the text of an element is shown, or not all of it, as of a quotation or a formula.
    package static func isRewritten(_ name: String, _ scanner: borrowing TagScanner) -> Bool {
        switch name {
        case "img":
            let attributes = scanner.attributeValues
            return attributes.emoji != nil || attributes.formula != nil
        case "input": return InlineBuilder.box(scanner.attributeValues) != nil
        // The mark of a footnote, or the sign beside a heading.
        case "a":
            return scanner.attributes.contains { attribute in
                scanner.lowercased(attribute.name) == "href" && scanner[attribute.value].first == UInt8(ascii: "#")
            }
        default: return rewritten.contains(name)
        }
    }

    /// Whether an element's text stands apart from that around it.
    package static func isApart(_ name: String) -> Bool { apart.contains(name) }

    private static let apart = HTMLNames.first.union(left).union([
        "br", "li", "dd", "dir", "menu", "button", "object", "option",
    ]).subtracting(["img"])

    private static let rewritten: Set<String> = [
        "math", "pre", "q", "ruby", "rb", "rp", "rt", "rtc", "sub", "sup", "svg", "table", "td", "th",
    ]

    /// Elements that are links or boxes in bodies, and nothing in a line.
    private static let left: Set<String> = ["audio", "video", "iframe", "embed", "source"]
}

extension [Block] {
    /// The text without pictures, readings, and the marks of lists.
    fileprivate var line: String { map(\.line).joined(separator: " ") }
}

extension Block {
    fileprivate var line: String {
        switch self {
        case .paragraph(let spans), .heading(_, let spans): spans.line
        case .code(let text, _, _): text
        case .table(let table): ([table.header] + table.rows).joined().map(\.line).joined(separator: " ")
        case .quote, .element, .list, .definitions: inner.map(\.line).joined(separator: " ")
        case .rule, .html: ""
        }
    }
}

extension [Span] {
    fileprivate var line: String { map(\.line).joined() }
}

extension Span {
    fileprivate var line: String {
        switch self {
        case .text(let text), .code(let text): text
        case .emphasis(let spans), .strong(let spans), .strike(let spans), .link(let spans, _, _): spans.line
        case .element(.reading, _), .element(.parenthesis, _), .image, .checkbox, .html: ""
        case .element(.abbreviation, let spans): spans.line
        case .element(let kind, let spans): kind.spans(spans).line
        case .hardBreak, .softBreak: " "
        }
    }
}
