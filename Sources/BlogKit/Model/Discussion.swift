/// A post's position in a thread of comments.
public struct Discussion: Codable, Hashable, Sendable {
    /// The id of the post or comment that this replies to; nil for the root post.
    public internal(set) var parent: String?
    /// The ids of the direct replies, in the source's order.
    public let replies: [String]
    /// Why the source no longer shows it; nil if it does.
    public let removal: Removal?
    /// The type of the post; nil if unknown.
    public let type: PostType?

    /// The type of a post or comment.
    public enum PostType: String, Codable, Sendable {
        /// A link to a page, or a text.
        case story
        /// A job ad, without points and comments.
        case job
        /// A poll.
        case poll
        /// A question to the readers.
        case ask
        /// The author's own work.
        case show
        /// A reply.
        case comment
    }

    /// Why a post or comment was removed.
    public enum Removal: String, Codable, Sendable {
        /// Deleted by its author.
        case deleted
        /// Removed by moderators or by flags.
        case dead
    }

    private enum CodingKeys: String, CodingKey {
        case parent, replies, type
        case removal = "withheld"
    }

    /// A position in a thread; the values aren't validated.
    public init(parent: String?, replies: [String], removal: Removal? = nil, type: PostType? = nil) {
        self.parent = parent
        self.replies = replies
        self.removal = removal
        self.type = type
    }
}

extension Discussion {
    /// The same JSON as from the encoder; nil if an ID has characters that need escaping.
    ///
    /// The plain way is the encoder, which is many times slower and used for the rest: "the processor meanwhile" of "a
    /// thread of 2,000 comments" in Benchmarks/RESULTS.md. `PostCodingTests` compares the two.
    var json: String? {
        guard replies.allSatisfy(Self.isPlain), parent.map(Self.isPlain) != false else { return nil }
        let fields = [
            parent.map { #""parent":"\#($0)""# },
            #""replies":[\#(replies.map { "\"\($0)\"" }.joined(separator: ","))]"#,
            type.map { #""type":"\#($0.rawValue)""# },
            removal.map { #""withheld":"\#($0.rawValue)""# },
        ]
        return "{\(fields.compactMap(\.self).joined(separator: ","))}"
    }

    private static func isPlain(_ id: String) -> Bool {
        id.utf8.allSatisfy { (0x23...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    }
}

/// A comment in a thread.
public struct Comment: Hashable, Sendable {
    /// The id, which can be used like a post's.
    public private(set) var id: String
    /// The author.
    public let author: Author
    /// When it was published.
    public let publishDate: Timestamp
    /// The text; "" if it was removed.
    public let body: String
    /// The format of ``body``; nil for HTML.
    public let bodyFormat: BodyFormat?
    /// Its depth in the thread: 0 for a direct reply to the post.
    public let depth: Int
    /// Why the source no longer shows it; nil if it does.
    public let removal: Discussion.Removal?
    /// The number of direct replies, shown or not.
    public let replyCount: Int
    /// Whether it arrived after the thread was last read.
    public let isNew: Bool

    package init(
        id: String, author: Author, publishDate: Timestamp, body: String, bodyFormat: BodyFormat? = nil, depth: Int,
        removal: Discussion.Removal?, replyCount: Int, isNew: Bool
    ) {
        self.id = id
        self.author = author
        self.publishDate = publishDate
        self.body = body
        self.bodyFormat = bodyFormat
        self.depth = depth
        self.removal = removal
        self.replyCount = replyCount
        self.isNew = isNew
    }

    package func mappingID(_ text: (String) -> String) -> Comment {
        var comment = self
        comment.id = text(id)
        return comment
    }
}

/// The root post of a thread.
public struct Story: Hashable, Sendable {
    /// The post's id.
    public let id: String
    /// The post's title.
    public let title: String

    package init(id: String, title: String) {
        self.id = id
        self.title = title
    }
}
