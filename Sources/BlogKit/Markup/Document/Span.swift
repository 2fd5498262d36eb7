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
    /// A line break that the author wants.
    case hardBreak
    /// A line break that means no more than a space.
    case softBreak
    /// HTML that was written as such.
    case html(String)
}

extension [Span] {
    /// The text without any markup.
    package var plainText: String {
        map { span in
            switch span {
            case .text(let text), .code(let text): text
            case .emphasis(let spans), .strong(let spans), .strike(let spans), .link(let spans, _, _),
                .image(let spans, _, _):
                spans.plainText
            case .hardBreak, .softBreak: "\n"
            case .html: ""
            }
        }.joined()
    }
}
