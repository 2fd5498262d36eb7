/// What a sync fetches of a source with several lists and with discussions.
public struct ItemSyncOptions: Hashable, Sendable {
    /// Which of its lists; nil for the usual one.
    public var section: String?
    /// Whether the comments on each post are fetched too.
    public var withComments: Bool

    /// Options; without arguments the posts of the usual list.
    public init(section: String? = nil, withComments: Bool = false) {
        self.section = section
        self.withComments = withComments
    }
}
