import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Fetches the bodies of the posts that a source lists, for reading offline.
struct BodySync: Sendable {
    let connection: SourceConnection
    let source: any Source

    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        var report = SyncReport(refresh: try await ListRefresh(connection: connection, source: source).refresh())
        if report.refresh.failure != nil { return report }
        var query = options.query
        query.limit = options.limit
        if query.hasWords { try await SearchIndexing(store: connection.store).indexAll { _ in } }
        let settled = try await connection.store.settleRules()
        let plan = try await connection.store.read { [query] in
            try SyncPlan($0).items(of: connection.sourceID, query, settled)
        }
        let isForced = connection.freshness == .refresh && !source.capabilities.includesBodies
        let due = plan.filter { !$0.isCurrent || isForced }
        report.unchanged = plan.count - due.count
        await observe(.planned(due.count))
        try await fetch(due, jobs: options.jobs, into: &report, observe)
        return report
    }

    /// Fetches the bodies of posts, several at a time.
    private func fetch(
        _ items: [SyncPlan.Item], jobs: Int, into report: inout SyncReport, _ observe: @escaping SyncObserver
    ) async throws {
        let writer = BodyWriter(source: connection.sourceID, store: connection.store, observe: observe)
        do {
            var rest = items[...]
            var queue = FetchQueue<PlannedBody>(Politeness.bodies(width: jobs), clock: connection.clock)
            try await queue.run { queue in
                while queue.waiting == 0, !rest.isEmpty {
                    let posts = try await connection.store.planned(rest.prefix(Self.maxPlanned))
                    rest = rest.dropFirst(Self.maxPlanned)
                    for (metadata, hasBody) in posts {
                        queue.add(PlannedBody(metadata: metadata, hasBody: hasBody), host: "")
                    }
                }
            } fetch: { post in
                try await fetch(post, observe)
            } failure: { (arrival: BodyArrival) in
                if case .failure(let error) = arrival.body { error } else { nil }
            } take: { _, arrival, _ in
                guard let arrival else {
                    report.untried += 1 + rest.count
                    rest = []
                    return
                }
                report.count(arrival.outcome, of: arrival.metadata.id)
                try await writer.add(arrival)
            }
        } catch {
            try? await writer.finish()
            throw error
        }
        try await writer.finish()
    }

    private func fetch(_ post: PlannedBody, _ observe: SyncObserver) async throws -> BodyArrival {
        let metadata = post.metadata
        await observe(.fetching(metadata))
        let stored =
            post.hasBody
            ? try await connection.store.read { try Bodies($0).find(metadata.id, of: connection.sourceID) } : nil
        do {
            let body = try await BodyReading(connection: connection, source: source).body(of: metadata, stored)
            return BodyArrival(metadata: metadata, stored: stored, body: .success(body))
        } catch let error as any FetchError {
            return BodyArrival(metadata: metadata, stored: stored, body: .failure(error))
        }
    }

    /// How many posts are read at a time before their bodies are fetched.
    private static let maxPlanned = 256
}

/// A post whose body to fetch.
private struct PlannedBody: Sendable {
    let metadata: PostMetadata
    /// Whether an outdated one is stored.
    let hasBody: Bool
}

/// A source's response to a request for a body, or its error.
private struct BodyArrival: Sendable {
    let metadata: PostMetadata
    let stored: StoredBody?
    let body: Result<FetchedBody, any Error>

    /// How the body differs from the stored one.
    var outcome: SyncOutcome {
        switch body {
        case .failure(let error): .failed(error)
        case .success(let body):
            switch body.content {
            case .unchanged: .unchanged
            case .text(let text) where stored?.text == text: .unchanged
            case .text: stored == nil ? .new : .updated
            }
        }
    }
}

/// Stores bodies in batches, each while the next ones are fetched: a transaction for each body would take longer than
/// fetching it.
private actor BodyWriter {
    private let source: SourceID
    private let store: PostStore
    private let observe: SyncObserver
    /// The bodies that aren't stored yet.
    private var batch: [BodyArrival] = []
    /// The number of the batch.
    private var number = 0
    private var storing: Task<Void, any Error>?

    init(source: SourceID, store: PostStore, observe: @escaping SyncObserver) {
        (self.source, self.store, self.observe) = (source, store, observe)
    }

    /// Adds a body; waits if there is a batch of them and another one is being stored.
    func add(_ arrival: BodyArrival) async throws {
        batch.append(arrival)
        if batch.count >= Self.maxBatch {
            try await storeBatch()
        } else if batch.count == 1 {
            Task { [number] in
                try? await Task.sleep(for: Self.maxWait)
                if number == self.number { try? await self.storeBatch() }
            }
        }
    }

    /// Stores the rest; throws if something couldn't be stored.
    func finish() async throws {
        try await storeBatch()
        try await storing?.value
    }

    private func storeBatch() async throws {
        let earlier = storing
        try await earlier?.value
        guard storing == earlier, !batch.isEmpty else { return }
        let arrivals = batch
        (batch, number) = ([], number + 1)
        storing = Task { try await self.store(arrivals) }
    }

    private func store(_ arrivals: [BodyArrival]) async throws {
        let bodies = arrivals.compactMap { arrival in
            (try? arrival.body.get()).map { (id: arrival.metadata.id, body: $0) }
        }
        if !bodies.isEmpty { try await store.writeToDisk { [source] in try Bodies($0).save(bodies, of: source) } }
        for arrival in arrivals { await observe(.done(arrival.metadata, of: source, arrival.outcome)) }
    }

    /// The maximum number of bodies stored together; the same number may arrive in the meantime.
    private static let maxBatch = 128
    /// How long a body waits to be stored with others; little is lost if a sync is interrupted.
    private static let maxWait = Duration.milliseconds(100)
}
