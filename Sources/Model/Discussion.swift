/// A post's place in a thread of comments.
public struct Discussion: Codable, Hashable, Sendable {
    /// The id of the post or comment that this replies to; nil for the post that started the thread.
    public let parent: String?
    /// The ids of the direct replies, in the source's order.
    public let replies: [String]
    /// Why the source no longer shows it; nil if it does.
    public let removal: Removal?
    /// The type of the post; nil if the source doesn't tell, or didn't when it was stored.
    public let type: PostType?

    /// The type of a post that starts a thread, or a comment.
    public enum PostType: String, Codable, Sendable {
        /// About a page elsewhere, or a text.
        case story
        /// An offer of work, without points and comments.
        case job
        /// A vote.
        case poll
        /// A question to the readers.
        case ask
        /// Something that its author made.
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

    /// A place in a thread; the values are not checked.
    public init(parent: String?, replies: [String], removal: Removal? = nil, type: PostType? = nil) {
        self.parent = parent
        self.replies = replies
        self.removal = removal
        self.type = type
    }
}

extension Discussion {
    /// The JSON that the encoder would write; nil if an ID has characters to be escaped.
    ///
    /// The plain way is the encoder, which takes many times as long and is used for the rest: "the processor meanwhile"
    /// of "a thread of 2,000 comments" in Benchmarks/RESULTS.md. `PostCodingTests` compares the two.
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

/// A comment and its place in a thread.
public struct Comment: Hashable, Sendable {
    /// The id, which can be read like that of a post.
    public let id: String
    /// Who wrote it.
    public let author: Author
    /// When it was written.
    public let publishDate: Timestamp
    /// What it says; "" if nothing of it is left.
    public let body: String
    /// The format of ``body``; nil for HTML.
    public private(set) var bodyFormat: BodyFormat?
    /// Its depth in the thread: 0 for a direct reply to the post.
    public let depth: Int
    /// Why the source no longer shows it; nil if it does.
    public let removal: Discussion.Removal?
    /// How many direct replies it has, shown or not.
    public let replyCount: Int
    /// Whether it is new since the thread was last read.
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

    /// The same with its id in another form.
    package func mappingID(_ text: (String) -> String) -> Comment {
        Comment(
            id: text(id), author: author, publishDate: publishDate, body: body, bodyFormat: bodyFormat, depth: depth,
            removal: removal, replyCount: replyCount, isNew: isNew)
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
