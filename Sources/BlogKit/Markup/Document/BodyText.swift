import BlogModel

extension BodyText {
    /// The document of a post: its body, then its enclosures as links.
    package static func document(of metadata: PostMetadata, body: String, format: BodyFormat?) -> Document {
        Document(blocks: document(body, format: format).blocks + enclosures(of: metadata))
    }

    package static func document(of comment: Comment) -> Document {
        document(comment.body, format: comment.bodyFormat ?? .html)
    }

    /// The enclosures of a post as a list of links; empty without any.
    private static func enclosures(of metadata: PostMetadata) -> [Block] {
        guard let enclosures = metadata.article?.enclosures, !enclosures.isEmpty else { return [] }
        let items = enclosures.map { enclosure -> [Block] in
            let name = enclosure.title ?? enclosure.url.split(separator: "/").last.map(String.init) ?? enclosure.url
            let type = enclosure.type.map { " (\(Sanitizer.line($0)))" } ?? ""
            return [.paragraph([.link([.text(Sanitizer.line(name))], target: enclosure.url, title: nil), .text(type)])]
        }
        return [.list(numbers: nil, isTight: true, items: items)]
    }
}

extension Post {
    /// The text of the body without markup.
    ///
    /// It may contain any character that the server sent, including terminal control characters.
    public var plainText: String { BodyText.document(body, format: bodyFormat).blocks.plainText }
}
