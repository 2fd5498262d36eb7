/// A post of a list and the group it is in.
public struct ListedPost: Sendable {
    /// What is known of the post.
    public let metadata: PostMetadata
    /// Where it is from.
    public let source: SourceID
    /// The name of its group; nil in a list without groups.
    public let group: String?
    /// What was noted about it.
    public let state: PostState
    /// Its place in the source's own order, from 1 on; nil where that makes no sense.
    public let rank: Int?
    /// What began the discussion that it is a comment in; nil where it began one itself, or that is not stored.
    public let story: Story?
    /// Where the words that were searched for stand in it; nil where nothing was searched for.
    public let snippet: Snippet?

    package init(
        metadata: PostMetadata, source: SourceID, group: String?, state: PostState = PostState(), rank: Int? = nil,
        story: Story? = nil, snippet: Snippet? = nil
    ) {
        self.metadata = metadata
        self.source = source
        self.story = story
        self.rank = rank
        self.group = group
        self.state = state
        self.snippet = snippet
    }
}
