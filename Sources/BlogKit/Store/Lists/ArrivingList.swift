import BlogModel

/// Stores a source's list while it arrives, all of it or nothing.
struct ArrivingList {
    let connection: StoreConnection
    let source: SourceID
    let coverage: Coverage
    let mark: RefreshMark

    /// Stores the list and the source's mark.
    ///
    /// Throws ``StoreMoved`` if the disk can't be written any more and the store has continued in memory: the list must
    /// be requested again. Rethrows the errors of `nextBatch`.
    ///
    /// - Parameter nextBatch: returns the next records, nil at the end. It runs while the previous batch is being
    ///   stored.
    func store(
        _ nextBatch: @escaping @Sendable () async throws -> PreparedBatch?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> (changes: ListChanges, flaws: ListFlaws) {
        await connection.beginList()
        defer { connection.endList() }
        do {
            var writer = try ListWriter(source, coverage, mark, in: connection.database)
            do {
                var next = try await nextBatch()
                while let batch = next {
                    async let following = nextBatch()
                    try writer.add(batch)
                    next = try await following
                }
                return try writer.finish(mark)
            } catch {
                writer.rollBack()
                throw error
            }
        } catch let error as DatabaseError {
            try connection.mapped { try connection.moveToMemory(after: error) }
            throw StoreMoved()
        } catch let reason as StoreError.Reason {
            throw StoreError(path: connection.path, reason: reason)
        }
    }
}

/// The store continued in memory while a list was being stored; the part that had arrived is lost.
package struct StoreMoved: Error {}

/// Entries of a list with their sort keys, which are computed in parallel before the entries are stored.
package struct PreparedBatch: Sendable {
    let entries: [Entry]
    /// The sort key of each entry; nil to compute it only if the entry is new or changed.
    let keys: [SortKey?]
    /// The digests of further entries, which are stored.
    let unchanged: [Int64]
    let rejected: [RejectedRecord]

    /// - Parameter isNew: whether nothing of the source is stored yet.
    package init(
        _ entries: [Entry], unchanged: [Int64] = [], rejected: [RejectedRecord] = [], isNew: Bool = false
    ) {
        self.entries = entries
        self.unchanged = unchanged
        self.rejected = rejected
        keys = isNew ? entries.map { SortKey($0.metadata) } : Array(repeating: nil, count: entries.count)
    }
}
