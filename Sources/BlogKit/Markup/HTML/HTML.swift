/// HTML as feeds and Hacker News have it: tags unclosed, wrongly nested, or unknown.
package enum HTML {
    /// The document that a text is.
    ///
    /// It loses no text that a browser shows, and takes time in proportion to the text's length, whatever the text.
    package static func document(_ html: String) -> Document {
        var builder = HTMLBuilder()
        for token in HTMLToken.tokens(html) { builder.add(token) }
        return Document(blocks: builder.finish())
    }
}
