import BlogHTTP
import BlogModel
import BlogStore

/// Fetches the bodies of the posts that a source lists, for reading offline.
struct BodySync: Sendable {
    let connection: SourceConnection

    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        var report = SyncReport(refresh: try await ListRefresh(connection: connection).refresh())
        if report.refresh.failure != nil { return report }
        var query = options.query
        query.limit = options.limit
        if query.hasWords { try await SearchIndexing(store: connection.store).indexAll { _ in } }
        let plan = try await connection.store.read { [query] in try SyncPlan($0).items(of: connection.sourceID, query) }
        let isForced = connection.freshness == .refresh && !connection.source.capabilities.includesBodies
        let due = plan.filter { !$0.isCurrent || isForced }
        report.unchanged = plan.count - due.count
        await observe(.planned(due.count))
        try await fetch(due, jobs: options.jobs, into: &report, observe)
        return report
    }

    /// Fetches the bodies of posts, several at a time, and stores each batch while the next ones are fetched.
    private func fetch(
        _ items: [SyncPlan.Item], jobs: Int, into report: inout SyncReport,
        _ observe: @escaping SyncObserver
    ) async throws {
        var queue = SyncQueue(items, jobs: jobs)
        queue.append(try await connection.store.planned(queue.takeItems()))
        try await withThrowingTaskGroup(of: Step.self) { group in
            while !queue.isAtEnd {
                while let post = queue.takePost() {
                    group.addTask { .arrived(try await fetch(post, observe)) }
                }
                if let batch = queue.takeBatch() {
                    for arrival in batch { report.count(arrival.outcome, of: arrival.metadata.id) }
                    let items = queue.takeItems()
                    group.addTask {
                        try await store(batch, observe)
                        return .stored(next: try await connection.store.planned(items))
                    }
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
                case .stored(let next): queue.finishBatch(next: next)
                }
            }
            group.cancelAll()
        }
        report.untried = queue.untried
    }

    private func store(_ arrivals: [BodyArrival], _ observe: SyncObserver) async throws {
        let bodies = arrivals.compactMap { arrival in
            (try? arrival.body.get()).map { (id: arrival.metadata.id, body: $0) }
        }
        // In one transaction: one per body would take longer than fetching it.
        if !bodies.isEmpty {
            try await connection.store.writeToDisk { try Bodies($0).save(bodies, of: connection.sourceID) }
        }
        for arrival in arrivals { await observe(.done(arrival.metadata, of: connection.sourceID, arrival.outcome)) }
    }

    private func fetch(_ post: SyncQueue.Planned, _ observe: SyncObserver) async throws -> BodyArrival {
        let metadata = post.metadata
        await observe(.fetching(metadata))
        let stored =
            post.hasBody
            ? try await connection.store.read { try Bodies($0).find(metadata.id, of: connection.sourceID) } : nil
        do {
            let body = try await BodyReading(connection: connection).body(of: metadata, stored)
            return BodyArrival(metadata: metadata, stored: stored, body: .success(body))
        } catch let error as any FetchError {
            return BodyArrival(metadata: metadata, stored: stored, body: .failure(error))
        }
    }

    /// How long a body waits to be stored with others; little is lost if a sync is interrupted.
    private static let maxWait = Duration.milliseconds(100)
}

private enum Step: Sendable {
    /// A response arrived.
    case arrived(BodyArrival)
    /// The first body of a batch has waited long enough for others.
    case waited(batch: Int)
    /// A batch is stored, and these posts are next.
    case stored(next: [SyncQueue.Planned])
}
