import Model
import SQLite

extension PostStore {
    /// Stores what a source lists while it arrives, all of it or nothing.
    ///
    /// Throws ``StoreMoved`` if the disk takes no more and the store has continued in memory: the list must be
    /// requested again. Throws what `nextBatch` throws, too.
    ///
    /// - Parameter nextBatch: returns the next records, nil at the end; it prepares them while the previous ones are
    ///   stored.
    package func storeList(
        of address: SourceID, _ coverage: Coverage = .complete, mark: RefreshMark,
        nextBatch: @escaping @Sendable () async throws -> PreparedBatch?
    ) async throws -> StoredList {
        await beginList()
        defer { endList() }
        do {
            return try await write(
                nextBatch, with: ListWriter(address, coverage, in: database, now: mark.refreshedAt), mark)
        } catch let error as DatabaseError {
            try StoreError.mapped(path) { try moveToMemory(after: error) }
            throw StoreMoved()
        } catch let reason as StoreError.Reason {
            throw StoreError(path: path, reason: reason)
        }
    }

    private func write(
        _ nextBatch: @escaping @Sendable () async throws -> PreparedBatch?, with writer: ListWriter, _ mark: RefreshMark
    ) async throws -> StoredList {
        var writer = writer
        do {
            var next = try await nextBatch()
            while let batch = next {
                async let following = nextBatch()
                try writer.add(batch)
                next = try await following
            }
            return try writer.finish(mark)
        } catch {
            writer.abandon()
            throw error
        }
    }
}

/// The store continued in memory while a list was being stored, and what had arrived of the list is lost.
package struct StoreMoved: Error {}

/// Entries of a list with what can be computed of them before they are stored, on another processor.
package struct PreparedBatch: Sendable {
    let entries: [Entry]
    /// The sort key of each entry; nil if it is computed only if the record turns out to be new.
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
