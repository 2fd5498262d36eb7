/// A post of the list as a sync sees it.
package struct SyncItem: Sendable {
    /// The post's key in the store.
    let post: Int64
    let hasBody: Bool
    /// Whether the stored body is of the metadata that is stored.
    let isCurrent: Bool
}
