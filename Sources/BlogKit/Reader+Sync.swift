extension Reader {
    /// Refreshes the list and fetches every body that is not stored or not current, the newest post first.
    ///
    /// Bodies are stored one by one as they come, so a sync can end at any moment and the next one goes on. Where the
    /// list can't be refreshed, nothing is fetched and the report says why.
    ///
    /// Throws what ``list(_:)`` throws, and a ``StoreError`` where nothing can be kept.
    ///
    /// - Parameters:
    ///   - limit: how many of the newest posts are looked at; nil for all.
    ///   - jobs: how many bodies are fetched at a time.
    ///   - options: what is wanted of a source with discussions.
    ///   - observe: is told of every step.
    public func sync(
        limit: Int? = nil, jobs: Int = 4, options: ItemSyncOptions = ItemSyncOptions(),
        observe: @escaping @Sendable (SyncEvent) async -> Void = { _ in }
    ) async throws -> SyncReport {
        switch source {
        case .list(let source): try await sync(from: source, limit: limit, jobs: jobs, observe: observe)
        case .items(let source): try await sync(from: source, limit: limit, options: options, observe: observe)
        }
    }

    private func sync(
        from source: any ListSource, limit: Int?, jobs: Int, observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws -> SyncReport {
        var report = SyncReport(refresh: try await refresh(from: source))
        if case .failed = report.refresh.outcome { return report }
        let plan = try await store.syncPlan(of: address, limit: limit)
        func isDue(_ item: SyncItem) -> Bool { !item.isCurrent || freshness == .refresh }
        await observe(.planned(plan.count(where: isDue)))
        for item in plan where !isDue(item) {
            let metadata = try await store.metadata(ofPost: item.post)
            report.count(.unchanged)
            await observe(.done(SyncedPost(metadata: metadata, outcome: .unchanged)))
        }
        try await fetch(plan.filter(isDue), jobs: jobs, from: source, into: &report, observe)
        try await index { await observe(.indexed($0)) }
        return report
    }

    private func fetch(
        _ items: [SyncItem], jobs: Int, from source: any ListSource, into report: inout SyncReport,
        _ observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws {
        var waiting = items[...]
        var lost = 0
        try await withThrowingTaskGroup(of: Arrival.self) { group in
            func start() {
                guard let item = waiting.popFirst() else { return }
                group.addTask { try await fetch(item, from: source, observe) }
            }
            for _ in 0..<jobs { start() }
            while let arrival = try await group.next() {
                lost = arrival.isRefusal ? lost + 1 : 0
                // The next is asked for while this one is being stored.
                if lost < Self.mostLost { start() }
                let post = SyncedPost(metadata: arrival.metadata, outcome: try await take(arrival))
                report.count(post.outcome)
                await observe(.done(post))
            }
        }
        report.untried = waiting.count
    }

    private func fetch(
        _ item: SyncItem, from source: any ListSource, _ observe: @Sendable (SyncEvent) async -> Void
    ) async throws -> Arrival {
        let metadata = try await store.metadata(ofPost: item.post)
        await observe(.fetching(metadata))
        let stored = item.hasBody ? try await store.body(id: metadata.id, of: address) : nil
        do {
            let body = try await body(of: metadata, stored, from: source)
            return Arrival(metadata: metadata, stored: stored, body: .success(body))
        } catch let error where error is HTTPError || error is SourceError {
            return Arrival(metadata: metadata, stored: stored, body: .failure(error))
        }
    }

    /// Stores what came and tells what that was.
    private func take(_ arrival: Arrival) async throws -> SyncedPost.Outcome {
        let body: FetchedBody
        switch arrival.body {
        case .success(let fetched): body = fetched
        case .failure(let error): return .failed(error)
        }
        try await store.storeOnDisk(body, ofPost: arrival.metadata.id, of: address)
        let stored = arrival.stored
        let isSame =
            switch body.content {
            case .unchanged: true
            case .text(let text): stored?.text == text && stored?.parts == nil
            case .staged: false
            }
        return isSame ? .unchanged : stored == nil ? .new : .updated
    }

    /// A server that could not be reached or refused so often in a row is gone, or has had enough of us.
    private static let mostLost = 5
}

/// What a source answered when it was asked for a body.
private struct Arrival: Sendable {
    let metadata: PostMetadata
    /// The body that was stored before.
    let stored: StoredBody?
    let body: Result<FetchedBody, any Error>

    var isRefusal: Bool {
        guard case .failure(let error as HTTPError) = body else { return false }
        switch error {
        case .rateLimited: return true
        case .status(_, let code, _): return code == 429 || code >= 500
        case .interrupted, .stalled, .tooSlow: return true
        default: return error.isUnreachable
        }
    }
}
