extension [Span] {
    /// The spans with the tags of HTML that Markdown leaves in them as what they mean; of an unknown tag its content is
    /// left.
    package var withoutTags: [Span] { hasTags ? withoutTags(depth: 0) : self }

    private func withoutTags(depth: Int) -> [Span] {
        var builder = InlineBuilder(meansUnclosed: false, limit: InlineBuilder.deepest - depth)
        for span in self {
            if case .html(let html) = span {
                for token in HTMLTokens(html) { builder.add(token) }
            } else {
                builder.append(span.mapSpans { $0.withoutTags(depth: depth + builder.depth + 1) })
            }
        }
        return builder.finish()
    }

    private var hasTags: Bool {
        contains { span in
            if case .html = span { return true }
            return span.inner?.hasTags ?? false
        }
    }
}

extension InlineBuilder {
    fileprivate mutating func add(_ token: HTMLToken) {
        switch token {
        case .text(let text): append(.text(text))
        case .open("br", _): append(.hardBreak)
        case .open(let name, let attributes): _ = open(name, attributes)
        case .close(let name): close(name)
        }
    }
}
