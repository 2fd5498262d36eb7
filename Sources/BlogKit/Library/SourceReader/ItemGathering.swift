import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Gets posts and comments one by one, from the store or else from the source.
struct ItemGathering: Sendable {
    let connection: SourceConnection
    let source: any ItemFetching

    private var store: PostStore { connection.store }

    /// The number of consecutive connection failures after which no more requests are sent.
    private static let maxFailures = 20

    /// Gets items and those they lead to, breadth first and each only once.
    ///
    /// Current items come from the store and others from the source, concurrently. Fetched items are stored in batches
    /// along the way.
    ///
    /// Throws a ``StoreError``, `CancellationError` or what `take` throws.
    ///
    /// - Parameter take: receives each item as it arrives and returns the IDs of further items to get.
    func gather(_ ids: [String], take: (ItemArrival) async throws -> [String]) async throws {
        var queue = ItemQueue(ids)
        var unstored: [Entry] = []
        var failures = 0
        func storeBatch() async throws {
            guard !unstored.isEmpty else { return }
            let batch = unstored
            unstored = []
            try await writeIfFree { try await store.store(batch, of: connection.sourceID, at: connection.now()) }
        }
        try await concurrently(atMost: Politeness.maxRequests) {
            while let new = queue.takeNew() {
                let (arrivals, wanted) = try await stored(new)
                for arrival in arrivals { queue.add(try await take(arrival)) }
                queue.wait(for: wanted)
            }
            return queue.next().map { (item: $0, hasGivenUp: failures >= Self.maxFailures) }
        } work: { wanted, hasGivenUp in
            hasGivenUp ? .missing(id: wanted.id, nil) : try await fetch(wanted)
        } take: { (arrival: ItemArrival) in
            switch arrival {
            case .missing(_, let error as HTTPError) where error.isConnectionFailure: failures += 1
            case .missing: break
            case .item: failures = 0
            }
            queue.add(try await take(arrival))
            guard case .item(let item, .some) = arrival else { return }
            unstored.append(Entry(item))
            if unstored.count >= Self.maxBatch { try await storeBatch() }
        }
        try await storeBatch()
    }

    private static let maxBatch = 64

    /// The stored items that need no request, and the items to request.
    private func stored(_ ids: [String]) async throws -> (arrivals: [ItemArrival], wanted: [WantedItem]) {
        let items = try await store.items(ids, of: connection.sourceID)
        var (arrivals, wanted) = ([ItemArrival](), [WantedItem]())
        for id in ids {
            if let item = items[id], connection.freshness == .offline || isCurrent(item) {
                arrivals.append(.item(item, nil))
            } else if connection.freshness == .offline {
                arrivals.append(.missing(id: id, nil))
            } else {
                wanted.append(WantedItem(id: id, stored: items[id]))
            }
        }
        return (arrivals, wanted)
    }

    private func isCurrent(_ item: StoredItem) -> Bool {
        connection.freshness == .normal && ItemFreshness.isCurrent(item, at: connection.now())
    }

    private func fetch(_ item: WantedItem) async throws -> ItemArrival {
        let (id, stored) = (item.id, item.stored)
        do {
            guard let entry = try await source.item(id: id) else { return .missing(id: id, nil) }
            let body = entry.content?.text ?? ""
            let isSame = stored.map { ($0.metadata, $0.body) == (entry.metadata, body) } ?? false
            let arrived = StoredItem(
                metadata: entry.metadata, body: body, format: entry.content?.format, fetchedAt: connection.now(),
                state: stored?.state ?? PostState(), comments: entry.comments)
            return .item(arrived, stored == nil ? .new : isSame ? .unchanged : .updated)
        } catch let error as any FetchError {
            return .missing(id: id, error)
        }
    }

    /// Reads a post or comment by its ID.
    ///
    /// Throws what ``read(id:)`` throws.
    func read(id: String) async throws -> ReadPost {
        let stored = try await store.items([id], of: connection.sourceID)[id]
        if let stored, connection.freshness == .offline || isCurrent(stored) {
            return readPost(stored, .store(fetchedAt: stored.fetchedAt))
        }
        guard connection.freshness != .offline else { throw LibraryError.postNotStored(id: id, connection.url) }
        switch try await fetch(WantedItem(id: id, stored: stored)) {
        case .item(let item, _):
            let isStored = try await writeIfFree {
                try await store.store([Entry(item)], of: connection.sourceID, at: connection.now())
            }
            return readPost(item, isStored ? .server : .serverNotStored)
        case .missing(_, let error):
            let error = error ?? SourceError.noSuchPost(id: id, connection.url)
            guard let stored else { throw connection.unreachable(error) }
            return readPost(stored, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    private func readPost(_ item: StoredItem, _ origin: ReadPost.Origin) -> ReadPost {
        ReadPost(item.metadata, .text(item.body), item.format, origin)
    }
}

extension Entry {
    fileprivate init(_ item: StoredItem) {
        self.init(item.metadata, content: Content(item.body, item.format), comments: item.comments)
    }
}

private struct WantedItem {
    let id: String
    /// The stored copy, which is too old to show.
    let stored: StoredItem?
}

/// The IDs that are still to be looked up, each once.
private struct ItemQueue {
    private var seen: Set<String> = []
    /// IDs that haven't been looked up in the store.
    private var new: [String] = []
    private var waiting: ArraySlice<WantedItem> = []

    init(_ ids: [String]) { add(ids) }

    mutating func add(_ ids: [String]) {
        for id in ids where seen.insert(id).inserted { new.append(id) }
    }

    /// Takes the IDs that haven't been looked up in the store; nil if there are none.
    mutating func takeNew() -> [String]? {
        defer { new = [] }
        return new.isEmpty ? nil : new
    }

    mutating func wait(for items: [WantedItem]) { waiting += items }

    mutating func next() -> WantedItem? { waiting.popFirst() }
}

/// When a stored post or comment becomes stale.
enum ItemFreshness {
    /// How many seconds an item stays fresh; replies arrive within minutes.
    private static let lifetime: TimeInterval = 5 * 60
    /// The age in seconds at which threads are closed to replies; those on photos never are.
    private static let closing: TimeInterval = 14 * 86_400

    static func isCurrent(_ item: StoredItem, at now: Date) -> Bool {
        if item.metadata.discussion?.removal != nil { return true }
        // If the clock was set back, everything seems to come from the future.
        let age = now.timeIntervalSince(item.fetchedAt)
        if (0..<lifetime).contains(age) { return true }
        let isThread = item.metadata.photo == nil
        return isThread && item.fetchedAt.timeIntervalSince(item.metadata.publishDate.moment) >= closing
    }
}
