/// Indexes posts for searches, in batches so that other processes can write in between.
struct Indexing {
    let connection: StoreConnection

    /// Indexes more posts and returns how many; 0 once all are indexed.
    ///
    /// About `bytes` of their texts are prepared, at least one text; meanwhile other processes can write.
    func more(_ bytes: Int = SearchBatch.size) async throws -> Int {
        for _ in 0..<Self.maxAttempts {
            guard let batch = try next(bytes) else { return 0 }
            let count = try await connection.write { try SearchIndex($0).apply(batch) }
            if count > 0 { return count }
        }
        // Other processes kept changing the posts, so this holds the lock while it prepares them.
        return try await connection.write { try SearchIndex($0).applyNext(bytes) }
    }

    /// Like ``more(_:)``, but gives up if another process is writing or the disk isn't writable: the next
    /// search will index the posts anyway.
    ///
    /// - Parameter waitsForBodies: whether to stop at the first post without a body.
    func ifFree(_ bytes: Int, waitsForBodies: Bool) async throws -> Int {
        guard connection.notice == nil, let batch = try next(bytes, waitsForBodies: waitsForBodies)
        else { return 0 }
        return try await connection.writeToDiskIfFree { try SearchIndex($0).apply(batch) } ?? 0
    }

    /// The next posts to index; nil if there are none.
    private func next(_ bytes: Int, waitsForBodies: Bool = false) throws -> SearchBatch? {
        let batch = try connection.read { database in
            try SearchIndex(database, waitsForBodies: waitsForBodies).prepare(bytes)
        }
        connection.note(unreadable: batch.unreadable)
        return batch.changes.isEmpty ? nil : batch
    }

    /// How often to try again if the prepared posts have changed meanwhile.
    private static let maxAttempts = 3
}

extension PostStore {
    /// Indexes more posts and returns how many: ``Indexing/more(_:)``.
    package func indexMore(_ bytes: Int = SearchBatch.size) async throws -> Int {
        try await Indexing(connection: connection).more(bytes)
    }

    /// Indexes more posts unless another process is writing: ``Indexing/ifFree(_:waitsForBodies:)``.
    package func indexIfFree(_ bytes: Int = SearchBatch.size, waitsForBodies: Bool = false) async throws -> Int {
        try await Indexing(connection: connection).ifFree(bytes, waitsForBodies: waitsForBodies)
    }
}
