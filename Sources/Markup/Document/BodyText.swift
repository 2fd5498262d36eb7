import Model

/// Parses a body of any format into a document.
package enum BodyText {
    /// Detects the format of a body: HTML if all of it is HTML, else Markdown if it has Markdown syntax, else plain
    /// text.
    package static func format(of body: String) -> BodyFormat {
        HTML.isWhole(of: body) ? .html : Markdown.isLikely(body) ? .markdown : .plain
    }

    /// The document of a body; line breaks of plain text are kept.
    package static func document(_ body: String, format: BodyFormat?) -> Document {
        switch format ?? self.format(of: body) {
        case .markdown: return Markdown.document(body)
        case .html: return HTML.document(body)
        case .plain:
            let paragraphs = Sanitizer.block(body).split(separator: "\n\n").map { paragraph -> Block in
                let lines = paragraph.split(separator: "\n").map { [Span.text(String($0))] }
                return .paragraph(Array(lines.joined(separator: [.hardBreak])))
            }
            return Document(blocks: paragraphs)
        }
    }

    /// The text of a body without its marks, for searching; plain text stays as it is.
    package static func plainText(of body: String, format: BodyFormat?) -> String {
        let format = format ?? self.format(of: body)
        return format == .plain ? body : document(body, format: format).blocks.plainText
    }
}
