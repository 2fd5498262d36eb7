extension Reader {
    /// Marks stored posts by their ids.
    ///
    /// Throws a ``StoreError``, as all of these do.
    public func mark(_ mark: Mark, ids: [String]) async throws -> MarkingReport {
        try await store.mark(mark, ids: ids, of: address)
    }

    /// Marks every stored post that passes a filter.
    public func mark(_ mark: Mark, all filter: Filter) async throws -> MarkingReport {
        try await store.mark(mark, all: Query(filter: filter), of: address)
    }

    /// Takes the last marking back; nil where there is none.
    ///
    /// The report says what the posts are marked as now.
    public func undoMarking() async throws -> MarkingReport? {
        try await store.undoMarking()
    }

    /// Marks posts as read that were read just now, which ``undoMarking()`` takes back as it does other markings.
    public func noteReading(of ids: [String]) async throws {
        try await store.noteReading(of: ids, address)
    }

    /// Moves a cursor past everything that was there when a list was made.
    public func moveCursor(_ name: String, past list: PostList) async throws {
        guard let blog = try await store.blog(address) else { return }
        try await store.moveCursor(name, of: blog, to: list.lastPost)
    }
}
