/// A post as the store has it, in a list.
///
/// A class, because a list passes each post on several times, and it refers to twenty texts: see "IDs of 20,000 unread
/// posts" in Benchmarks/counts.tsv.
public final class StoredPost: Sendable {
    /// The post's metadata.
    public let metadata: PostMetadata
    /// The post's source.
    public let source: SourceID
    /// The ID for reading and marking the post.
    public var id: PostID { PostID(source: source, local: metadata.id) }
    /// The position in the list, for ``Query/after``; nil for a post that has just arrived.
    public let position: ListPosition?
    /// The name of its group; nil in a list without groups.
    public let group: String?
    /// The user's marks on it.
    public let state: PostState
    /// When a change of its title, text, author or tags was last seen; nil if there was none.
    public let changed: Timestamp?
    /// When it arrived, by which it is sorted, if it is dated later; nil for others.
    public let arrival: Timestamp?
    /// Its rank in the source's own order, starting at 1; nil if it has none.
    public let rank: Int?
    /// The root post of its thread; nil if it isn't a comment, or the root isn't stored.
    public let story: Story?
    /// An excerpt around the search terms; nil without a search.
    public let snippet: Snippet?
    /// The posts of other sources about the same story, which the list leaves out.
    public let duplicates: [Duplicate]

    package init(
        metadata: PostMetadata, source: SourceID, position: ListPosition? = nil, group: String?,
        state: PostState = PostState(), changed: Timestamp? = nil, arrival: Timestamp? = nil, rank: Int? = nil,
        story: Story? = nil, snippet: Snippet? = nil, duplicates: [Duplicate] = []
    ) {
        self.metadata = metadata
        self.source = source
        self.position = position
        self.story = story
        self.rank = rank
        self.group = group
        self.state = state
        (self.changed, self.arrival) = (changed, arrival)
        self.snippet = snippet
        self.duplicates = duplicates
    }
}

/// A post of another source about the same story.
public struct Duplicate: Hashable, Sendable {
    /// The ID for reading and marking the post.
    public let id: PostID
    /// The number of points; nil if unknown.
    public let score: Int?
    /// The number of comments; nil if unknown.
    public let commentCount: Int?

    package init(id: PostID, score: Int?, commentCount: Int?) {
        (self.id, self.score, self.commentCount) = (id, score, commentCount)
    }
}

/// How many posts match a query.
public struct ListCounts: Hashable, Sendable {
    /// The number of posts, at most ``limit``.
    public let posts: Int
    /// How many of ``posts`` are unread.
    public let unread: Int

    /// The maximum that is counted, which bounds the time it takes.
    public static let limit = 10_000

    package init(posts: Int, unread: Int) {
        self.posts = posts
        self.unread = unread
    }
}
