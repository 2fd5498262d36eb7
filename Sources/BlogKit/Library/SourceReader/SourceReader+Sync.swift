import BlogHTTP
import BlogModel
import BlogStore

extension SourceReader {
    /// Refreshes the list and fetches every body that is missing or outdated, newest post first.
    ///
    /// Throws what ``list(_:)`` throws, and a ``StoreError`` if nothing can be stored.
    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        if let itemSource { return try await sync(from: itemSource, options, observe: observe) }
        var report = SyncReport(refresh: try await refresh())
        if case .failed = report.refresh.outcome { return report }
        let plan = try await store.syncPlan(of: sourceID, limit: options.limit)
        let isForced = freshness == .refresh && !source.capabilities.includesBodies
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

    private func store(_ arrivals: [BodyArrival], _ observe: SyncObserver) async throws -> [SyncedPost] {
        let bodies = arrivals.compactMap { arrival in
            (try? arrival.body.get()).map { (id: arrival.metadata.id, body: $0) }
        }
        // In one transaction: one per body would take longer than fetching it.
        if !bodies.isEmpty { try await store.storeOnDisk(bodies, of: sourceID) }
        let posts = arrivals.map { SyncedPost(source: sourceID, metadata: $0.metadata, outcome: $0.outcome) }
        for post in posts { await observe(.done(post)) }
        return posts
    }

    private func fetch(_ post: PlannedPost, _ observe: SyncObserver) async throws -> BodyArrival {
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

extension SourceReader {
    /// Fetches the posts on the front page of a ranking and, optionally, all their comments.
    func sync(
        from source: any ItemFetching, _ options: SyncOptions,
        observe: @escaping SyncObserver
    ) async throws -> SyncReport {
        let hasReplies = options.withComments && !source.capabilities.includesComments
        let section = options.section ?? source.capabilities.sections[0]
        let (refresh, ids) = try await refreshRanking(of: section, from: source)
        var report = SyncReport(refresh: refresh)
        if case .failed = refresh.outcome { return report }
        let wanted = Array(ids.prefix(options.limit ?? Self.frontPage))
        let posts = Set(wanted)
        await observe(.planned(wanted.count))
        try await gather(wanted, from: source) { arrival in
            guard case .item(let item, let outcome) = arrival else {
                // A server may list items that it has removed.
                guard case .missing(let id, let error?) = arrival else { return [] }
                report.failed += 1
                if !posts.contains(id) { report.comments += 1 }
                report.firstError = report.firstError ?? error
                return []
            }
            let done = SyncedPost(source: sourceID, metadata: item.metadata, outcome: outcome ?? .unchanged)
            report.count(done)
            if done.metadata.discussion?.parent != nil { report.comments += 1 }
            let replies = hasReplies ? done.metadata.replies : []
            await observe(.planned(replies.count))
            await observe(.done(done))
            return replies
        }
        return report
    }
}

/// The bodies that a sync fetches next, and those that it stores together.
///
/// Three kinds of work run concurrently: bodies are fetched, batches are stored, and a timer limits how long the first
/// body of a batch waits for others. So ``concurrently(atMost:next:work:take:)`` isn't enough.
struct SyncQueue {
    private let jobs: Int
    private var items: ArraySlice<SyncItem>
    private var posts: ArraySlice<PlannedPost> = []
    private var arrivals: [BodyArrival] = []
    private var inFlight = 0
    private var consecutiveFailures = 0
    private var isStoring = false
    private var isDue = false
    /// The number of the batch that is being collected.
    private(set) var batch = 0

    init(_ items: [SyncItem], jobs: Int) {
        self.items = items[...]
        self.jobs = jobs
    }

    /// Takes the posts whose metadata to read next; none if there is enough.
    mutating func takeItems() -> ArraySlice<SyncItem> {
        guard posts.count < Self.maxBatch else { return [] }
        defer { items = items.dropFirst(2 * Self.maxBatch) }
        return items.prefix(2 * Self.maxBatch)
    }

    mutating func append(_ posts: [PlannedPost]) { self.posts += posts }

    /// Takes the next post whose body to fetch; nil if that has to wait or stop.
    mutating func takePost() -> PlannedPost? {
        guard inFlight < jobs, consecutiveFailures < Self.maxFailures, arrivals.count < Self.maxBatch else {
            return nil
        }
        guard let post = posts.popFirst() else { return nil }
        inFlight += 1
        return post
    }

    /// Adds a response; true for the first of a batch.
    mutating func add(_ arrival: BodyArrival) -> Bool {
        inFlight -= 1
        consecutiveFailures = arrival.isRefusal ? consecutiveFailures + 1 : 0
        arrivals.append(arrival)
        return arrivals.count == 1
    }

    /// Makes a batch due that has waited long enough, unless it is stored already.
    mutating func storeSoon(_ batch: Int) { isDue = isDue || batch == self.batch }

    /// Takes the next batch; nil while another is being stored or this one may grow.
    mutating func takeBatch() -> [BodyArrival]? {
        guard !isStoring, !arrivals.isEmpty, isDue || inFlight == 0 || arrivals.count >= Self.maxBatch else {
            return nil
        }
        defer { arrivals = [] }
        (isStoring, isDue) = (true, false)
        batch += 1
        return arrivals
    }

    /// Notes that a batch is stored.
    ///
    /// - Parameter next: posts whose metadata was read in the meantime.
    mutating func finishBatch(next: [PlannedPost]) {
        isStoring = false
        append(next)
    }

    var isAtEnd: Bool {
        inFlight == 0 && !isStoring && arrivals.isEmpty && (posts.isEmpty || consecutiveFailures >= Self.maxFailures)
    }

    var untried: Int { posts.count + items.count }

    /// The maximum number of bodies stored together; the same number may arrive in the meantime.
    private static let maxBatch = 128

    /// The number of consecutive refusals or connection failures after which no more requests are sent.
    private static let maxFailures = 5
}

/// A source's response to a request for a body, or its error.
struct BodyArrival: Sendable {
    let metadata: PostMetadata
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
            case .text, .long: stored == nil ? .new : .updated
            }
        }
    }

    var isRefusal: Bool {
        guard case .failure(let error as HTTPError) = body else { return false }
        return error.isRefusal
    }
}

extension HTTPError {
    /// Whether the next request to the host would probably fail too.
    var isRefusal: Bool {
        switch self {
        case .rateLimited: true
        case .status(_, let code, _): code == 429 || code >= 500
        default: isConnectionFailure
        }
    }
}
