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
