/// A list whose posts are about to be read.
package struct OpenedList: Sendable {
    /// What ``PostStore/nextBatch(_:)`` takes.
    package let cursor: Int
    /// The groups in their order; none in a list without groups.
    package let groups: [PostGroup]
    /// The newest post in the store when the list was opened: what comes later is new.
    package let lastPost: Int64
}
