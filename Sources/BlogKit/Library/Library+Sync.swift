import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension Library {
    /// Refreshes the sources of a scope and fetches every body that is missing or outdated, newest post first.
    ///
    /// Bodies are stored as they arrive, so a sync can be interrupted at any time and the next one continues. If a
    /// source's list can't be refreshed, none of its bodies are fetched, and its report says why. Stored posts are
    /// indexed in the meantime; the next search indexes the rest.
    ///
    /// Throws what ``list(_:in:refreshed:)`` throws if there is only one source, and a ``StoreError`` if nothing can be
    /// stored.
    ///
    /// - Parameters:
    ///   - options: what to fetch, and how long to keep posts.
    ///   - scope: the sources.
    ///   - observe: called with every step.
    /// - Returns: a report for each source, in the order of the scope.
    public func sync(
        _ options: SyncOptions = SyncOptions(), in scope: Scope = .everything,
        observe: @escaping SyncObserver = { _ in }
    ) async throws -> [SourceSync] {
        try await sync(options, in: resolve(scope), observe: observe)
    }

    /// The same for a scope that was looked up.
    package func sync(
        _ options: SyncOptions, in scope: ResolvedScope, observe: @escaping SyncObserver
    ) async throws -> [SourceSync] {
        let sources = scope.sources
        let gone = scope.scope.isNamed || freshness == .refresh ? [:] : try await goneSources()
        var syncs = try await sync(sources, options, observe, gone)
        var pruned = try await prune(sources, options.keep)
        for index in syncs.indices {
            syncs[index].report.pruned = pruned.removeValue(forKey: syncs[index].source) ?? 0
        }
        try await indexRest(observe)
        return syncs
    }

    /// Syncs sources, several at a time, except those that are gone.
    private func sync(
        _ sources: [SourceID], _ options: SyncOptions, _ observe: @escaping SyncObserver,
        _ gone: [SourceID: RefreshReport]
    ) async throws -> [SourceSync] {
        async let _ = indexMeanwhile()
        return try await sources.concurrentMap(atMost: Politeness.maxSyncs) { source in
            if let report = gone[source] { return SourceSync(source, SyncReport(refresh: report)) }
            return SourceSync(source, try await sync(source, options, isAlone: sources.count == 1, observe))
        }
    }

    /// Deletes expired posts, at most once a day per source, and returns how many, by source.
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
        source.prunedAt.map { now().isBetween($0, and: $0.addingTimeInterval(86_400)) } ?? false
    }

    /// Indexes new posts in short bursts until it is cancelled.
    private func indexMeanwhile() async {
        var before = Self.processorTime
        while (try? await Task.sleep(for: Self.indexingPause)) != nil {
            // While the processor is busy with responses, indexing would only slow them down.
            let isWaiting = Self.processorTime - before < Self.indexingPause / 2
            if isWaiting { _ = try? await store.indexIfFree(for: Self.indexingTime, waitsForBodies: true) }
            before = Self.processorTime
        }
    }

    /// The processor time that this process has used.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Indexes the rest for a few seconds, so that the first search starts sooner.
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
        _ observe: @escaping SyncObserver
    ) async throws -> SyncReport {
        do {
            return try await reader(of: source).sync(options, observe: observe)
        } catch let error where !isAlone && !(error is StoreError) && !(error is CancellationError) {
            return SyncReport(refresh: RefreshReport(failure: error))
        }
    }

    /// How long a burst of indexing and the pause after it take while posts are fetched: large transactions are faster
    /// than small ones, but block the store.
    private static let indexingTime = Duration.milliseconds(200)
    private static let indexingPause = Duration.seconds(1)
    /// How long posts are indexed after all are fetched.
    private static let maxIndexingTime = Duration.seconds(2)
}

/// Options of a sync.
public struct SyncOptions: Hashable, Sendable {
    /// How many of the newest posts of each source to sync; nil for all, or for the front page of a ranking.
    public var limit: Int?
    /// How many bodies of a source to fetch at a time.
    public var jobs: Int
    /// Which list to sync, for sources with several; nil for the default one.
    public var section: String?
    /// Whether to fetch comments too, from sources that have them.
    public var withComments: Bool
    /// How long to keep posts of sources without a retention of their own; nil for ever.
    public var keep: Retention?

    /// Options; by default, every post without comments.
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
    /// Bodies that replaced others.
    public internal(set) var updated = 0
    /// Bodies that were current.
    public internal(set) var unchanged = 0
    /// Bodies that could not be fetched.
    public internal(set) var failed = 0
    /// Bodies that weren't requested because the server was unreachable or refused requests.
    public internal(set) var untried = 0

    /// The number of posts and comments.
    public var total: Int { new + updated + unchanged + failed + untried }

    /// How many of these are comments.
    public internal(set) var comments = 0
    /// Expired posts and comments that were deleted.
    public internal(set) var pruned = 0
    /// The first failure; nil if the source gave no reason.
    public internal(set) var firstError: (any Error)?

    /// The first posts whose bodies couldn't be fetched, and why.
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

    /// The limit on ``failures``.
    private static let maxFailures = 100
}

/// A step of a sync.
public enum SyncEvent: Sendable {
    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// A list or a post with replies was fetched: this many more posts are planned.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A planned post is done.
    case done(SyncedPost)
    /// This many of the pictures found are done.
    case pictures(Int, of: Int)
    /// This many of the planned pages are done.
    case articles(Int, of: Int)
    /// This many more posts were indexed for search.
    case indexed(Int)
}

/// Receives the steps of a sync.
public typealias SyncObserver = @Sendable (SyncEvent) async -> Void

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
        /// It replaced another.
        case updated
        /// The stored one is current.
        case unchanged
        /// It couldn't be fetched; the stored one is kept.
        case failed(any Error)
    }
}
