extension SourceReader {
    /// Refreshes the list and fetches every body that is not stored or not current, the newest post first.
    ///
    /// Throws what ``list(_:)`` throws, and a ``StoreError`` if nothing can be stored.
    func sync(
        _ options: SyncOptions, observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws -> SyncReport {
        if let itemSource { return try await sync(from: itemSource, options, observe: observe) }
        var report = SyncReport(refresh: try await refresh())
        if case .failed = report.refresh.outcome { return report }
        let plan = try await store.syncPlan(of: sourceID, limit: options.limit)
        let due = plan.filter { !$0.isCurrent || freshness == .refresh }
        report.unchanged = plan.count - due.count
        await observe(.planned(due.count))
        try await fetch(due, jobs: options.jobs, into: &report, observe)
        return report
    }

    /// Fetches the bodies of posts, some at a time, and stores those that came while the next are fetched.
    private func fetch(
        _ items: [SyncItem], jobs: Int, into report: inout SyncReport,
        _ observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws {
        var waiting = items[...]
        var next = try await store.planned(waiting.takeFirst(2 * Self.maxBatch))[...]
        var arrivals: [Arrival] = []
        var (inFlight, failures, batch) = (0, 0, 0)
        var (isStoring, isDue) = (false, false)
        try await withThrowingTaskGroup(of: Step.self) { group in
            func startFetching() {
                while inFlight < jobs, failures < Self.maxFailures, arrivals.count < Self.maxBatch,
                    let post = next.popFirst()
                {
                    inFlight += 1
                    group.addTask { .arrived(try await fetch(post, observe)) }
                }
            }
            func startStoring() {
                guard !isStoring, !arrivals.isEmpty else { return }
                guard isDue || inFlight == 0 || arrivals.count >= Self.maxBatch else { return }
                let following = next.count < Self.maxBatch ? waiting.takeFirst(Self.maxBatch) : []
                group.addTask { [arrivals] in
                    let stored = try await store(arrivals, observe)
                    return .stored(stored, next: try await store.planned(following))
                }
                (arrivals, isStoring, isDue) = ([], true, false)
                batch += 1
            }
            startFetching()
            while let step = try await group.next() {
                switch step {
                case .arrived(let arrival):
                    inFlight -= 1
                    failures = arrival.isRefusal ? failures + 1 : 0
                    if arrivals.isEmpty {
                        group.addTask { [batch] in
                            try? await Task.sleep(for: Self.maxWait)
                            return .waited(batch: batch)
                        }
                    }
                    arrivals.append(arrival)
                case .waited(let waited):
                    isDue = isDue || waited == batch
                case .stored(let stored, let following):
                    stored.forEach { report.count($0) }
                    next += following
                    isStoring = false
                }
                startFetching()
                startStoring()
                if inFlight == 0, !isStoring { group.cancelAll() }
            }
        }
        report.untried = next.count + waiting.count
    }

    /// Stores what came, and tells and returns what that was.
    private func store(
        _ arrivals: [Arrival], _ observe: @Sendable (SyncEvent) async -> Void
    ) async throws -> [SyncedPost] {
        let bodies = arrivals.compactMap { arrival in
            (try? arrival.body.get()).map { (id: arrival.metadata.id, body: $0) }
        }
        // In one transaction: one for each body would take longer than fetching it.
        if !bodies.isEmpty { try await store.storeOnDisk(bodies, of: sourceID) }
        let posts = arrivals.map { SyncedPost(source: sourceID, metadata: $0.metadata, outcome: $0.outcome) }
        for post in posts { await observe(.done(post)) }
        return posts
    }

    private func fetch(
        _ post: PlannedPost, _ observe: @Sendable (SyncEvent) async -> Void
    ) async throws -> Arrival {
        let metadata = post.metadata
        await observe(.fetching(metadata))
        let stored = post.hasBody ? try await store.body(id: metadata.id, of: sourceID) : nil
        do {
            let body = try await body(of: metadata, stored)
            return Arrival(metadata: metadata, stored: stored, body: .success(body))
        } catch let error as any FetchError {
            return Arrival(metadata: metadata, stored: stored, body: .failure(error))
        }
    }

    /// So many bodies are stored together at most, and none waits longer, so that little is lost when a sync is stopped.
    ///
    /// As many more may come while they are being stored.
    private static let maxBatch = 128
    private static let maxWait = Duration.milliseconds(100)

    /// After this many consecutive refusals or connection failures no more requests are sent.
    private static let maxFailures = 5
}

/// What a sync waits for.
private enum Step: Sendable {
    /// A response.
    case arrived(Arrival)
    /// The first of a batch has waited long enough for others.
    case waited(batch: Int)
    /// What came is stored, and these posts are next.
    case stored([SyncedPost], next: [PlannedPost])
}

extension ArraySlice {
    /// Removes and returns the first elements, as many as there are.
    fileprivate mutating func takeFirst(_ count: Int) -> ArraySlice {
        defer { self = dropFirst(count) }
        return prefix(count)
    }
}

/// A source's response to a request for a body, or its error.
private struct Arrival: Sendable {
    let metadata: PostMetadata
    /// The body that was stored before.
    let stored: StoredBody?
    let body: Result<FetchedBody, any Error>

    /// How the body differs from the stored one.
    var outcome: SyncedPost.Outcome {
        switch body {
        case .failure(let error): .failed(error)
        case .success(let body):
            switch body.content {
            case .unchanged: .unchanged
            case .text(let text) where stored?.text == text && stored?.parts == nil: .unchanged
            case .text, .staged: stored == nil ? .new : .updated
            }
        }
    }

    var isRefusal: Bool {
        guard case .failure(let error as HTTPError) = body else { return false }
        switch error {
        case .rateLimited: return true
        case .status(_, let code, _): return code == 429 || code >= 500
        default: return error.isConnectionFailure
        }
    }
}
