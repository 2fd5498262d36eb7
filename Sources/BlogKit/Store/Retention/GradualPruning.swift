import BlogEssentials

/// Deletes old posts in batches, and releases their space in small steps, so that other processes can write in between.
struct GradualPruning {
    let connection: StoreConnection

    /// How many posts of a source would be deleted, and their approximate size in bytes.
    func preview(_ sourceKey: Int64, before cutoff: Date?) throws -> (counts: PruneCounts, bytes: Int) {
        try connection.read { database in
            let pruning = Pruning(database: database, sourceKey: sourceKey, cutoff: cutoff)
            let candidates = try pruning.candidates()
            let comments = candidates.count(where: \.isComment)
            return (
                PruneCounts(posts: candidates.count - comments, comments: comments),
                try pruning.bytes(of: candidates)
            )
        }
    }

    /// Deletes the posts of a source that are older than a cutoff, or all but saved ones for nil.
    func run(_ sourceKey: Int64, before cutoff: Date?, at now: Date) async throws -> PruneCounts {
        func pruning(_ database: Database) -> Pruning {
            Pruning(database: database, sourceKey: sourceKey, cutoff: cutoff)
        }
        var rest = try connection.read { try pruning($0).candidates() }[...]
        var counts = PruneCounts()
        while !rest.isEmpty {
            try Task.checkCancellation()
            let batch = pruning(connection.database).prepare(rest, for: Self.preparation)
            connection.note(unreadable: batch.unreadable)
            let done = try await connection.writeToDisk { try pruning($0).apply(batch) }
            counts.posts += done.posts
            counts.comments += done.comments
            rest = rest.dropFirst(batch.count)
            if !rest.isEmpty { try await Task.sleep(for: Self.pause) }
        }
        try await connection.writeToDisk { database in
            try database.run(
                "UPDATE sources SET pruned_at = ? WHERE key = ?", [DatabaseValue(now), .integer(sourceKey)])
            if cutoff == nil { try pruning(database).forgetRest() }
        }
        return counts
    }

    /// Releases unused space to the disk and returns how many bytes of it remain: files from before incremental
    /// vacuuming are only shrunk by ``Maintenance/vacuum()``.
    func reclaim() async throws -> Int {
        func number(_ sql: String) throws -> Int { Int(try connection.read { try $0.integer(sql) } ?? 0) }
        var unused = try number("PRAGMA freelist_count")
        while unused > 0, try number("PRAGMA auto_vacuum") == 2 {
            try Task.checkCancellation()
            try await connection.outsideTransaction { database in
                try database.run("PRAGMA incremental_vacuum(\(Self.reclaimedPages))")
            }
            let left = try number("PRAGMA freelist_count")
            guard left < unused else { break }
            unused = left
            if unused > 0 { try await Task.sleep(for: Self.pause) }
        }
        try await connection.outsideTransaction { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        return try unused * number("PRAGMA page_size")
    }

    /// How long to prepare a batch; deleting it takes about as long.
    private static let preparation = Duration.milliseconds(100)
    /// The pause between transactions, in which other processes get the lock: SQLite retries after some milliseconds.
    static let pause = Duration.milliseconds(20)
    /// The number of pages, of 4 KB, to release at a time.
    private static let reclaimedPages = 1000
}

extension PostStore {
    /// How many posts of a source are older than a cutoff, without comments, also those that aren't to be deleted.
    package func count(olderThan cutoff: Date, in sourceKey: Int64) throws -> Int {
        try read { database in
            Int(
                try database.integer(
                    "SELECT count(*) FROM posts WHERE source = ? AND parent IS NULL AND date_key < ?",
                    [.integer(sourceKey), DatabaseValue(cutoff)]) ?? 0)
        }
    }

    /// How many posts of a source would be deleted, and their approximate size in bytes.
    package func prunable(_ sourceKey: Int64, before cutoff: Date?) throws -> (counts: PruneCounts, bytes: Int) {
        try GradualPruning(connection: connection).preview(sourceKey, before: cutoff)
    }

    /// Deletes the posts of a source that are older than a cutoff, or all but saved ones for nil.
    package func prune(_ sourceKey: Int64, before cutoff: Date?, at now: Date) async throws -> PruneCounts {
        try await GradualPruning(connection: connection).run(sourceKey, before: cutoff, at: now)
    }

    /// Releases unused space to the disk and returns how many bytes of it remain: ``GradualPruning/reclaim()``.
    package func reclaim() async throws -> Int { try await GradualPruning(connection: connection).reclaim() }
}
