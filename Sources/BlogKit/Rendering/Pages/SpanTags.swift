/// Tags inside the text of Markdown as the spans that they mean.
enum SpanTags {
    /// The spans without HTML: `<a href="…">text</a>` is a link, and of an unknown tag its content is left.
    static func spans(_ spans: [Span]) -> [Span] {
        guard spans.contains(where: \.isHTML) else { return spans }
        var reader = Reader()
        for span in spans {
            guard case .html(let html) = span else {
                reader.append(span)
                continue
            }
            for token in HTMLTokens(html) { reader.add(token) }
        }
        return reader.finish()
    }

    /// Reads tags and spans in their order.
    private struct Reader {
        /// The tags that are open.
        private var open: [(name: String, attributes: [String: String])] = []
        /// What stands outside, and then in each of the tags that are open.
        private var levels: [[Span]] = [[]]

        mutating func append(_ span: Span) { levels[levels.count - 1].append(span) }

        mutating func add(_ token: HTMLToken) {
            switch token {
            case .text(let text): append(.text(text))
            case .open("br", _): append(.hardBreak)
            case .open("img", let attributes):
                let alt: [Span] = [.text(attributes["alt"] ?? "")]
                append(.image(alt, source: attributes["src"] ?? "", title: attributes["title"]))
            case .open(let name, let attributes):
                guard SpanTags.known.contains(name), open.count < SpanTags.deepest else { return }
                open.append((name, attributes))
                levels.append([])
            case .close(let name):
                guard let index = open.lastIndex(where: { $0.name == name }) else { return }
                while open.count > index + 1 { closeLast(asTag: false) }
                closeLast(asTag: true)
            }
        }

        mutating func finish() -> [Span] {
            while !open.isEmpty { closeLast(asTag: false) }
            return levels[0]
        }

        private mutating func closeLast(asTag: Bool) {
            let tag = open.removeLast()
            let inner = levels.removeLast()
            if asTag, let span = SpanTags.span(tag.name, tag.attributes, inner) {
                append(span)
            } else {
                levels[levels.count - 1] += inner
            }
        }
    }

    private static func span(_ name: String, _ attributes: [String: String], _ inner: [Span]) -> Span? {
        switch name {
        case "a": attributes["href"].map { .link(inner, target: $0, title: attributes["title"]) }
        case "b", "strong": .strong(inner)
        case "s", "strike", "del": .strike(inner)
        case "code", "kbd", "samp", "tt": .code(inner.plainText)
        default: .emphasis(inner)
        }
    }

    private static let known: Set<String> = [
        "a", "b", "strong", "i", "em", "cite", "dfn", "var", "s", "strike", "del", "code", "kbd", "samp", "tt",
    ]
    /// Deeper tags are read as their content, as recursion is bounded.
    private static let deepest = 50
}

extension Span {
    fileprivate var isHTML: Bool { if case .html = self { true } else { false } }
}
