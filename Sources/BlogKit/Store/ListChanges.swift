/// What storing a list changed.
public struct ListChanges: Hashable, Sendable {
    /// Posts that were not stored before.
    public internal(set) var new: Int
    /// Posts whose metadata changed.
    public internal(set) var updated: Int
    /// Posts that were stored just so.
    public internal(set) var unchanged: Int
    /// Posts that the source no longer lists.
    public internal(set) var delisted: Int

    package init(new: Int = 0, updated: Int = 0, unchanged: Int = 0, delisted: Int = 0) {
        self.new = new
        self.updated = updated
        self.unchanged = unchanged
        self.delisted = delisted
    }
}
