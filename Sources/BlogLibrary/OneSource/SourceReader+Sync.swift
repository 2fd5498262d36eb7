import Model
import Store

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
        var queue = SyncQueue(items, jobs: jobs)
        queue.append(try await store.planned(queue.takeItems()))
        try await withThrowingTaskGroup(of: Step.self) { group in
            while !queue.isAtEnd {
                while let post = queue.takePost() {
                    group.addTask { .arrived(try await fetch(post, observe)) }
                }
                if let batch = queue.takeBatch() {
                    let items = queue.takeItems()
                    group.addTask { .stored(try await store(batch, observe), next: try await store.planned(items)) }
                }
                guard let step = try await group.next() else { break }
                switch step {
                case .arrived(let arrival):
                    guard queue.add(arrival) else { break }
                    group.addTask { [batch = queue.batch] in
                        try? await Task.sleep(for: Self.maxWait)
                        return .waited(batch: batch)
                    }
                case .waited(let batch): queue.storeSoon(batch)
                case .stored(let posts, let next):
                    posts.forEach { report.count($0) }
                    queue.finishBatch(next: next)
                }
            }
            group.cancelAll()
        }
        report.untried = queue.untried
    }

    /// Stores what came, and tells and returns what that was.
    private func store(
        _ arrivals: [BodyArrival], _ observe: @Sendable (SyncEvent) async -> Void
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
    ) async throws -> BodyArrival {
        let metadata = post.metadata
        await observe(.fetching(metadata))
        let stored = post.hasBody ? try await store.body(id: metadata.id, of: sourceID) : nil
        do {
            let body = try await body(of: metadata, stored)
            return BodyArrival(metadata: metadata, stored: stored, body: .success(body))
        } catch let error as any FetchError {
            return BodyArrival(metadata: metadata, stored: stored, body: .failure(error))
        }
    }

    /// For how long a body waits for others to be stored with, so that little is lost when a sync is stopped.
    private static let maxWait = Duration.milliseconds(100)
}

/// What a sync waits for.
private enum Step: Sendable {
    /// A response.
    case arrived(BodyArrival)
    /// The first of a batch has waited long enough for others.
    case waited(batch: Int)
    /// What came is stored, and these posts are next.
    case stored([SyncedPost], next: [PlannedPost])
}
