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

/// The order of a list.
///
/// Ties go by date, newest first, then by id; ``Arrangement/isReversed`` turns all of it round, inside groups too.
public enum Sorting: String, CaseIterable, Sendable {
    /// Newest first.
    case date
    /// A to Z.
    case title
    /// A to Z by the author's name.
    case author
    /// The source's own order; a list that has none is ordered by date.
    case rank
    /// Most points first.
    case score
    /// Most comments first.
    case comments
    /// The best rated first.
    case rating
    /// What fits a search best first; a list that wasn't searched for has the order by date.
    case relevance
}

/// What the posts of one group have in common.
public enum Grouping: String, CaseIterable, Sendable {
    /// The author's name, A to Z.
    case author
    /// The month of publication in UTC, newest first.
    case date
    /// The title's first letter.
    case title
    /// The source, A to Z by its name.
    case source
    /// The folder that the source is in, A to Z.
    case folder
}

extension Grouping {
    /// The name that people see of a group, from the column that the store keeps it in.
    package func name(ofStored value: String) -> String {
        switch self {
        case .author, .title, .source: value
        case .folder: value.isEmpty ? "No folder" : value
        case .date: CalendarMonth(text: value)?.name ?? value
        }
    }
}
