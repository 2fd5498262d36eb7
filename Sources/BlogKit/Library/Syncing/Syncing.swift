import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Syncs sources for reading offline.
package struct Syncing: Sendable {
    let connections: Connections
    let scopes: ScopeResolver

    private var store: PostStore { connections.store }

    private var indexing: SearchIndexing { SearchIndexing(store: store) }

    /// ``Library/sync(_:in:observe:)`` for a scope that was looked up.
    package func sync(
        _ options: SyncOptions, in scope: ResolvedScope, observe: @escaping SyncObserver
    ) async throws -> [SourceSync] {
        let sources = scope.sources
        let schedule = Schedule(store: store, clock: connections.clock)
        var options = options
        options.query = try await scopes.narrowed(options.query, to: scope, clock: connections.clock)
        let gone = scope.isNamed || connections.freshness == .refresh ? [:] : try await schedule.goneSources()
        var syncs = try await sync(sources.requested, options, observe, gone)
        await schedule.noteUnreachable(syncs.map { SourceRefresh($0.source, $0.report.refresh) })
        let pruned = try await prune(sources, options.keep)
        for index in syncs.indices {
            let source = syncs[index].source
            let feeds = pruned.filter { $0.key.service == source }
            syncs[index].report.pruned = pruned[source] ?? feeds.values.reduce(0, +)
        }
        try await indexing.indexRest(observe)
        return syncs
    }

    /// Syncs sources, several at a time, except those that are gone.
    private func sync(
        _ sources: [SourceID], _ options: SyncOptions, _ observe: @escaping SyncObserver,
        _ gone: [SourceID: RefreshReport]
    ) async throws -> [SourceSync] {
        async let _ = indexing.indexMeanwhile()
        return try await sources.concurrentMap(atMost: Politeness.maxSyncs) { source in
            if let report = gone[source] { return SourceSync(source, SyncReport(refresh: report)) }
            return SourceSync(source, try await sync(source, options, isAlone: sources.count == 1, observe))
        }
    }

    /// Deletes expired posts, at most once a day per source, and returns how many, by source.
    private func prune(_ sources: [SourceID], _ common: Retention?) async throws -> [SourceID: Int] {
        guard await store.notice == nil else { return [:] }
        var counts: [SourceID: Int] = [:]
        for source in try await store.read({ try Sources($0).find(sources) }) {
            guard let cutoff = (source.keep ?? common)?.cutoff(at: connections.now()), !isPruned(source) else {
                continue
            }
            let pruned = try await store.prune(source.key, before: cutoff, at: connections.now())
            if pruned.posts + pruned.comments > 0 { counts[source.id] = pruned.posts + pruned.comments }
        }
        if !counts.isEmpty { _ = try await store.reclaim() }
        return counts
    }

    private func isPruned(_ source: StoredSource) -> Bool {
        source.prunedAt.map { connections.now().isBetween($0, and: $0.addingTimeInterval(86_400)) } ?? false
    }

    private func sync(
        _ source: SourceID, _ options: SyncOptions, isAlone: Bool,
        _ observe: @escaping SyncObserver
    ) async throws -> SyncReport {
        do {
            return try await connections.refreshable(source).sync(options, observe: observe)
        } catch let error where !isAlone && !(error is StoreError) && !(error is CancellationError) {
            return SyncReport(refresh: RefreshReport(failure: error, at: connections.now()))
        }
    }
}
