import BlogHTTP
import BlogModel
import BlogStore

/// The bodies that a sync fetches next, and those that it stores together.
///
/// Three kinds of work run concurrently: bodies are fetched, batches are stored, and a timer limits how long the first
/// body of a batch waits for others. So ``concurrently(atMost:next:work:take:)`` isn't enough.
struct SyncQueue {
    /// A post whose body to fetch, and whether an outdated one is stored.
    typealias Planned = (metadata: PostMetadata, hasBody: Bool)

    private let jobs: Int
    private var items: ArraySlice<SyncPlan.Item>
    private var posts: ArraySlice<Planned> = []
    private var arrivals: [BodyArrival] = []
    private var inFlight = 0
    private var consecutiveFailures = 0
    private var isStoring = false
    private var isDue = false
    /// The number of the batch that is being collected.
    private(set) var batch = 0

    init(_ items: [SyncPlan.Item], jobs: Int) {
        self.items = items[...]
        self.jobs = jobs
    }

    /// Takes the posts whose metadata to read next; none if there is enough.
    mutating func takeItems() -> ArraySlice<SyncPlan.Item> {
        guard posts.count < Self.maxBatch else { return [] }
        defer { items = items.dropFirst(2 * Self.maxBatch) }
        return items.prefix(2 * Self.maxBatch)
    }

    mutating func append(_ posts: [Planned]) { self.posts += posts }

    /// Takes the next post whose body to fetch; nil if that has to wait or stop.
    mutating func takePost() -> Planned? {
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
    mutating func finishBatch(next: [Planned]) {
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

    var isRefusal: Bool {
        guard case .failure(let error as HTTPError) = body else { return false }
        return error.isRefusal
    }
}

extension HTTPError {
    /// Whether the next request to the host would probably fail too.
    var isRefusal: Bool {
        switch self {
        case .rateLimited, .challenged: true
        case .status(_, let code, _): code == 429 || code >= 500
        default: isConnectionFailure
        }
    }
}
