/// What storing a list changed.
package struct ListChanges: Hashable, Sendable {
    package var new = 0
    package var updated = 0
    package var unchanged = 0
    /// Posts that the source no longer lists.
    package var delisted = 0
}
