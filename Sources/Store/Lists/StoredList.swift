import Model

/// The changes of storing a list, and the flaws of the list.
package struct StoredList: Sendable {
    package internal(set) var changes = ListChanges()
    package private(set) var flaws = ListFlaws()
    /// Whether a record was left out whose id can't be read: then it may be any post that is missing.
    private(set) var hasUnknownRejected = false

    mutating func note(_ record: RejectedRecord) {
        flaws.note(record)
        hasUnknownRejected = hasUnknownRejected || record.id == nil
    }

    mutating func note(duplicate id: String) { flaws.note(duplicate: id) }
}

/// The changes of storing a list.
public struct ListChanges: Hashable, Sendable {
    /// Posts that were not stored before.
    public internal(set) var new: Int
    /// Posts whose metadata changed.
    public internal(set) var updated: Int
    /// Posts that did not change.
    public internal(set) var unchanged: Int
    /// Posts that the source no longer lists.
    public internal(set) var delisted: Int

    package init(new: Int = 0, updated: Int = 0, unchanged: Int = 0, delisted: Int = 0) {
        self.new = new
        self.updated = updated
        self.unchanged = unchanged
        self.delisted = delisted
    }
}

/// A post of a list and the group it is in.
public struct ListedPost: Sendable {
    /// The post's metadata.
    public let metadata: PostMetadata
    /// Its source.
    public let source: SourceID
    /// The ID by which a library reads or marks it.
    public var id: PostID { PostID(source: source, local: metadata.id) }
    /// Its place in the list, for ``Query/after``; nil for a post that has just arrived.
    public let position: ListPosition?
    /// The name of its group; nil in a list without groups.
    public let group: String?
    /// What was recorded about it.
    public let state: PostState
    /// When its title, text, author or tags were last found changed; nil if they never were.
    public let changed: Timestamp?
    /// Its rank in the source's own order, starting at 1; nil if it has none.
    public let rank: Int?
    /// The root post of its thread; nil if it is not a comment, or the post is not stored.
    public let story: Story?
    /// Where the search terms stand in it; nil if nothing was searched for.
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
