import BlogModel

package struct StoredList: Sendable {
    package internal(set) var changes = ListChanges()
    package private(set) var flaws = ListFlaws()
    /// Whether a record without a readable id was left out: it might be any of the missing posts.
    private(set) var hasUnknownRejected = false

    mutating func note(_ record: RejectedRecord) {
        flaws.note(record)
        hasUnknownRejected = hasUnknownRejected || record.id == nil
    }

    mutating func note(duplicate id: String) { flaws.note(duplicate: id) }
}

/// The number of posts that a refresh changed.
public struct ListChanges: Hashable, Sendable {
    /// The number of new posts.
    public internal(set) var new: Int
    /// The number of posts with changed metadata.
    public internal(set) var updated: Int
    /// The number of unchanged posts.
    public internal(set) var unchanged: Int
    /// The number of posts that the source no longer lists.
    public internal(set) var delisted: Int

    package init(new: Int = 0, updated: Int = 0, unchanged: Int = 0, delisted: Int = 0) {
        self.new = new
        self.updated = updated
        self.unchanged = unchanged
        self.delisted = delisted
    }
}

/// A post in a list.
public struct ListedPost: Sendable {
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
    /// Its rank in the source's own order, starting at 1; nil if it has none.
    public let rank: Int?
    /// The root post of its thread; nil if it isn't a comment, or the root isn't stored.
    public let story: Story?
    /// An excerpt around the search terms; nil without a search.
    public let snippet: Snippet?

    package init(
        metadata: PostMetadata, source: SourceID, position: ListPosition? = nil, group: String?,
        state: PostState = PostState(), changed: Timestamp? = nil, rank: Int? = nil,
        story: Story? = nil, snippet: Snippet? = nil
    ) {
        self.metadata = metadata
        self.source = source
        self.position = position
        self.story = story
        self.rank = rank
        self.group = group
        self.state = state
        self.changed = changed
        self.snippet = snippet
    }
}
