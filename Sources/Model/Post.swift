/// A complete post: the blog API's `GET /post/POSTID` record.
///
/// It is encoded in the API's own shape, `{"id": "2011", "metadata": {"id": "11", …}, "body": "…"}`. A ``bodyFormat``
/// that is known is one member more, such as `"bodyFormat": "html"`; the API sends none.
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

/// What a feed tells about an article besides its title and text.
public struct Article: Codable, Hashable, Sendable {
    /// The categories that it is filed under, as published.
    public let tags: [String]
    /// Files that belong to it: the sound of a podcast, pictures.
    public let enclosures: [Enclosure]
    /// The URL of a picture that stands for it; nil where there is none.
    public let image: String?
    /// When it was last changed; nil if its source doesn't say.
    public let updated: Timestamp?
    /// The tag of its language, such as `en-GB`; nil if its source doesn't say.
    public let language: String?

    /// An article with the given facts, none of them checked.
    public init(
        tags: [String] = [], enclosures: [Enclosure] = [], image: String? = nil, updated: Timestamp? = nil,
        language: String? = nil
    ) {
        self.tags = tags
        self.enclosures = enclosures
        self.image = image
        self.updated = updated
        self.language = language
    }

    /// Whether nothing is known.
    var isEmpty: Bool { self == Article() }
}

/// A file that belongs to an article.
public struct Enclosure: Codable, Hashable, Sendable {
    /// Where it is, an absolute URL.
    public let url: String
    /// Its media type, for example `audio/mpeg`; nil where the feed doesn't say.
    public let type: String?
    /// Its size in bytes; nil where the feed doesn't say.
    public let length: Int?
    /// What it is called; nil where the feed doesn't say.
    public let title: String?

    /// An enclosure with the given facts, none of them checked.
    public init(url: String, type: String? = nil, length: Int? = nil, title: String? = nil) {
        self.url = url
        self.type = type
        self.length = length
        self.title = title
    }
}

/// A mark that the user sets on a post.
public enum Mark: String, CaseIterable, Sendable {
    /// It has been read.
    case read
    /// It has not been read.
    case unread
    /// It is saved.
    case saved
    /// It is no longer saved.
    case unsaved

    /// The mark that undoes this one.
    public var opposite: Mark {
        switch self {
        case .read: .unread
        case .unread: .read
        case .saved: .unsaved
        case .unsaved: .saved
        }
    }
}

/// The user's marks on a post.
public struct PostState: Hashable, Sendable {
    /// Whether it has been read.
    public let isRead: Bool
    /// Whether it is saved.
    public let isSaved: Bool

    /// A state; without arguments that of a post just found.
    public init(isRead: Bool = false, isSaved: Bool = false) {
        self.isRead = isRead
        self.isSaved = isSaved
    }
}
