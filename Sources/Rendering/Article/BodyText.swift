import Markup
import Model

/// Parses a body of any format into a document.
package enum BodyText {
    /// Detects the format of a body: HTML if all of it is HTML, else Markdown if it has Markdown syntax, else plain
    /// text.
    package static func format(of body: String) -> BodyFormat {
        HTML.isWhole(of: body) ? .html : Markdown.isLikely(body) ? .markdown : .plain
    }

    /// The document of a post: its body, then the files that belong to it, as links.
    package static func document(of metadata: PostMetadata, body: String, format: BodyFormat?) -> Document {
        Document(blocks: document(body, format: format).blocks + enclosures(of: metadata))
    }

    /// The document of a comment.
    static func document(of comment: Comment) -> Document {
        document(comment.body, format: comment.bodyFormat ?? .html)
    }

    /// The files that belong to a post as a list of links; none where there are none.
    static func enclosures(of metadata: PostMetadata) -> [Block] {
        guard let enclosures = metadata.article?.enclosures, !enclosures.isEmpty else { return [] }
        let items = enclosures.map { enclosure -> [Block] in
            let name = enclosure.title ?? enclosure.url.split(separator: "/").last.map(String.init) ?? enclosure.url
            let type = enclosure.type.map { " (\(Sanitizer.line($0)))" } ?? ""
            return [.paragraph([.link([.text(Sanitizer.line(name))], target: enclosure.url, title: nil), .text(type)])]
        }
        return [.list(numbers: nil, isTight: true, items: items)]
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

extension Post {
    /// The text of the body, without tags or Markdown's marks.
    ///
    /// It may have any character that its server sent, those included that act on a terminal.
    public var plainText: String { BodyText.document(body, format: bodyFormat).blocks.plainText }
}
