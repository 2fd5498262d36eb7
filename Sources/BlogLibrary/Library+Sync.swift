import Essentials
import Model
import Store

extension Library {
    /// Refreshes the sources of a scope and fetches every body that is not stored or not current, the newest post
    /// first.
    ///
    /// Bodies are stored as soon as they arrive, so a sync can be interrupted at any time and the next one continues.
    /// If a source's list can't be refreshed, none of its bodies are fetched, and its report says why. What is stored
    /// is indexed meanwhile; if some of it can't be indexed as fast as it comes, the next search does that.
    ///
    /// Throws what ``list(_:in:refreshed:)`` throws if there is only one source, and a ``StoreError`` if nothing can be
    /// kept.
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

    /// Deletes expired posts, at most once a day, and returns how many, by source.
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

    /// Indexes new posts in short pieces of work until it is cancelled.
    private func indexMeanwhile() async {
        var before = Self.processorTime
        while (try? await Task.sleep(for: Self.indexingPause)) != nil {
            // If the processor is busy with responses, indexing would only slow them down.
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

    /// Indexes the rest for some seconds, so that the first search needn't wait for it.
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

    /// How long posts are indexed while others are fetched, and the pause between: few large pieces are written faster
    /// than many small ones, but nothing can be stored meanwhile.
    private static let indexingTime = Duration.milliseconds(200)
    private static let indexingPause = Duration.seconds(1)
    /// How long posts are indexed once all are fetched.
    private static let maxIndexingTime = Duration.seconds(2)

    /// How many sources are synced at a time, each over ``SyncOptions/jobs`` connections.
    private static let maxSyncs = 5
}

/// Options of a sync.
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

/// The result of a sync.
public struct SyncReport: Sendable {
    /// How the refresh of the list went.
    public let refresh: RefreshReport
    /// Bodies stored for the first time.
    public internal(set) var new = 0
    /// Bodies stored instead of others.
    public internal(set) var updated = 0
    /// Bodies that were current.
    public internal(set) var unchanged = 0
    /// Bodies that could not be fetched.
    public internal(set) var failed = 0
    /// Bodies that were not requested any more, because the server was unreachable or refused.
    public internal(set) var untried = 0

    /// How many posts and comments these are.
    public var total: Int { new + updated + unchanged + failed + untried }

    /// How many of all these are comments.
    public internal(set) var comments = 0
    /// Posts and comments that were deleted, as they are kept no longer.
    public internal(set) var pruned = 0
    /// The first failure; nil if the source gave no reason.
    public internal(set) var firstError: (any Error)?

    init(refresh: RefreshReport) {
        self.refresh = refresh
    }

    /// The first posts whose bodies could not be fetched, and why.
    public private(set) var failures: [(id: String, error: any Error)] = []

    mutating func count(_ post: SyncedPost) {
        switch post.outcome {
        case .new: new += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .failed(let error):
            failed += 1
            firstError = firstError ?? error
            if failures.count < Self.maxFailures { failures.append((post.metadata.id, error)) }
        }
    }

    /// More are not listed.
    private static let maxFailures = 100
}

/// A step of a sync.
public enum SyncEvent: Sendable {
    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// A list was fetched, or a post with replies: this many more posts will be done.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A post is done that was planned.
    case done(SyncedPost)
    /// This many of the pictures that were found are there.
    case pictures(Int, of: Int)
    /// This many of the pages that were planned are done.
    case articles(Int, of: Int)
    /// This many more posts were indexed for search.
    case indexed(Int)
}

/// The result of a sync for one post.
public struct SyncedPost: Sendable {
    /// Where the post is from.
    public let source: SourceID
    /// The post.
    public let metadata: PostMetadata
    /// The result for its body.
    public let outcome: Outcome

    /// The result for a body.
    public enum Outcome: Sendable {
        /// It was stored for the first time.
        case new
        /// It was stored instead of another.
        case updated
        /// The one that was stored is current.
        case unchanged
        /// It can't be fetched; the one stored before is kept.
        case failed(any Error)
    }
}
