/// In which order posts are shown, and how they are cut into groups.
public struct Arrangement: Hashable, Sendable {
    /// The order of the posts, inside a group too.
    public var sorting: Sorting
    /// What a group has in common; nil for one list without groups.
    public var grouping: Grouping?
    /// Whether the posts run the other way round, inside their groups too.
    public var isReversed: Bool
    /// Whether the groups run the other way round.
    public var areGroupsReversed: Bool

    /// An arrangement; without arguments the newest post first.
    public init(
        sorting: Sorting = .date, grouping: Grouping? = nil, isReversed: Bool = false, areGroupsReversed: Bool = false
    ) {
        self.sorting = sorting
        self.grouping = grouping
        self.isReversed = isReversed
        self.areGroupsReversed = areGroupsReversed
    }
}
