import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogModel
import BlogStore

extension Library {
    /// Follows the source at an address and fetches its list.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    public func follow(_ request: FollowRequest) async throws -> FollowReport {
        var result: Result<FollowReport, any Error> = .failure(CancellationError())
        await follow([request]) { result = $0 }
        return try result.get()
    }

    /// This library with a temporary store that follows the same sources, for a dry run.
    private func dryRun() async throws -> Library {
        copy(store: try await PostStore(following: store.namedSources()))
    }

    private struct PendingFollow {
        let request: FollowRequest
        let folder: String?
        let site: String?
        let found: FoundSource
        var before: StoredSource?
        var refresh: RefreshReport?
        var title: String?
        var after: StoredSource?

        var isNew: Bool { before?.isFollowed != true }

        func name(_ isTaken: (String) throws -> Bool) throws -> String {
            try SourceName.chosen(for: found.source, request, before: before?.name, title: title, isTaken: isTaken)
        }
    }

    /// Finds the source that a request is for, and validates the request.
    private func prepare(_ request: FollowRequest) async throws -> PendingFollow {
        if let name = request.name { try SourceName.check(name) }
        let site = try request.site.map { address in
            guard let site = SourceAddress.page(address) else { throw LibraryError.badAddress(address) }
            return site.absoluteString
        }
        let found = try await find(request)
        let pending = PendingFollow(
            request: request, folder: request.folder.map { FolderPath($0).text }, site: site, found: found,
            before: try await store.source(found.source), refresh: found.refresh)
        _ = try await store.name(of: found.source, pending.name)
        return pending
    }

    /// Fetches the list of a new source; throws if there is nothing to show, unless the request is trusted.
    private func fetch(_ pending: inout PendingFollow) async throws {
        guard pending.isNew, pending.refresh == nil, freshness != .offline else { return }
        pending.refresh = try await refresh(pending.found)
        guard !pending.request.isTrusted, pending.before?.hasList != true else { return }
        if case .failed(let error, _) = pending.refresh?.outcome { throw error }
    }

    /// Refreshes the list of a source, using the feed if detection has received it already.
    private func refresh(_ found: FoundSource) async throws -> RefreshReport? {
        guard let feed = found.feed, var source = source(found.source) as? FeedSource else {
            return await refresh([found.source], onlyDue: false, deadline: nil).first?.report
        }
        source.received = feed
        return try await reader(of: source).refreshed(respectsMaxAge: false)
    }

    /// Records that a source is followed.
    private func record(_ pending: inout PendingFollow) async throws {
        let id = pending.found.source
        let stored = try await store.source(id)
        pending.title = stored?.title
        // Another request for the same source may have been faster.
        if stored?.isFollowed == true { pending.before = stored }
        let isKept = pending.request.isImported && !pending.isNew
        pending.after = try await store.follow(
            id, in: isKept ? nil : pending.folder, site: isKept ? nil : pending.site,
            label: isKept ? nil : pending.request.title, at: now(), as: pending.name)
        if let keep = pending.request.keep { try await store.setRetention(keep.retention, of: id) }
        if !pending.request.articles.isEmpty { try await set(pending.request.articles, of: id) }
    }

    /// Changes how posts of a source are read with their linked articles.
    private func set(_ settings: [ArticleSetting], of id: SourceID) async throws {
        let stored = try await store.source(id)
        var (choice, body, drop) = (stored?.article, stored?.articleBody, stored?.articleDrop)
        for setting in settings {
            switch setting {
            case .choice(let new): choice = new
            case .body(let selector): body = selector
            case .drop(let selector): drop = selector
            }
        }
        try await store.setArticles(choice, body: body, drop: drop, of: id)
    }

    private func finish(_ pending: PendingFollow, isRepeated: Bool) async throws -> FollowReport {
        let (id, request, before, after) = (pending.found.source, pending.request, pending.before, pending.after)
        if request.isRead, pending.isNew { _ = try await mark(.read, all: Filter(), in: .sources([id])) }
        guard let now = try await store.source(id) else { throw LibraryError.badAddress(request.address) }
        let isChanged =
            before?.name != after?.name || before?.folder != after?.folder || before?.site != after?.site
            || before?.title != after?.title || before?.article != now.article
            || before?.articleBody != now.articleBody || before?.articleDrop != now.articleDrop
            || request.keep.map { $0.retention != before?.keep } == true
        return FollowReport(
            pending.found, now, formerName: before?.name,
            outcome: isRepeated ? .repeated : pending.isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: isRepeated ? nil : pending.refresh)
    }

    /// Follows the source at an address, as ``follow(_:)-(FollowRequest)`` does.
    public func follow(
        _ address: String, kind: String? = nil, as name: String? = nil, folder: String? = nil
    ) async throws -> FollowReport {
        try await follow(FollowRequest(address, kind: kind, name: name, folder: folder))
    }

    /// Follows several sources concurrently and returns the results in their order.
    ///
    /// Iterating doesn't throw; each result is what ``follow(_:)-(FollowRequest)`` returns or throws.
    public func follow(_ requests: [FollowRequest]) -> AsyncStream<Result<FollowReport, any Error>> {
        AsyncStream { continuation in
            let task = Task {
                await follow(requests) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Requests are concurrent, but names are chosen in the order of the requests, whatever the speed of the servers.
    private func follow(_ requests: [FollowRequest], give: (Result<FollowReport, any Error>) -> Void) async {
        var (queue, prepared): (HostQueue, [Int: Result<PendingFollow, any Error>]) = (HostQueue(), [:])
        let library: Library
        do { library = requests.contains(where: \.isDryRun) ? try await dryRun() : self } catch {
            return requests.forEach { _ in give(.failure(error)) }
        }
        for (index, request) in requests.enumerated() {
            let url = SourceAddress.completed(request.address).flatMap { URL(address: $0) }
            queue.add(index, host: url?.hostAndPort ?? request.address)
            guard request.isTrusted else { continue }
            prepared[index] = await result {
                var pending = try await library.prepare(request)
                try await library.record(&pending)
                return pending
            }
        }
        var (given, ready): (Int, [Int: Result<PendingFollow, any Error>]) = (0, [:])
        var sources: Set<SourceID> = []
        await queue.run { [prepared] index in
            await result {
                var pending =
                    if let result = prepared[index] {
                        try result.get()
                    } else { try await library.prepare(requests[index]) }
                try await library.fetch(&pending)
                return pending
            }
        } give: { index, pending, _ in
            ready[index] = pending
            while let next = ready.removeValue(forKey: given) {
                let report = await result {
                    var pending = try next.get()
                    // An earlier request for the same source decides its name and folder.
                    let isRepeated = !sources.insert(pending.found.source).inserted
                    if pending.after == nil, !isRepeated { try await library.record(&pending) }
                    return try await library.finish(pending, isRepeated: isRepeated)
                }
                give(report)
                given += 1
            }
        }
    }

    private func result<Value>(of work: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    /// Unfollows a source: its posts leave the lists; saved posts and all marks stay.
    ///
    /// Throws ``LibraryError/notFollowed(_:known:)`` or a ``StoreError``.
    ///
    /// - Parameter name: the name of a source, or its address.
    public func unfollow(_ name: String) async throws -> SourceState {
        let source = try await named(name, where: \.isFollowed)
        try await store.unfollow(source.id)
        return SourceState(source, now: now())
    }

    /// Unfollows a source and deletes its posts and marks, except for saved posts.
    ///
    /// Throws what ``unfollow(_:)`` throws; it also accepts a source that is no longer followed.
    public func forget(_ name: String) async throws -> PruneReport {
        let source = try await named(name) { $0.name != nil }
        try await store.unfollow(source.id)
        let counts = try await store.prune(source.key, before: nil, at: now())
        _ = try await store.reclaim()
        return PruneReport(source, counts, bytes: 0)
    }

    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
        if request.kind == nil, let named = try await store.source(named: address), named.isFollowed {
            return FoundSource(source: named.id)
        }
        if let kind = SourceRegistry.kind(named: address), request.kind == nil, let id = kind.source(at: nil) {
            return FoundSource(source: id)
        }
        guard let text = SourceAddress.completed(address), let page = SourceAddress.page(text) else {
            // A name isn't an address, except for the name of a local host.
            guard request.kind == nil, let named = try await store.source(named: address) else {
                throw LibraryError.badAddress(address)
            }
            return FoundSource(source: named.id)
        }
        guard let kindName = request.kind else {
            let known = try await store.sources(at: SourceAddress.spellings(text))
            if let known = known.first(where: \.isFollowed) { return FoundSource(source: known.id) }
            return try await SourceDetection(library: anonymous, url: page).source()
        }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        guard let id = kind.source(at: text) else { throw LibraryError.badAddress(address) }
        return FoundSource(source: id)
    }
}

/// A request to follow a source.
public struct FollowRequest: Hashable, Sendable {
    /// An http or https address, where https is the default scheme except for a loopback host; or the name of a kind,
    /// for its default address, or of a source that is or was followed.
    public var address: String
    /// The name of its kind; nil to detect it with requests to the server.
    public var kind: String?
    /// The prefix of its post IDs, `[a-z0-9-]+`; nil to derive one from its title or host.
    public var name: String?
    /// The name to use if it has none yet and this one is free.
    public var suggestedName: String?
    /// The folder to put it in, its parts joined with `/`; nil for none, or to keep the one it has.
    public var folder: String?
    /// The http or https base address of relative links in its posts; nil for none, or to keep the one it has.
    public var site: String?
    /// The user's title for it; nil to keep the one it has.
    public var title: String?
    /// How long to keep its posts; nil to leave that unchanged.
    public var keep: RetentionChoice?
    /// How to read its posts with their linked articles; empty to leave that unchanged.
    public var articles: [ArticleSetting] = []
    /// Whether its existing posts are marked as read, if it isn't followed yet.
    public var isRead = false
    /// Whether nothing is stored, and the report tells what would happen.
    public var isDryRun = false
    /// Whether it comes from a file: a source that is followed already keeps its title, folder and site.
    public var isImported = false
    /// Whether to follow it even if it can't be fetched now: a source followed elsewhere may be down for a day.
    public var isTrusted = false

    /// A request.
    public init(_ address: String, kind: String? = nil, name: String? = nil, folder: String? = nil) {
        self.address = address
        self.kind = kind
        self.name = name
        self.folder = folder
    }
}

/// A change of how the posts of a source are read with their linked articles; nil restores the default.
public enum ArticleSetting: Hashable, Sendable {
    /// When to read the article.
    case choice(ArticleChoice?)
    /// The CSS selector of the article in a page.
    case body(String?)
    /// The CSS selector of parts of a page that don't belong to the article.
    case drop(String?)
}

/// The result of a request to follow a source.
public struct FollowReport: Sendable {
    /// The source.
    public let source: SourceID
    /// The prefix of its post IDs.
    public let name: String
    /// The previous prefix; nil if there was none or it is unchanged.
    public let formerName: String?
    /// Whether anything changed.
    public let outcome: Outcome
    /// How its list was fetched; nil if it wasn't.
    public let refresh: RefreshReport?
    /// How many posts it lists.
    public let posts: Int
    /// The folder that it is in; "" for none.
    public let folder: String
    /// The user's title for it, or else its own; nil if neither is known.
    public let title: String?

    /// The possible results of a request.
    public enum Outcome: Sendable {
        /// It is newly followed.
        case followed
        /// It was followed already, and has been changed.
        case changed
        /// It was followed already, and hasn't been changed.
        case unchanged
        /// An earlier request of the same call was for the same source.
        case repeated
    }

    /// The addresses of other feeds found on its page, best first.
    public let others: [URL]

    init(
        _ found: FoundSource, _ stored: StoredSource, formerName: String?, outcome: Outcome, refresh: RefreshReport?
    ) {
        source = found.source
        others = found.others.map(\.url)
        name = stored.name ?? ""
        self.formerName = formerName == name ? nil : formerName
        self.outcome = outcome
        self.refresh = refresh
        posts = stored.posts
        folder = stored.folder
        title = stored.title
    }
}
