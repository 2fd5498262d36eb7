/// A complete post: the blog API's `GET /post/POSTID` record.
///
/// It is encoded in the API's own shape, `{"id": "2011", "metadata": {"id": "11", …}, "body": "…"}`. A ``bodyFormat`` that is
/// known is one member more, such as `"bodyFormat": "html"`; the API sends none.
public struct Post: Hashable, Sendable {
    /// The id under which the body lives: the metadata's ``PostMetadata/postId``.
    public let id: String
    /// The post's metadata.
    public let metadata: PostMetadata
    /// The text as published.
    public let body: String
    /// The format of ``body``; nil if its source doesn't specify it.
    public let bodyFormat: BodyFormat?

    /// A post with the given facts, none of them checked.
    public init(id: String, metadata: PostMetadata, body: String, bodyFormat: BodyFormat? = nil) {
        self.id = id
        self.metadata = metadata
        self.body = body
        self.bodyFormat = bodyFormat
    }
}

extension Post: Codable {
    private enum CodingKeys: CodingKey {
        case id, metadata, body, bodyFormat
    }

    /// Decodes an API record; throws a `DecodingError` whose path names the field that is missing or wrong.
    ///
    /// Members that the API doesn't know are passed over.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        metadata = try container.decode(PostMetadata.self, forKey: .metadata)
        body = try container.decode(String.self, forKey: .body)
        bodyFormat = try? container.decodeIfPresent(BodyFormat.self, forKey: .bodyFormat)
    }
}

/// The format of a body.
public enum BodyFormat: String, Codable, Sendable {
    /// Plain text.
    case plain
    /// Markdown as https://spec.commonmark.org has it.
    case markdown
    /// HTML, or a part of it.
    case html
}

/// Takes the beginning of a post's body in chunks while the rest is still arriving; what it throws ends the waiting.
public typealias TextReceiver = @Sendable (PostMetadata, String) async throws -> Void
