/// What a marking did.
public struct MarkingReport: Hashable, Sendable {
    /// What posts were marked as.
    public let mark: Mark
    /// How many posts were meant.
    public let known: Int
    /// How many posts were not marked so before.
    public let changed: Int
    /// Ids that are not stored.
    public let unknownIDs: [PostID]

    package init(mark: Mark, known: Int, changed: Int, unknownIDs: [PostID]) {
        self.mark = mark
        self.known = known
        self.changed = changed
        self.unknownIDs = unknownIDs
    }
}
