/// Tags by what they do to the text.
enum HTMLNames {
    /// Tags that end a paragraph and have no meaning beyond that here.
    static let blocks: Set<String> = [
        "address", "article", "aside", "body", "caption", "center", "details", "dialog", "div", "dl", "dt",
        "figcaption", "figure", "footer", "form", "header", "html", "main", "nav", "p", "section", "summary", "tbody",
        "tfoot", "thead", "video", "audio", "iframe", "picture",
    ]

    /// Tags that a text begins with if it is HTML as a whole.
    static let first: Set<String> = blocks.union([
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "img", "ol", "pre", "table", "ul",
    ])
}
