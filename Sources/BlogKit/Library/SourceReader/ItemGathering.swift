import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Gets posts and comments one by one, from the store or else from the source.
struct ItemGathering: Sendable {
    let connection: SourceConnection
    let source: any ItemFetching

    private var store: PostStore { connection.store }

    /// The result of looking up an ID.
    enum Arrival: Sendable {
        /// An item with its sync outcome; nil for one from the store.
        case item(Entry.Stored, SyncOutcome?)
        /// The stored copy of an item that couldn't be fetched again; without an error, too many others couldn't be.
        case outdated(Entry.Stored, (any Error)?)
        /// An unavailable item; without an error, the source has no such item, or requests are off.
        case missing(id: String, (any Error)?)

        var id: String {
            switch self {
            case .item(let item, _), .outdated(let item, _): item.entry.metadata.id
            case .missing(let id, _): id
            }
        }

        /// The item as it can be shown; nil if it is unavailable.
        var item: Entry.Stored? {
            switch self {
            case .item(let item, _), .outdated(let item, _): item
            case .missing: nil
            }
        }

        /// Why it couldn't be fetched; nil if it could, or wasn't tried.
        var error: (any Error)? {
            switch self {
            case .item: nil
            case .outdated(_, let error), .missing(_, let error): error
            }
        }

        fileprivate init(_ wanted: WantedItem, failed error: (any Error)?) {
            self = wanted.stored.map { .outdated($0, error) } ?? .missing(id: wanted.id, error)
        }
    }

    /// Gets items and those they lead to, breadth first and each only once.
    ///
    /// Current items come from the store and others from the source, concurrently. Fetched items are stored in batches
    /// along the way.
    ///
    /// Throws a ``StoreError``, `CancellationError` or what `take` throws.
    ///
    /// - Parameters:
    ///   - isShown: whether items are shown as they arrive; each is stored before, because the program ends when nobody
    ///     reads on.
    ///   - take: receives each item as it arrives and returns the IDs of further items to get.
    func gather(_ ids: [String], isShown: Bool = false, take: (Arrival) async throws -> [String]) async throws {
        var new = NewIDs(ids)
        var unstored: [Entry] = []
        func storeBatch() async throws {
            guard !unstored.isEmpty else { return }
            let batch = unstored
            unstored = []
            try await store.writeUnlessLocked {
                try Items($0).save(batch, of: connection.sourceID, at: connection.now())
            }
        }
        var queue = FetchQueue<WantedItem>(Politeness.items, clock: connection.clock)
        try await queue.run { queue in
            while let ids = new.take() {
                let (arrivals, wanted) = try await stored(ids)
                for arrival in arrivals { new.add(try await take(arrival)) }
                for item in wanted { queue.add(item, host: "") }
            }
        } fetch: { item in
            try await fetch(item)
        } failure: { (arrival: Arrival) in
            arrival.error
        } take: { item, arrival, _ in
            let arrival = arrival ?? Arrival(item, failed: nil)
            if case .item(let item, .some) = arrival { unstored.append(item.entry) }
            if isShown || unstored.count >= Self.maxBatch { try await storeBatch() }
            new.add(try await take(arrival))
        }
        try await storeBatch()
    }

    private static let maxBatch = 64

    /// The stored items that need no request, and the items to request.
    private func stored(_ ids: [String]) async throws -> (arrivals: [Arrival], wanted: [WantedItem]) {
        let items = try await store.read { try Items($0).find(ids, of: connection.sourceID) }
        var (arrivals, wanted) = ([Arrival](), [WantedItem]())
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

    private func isCurrent(_ item: Entry.Stored) -> Bool {
        connection.freshness == .normal && ItemFreshness.isCurrent(item, at: connection.now())
    }

    private func fetch(_ item: WantedItem) async throws -> Arrival {
        let (id, stored) = (item.id, item.stored)
        do {
            guard let answer = try await source.item(id: id) else {
                // What the server has no more stays as it was.
                return stored.map { .item($0, nil) } ?? .missing(id: id, nil)
            }
            let entry = answer.keepingLostText(of: stored)
            let isSame = stored.map { ($0.entry.metadata, $0.entry.text) == (entry.metadata, entry.text) } ?? false
            let arrived = Entry.Stored(entry, fetchedAt: connection.now(), state: stored?.state ?? PostState())
            return .item(arrived, stored == nil ? .new : isSame ? .unchanged : .updated)
        } catch let error as any FetchError {
            return Arrival(item, failed: error)
        }
    }

    func read(id: String) async throws -> ReadResult {
        let stored = try await store.read { try Items($0).find([id], of: connection.sourceID) }[id]
        if let stored, connection.freshness == .offline || isCurrent(stored) {
            return result(stored.entry, .store(fetchedAt: stored.fetchedAt))
        }
        guard connection.freshness != .offline else { throw LibraryError.postNotStored(id: id, connection.url) }
        switch try await fetch(WantedItem(id: id, stored: stored)) {
        case .item(let item, _):
            let isStored = try await store.writeUnlessLocked {
                try Items($0).save([item.entry], of: connection.sourceID, at: connection.now())
            }
            return result(item.entry, isStored ? .server : .serverNotStored)
        case .outdated(_, let error), .missing(_, let error):
            let error = error ?? SourceError.noSuchPost(id: id, connection.url)
            guard let stored else { throw connection.unreachable(error) }
            return result(stored.entry, .outdated(fetchedAt: stored.fetchedAt, because: error))
        }
    }

    private func result(_ entry: Entry, _ origin: ReadResult.Origin) -> ReadResult {
        ReadResult(entry.metadata, entry.text, entry.content?.format, origin)
    }
}

private struct WantedItem {
    let id: String
    /// The stored copy, which is too old to show.
    let stored: Entry.Stored?
}

/// The IDs that haven't been looked up in the store, each once.
private struct NewIDs {
    private var seen: Set<String> = []
    private var ids: [String] = []

    init(_ ids: [String]) { add(ids) }

    mutating func add(_ new: [String]) {
        for id in new where seen.insert(id).inserted { ids.append(id) }
    }

    /// Takes all of them; nil if there are none.
    mutating func take() -> [String]? {
        defer { ids = [] }
        return ids.isEmpty ? nil : ids
    }
}

/// When a stored post or comment becomes stale.
enum ItemFreshness {
    /// How many seconds an item stays fresh; replies arrive within minutes.
    private static let lifetime: TimeInterval = 5 * 60
    /// The age in seconds at which threads are closed to replies; those on photos never are.
    private static let closing: TimeInterval = 14 * 86_400

    static func isCurrent(_ item: Entry.Stored, at now: Date) -> Bool {
        if item.entry.metadata.discussion?.removal != nil { return true }
        // If the clock was set back, everything seems to come from the future.
        let age = now.timeIntervalSince(item.fetchedAt)
        if (0..<lifetime).contains(age) { return true }
        let isThread = item.entry.metadata.photo == nil
        return isThread && item.fetchedAt.timeIntervalSince(item.entry.metadata.publishDate.moment) >= closing
    }
}
