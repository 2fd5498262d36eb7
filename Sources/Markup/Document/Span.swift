/// A run of text inside a block.
///
/// There are as many as words in a text that is made for it, so what is rare and large is kept elsewhere (`indirect`).
package enum Span: Hashable, Sendable {
    case text(String)
    case code(String)
    case emphasis([Span])
    case strong([Span])
    case strike([Span])
    /// A link; the target is as published and not checked.
    indirect case link([Span], target: String, title: String?)
    /// An image, told by its description.
    indirect case image([Span], source: String, title: String?)
    /// An element that means something and is rare.
    indirect case element(InlineElement, [Span])
    /// A box of a list of tasks.
    case checkbox(isChecked: Bool)
    /// A line break that the author wants.
    case hardBreak
    /// A line break that means no more than a space.
    case softBreak
    /// HTML that was written as such.
    case html(String)
}

extension [Span] {
    /// The text without any markup, as it is searched for.
    package var plainText: String { text { $0.searchText($1.plainText) } }

    /// The text as it is shown where there are only characters: with quotation marks, superscripts and the like.
    package var shownText: String { text { $0.spans($1).shownText } }

    private func text(_ element: (InlineElement, [Span]) -> String) -> String {
        map { span in
            switch span {
            case .text(let text), .code(let text): text
            case .emphasis(let spans), .strong(let spans), .strike(let spans), .link(let spans, _, _),
                .image(let spans, _, _):
                spans.text(element)
            case .element(let kind, let spans): element(kind, spans)
            case .checkbox(let isChecked): isChecked ? "[x]" : "[ ]"
            case .hardBreak, .softBreak: "\n"
            case .html: ""
            }
        }.joined()
    }

    /// The spans with other texts in them; nil if there is anything in them but texts.
    func mapTexts(_ transform: (String) -> String) -> [Span]? {
        var result: [Span] = []
        for span in self {
            switch span {
            case .text(let text): result.append(.text(transform(text)))
            case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _):
                guard let inner = inner.mapTexts(transform) else { return nil }
                result.append(span.mapSpans { _ in inner })
            case .code, .image, .element, .checkbox, .hardBreak, .softBreak, .html: return nil
            }
        }
        return result
    }
}

extension Span {
    /// What is in the span; nil where it holds no other spans.
    var inner: [Span]? {
        switch self {
        case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(let inner, _, _),
            .image(let inner, _, _), .element(_, let inner):
            inner
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: nil
        }
    }

    /// The same span around something else.
    func mapSpans(_ transform: ([Span]) -> [Span]) -> Span {
        switch self {
        case .emphasis(let inner): .emphasis(transform(inner))
        case .strong(let inner): .strong(transform(inner))
        case .strike(let inner): .strike(transform(inner))
        case .link(let inner, let target, let title): .link(transform(inner), target: target, title: title)
        case .image(let inner, let source, let title): .image(transform(inner), source: source, title: title)
        case .element(let kind, let inner): .element(kind, transform(inner))
        case .text, .code, .checkbox, .hardBreak, .softBreak, .html: self
        }
    }
}
