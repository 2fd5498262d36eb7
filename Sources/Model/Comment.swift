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
    /// Why the source no longer shows it; nil while it is shown.
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
