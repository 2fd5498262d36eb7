import Foundation
import Model
import Store

extension Library {
    /// Deletes posts that their sources keep no longer, at most once a day, and returns how many, by source.
    func prune(_ sources: [SourceID], _ common: Retention?) async throws -> [SourceID: Int] {
        guard await store.notice == nil else { return [:] }
        var counts: [SourceID: Int] = [:]
        for source in try await store.sources(sources) {
            guard let cutoff = (source.keep ?? common)?.cutoff(at: now()), !isPruned(source) else { continue }
            let pruned = try await store.prune(source.key, before: cutoff, at: now())
            if pruned.posts + pruned.comments > 0 { counts[source.id] = pruned.posts + pruned.comments }
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

extension Archive {
    /// Deletes the posts of sources that are older than they are to be kept, but nothing that is saved or still listed.
    ///
    /// Throws ``LibraryError/unknownSource(_:known:titles:)``, ``LibraryError/severalSources(_:names:)`` or a
    /// ``StoreError``.
    ///
    /// - Parameters:
    ///   - keep: how long posts are kept; nil for as long as each source says.
    ///   - common: how long those are kept of a source that says nothing, without `keep`; nil for ever.
    ///   - names: the sources, by their names, those of their kinds, or their titles; nil for all but those whose
    ///     posts are kept for ever.
    ///   - isDryRun: whether nothing is deleted, and bytes are counted.
    /// - Returns: a report for each source of which something was deleted, or would be.
    package func prune(
        keeping keep: Retention?, common: Retention? = nil, sources names: [String]?, isDryRun: Bool, at now: Date
    ) async throws -> [PruneReport] {
        var reports: [PruneReport] = []
        for source in try await sources(names) {
            if names == nil, source.keep == .forever { continue }
            guard let cutoff = (keep ?? source.keep ?? common)?.cutoff(at: now) else { continue }
            let (counts, bytes) =
                isDryRun
                ? try await store.prunable(source.key, before: cutoff)
                : (try await store.prune(source.key, before: cutoff, at: now), 0)
            if counts.posts + counts.comments > 0 { reports.append(PruneReport(source, counts, bytes: bytes)) }
        }
        return reports
    }

    /// Whether a source says how long its posts are kept.
    package func hasRetention() async throws -> Bool {
        try await store.sources().contains { $0.keep?.cutoff(at: Date()) != nil }
    }

    /// Gives unused space back to the disk, and returns how many bytes of it are left.
    package func reclaim() async throws -> Int { try await store.reclaim() }

    /// The names and kinds that ids begin with.
    package func typedIDs() async throws -> TypedIDs { TypedIDs(try await store.sourceNames()) }

    /// Posts that could not be read so far.
    package var unreadable: [UnreadablePost] { get async { await store.unreadable } }

    private func sources(_ names: [String]?) async throws -> [StoredSource] {
        let all = try await store.sources()
        guard let names else { return all }
        return try names.flatMap { name in
            let kind = SourceRegistry.kind(named: name)?.name
            let named = all.filter { $0.name == name }
            let found = named.isEmpty ? all.filter { kind != nil && $0.id.kind == kind } : named
            guard found.isEmpty else { return found }
            // A slip of a beginning would delete what nobody named.
            guard let source = try SourceTitles.source(name, among: all, isWhole: true) else {
                throw LibraryError.unknownSource(
                    name, known: all.compactMap(\.name), titles: all.compactMap(\.title))
            }
            return [source]
        }
    }
}
