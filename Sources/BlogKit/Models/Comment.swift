/// A comment where it stands in its discussion.
public struct Comment: Hashable, Sendable {
    /// The id, which can be read like that of a post.
    public let id: String
    /// Who wrote it.
    public let author: Author
    /// When it was written.
    public let publishDate: Timestamp
    /// What it says, in HTML; "" where nothing of it is left.
    public let body: String
    /// How many comments it answers, one above the other: 0 for an answer to the post itself.
    public let depth: Int
    /// Why the source no longer shows it; nil where it does.
    public let withheld: Discussion.Withheld?
    /// Whether it came after the discussion was read last.
    public let isNew: Bool

    /// The same with its id in another form.
    package func mappingID(_ text: (String) -> String) -> Comment {
        Comment(
            id: text(id), author: author, publishDate: publishDate, body: body, depth: depth, withheld: withheld,
            isNew: isNew)
    }
}
