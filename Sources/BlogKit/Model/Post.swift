/// A complete post: the blog API's `GET /post/POSTID` record.
///
/// It is encoded in the API's format, `{"id": "2011", "metadata": {"id": "11", …}, "body": "…"}`. If ``bodyFormat`` is
/// known, there is an additional member such as `"bodyFormat": "html"`, which the API doesn't define.
public struct Post: Hashable, Sendable {
    /// The id for requesting the body, the same as ``PostMetadata/postId``.
    public let id: String
    /// The post's metadata.
    public let metadata: PostMetadata
    /// The text as published.
    public let body: String
    /// The format of ``body``; nil if its source doesn't specify it.
    public let bodyFormat: BodyFormat?

    /// A post with the given values, which aren't validated.
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

    /// Decodes an API record; throws a `DecodingError` whose path names the missing or invalid field.
    ///
    /// Unknown members are ignored.
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
    /// CommonMark (https://spec.commonmark.org).
    case markdown
    /// HTML, possibly a fragment.
    case html
}

/// The details of a feed's entry besides its title and text.
public struct EntryDetails: Codable, Hashable, Sendable {
    /// The categories, as published.
    public let tags: [String]
    /// Attached files, such as the audio of a podcast.
    public let enclosures: [Enclosure]
    /// The URL of a picture that represents it; nil if there is none.
    public let image: String?
    /// When it was last changed; nil if unknown.
    public let updated: Timestamp?
    /// The language tag, such as `en-GB`; nil if unknown.
    public let language: String?

    /// Details with the given values, which aren't validated; too many or too long tags are cut.
    public init(
        tags: [String] = [], enclosures: [Enclosure] = [], image: String? = nil, updated: Timestamp? = nil,
        language: String? = nil
    ) {
        self.tags = Self.cut(tags)
        self.enclosures = enclosures
        self.image = image
        self.updated = updated
        self.language = language
    }

    /// Decodes the details; too many or too long tags are cut.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tags = Self.cut(try container.decode([String].self, forKey: .tags))
        enclosures = try container.decode([Enclosure].self, forKey: .enclosures)
        image = try container.decodeIfPresent(String.self, forKey: .image)
        updated = try container.decodeIfPresent(Timestamp.self, forKey: .updated)
        language = try container.decodeIfPresent(String.self, forKey: .language)
    }

    private enum CodingKeys: String, CodingKey { case tags, enclosures, image, updated, language }

    private static func cut(_ tags: [String]) -> [String] { tags.prefix(maxTags).map { $0.cut(to: .tag) } }

    private static let maxTags = 200

    var isEmpty: Bool { self == EntryDetails() }
}

/// A file that is attached to an entry.
public struct Enclosure: Codable, Hashable, Sendable {
    /// The absolute URL.
    public let url: String
    /// The media type, for example `audio/mpeg`; nil if unknown.
    public let type: String?
    /// The size in bytes; nil if unknown.
    public let length: Int?
    /// The title; nil if there is none.
    public let title: String?

    /// An enclosure with the given values, which aren't validated.
    public init(url: String, type: String? = nil, length: Int? = nil, title: String? = nil) {
        self.url = url
        self.type = type
        self.length = length
        self.title = title
    }
}
