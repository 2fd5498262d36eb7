import BlogEssentials

/// A post without its body: the blog API's `GET /post-metadata` record.
public struct PostMetadata: Codable, Hashable, Sendable {
    /// The id that users type, unique within its source.
    public package(set) var id: String
    /// The title as published, which may contain any character.
    public let title: String
    /// When the post was published.
    public package(set) var publishDate: Timestamp
    /// The id for requesting the body, which may differ from ``id``.
    public package(set) var postId: String
    /// A paragraph about the post; nil if there is none.
    public let summary: String?
    /// The author.
    public let author: Author
    /// The address of the page that the post is about; nil if there is none.
    public let link: String?
    /// The number of points from readers; nil if unknown.
    public let score: Int?
    /// The number of comments; nil if unknown.
    public let commentCount: Int?
    /// Details that only posts of one kind have; nil if there are none.
    public let details: Details?

    /// The position in a discussion; nil if it isn't part of one.
    public var discussion: Discussion? {
        if case .discussion(let discussion) = details { discussion } else { nil }
    }

    /// The details of a feed entry; nil for other posts.
    public var entry: EntryDetails? {
        if case .entry(let entry) = details { entry } else { nil }
    }

    /// The details of a photo; nil for other posts.
    public var photo: Photo? {
        if case .photo(let photo) = details { photo } else { nil }
    }

    /// Whether it is about a user.
    public var isUser: Bool { details == .user }

    /// Whether its source has comments on it.
    package var isDiscussed: Bool { discussion != nil || photo != nil }

    /// The ids of its direct replies, in the source's order.
    package var replies: [String] { discussion?.replies ?? photo?.replies ?? [] }

    /// This metadata from a list, completed with details that only come with a request for a single post.
    package func completed(by known: PostMetadata) -> PostMetadata {
        guard let photo, let knownPhoto = known.photo else { return self }
        return with(.photo(photo.completed(by: knownPhoto)))
    }

    /// This metadata with other details.
    package func with(_ details: Details) -> PostMetadata {
        PostMetadata(
            id: id, title: title, publishDate: publishDate, postId: postId, summary: summary, author: author,
            link: link, score: score, commentCount: commentCount, details: details)
    }

    /// Metadata with the given values, which aren't validated; too long texts are cut.
    public init(
        id: String, title: String, publishDate: Timestamp, postId: String, summary: String?, author: Author,
        link: String? = nil, score: Int? = nil, commentCount: Int? = nil, details: Details? = nil
    ) {
        let (title, summary) = (title.cut(to: .title), summary?.cut(to: .summary))
        self.id = id
        self.title = title
        self.publishDate = publishDate
        self.postId = postId
        self.summary = summary
        self.author = author
        self.link = link
        self.score = score
        self.commentCount = commentCount
        self.details = details
    }

    /// Rewrites its own ID and its parent's.
    package mutating func mapIDs(_ text: (String) -> String) {
        id = text(id)
        if var discussion, let parent = discussion.parent {
            discussion.parent = text(parent)
            self = with(.discussion(discussion))
        }
    }

    /// Decodes an API record; throws a `DecodingError` whose path names the missing or invalid field.
    ///
    /// Fields that the blog API doesn't define are ignored if they are invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try Self.identifier(.id, in: container)
        title = try container.decode(String.self, forKey: .title).cut(to: .title)
        publishDate = try container.decode(Timestamp.self, forKey: .publishDate)
        postId = try Self.identifier(.postId, in: container)
        summary = try container.decodeIfPresent(String.self, forKey: .summary)?.cut(to: .summary)
        author = try container.decodeIfPresent(Author.self, forKey: .author) ?? Author(name: Author.unknown)
        link = try? container.decodeIfPresent(String.self, forKey: .link)
        score = try? container.decodeIfPresent(Int.self, forKey: .score)
        commentCount = try? container.decodeIfPresent(Int.self, forKey: .commentCount)
        let discussion = try? container.decodeIfPresent(Discussion.self, forKey: .discussion)
        let entry = try? container.decodeIfPresent(EntryDetails.self, forKey: .article)
        let photo = try? container.decodeIfPresent(Photo.self, forKey: .photo)
        let isUser = (try? container.decodeIfPresent(Bool.self, forKey: .user)) == true
        details =
            discussion.map { .discussion($0) } ?? entry.map { .entry($0) } ?? photo.map { .photo($0) }
            ?? (isUser ? .user : nil)
    }

    private enum CodingKeys: String, CodingKey {
        case id, title, publishDate, postId, summary, author, link, score, commentCount, discussion, article, photo,
            user
    }

    /// Encodes an API record.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(publishDate, forKey: .publishDate)
        try container.encode(postId, forKey: .postId)
        try container.encodeIfPresent(summary, forKey: .summary)
        try container.encode(author, forKey: .author)
        try container.encodeIfPresent(link, forKey: .link)
        try container.encodeIfPresent(score, forKey: .score)
        try container.encodeIfPresent(commentCount, forKey: .commentCount)
        try details?.encode(to: encoder)
    }

    /// The maximum length of an id in bytes: more than any address needs, and short enough for fast comparison.
    package static let maxIDLength = 4096

    private static func identifier(
        _ key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>
    ) throws -> String {
        let number = try? container.decode(Int64.self, forKey: key)
        let identifier = try number.map { String($0) } ?? container.decode(String.self, forKey: key)
        guard !identifier.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "is empty")
        }
        guard identifier.utf8.count <= maxIDLength else {
            throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "is too long")
        }
        return identifier
    }

    /// Whether the ID is typed as it is printed: without control characters, tabs, line breaks and bidi controls.
    ///
    /// A server's record must have one; what is stored already keeps its own, also in an export.
    package var hasPrintableID: Bool {
        if id.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return true }
        return id.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            case .format: !scalar.properties.isBidiControl
            default: true
            }
        }
    }
}

/// The author of a post.
public struct Author: Codable, Hashable, Sendable {
    /// The name as published; several are joined with ", ".
    public let name: String
    /// A path on the API's host (`/images/authors/kerri.jpg`) or an absolute URL.
    public let image: String?
    /// The author's role, for example "iOS Engineer".
    public let title: String?

    /// The name of an author whom the source doesn't name.
    package static let unknown = "[unknown]"

    /// Decodes an author; one without a name is `[unknown]`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)?.cut(to: .name) ?? Self.unknown
        image = try container.decodeIfPresent(String.self, forKey: .image)
        title = try container.decodeIfPresent(String.self, forKey: .title)
    }

    /// An author with the given values, which aren't validated; a too long name is cut.
    public init(name: String, image: String? = nil, title: String? = nil) {
        self.name = name.cut(to: .name)
        self.image = image
        self.title = title
    }
}

/// The maximum lengths of texts on one line, in bytes: longer ones are no titles or names, and the words of each are
/// folded, sorted and compared with those of all posts.
enum LineLength: Int {
    case title = 4096
    case name = 2048
    case summary = 32_768
    case tag = 256
}

extension String {
    /// The text itself, or the beginning of a too long one with an ellipsis.
    func cut(to length: LineLength) -> String {
        if utf8.count <= length.rawValue { return self }
        var end = utf8.index(startIndex, offsetBy: length.rawValue - "…".utf8.count)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}

/// Details that only posts of one kind have.
///
/// Indirect, because lists copy posts often and these would be most of their size.
public indirect enum Details: Hashable, Sendable {
    /// The post is part of a discussion.
    case discussion(Discussion)
    /// The post is an entry of a feed.
    case entry(EntryDetails)
    /// The post is a photo.
    case photo(Photo)
    /// The post is about a user: the score is their karma, and the date when they joined.
    case user
}

extension Details {
    /// The details as deterministic JSON, so that equal details are equal texts.
    ///
    /// Throws an `EncodingError`.
    package func json() throws -> String {
        if case .entry(let entry) = self, entry.isEmpty { return Self.plainArticle }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Decodes what ``json()`` returns.
    ///
    /// Throws a `DecodingError`.
    package init(json: String) throws {
        self =
            json == Self.plainArticle
            ? .entry(EntryDetails()) : try JSONDecoder().decode(Details.self, from: Data(json.utf8))
    }

    /// The JSON of an entry without categories, files and so on: many feeds have only such entries, and coding these
    /// details takes as long as storing a post.
    private static let plainArticle = #"{"article":{"enclosures":[],"tags":[]}}"#
}

extension Details: Codable {
    private enum CodingKeys: String, CodingKey {
        case discussion
        case article
        case photo
        case user
    }

    /// Decodes an object with one member, whose name is the kind: `{"discussion": {"replies": ["8952"]}}`.
    ///
    /// Throws a `DecodingError` for an unknown kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.article) {
            self = .entry(try container.decode(EntryDetails.self, forKey: .article))
        } else if container.contains(.photo) {
            self = .photo(try container.decode(Photo.self, forKey: .photo))
        } else if container.contains(.user) {
            self = .user
        } else {
            self = .discussion(try container.decode(Discussion.self, forKey: .discussion))
        }
    }

    /// Encodes an object with one member, whose name is the kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .discussion(let discussion): try container.encode(discussion, forKey: .discussion)
        case .entry(let entry): try container.encode(entry, forKey: .article)
        case .photo(let photo): try container.encode(photo, forKey: .photo)
        case .user: try container.encode(true, forKey: .user)
        }
    }
}
