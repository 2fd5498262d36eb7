/// Records of a list with what can be computed of them before they are stored, on another processor.
package struct PreparedBatch: Sendable {
    let records: [PostMetadata]
    /// The sort key of each record; nil where it is computed only if the record turns out to be new.
    let keys: [SortKey?]
    /// Records that were left out because a field was missing or wrong.
    let rejected: [RejectedRecord]

    /// A batch; with `isNew`, of a blog of which nothing is stored.
    package init(_ records: [PostMetadata], rejected: [RejectedRecord] = [], isNew: Bool = false) {
        self.records = records
        self.rejected = rejected
        keys = isNew ? records.map { SortKey($0) } : Array(repeating: nil, count: records.count)
    }
}
