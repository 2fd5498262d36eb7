import Model

/// A post of a list and the group it is in.
public struct ListedPost: Sendable {
    /// The post's metadata.
    public let metadata: PostMetadata
    /// Its source.
    public let source: SourceID
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
