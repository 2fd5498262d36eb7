/// HTML from feeds and Hacker News, with unclosed, wrongly nested and unknown tags.
package enum HTML {
    /// Reads a text in linear time, without losing any text that browsers show.
    package static func document(_ html: String) -> Document {
        var builder = HTMLBuilder()
        HTMLToken.forEach(in: html) { builder.add($0) }
        return Document(blocks: builder.finish())
    }

    /// The text without its tags, for searching.
    package static func text(_ html: String) -> String { document(html).blocks.plainText }

    /// Whether a text begins with a tag of HTML.
    package static func isBeginning(of text: String) -> Bool {
        let start = text.drop(while: \.isWhitespace)
        guard start.first == "<" else { return false }
        let name = start.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "!" }.lowercased()
        return name == "!doctype" || HTMLNames.first.contains(name)
    }

    /// Whether an incomplete text may turn out to begin with a tag of HTML.
    package static func mayBegin(_ text: String) -> Bool {
        let start = text.drop(while: \.isWhitespace)
        let isCut = start.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "!" }
        return start.isEmpty || start.first == "<" && isCut && start.utf8.count < 16 || isBeginning(of: text)
    }

    /// Whether a whole text is HTML, and not Markdown with some HTML in it.
    package static func isWhole(of text: String) -> Bool {
        guard isBeginning(of: text) else { return false }
        let bytes = Array(text.utf8)
        guard bytes.last(where: { !$0.isASCIIWhitespace }) == UInt8(ascii: ">") else { return false }
        // Signs of Markdown after the first tag.
        return !["](", "```", "\n# ", "\n## ", "\n- ", "\n* "].contains { bytes.position(of: Array($0.utf8)) != nil }
    }
}

/// Element names by their meaning for the text.
package enum HTMLNames {
    /// Elements that only end a paragraph.
    static let blocks: Set<String> = [
        "address", "article", "aside", "body", "caption", "center", "details", "dialog", "div", "dl", "dt",
        "figcaption", "figure", "footer", "form", "header", "html", "main", "nav", "p", "section", "summary", "tbody",
        "tfoot", "thead", "video", "audio", "iframe", "picture",
    ]

    /// Elements that a text in HTML begins with.
    package static let first: Set<String> = blocks.union([
        "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "img", "ol", "pre", "table", "ul",
    ])

    /// Elements within a word or a sentence, also those of MathML.
    package static let inlines: Set<String> = [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
        "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
        "img", "annotation", "maction", "menclose", "mfenced", "mfrac", "mi", "mn", "mo", "mover", "mpadded", "mroot",
        "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
        "munderover", "semantics",
    ]

    /// Elements without content, which have no end tag.
    package static let voids: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]

    /// All other known elements.
    package static let others: Set<String> = [
        "br", "button", "canvas", "col", "colgroup", "dd", "embed", "fieldset", "hgroup", "input", "label", "legend",
        "li", "link", "math", "meta", "noscript", "object", "option", "param", "rp", "rt", "ruby", "script", "select",
        "source", "style", "svg", "td", "template", "textarea", "tfoot", "th", "title", "tr",
    ]
}
