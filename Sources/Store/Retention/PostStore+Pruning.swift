import Foundation
import Model
import SQLite

extension PostStore {
    /// What of a source would be deleted that is older than a moment, and about how many bytes that is.
    package func prunable(_ source: Int64, before cutoff: Date?) throws -> (counts: PruneCounts, bytes: Int) {
        try read { database in
            let pruning = Pruning(database: database, source: source, cutoff: cutoff)
            let candidates = try pruning.candidates()
            let roots = candidates.count(where: \.isRoot)
            return (
                PruneCounts(posts: roots, comments: candidates.count - roots), try pruning.bytes(of: candidates)
            )
        }
    }

    /// Deletes what of a source is older than a moment, or with nil all that is not saved, a little at a time: other
    /// processes can write in between.
    package func prune(_ source: Int64, before cutoff: Date?, at now: Date) async throws -> PruneCounts {
        await waitForList()
        var rest = try read { try Pruning(database: $0, source: source, cutoff: cutoff).candidates() }[...]
        var counts = PruneCounts()
        while !rest.isEmpty {
            try Task.checkCancellation()
            await waitForList()
            let batch = Pruning(database: database, source: source, cutoff: cutoff)
                .prepare(rest, for: Self.pruningTime)
            note(unreadable: batch.unreadable)
            let done = try await writeToDisk {
                try Pruning(database: $0, source: source, cutoff: cutoff).apply(batch)
            }
            counts.posts += done.posts
            counts.comments += done.comments
            rest = rest.dropFirst(batch.count)
            if !rest.isEmpty { try await Task.sleep(for: Self.pruningPause) }
        }
        let moment = DatabaseValue.integer(now.millisecondsSince1970)
        try await writeToDisk { database in
            try database.run("UPDATE blogs SET pruned_at = ? WHERE key = ?", [moment, .integer(source)])
            if cutoff == nil { try Pruning(database: database, source: source, cutoff: nil).forgetRest() }
        }
        return counts
    }

    /// Gives unused space back to the disk, a little at a time, and returns how many bytes of it are left: a file that an
    /// older version made is only made smaller by ``vacuum()``.
    package func reclaim() async throws -> Int {
        func number(_ sql: String) throws -> Int { try read { try $0.first(sql) { Int($0.integer(0)) } ?? 0 } }
        var unused = try number("PRAGMA freelist_count")
        while unused > 0, try number("PRAGMA auto_vacuum") == 2 {
            try Task.checkCancellation()
            try await outsideTransaction { try $0.run("PRAGMA incremental_vacuum(\(Self.reclaimedPages))") }
            let left = try number("PRAGMA freelist_count")
            guard left < unused else { break }
            unused = left
            if unused > 0 { try await Task.sleep(for: Self.pruningPause) }
        }
        try await outsideTransaction { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        return try unused * number("PRAGMA page_size")
    }

    /// For how long is worked out what is deleted together: deleting it takes about as long.
    private static let pruningTime = Duration.milliseconds(100)
    /// How long others have between two transactions: SQLite looks again for a lock after some milliseconds.
    private static let pruningPause = Duration.milliseconds(20)
    /// How many pages, of 4 KB, are given back at a time.
    private static let reclaimedPages = 1000
}
