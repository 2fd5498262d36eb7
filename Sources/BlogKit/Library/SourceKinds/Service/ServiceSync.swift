import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogModel
import BlogStore

/// Tells a service's server of marks, and gets its feeds, items and marks.
///
/// Marks are sent first and in batches; what isn't confirmed stays in the queue. The server's marks are then asked for as
/// whole sets, and contents only of items that aren't stored.
struct ServiceSync: Sendable {
    let connection: SourceConnection
    /// Receives the posts that arrive.
    var observe: SyncObserver = { _ in }

    private var store: PostStore { connection.store }

    /// How many posts a sync fetches, unless all are wanted.
    static let contentsLimit = 1000
    /// How many items a request is about: a server that reads a thousand fields of a form ignores the rest.
    private static let batchSize = 250
    /// If the server's answer changes more marks at once, it is asked for again.
    private static let maxChanges = 20

    /// Syncs the service.
    ///
    /// With a stored copy, a failure is part of the report.
    ///
    /// - Parameter limit: how many posts to fetch; nil for all.
    func run(limit: Int? = contentsLimit) async throws -> RefreshReport {
        guard let stored = try await store.source(connection.sourceID), let name = stored.name else {
            throw LibraryError.nothingStored(connection.url)
        }
        if connection.freshness == .offline {
            guard stored.hasList else { throw LibraryError.nothingStored(connection.url) }
            return RefreshReport(.offline(storedAt: stored.refreshedAt))
        }
        return try await connection.recording(hasCopy: stored.hasList, storedAt: stored.refreshedAt) {
            // So that the marks of rules are sent.
            try await store.settleRules()
            let api = try await api(named: name)
            let feeds = try await api.subscriptions()
            try await store.save(feeds, of: stored.key, at: connection.now()) { feed, isTaken in
                try SourceName.of(feed, in: name, isTaken: isTaken)
            }
            var tags = try await api.tags()
            let (failure, hasNewLabels) = try await push(to: api, of: stored, tags)
            if hasNewLabels { tags = try await api.tags() }
            let new = try await pull(from: api, of: stored, feeds, tags, limit)
            try await confirm(stored)
            // The marks on the server are those of now, except for what it has yet to be told.
            if let failure { throw failure }
            return new == 0 ? RefreshReport(.unchanged) : RefreshReport(.stored(ListChanges(new: new)))
        }
    }

    /// The API with the login of the service.
    func api(named name: String) async throws -> ReaderAPI {
        let url = connection.url
        let own = try await connection.logins?(name)
        let fromFile = connection.client?.login(for: url).map { ServiceLogin(user: $0.name, password: $0.password) }
        guard let client = connection.client, let login = own ?? fromFile else {
            throw connection.client?.hasUnsafeLogins == true
                ? ServiceError.unsafeLogins(url) : ServiceError.noLogin(url, name: name)
        }
        return ReaderAPI(at: url, client: client, login: login)
    }

    private func confirm(_ stored: StoredSource) async throws {
        let now = connection.now()
        let mark = RefreshMark(
            Checkpoint(validators: stored.validators, digest: stored.digest), refreshedAt: now,
            dueAt: Politeness.dueDate(after: now, interval: stored.every?.delay))
        try await store.confirm(stored, mark: mark)
    }

    // MARK: Marks

    /// Sends the marks in the queue; returns why some couldn't be sent, and whether the server may have new labels.
    private func push(
        to api: ReaderAPI, of service: StoredSource, _ tags: ReaderAPI.Tags
    ) async throws -> (failure: (any FetchError)?, hasNewLabels: Bool) {
        let queue = try await store.unsentMarks(of: service.key)
        var groups: [(mark: Mark, items: [QueuedMark])] = []
        for mark in queue {
            if groups.last?.mark == mark.mark {
                groups[groups.count - 1].items.append(mark)
            } else {
                groups.append((mark.mark, [mark]))
            }
        }
        var hasNewLabels = false
        do {
            for (mark, items) in groups {
                let sent = mark.asSent(with: tags)
                if sent.isEmpty { try await store.drop(items, of: service.key) }
                if case .labelled(let label)? = sent.first, tags.labels?.contains(label) != true { hasNewLabels = true }
                for batch in items.batches(of: Self.batchSize) {
                    for mark in sent {
                        try await send(mark, batch, to: api, of: service.key, isLast: mark == sent.last)
                    }
                }
            }
            return (nil, hasNewLabels)
        } catch let error as any FetchError {
            return (error, hasNewLabels)
        }
    }

    /// Sends a mark for some items; one that the server doesn't accept must not hold up the others.
    private func send(
        _ mark: Mark, _ items: ArraySlice<QueuedMark>, to api: ReaderAPI, of service: Int64, isLast: Bool
    ) async throws {
        do {
            try await api.set(mark, on: items.map(\.item))
            if isLast { try await store.noteSent(Array(items), to: service) }
        } catch HTTPError.status(_, code: 400, _) {
            if items.count == 1 { return try await store.drop(Array(items), of: service) }
            for half in items.halves { try await send(mark, half, to: api, of: service, isLast: isLast) }
        }
    }

    private func pull(
        from api: ReaderAPI, of service: StoredSource, _ feeds: [ServiceFeed], _ tags: ReaderAPI.Tags, _ limit: Int?
    ) async throws -> Int {
        let pull = try await store.beginPull(of: service.key)
        let marks = try await marks(from: api, of: service.key, tags)
        try await store.reconcile(marks, of: service.key, pull: pull)
        return try await fetch(marks, from: api, of: service.key, feeds, limit)
    }

    private func marks(
        from api: ReaderAPI, of service: Int64, _ tags: ReaderAPI.Tags
    ) async throws -> ServiceMarks {
        var unread = try await api.items(of: .unread)
        var starred = try await api.items(of: .starred)
        var labels: [String: ServiceSet]?
        if let names = tags.labels {
            var sets: [String: ServiceSet] = [:]
            // Without a set, nothing is known about it: the same name can't be a label there.
            for folder in tags.folders { sets[folder] = ServiceSet([], isWhole: false) }
            for name in names {
                let set = try await api.items(of: .labelled(name))
                // Case and accents don't count here.
                let known = sets.keys.first { Label.isSame($0, name) } ?? name
                sets[known] = sets[known]?.joined(with: set) ?? set
            }
            labels = sets
        }
        let first = ServiceMarks(unread: unread, starred: starred, labels: labels)
        guard try await store.changes(by: first, of: service) > Self.maxChanges else { return first }
        if unread.isWhole { unread = try await api.confirmed(unread.items, of: .unread) }
        if starred.isWhole { starred = try await api.confirmed(starred.items, of: .starred) }
        return ServiceMarks(unread: unread, starred: starred, labels: labels)
    }

    // MARK: Contents

    /// Fetches items that aren't stored, and returns how many posts are new.
    private func fetch(
        _ marks: ServiceMarks, from api: ReaderAPI, of service: Int64, _ feeds: [ServiceFeed], _ limit: Int?
    ) async throws -> Int {
        let missing = try await store.missingItems(of: service, limit)
        guard !missing.isEmpty else { return 0 }
        await observe(.planned(missing.count))
        let arrival = ServiceArrival(marks, feeds, now: connection.now())
        var new = 0
        for batch in missing.batches(of: Self.batchSize) {
            new += try await fetch(batch, arrival, from: api, of: service)
        }
        return new
    }

    /// Fetches some items, or if the server can't send all of them together, each half.
    private func fetch(
        _ items: ArraySlice<String>, _ arrival: ServiceArrival, from api: ReaderAPI, of service: Int64
    ) async throws -> Int {
        let contents: [ReaderItem]
        do {
            contents = try await api.contents(of: Array(items))
        } catch let error as HTTPError where error.isAboutItems && items.count > 1 {
            var new = 0
            for half in items.halves { new += try await fetch(half, arrival, from: api, of: service) }
            return new
        } catch let error as HTTPError where error.isAboutItems {
            return try await store.save([], requested: Array(items), of: service, at: connection.now())
        }
        let entries = arrival.entries(of: contents)
        let new = try await store.save(entries, requested: Array(items), of: service, at: connection.now())
        for entry in entries { await observe(.done(entry.entry.metadata, of: entry.feed, .new)) }
        return new
    }
}

extension HTTPError {
    /// Whether fewer items may be sent.
    fileprivate var isAboutItems: Bool {
        switch self {
        case .status(_, let code, _): code == 400 || code == 413 || code == 500
        case .tooLarge: true
        default: false
        }
    }
}

extension Mark {
    /// The mark in the server's spellings; none if it can't have it.
    fileprivate func asSent(with tags: ReaderAPI.Tags) -> [Mark] {
        func known(_ label: String) -> [String] {
            guard let labels = tags.labels, !tags.folders.contains(where: { Label.isSame($0, label) }) else {
                return []
            }
            let same = labels.filter { Label.isSame($0, label) }
            return same.isEmpty ? [label] : same
        }
        switch self {
        case .labelled(let label): return known(label).prefix(1).map { .labelled($0) }
        case .unlabelled(let label): return known(label).map { .unlabelled($0) }
        default: return [self]
        }
    }
}

/// Makes entries of the items of a service.
private struct ServiceArrival: Sendable {
    private let feeds: [SourceID: ServiceFeed]
    private let unread: Set<String>
    private let starred: Set<String>
    private let labels: [String: [String]]
    private let base: URL?
    private let now: Date

    init(_ marks: ServiceMarks, _ feeds: [ServiceFeed], now: Date) {
        self.feeds = Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first }
        base = feeds.first?.id.service.flatMap { URL(address: $0.address) }
        unread = Set(marks.unread.items)
        starred = Set(marks.starred.items)
        labels = (marks.labels ?? [:]).reduce(into: [:]) { labels, set in
            for item in set.value.items { labels[item, default: []].append(set.key) }
        }
        self.now = now
    }

    /// The entries of items, oldest first, without those of feeds that aren't followed.
    func entries(of items: [ReaderItem]) -> [ServiceEntry] {
        Dictionary(grouping: items, by: \.stream).sorted { ($0.key ?? "") < ($1.key ?? "") }.flatMap { stream, items in
            guard let stream, let base, let feed = feeds[FeedOfServiceSource.sourceID(of: stream, at: base)] else {
                return [ServiceEntry]()
            }
            return FeedEntries(of: FeedDocument(title: feed.title, items: items.map(\.item)), now: now).map { entry in
                let id = entry.metadata.postId
                return ServiceEntry(
                    entry, of: feed.id, isRead: !unread.contains(id), isStarred: starred.contains(id),
                    labels: labels[id] ?? [])
            }
        }
    }
}

extension Array {
    /// Consecutive elements, at most so many at a time.
    fileprivate func batches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

extension ArraySlice {
    fileprivate var halves: [ArraySlice<Element>] {
        let middle = startIndex + count / 2
        return [self[..<middle], self[middle...]]
    }
}
