import Foundation
import Model
import Store

extension Library {
    /// Refreshes the sources of a scope and fetches every body that is not stored or not current, the newest post first.
    ///
    /// Bodies are stored as soon as they arrive, so a sync can be interrupted at any time and the next one continues.
    /// If a source's list can't be refreshed, none of its bodies are fetched, and its report says why. What is stored is
    /// indexed meanwhile; if some of it can't be indexed as fast as it comes, the next search does that.
    ///
    /// Throws what ``list(_:in:refreshed:)`` throws if there is only one source, and a ``StoreError`` if nothing can be kept.
    ///
    /// - Parameters:
    ///   - options: how many posts, whether comments too, and how long posts are kept.
    ///   - scope: the sources.
    ///   - observe: is called with every step.
    /// - Returns: a report for each source, in the order of the scope.
    public func sync(
        _ options: SyncOptions = SyncOptions(), in scope: Scope = .everything,
        observe: @escaping @Sendable (SyncEvent) async -> Void = { _ in }
    ) async throws -> [SourceSync] {
        let sources = try await sourceIDs(in: scope)
        let gone = scope.isNamed || freshness == .refresh ? [:] : try await goneSources()
        var syncs = try await sync(sources, options, observe, gone)
        var pruned = try await prune(sources, options.keep)
        for index in syncs.indices {
            syncs[index].report.pruned = pruned.removeValue(forKey: syncs[index].source) ?? 0
        }
        try await indexRest(observe)
        return syncs
    }

    /// Syncs sources, some at a time, without those that are gone.
    private func sync(
        _ sources: [SourceID], _ options: SyncOptions, _ observe: @escaping @Sendable (SyncEvent) async -> Void,
        _ gone: [SourceID: RefreshReport]
    ) async throws -> [SourceSync] {
        async let _ = indexMeanwhile()
        return try await sources.concurrentMap(atMost: Self.maxSyncs) { source in
            if let report = gone[source] { return SourceSync(source, SyncReport(refresh: report)) }
            return SourceSync(source, try await sync(source, options, isAlone: sources.count == 1, observe))
        }
    }

    /// Indexes what has come, in short pieces of work, until it is cancelled; in the order of lists, as the index is.
    private func indexMeanwhile() async {
        var before = Self.processorTime
        while (try? await Task.sleep(for: Self.indexingPause)) != nil {
            // Where the processor is busy with what comes, indexing would only hold that up.
            let isWaiting = Self.processorTime - before < Self.indexingPause / 2
            if isWaiting { _ = try? await store.indexIfFree(for: Self.indexingTime, waitsForBodies: true) }
            before = Self.processorTime
        }
    }

    /// How long processors have worked for this process.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Indexes what is left for some seconds: who waits for a sync need not wait for a search too.
    private func indexRest(_ observe: (SyncEvent) async -> Void) async throws {
        let end = ContinuousClock.now + Self.maxIndexingTime
        while .now < end {
            let count = try await store.indexIfFree(for: min(.seconds(1), end - .now))
            guard count > 0 else { return }
            await observe(.indexed(count))
        }
    }

    private func sync(
        _ source: SourceID, _ options: SyncOptions, isAlone: Bool,
        _ observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws -> SyncReport {
        do {
            return try await reader(of: source).sync(options, observe: observe)
        } catch let error where !isAlone && !(error is StoreError) && !(error is CancellationError) {
            let cause: any Error = if case LibraryError.unreachable(let http) = error { http } else { error }
            return SyncReport(refresh: RefreshReport(.failed(cause, storedAt: nil)))
        }
    }

    /// For how long posts are indexed while others are fetched, and how long it is until the next are: the index is written
    /// faster in few large pieces than in many small ones, but nothing can be stored meanwhile.
    private static let indexingTime = Duration.milliseconds(200)
    private static let indexingPause = Duration.seconds(1)
    /// For how long posts are indexed when all are fetched.
    private static let maxIndexingTime = Duration.seconds(2)

    /// How many sources are synced at a time, each over ``SyncOptions/jobs`` connections.
    private static let maxSyncs = 5
}

/// What a sync fetches.
public struct SyncOptions: Hashable, Sendable {
    /// How many of the newest posts of each source are looked at; nil for all, or for the front of a ranking.
    public var limit: Int?
    /// How many bodies of a source are fetched at a time.
    public var jobs: Int
    /// Which list of a source that has several; nil for the usual one.
    public var section: String?
    /// Whether the comments on each post are fetched too, of sources that have them.
    public var withComments: Bool
    /// How long posts are kept of a source that has no time of its own; nil for ever.
    public var keep: Retention?

    /// Options; without arguments every post, without comments.
    public init(limit: Int? = nil, jobs: Int = 4, section: String? = nil, withComments: Bool = false) {
        self.limit = limit
        self.jobs = jobs
        self.section = section
        self.withComments = withComments
    }
}
