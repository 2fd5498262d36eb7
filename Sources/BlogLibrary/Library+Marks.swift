import Model
import Store

extension Library {
    /// Marks stored posts by their ids.
    ///
    /// Throws a ``StoreError``, as all of these do.
    public func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        try await store.mark(mark, ids: ids)
    }

    /// Marks every stored post of a scope that passes a filter.
    public func mark(_ mark: Mark, all filter: Filter, in scope: Scope = .everything) async throws -> MarkingReport {
        try await store.mark(mark, all: Query(filter: filter), in: stored(in: scope))
    }

    /// Undoes the last marking; nil if there is none.
    ///
    /// The report says what the posts are marked as now.
    public func undoMarking() async throws -> MarkingReport? {
        try await store.undoMarking()
    }

    /// The last markings that ``undoMarking()`` would undo, the last one first.
    public func lastMarkings(_ limit: Int = 10) async throws -> [MarkingReport] {
        try await store.lastMarkings(limit)
    }

    /// Marks posts as read after reading them; ``undoMarking()`` can undo it.
    public func noteReading(of ids: [PostID]) async throws {
        try await store.noteReading(of: ids)
    }
}
