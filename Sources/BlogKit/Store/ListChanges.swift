/// What storing a list changed.
package struct ListChanges: Hashable, Sendable {
    package var new: Int
    package var updated: Int
    package var unchanged: Int
    /// Posts that the source no longer lists.
    package var delisted: Int

    package init(new: Int = 0, updated: Int = 0, unchanged: Int = 0, delisted: Int = 0) {
        self.new = new
        self.updated = updated
        self.unchanged = unchanged
        self.delisted = delisted
    }
}
