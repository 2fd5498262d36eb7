import BlogEssentials

/// What the store knows of how a post came, and why lists have it or not.
package struct PostRecord: Sendable {
    /// When it was stored, or its source changed what lists show of it.
    package let changedAt: Date
    /// Whether it came with the archive of its blog.
    package let isArchived: Bool
    /// Whether a rule hides it.
    package let isHidden: Bool
    /// Whether its author or its source has removed it.
    package let isRemoved: Bool
    /// Whether its source lists it, and is followed.
    package let isListed: Bool
    package let isFollowed: Bool
    /// The rules that find it.
    package let rules: [StoredRule]
    /// The posts of its story that lists of several sources can show, the one that they do first; empty if it is in no other
    /// source.
    package let story: [PostID]

    package init(
        changedAt: Date, isArchived: Bool, isHidden: Bool, isRemoved: Bool, isListed: Bool, isFollowed: Bool,
        rules: [StoredRule], story: [PostID]
    ) {
        self.changedAt = changedAt
        self.isArchived = isArchived
        self.isHidden = isHidden
        self.isRemoved = isRemoved
        self.isListed = isListed
        self.isFollowed = isFollowed
        self.rules = rules
        self.story = story
    }
}
