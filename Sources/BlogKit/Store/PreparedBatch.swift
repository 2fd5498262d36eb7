/// Entries of a list with what can be computed of them before they are stored, on another processor.
package struct PreparedBatch: Sendable {
    let entries: [Entry]
    /// The sort key of each entry; nil where it is computed only if the record turns out to be new.
    let keys: [SortKey?]
    /// Records that were left out because a field was missing or wrong.
    let rejected: [RejectedRecord]

    /// A batch; with `isNew`, of a blog of which nothing is stored.
    package init(_ entries: [Entry], rejected: [RejectedRecord] = [], isNew: Bool = false) {
        self.entries = entries
        self.rejected = rejected
        keys = isNew ? entries.map { SortKey($0.metadata) } : Array(repeating: nil, count: entries.count)
    }
}
