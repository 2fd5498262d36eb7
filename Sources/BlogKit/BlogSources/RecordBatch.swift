/// Some records of a list that is arriving, in the list's order.
package struct RecordBatch: Hashable, Sendable {
    package var records: [PostMetadata] = []
    /// Records that were left out because a field was missing or wrong.
    package var rejected: [RejectedRecord] = []

    package init(records: [PostMetadata] = [], rejected: [RejectedRecord] = []) {
        self.records = records
        self.rejected = rejected
    }

    package var count: Int { records.count + rejected.count }

    package var isEmpty: Bool { records.isEmpty && rejected.isEmpty }
}

/// The records of a list, batch by batch, as they arrive.
package protocol RecordBatches: Sendable {
    /// The next records; nil at the end.
    ///
    /// Throws a ``SourceError`` where what arrives is no list, or an ``HTTPError``.
    func next() async throws -> RecordBatch?
}
