import HTTP
import Model
import Store

/// Which bodies a sync fetches next, and which of those that came it stores together.
struct SyncQueue {
    /// How many bodies are fetched at a time.
    private let jobs: Int
    /// Posts whose metadata is still to be read.
    private var items: ArraySlice<SyncItem>
    private var posts: ArraySlice<PlannedPost> = []
    /// What came and is still to be stored.
    private var arrivals: [BodyArrival] = []
    private var inFlight = 0
    private var consecutiveFailures = 0
    private var isStoring = false
    private var isDue = false
    /// The number of the batch that arrives.
    private(set) var batch = 0

    init(_ items: [SyncItem], jobs: Int) {
        self.items = items[...]
        self.jobs = jobs
    }

    /// Takes the posts whose metadata is to be read next; none where enough of it is there.
    mutating func takeItems() -> ArraySlice<SyncItem> {
        guard posts.count < Self.maxBatch else { return [] }
        defer { items = items.dropFirst(2 * Self.maxBatch) }
        return items.prefix(2 * Self.maxBatch)
    }

    /// Appends posts whose metadata was read.
    mutating func append(_ posts: [PlannedPost]) { self.posts += posts }

    /// Takes the next post whose body is to be fetched; nil where that has to wait, or to end.
    mutating func takePost() -> PlannedPost? {
        guard inFlight < jobs, consecutiveFailures < Self.maxFailures, arrivals.count < Self.maxBatch else {
            return nil
        }
        guard let post = posts.popFirst() else { return nil }
        inFlight += 1
        return post
    }

    /// Adds what came of a request; true for the first of a batch.
    mutating func add(_ arrival: BodyArrival) -> Bool {
        inFlight -= 1
        consecutiveFailures = arrival.isRefusal ? consecutiveFailures + 1 : 0
        arrivals.append(arrival)
        return arrivals.count == 1
    }

    /// Has a batch stored that has waited long enough, unless it has been.
    mutating func storeSoon(_ batch: Int) { isDue = isDue || batch == self.batch }

    /// Takes what is to be stored together; nil while the batch before it is being stored, or while more may come.
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
    /// - Parameter next: posts whose metadata was read meanwhile.
    mutating func finishBatch(next: [PlannedPost]) {
        isStoring = false
        append(next)
    }

    /// Whether nothing is being done, nor is left to do.
    var isAtEnd: Bool {
        inFlight == 0 && !isStoring && arrivals.isEmpty && (posts.isEmpty || consecutiveFailures >= Self.maxFailures)
    }

    /// How many bodies were not requested.
    var untried: Int { posts.count + items.count }

    /// So many bodies are stored together at most; as many more may come meanwhile.
    private static let maxBatch = 128

    /// After this many consecutive refusals or connection failures no more requests are sent.
    private static let maxFailures = 5
}

/// A source's response to a request for a body, or its error.
struct BodyArrival: Sendable {
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
