/// A post of a list and the group it is in.
public struct ListedPost: Sendable {
    /// What is known of the post.
    public let metadata: PostMetadata
    /// The name of its group; nil in a list without groups.
    public let group: String?

    package init(metadata: PostMetadata, group: String?) {
        self.metadata = metadata
        self.group = group
    }
}
