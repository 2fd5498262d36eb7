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

    private func fetch(
        _ items: [SyncItem], jobs: Int, into report: inout SyncReport,
        _ observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws {
        var waiting = items[...]
        var next: ArraySlice<PlannedPost> = []
        var failures = 0
        var inFlight = 0
        var batch = 0
        try await withThrowingTaskGroup(of: Step.self) { group in
            func start() async throws {
                if next.isEmpty {
                    next = try await store.planned(waiting.prefix(Self.maxBatch))[...]
                    waiting = waiting.dropFirst(Self.maxBatch)
                }
                guard let post = next.popFirst() else { return }
                inFlight += 1
                group.addTask { Step(arrival: try await fetch(post, observe)) }
            }
            for _ in 0..<jobs { try await start() }
            var arrivals: [Arrival] = []
            while let step = try await group.next() {
                if let arrival = step.arrival {
                    inFlight -= 1
                    failures = arrival.isRefusal ? failures + 1 : 0
                    // The next is fetched while these are being stored.
                    if failures < Self.maxFailures { try await start() }
                    if arrivals.isEmpty {
                        group.addTask { [batch] in
                            try? await Task.sleep(for: Self.maxWait)
                            return Step(endOfBatch: batch)
                        }
                    }
                    arrivals.append(arrival)
                }
                if step.endOfBatch == batch || arrivals.count >= Self.maxBatch || inFlight == 0 {
                    try await store(arrivals, into: &report, observe)
                    arrivals = []
                    batch += 1
                }
                if inFlight == 0 { group.cancelAll() }
            }
        }
        report.untried = next.count + waiting.count
    }

    /// Stores what came and tells what that was.
    private func store(
        _ arrivals: [Arrival], into report: inout SyncReport, _ observe: @Sendable (SyncEvent) async -> Void
    ) async throws {
        let bodies = arrivals.compactMap { arrival in
            (try? arrival.body.get()).map { (id: arrival.metadata.id, body: $0) }
        }
        // In one transaction: one for each body would take longer than fetching it.
        if !bodies.isEmpty { try await store.storeOnDisk(bodies, of: sourceID) }
        for arrival in arrivals {
            let post = SyncedPost(source: sourceID, metadata: arrival.metadata, outcome: arrival.outcome)
            report.count(post)
            await observe(.done(post))
        }
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
    private static let maxBatch = 128
    private static let maxWait = Duration.milliseconds(100)

    /// After this many consecutive refusals or connection failures no more requests are sent.
    private static let maxFailures = 5
}

/// What a sync waits for: a response, or that a batch has waited long enough for another.
private struct Step: Sendable {
    var arrival: Arrival?
    var endOfBatch: Int?
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
