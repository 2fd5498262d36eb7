import BlogHTTP
import BlogModel
import BlogStore

/// Fetches the bodies of the posts that a source lists, for reading offline.
struct BodySync: Sendable {
    let connection: SourceConnection

    /// Refreshes the list and fetches every body that is missing or outdated, newest post first.
    ///
    /// Throws what ``list(_:)`` throws, and a ``StoreError`` if nothing can be stored.
    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        var report = SyncReport(refresh: try await ListRefresh(connection: connection).refresh())
        if case .failed = report.refresh.outcome { return report }
        let plan = try await connection.store.syncPlan(of: connection.sourceID, limit: options.limit)
        let isForced = connection.freshness == .refresh && !connection.source.capabilities.includesBodies
        let due = plan.filter { !$0.isCurrent || isForced }
        report.unchanged = plan.count - due.count
        await observe(.planned(due.count))
        try await fetch(due, jobs: options.jobs, into: &report, observe)
        return report
    }

    /// Fetches the bodies of posts, several at a time, and stores each batch while the next ones are fetched.
    private func fetch(
        _ items: [SyncItem], jobs: Int, into report: inout SyncReport,
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
                    let items = queue.takeItems()
                    group.addTask {
                        .stored(try await store(batch, observe), next: try await connection.store.planned(items))
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
                case .stored(let posts, let next):
                    posts.forEach { report.count($0) }
                    queue.finishBatch(next: next)
                }
            }
            group.cancelAll()
        }
        report.untried = queue.untried
    }

    private func store(_ arrivals: [BodyArrival], _ observe: SyncObserver) async throws -> [SyncedPost] {
        let bodies = arrivals.compactMap { arrival in
            (try? arrival.body.get()).map { (id: arrival.metadata.id, body: $0) }
        }
        // In one transaction: one per body would take longer than fetching it.
        if !bodies.isEmpty { try await connection.store.storeOnDisk(bodies, of: connection.sourceID) }
        let posts = arrivals.map { SyncedPost(source: connection.sourceID, metadata: $0.metadata, outcome: $0.outcome) }
        for post in posts { await observe(.done(post)) }
        return posts
    }

    private func fetch(_ post: PlannedPost, _ observe: SyncObserver) async throws -> BodyArrival {
        let metadata = post.metadata
        await observe(.fetching(metadata))
        let stored = post.hasBody ? try await connection.store.body(id: metadata.id, of: connection.sourceID) : nil
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
    case stored([SyncedPost], next: [PlannedPost])
}
