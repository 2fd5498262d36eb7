import Foundation
import Model
import Store

extension Library {
    /// Deletes posts that their sources keep no longer, at most once a day, and returns how many, by the index of the
    /// source.
    func prune(_ ids: [SourceID], _ common: Retention?) async throws -> [Int: Int] {
        guard await store.notice == nil else { return [:] }
        let stored = Dictionary(try await store.sources(ids).map { ($0.id, $0) }) { first, _ in first }
        var counts: [Int: Int] = [:]
        for (index, id) in ids.enumerated() {
            guard let source = stored[id], let cutoff = (source.keep ?? common)?.cutoff(at: now()),
                !isPruned(source)
            else { continue }
            let pruned = try await store.prune(source.key, before: cutoff, at: now())
            if pruned.posts + pruned.comments > 0 { counts[index] = pruned.posts + pruned.comments }
        }
        if !counts.isEmpty { _ = try await store.reclaim() }
        return counts
    }

    private func isPruned(_ source: StoredSource) -> Bool {
        guard let prunedAt = source.prunedAt else { return false }
        return (prunedAt..<prunedAt.addingTimeInterval(86_400)).contains(now())
    }

    /// No longer follows a source, and deletes what of it is not saved, with its marks.
    ///
    /// Throws what ``unfollow(_:)`` throws; a source that was followed once can be forgotten too.
    public func forget(_ name: String) async throws -> PruneReport {
        let source = try await named(name) { $0.name != nil }
        try await store.unfollow(source.id)
        let counts = try await store.prune(source.key, before: nil, at: now())
        _ = try await store.reclaim()
        return PruneReport(source, counts, bytes: 0)
    }
}

/// What of a source was deleted, or would be.
public struct PruneReport: Sendable {
    /// The source.
    public let source: SourceID
    /// What it is called; nil for one that was never followed.
    public let name: String?
    /// How many posts.
    public let posts: Int
    /// How many comments on them.
    public let comments: Int
    /// About how many bytes they take, where that was asked for.
    public let bytes: Int

    init(_ source: StoredSource, _ counts: PruneCounts, bytes: Int) {
        self.source = source.id
        name = source.name
        posts = counts.posts
        comments = counts.comments
        self.bytes = bytes
    }
}
