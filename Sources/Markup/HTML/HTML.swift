/// HTML as feeds and Hacker News have it: tags unclosed, wrongly nested, or unknown.
package enum HTML {
    /// The document that a text is.
    ///
    /// It loses no text that a browser shows, and takes time in proportion to the text's length, whatever the text.
    package static func document(_ html: String) -> Document {
        var builder = HTMLBuilder()
        HTMLToken.forEach(in: html) { builder.add($0) }
        return Document(blocks: builder.finish())
    }

    /// What a text says, without its tags: for finding words in it.
    package static func text(_ html: String) -> String { document(html).blocks.plainText }

    /// Whether a text begins as HTML does.
    package static func isBeginning(of text: String) -> Bool {
        let start = text.drop(while: \.isWhitespace)
        guard start.first == "<" else { return false }
        let name = start.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "!" }.lowercased()
        return name == "!doctype" || HTMLNames.first.contains(name)
    }

    /// Whether a text of which only the beginning is there may turn out to begin as HTML does.
    package static func mayBegin(_ text: String) -> Bool {
        let start = text.drop(while: \.isWhitespace)
        let isCut = start.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "!" }
        return start.isEmpty || start.first == "<" && isCut && start.utf8.count < 16 || isBeginning(of: text)
    }

    /// Whether a text is HTML from its beginning to its end, and no Markdown with HTML in it.
    package static func isWhole(of text: String) -> Bool {
        guard isBeginning(of: text) else { return false }
        let bytes = Array(text.utf8)
        guard bytes.last(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: ">") else { return false }
        // In Markdown, text after a blank line need not be a tag.
        return !["](", "```", "\n# ", "\n## ", "\n- ", "\n* "].contains { bytes.position(of: Array($0.utf8)) != nil }
    }
}

/// Tags by what they do to the text.
package enum HTMLNames {
    /// Tags that end a paragraph and have no meaning beyond that here.
    static let blocks: Set<String> = [
        "address", "article", "aside", "body", "caption", "center", "details", "dialog", "div", "dl", "dt",
        "figcaption", "figure", "footer", "form", "header", "html", "main", "nav", "p", "section", "summary", "tbody",
        "tfoot", "thead", "video", "audio", "iframe", "picture",
    ]

    /// Tags that a text begins with if it is HTML as a whole.
    package static let first: Set<String> = blocks.union([
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "img", "ol", "pre", "table", "ul",
    ])
}
