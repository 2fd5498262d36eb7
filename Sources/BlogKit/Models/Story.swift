/// What a discussion is about.
public struct Story: Hashable, Sendable {
    /// The id of the post that began it.
    public let id: String
    /// That post's title.
    public let title: String
}
