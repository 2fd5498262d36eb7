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
        /// One of the answers to a poll.
        case pollOption
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
