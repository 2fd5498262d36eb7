/// A post's place among what people answered to it and to each other.
public struct Discussion: Codable, Hashable, Sendable {
    /// The id of what this answers; nil for what began it all.
    public let parent: String?
    /// The ids of the answers to this, in the source's order.
    public let replies: [String]
    /// Why the source no longer shows it; nil where it does.
    public let withheld: Withheld?

    /// Why a source doesn't show something that was written.
    public enum Withheld: String, Codable, Sendable {
        /// Its author took it back.
        case deleted
        /// It was judged unfit.
        case dead
    }

    /// A place with the given facts, none of them checked.
    public init(parent: String?, replies: [String], withheld: Withheld? = nil) {
        self.parent = parent
        self.replies = replies
        self.withheld = withheld
    }
}
