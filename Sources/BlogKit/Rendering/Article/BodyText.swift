/// A body as a document, whatever it is written in.
package enum BodyText {
    /// The format of a body, where its source doesn't specify it: HTML if it is nothing but that, else Markdown if it
    /// has Markdown's marks.
    package static func format(of body: String) -> BodyFormat {
        HTML.isWhole(of: body) ? .html : MarkdownMarks.areIn(body) ? .markdown : .plain
    }

    /// The document of a body; each line of plain text is a line of its own.
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
}
