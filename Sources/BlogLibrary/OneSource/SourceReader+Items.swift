import Essentials
import HTTP
import Model
import Store
import Synchronization

/// The result of looking up an id.
enum ItemArrival: Sendable {
    /// It was fetched, and is or isn't new; nil for an item from the store.
    case item(StoredItem, SyncedPost.Outcome?)
    /// It isn't available; without an error, the source has no such item, or requests are off.
    case missing(id: String, (any Error)?)

    var id: String {
        switch self {
        case .item(let item, _): item.metadata.id
        case .missing(let id, _): id
        }
    }
}

extension SourceReader {
    /// How many items are fetched at a time, over persistent connections.
    private static let maxConcurrent = 20
    /// After this many consecutive connection failures no more requests are sent.
    private static let maxFailures = 20

    /// Gets items and those they lead to, breadth first and none of them twice.
    ///
    /// Current items are taken from the store, others from the source, as many at once as are known. They are stored
    /// along the way.
    ///
    /// Throws a ``StoreError``, `CancellationError` or what `take` throws.
    ///
    /// - Parameter take: gets each item as it arrives, and returns the IDs of others that are wanted now.
    func gather(
        _ ids: [String], from source: any ItemFetching, take: (ItemArrival) async throws -> [String]
    ) async throws {
        var queue = ItemQueue(ids)
        var fresh = FreshItems(reader: self)
        var failures = 0
        try await concurrently(atMost: Self.maxConcurrent) {
            while queue.hasNew {
                let (arrivals, wanted) = try await stored(queue.takeNew())
                for arrival in arrivals { queue.add(try await take(arrival)) }
                queue.wait(for: wanted)
            }
            return queue.next().map { (item: $0, hasGivenUp: failures >= Self.maxFailures) }
        } work: { wanted, hasGivenUp in
            hasGivenUp ? .missing(id: wanted.id, nil) : try await fetch(wanted, from: source)
        } take: { (arrival: ItemArrival) in
            switch arrival {
            case .missing(_, let error as HTTPError) where error.isConnectionFailure: failures += 1
            case .missing: break
            case .item: failures = 0
            }
            queue.add(try await take(arrival))
            try await fresh.add(arrival)
        }
        try await fresh.store()
    }

    /// The stored items of some ids that need no request, and the others.
    private func stored(_ ids: [String]) async throws -> (arrivals: [ItemArrival], wanted: [WantedItem]) {
        let items = ids.isEmpty ? [:] : try await store.items(ids, of: sourceID)
        var (arrivals, wanted) = ([ItemArrival](), [WantedItem]())
        for id in ids {
            if let item = items[id], freshness == .offline || isCurrent(item) {
                arrivals.append(.item(item, nil))
            } else if freshness == .offline {
                arrivals.append(.missing(id: id, nil))
            } else {
                wanted.append(WantedItem(id: id, known: items[id]))
            }
        }
        return (arrivals, wanted)
    }

    private func isCurrent(_ item: StoredItem) -> Bool {
        freshness == .normal && ItemFreshness.isCurrent(item, at: now())
    }

    /// Fetches an item.
    private func fetch(_ item: WantedItem, from source: any ItemFetching) async throws -> ItemArrival {
        let (id, known) = (item.id, item.known)
        do {
            guard let entry = try await source.item(id: id) else { return .missing(id: id, nil) }
            let body = entry.content?.text ?? ""
            let isSame = known.map { ($0.metadata, $0.body) == (entry.metadata, body) } ?? false
            let arrived = StoredItem(
                metadata: entry.metadata, body: body, format: entry.content?.format, fetchedAt: now(),
                state: known?.state ?? PostState(), comments: entry.comments)
            return .item(arrived, known == nil ? .new : isSame ? .unchanged : .updated)
        } catch let error as any FetchError {
            return .missing(id: id, error)
        }
    }

    /// A post or comment by its id.
    ///
    /// Throws what ``read(id:)`` throws.
    func readItem(id: String, from source: any ItemFetching) async throws -> ReadPost {
        let known = try await store.items([id], of: sourceID)[id]
        if let known, freshness == .offline || isCurrent(known) {
            return readPost(known, .store(fetchedAt: known.fetchedAt))
        }
        guard freshness != .offline else { throw LibraryError.postNotStored(id: id, url) }
        switch try await fetch(WantedItem(id: id, known: known), from: source) {
        case .item(let item, _):
            let isKept = try await storeUnlessBusy { try await store.store([Entry(item)], of: sourceID, at: now()) }
            return readPost(item, isKept ? .server : .serverNotStored)
        case .missing(_, let error):
            let error = error ?? SourceError.noSuchPost(id: id, url)
            guard let known else { throw unreachable(error) }
            return readPost(known, .outdated(fetchedAt: known.fetchedAt, because: error))
        }
    }

    private func readPost(_ item: StoredItem, _ origin: ReadPost.Origin) -> ReadPost {
        ReadPost(item.metadata, body: item.body, item.format, origin)
    }
}

extension Entry {
    /// An item as its source gave it.
    fileprivate init(_ item: StoredItem) {
        self.init(item.metadata, content: Content(item.body, item.format), comments: item.comments)
    }
}

/// An item that is to be requested.
private struct WantedItem {
    let id: String
    /// The stored item, which is too old to be shown.
    let known: StoredItem?
}

/// The IDs that are still to be looked up, each once.
private struct ItemQueue {
    private var seen: Set<String> = []
    /// IDs that haven't been looked up in the store.
    private var new: [String] = []
    private var waiting: [WantedItem] = []
    /// How many of `waiting` are done.
    private var done = 0

    init(_ ids: [String]) { add(ids) }

    var hasNew: Bool { !new.isEmpty }

    mutating func add(_ ids: [String]) {
        for id in ids where seen.insert(id).inserted { new.append(id) }
    }

    mutating func takeNew() -> [String] {
        defer { new = [] }
        return new
    }

    mutating func wait(for items: [WantedItem]) { waiting += items }

    mutating func next() -> WantedItem? {
        guard done < waiting.count else { return nil }
        defer { done += 1 }
        return waiting[done]
    }
}

/// Fetched items that aren't stored yet.
private struct FreshItems {
    let reader: SourceReader
    private var items: [Entry] = []

    init(reader: SourceReader) { self.reader = reader }

    mutating func add(_ arrival: ItemArrival) async throws {
        guard case .item(let item, .some) = arrival else { return }
        items.append(Entry(item))
        if items.count >= Self.batch { try await store() }
    }

    mutating func store() async throws {
        guard !items.isEmpty else { return }
        let batch = items
        items = []
        try await reader.storeUnlessBusy { try await reader.store.store(batch, of: reader.sourceID, at: reader.now()) }
    }

    /// The number of items per transaction.
    private static let batch = 64
}

/// When a stored post or comment is stale.
enum ItemFreshness {
    /// How many seconds it stays fresh: replies arrive within minutes.
    private static let lifetime: TimeInterval = 5 * 60
    /// The age in seconds after which threads are closed to replies; those on photos never are.
    private static let closing: TimeInterval = 14 * 86_400

    /// Whether a stored item is still fresh.
    static func isCurrent(_ item: StoredItem, at now: Date) -> Bool {
        if item.metadata.discussion?.removal != nil { return true }
        // A clock that was set back makes everything look as if it came from the future.
        let age = now.timeIntervalSince(item.fetchedAt)
        if (0..<lifetime).contains(age) { return true }
        let isThread = item.metadata.photo == nil
        return isThread && item.fetchedAt.timeIntervalSince(item.metadata.publishDate.moment) >= closing
    }
}

/// Posts and comments that could not be fetched.
public final class MissingItems: Sendable {
    private let state = Mutex<(count: Int, first: (any Error)?, removed: Int)>((0, nil, 0))

    /// How many there are so far.
    public var count: Int { state.withLock { $0.count } }

    /// Why the first of them could not be fetched; nil if the source has no such item, or it is not stored and requests
    /// are off.
    public var firstError: (any Error)? { state.withLock { $0.first } }

    /// How many were left out because they were deleted or are dead, and have no replies.
    public var removed: Int { state.withLock { $0.removed } }

    func noteRemoved(_ count: Int) { state.withLock { $0.removed = count } }

    /// Counts an item that did not arrive.
    func note(_ arrival: ItemArrival) {
        guard case .missing(_, let error) = arrival else { return }
        state.withLock { state in
            state.count += 1
            if state.first == nil { state.first = error }
        }
    }
}
