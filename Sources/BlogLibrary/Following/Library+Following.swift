import Essentials
import Feeds
import HTTP
import Model
import Store

extension Library {
    /// Follows the source at an address and fetches its list.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    public func follow(_ request: FollowRequest) async throws -> FollowReport {
        let library = request.isDryRun ? try await rehearsal() : self
        var prospect = try await library.prospect(request)
        if request.isTrusted { try await library.adopt(&prospect) }
        try await library.fetch(&prospect)
        if !request.isTrusted { try await library.adopt(&prospect) }
        return try await library.finish(prospect, isRepeated: false)
    }

    /// The same library with a temporary store that follows the same sources.
    private func rehearsal() async throws -> Library {
        with(try await PostStore(following: store.namedSources()))
    }

    /// A source that is about to be followed.
    private struct Prospect {
        let request: FollowRequest
        let folder: String?
        let site: String?
        let found: FoundSource
        var before: StoredSource?
        var refresh: RefreshReport?
        /// The title in its list.
        var title: String?
        var after: StoredSource?

        var isNew: Bool { before?.isFollowed != true }

        func name(_ isTaken: (String) throws -> Bool) throws -> String {
            try SourceName.chosen(for: found.source, request, before: before?.name, title: title, isTaken: isTaken)
        }
    }

    /// Finds the source that a request means, and checks the request.
    private func prospect(_ request: FollowRequest) async throws -> Prospect {
        if let name = request.name { try SourceName.check(name) }
        let site = try request.site.map { address in
            guard let site = SourceAddress.page(address) else { throw LibraryError.badAddress(address) }
            return site.absoluteString
        }
        let found = try await find(request)
        let prospect = Prospect(
            request: request, folder: request.folder.map { FolderPath($0).text }, site: site, found: found,
            before: try await store.source(found.source), refresh: found.refresh)
        _ = try await store.name(of: found.source, prospect.name)
        return prospect
    }

    /// Fetches the list of a new source; throws if there is nothing to show, unless the request is trusted.
    private func fetch(_ prospect: inout Prospect) async throws {
        guard prospect.isNew, prospect.refresh == nil, freshness != .offline else { return }
        prospect.refresh = try await refresh(prospect.found)
        guard !prospect.request.isTrusted, prospect.before?.hasList != true else { return }
        if case .failed(let error, _) = prospect.refresh?.outcome { throw error }
    }

    /// Refreshes the list of a source, with the feed that was received during detection.
    private func refresh(_ found: FoundSource) async throws -> RefreshReport? {
        guard let feed = found.feed else {
            return await refresh([found.source], onlyDue: false, deadline: nil).first?.report
        }
        return try await reader(of: found.source, received: feed).refreshed(respectsMaxAge: false)
    }

    /// Stores that a source is followed.
    private func adopt(_ prospect: inout Prospect) async throws {
        let id = prospect.found.source
        let stored = try await store.source(id)
        prospect.title = stored?.title
        // Another request for the same source may have come first.
        if stored?.isFollowed == true { prospect.before = stored }
        prospect.after = try await store.follow(
            id, in: prospect.folder, site: prospect.site, label: prospect.request.title, at: now(), as: prospect.name)
        if let keep = prospect.request.keep { try await store.setRetention(keep.retention, of: id) }
        if !prospect.request.articles.isEmpty { try await set(prospect.request.articles, of: id) }
    }

    /// Changes how posts of a source are read with the articles behind their links.
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

    /// Reports the result.
    private func finish(_ prospect: Prospect, isRepeated: Bool) async throws -> FollowReport {
        let (id, request, before, after) = (prospect.found.source, prospect.request, prospect.before, prospect.after)
        if request.isRead { _ = try await mark(.read, all: Filter(), in: .sources([id])) }
        guard let now = try await store.source(id) else { throw LibraryError.badAddress(request.address) }
        let isChanged =
            before?.name != after?.name || before?.folder != after?.folder || before?.site != after?.site
            || before?.title != after?.title || before?.article != now.article
            || before?.articleBody != now.articleBody || before?.articleDrop != now.articleDrop
            || request.keep.map { $0.retention != before?.keep } == true
        return FollowReport(
            prospect.found, now, formerName: before?.name,
            outcome: isRepeated ? .repeated : prospect.isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: isRepeated ? nil : prospect.refresh)
    }

    /// Follows the source at an address, as ``follow(_:)-(FollowRequest)`` does.
    public func follow(
        _ address: String, kind: String? = nil, as name: String? = nil, folder: String? = nil
    ) async throws -> FollowReport {
        try await follow(FollowRequest(address, kind: kind, name: name, folder: folder))
    }

    /// Follows several sources at once, and gives the results in their order.
    ///
    /// Iterating throws nothing; each result is what ``follow(_:)-(FollowRequest)`` gives or throws.
    public func follow(_ requests: [FollowRequest]) -> AsyncStream<Result<FollowReport, any Error>> {
        AsyncStream { continuation in
            let task = Task {
                await follow(requests) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Requests go out at once, but sources are named in their order, so that it doesn't depend on the servers' speed.
    private func follow(_ requests: [FollowRequest], give: (Result<FollowReport, any Error>) -> Void) async {
        var (queue, prospects): (HostQueue, [Int: Result<Prospect, any Error>]) = (HostQueue(), [:])
        let library: Library
        do { library = requests.contains(where: \.isDryRun) ? try await rehearsal() : self } catch {
            return requests.forEach { _ in give(.failure(error)) }
        }
        for (index, request) in requests.enumerated() {
            let url = SourceAddress.completed(request.address).flatMap { URL(address: $0) }
            queue.add(index, host: url?.hostAndPort ?? request.address)
            if request.isTrusted {
                prospects[index] = await library.step(nil, of: request) { try await library.adopt(&$0) }
            }
        }
        var (given, ready): (Int, [Int: Result<Prospect, any Error>]) = (0, [:])
        var sources: Set<SourceID> = []
        await queue.run { [prospects] index in
            await library.step(prospects[index], of: requests[index]) { try await library.fetch(&$0) }
        } give: { index, prospect, _ in
            ready[index] = prospect
            while let next = ready.removeValue(forKey: given) {
                let isRepeated = (try? next.get()).map { !sources.insert($0.found.source).inserted } ?? false
                give(await library.report(next, isRepeated: isRepeated))
                given += 1
            }
        }
    }

    /// Takes a request one step further.
    private func step(
        _ prospect: Result<Prospect, any Error>?, of request: FollowRequest,
        _ step: (inout Prospect) async throws -> Void
    ) async -> Result<Prospect, any Error> {
        do {
            var next = if let prospect { try prospect.get() } else { try await self.prospect(request) }
            try await step(&next)
            return .success(next)
        } catch {
            return .failure(error)
        }
    }

    /// - Parameter isRepeated: whether an earlier request was for the same source, which stays as that says.
    private func report(
        _ prospect: Result<Prospect, any Error>, isRepeated: Bool
    ) async -> Result<FollowReport, any Error> {
        do {
            var prospect = try prospect.get()
            if prospect.after == nil, !isRepeated { try await adopt(&prospect) }
            return .success(try await finish(prospect, isRepeated: isRepeated))
        } catch {
            return .failure(error)
        }
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

    /// Unfollows a source, and deletes its posts and marks except for saved posts.
    ///
    /// Throws what ``unfollow(_:)`` throws; a source that was followed once can be forgotten too.
    public func forget(_ name: String) async throws -> PruneReport {
        let source = try await named(name) { $0.name != nil }
        try await store.unfollow(source.id)
        let counts = try await store.prune(source.key, before: nil, at: now())
        _ = try await store.reclaim()
        return PruneReport(source, counts, bytes: 0)
    }

    /// The source that a request means.
    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
        if request.kind == nil, let named = try await store.source(named: address), named.isFollowed {
            return FoundSource(source: named.id, refresh: nil)
        }
        if let kind = SourceRegistry.kind(named: address), request.kind == nil, let id = kind.source(at: nil) {
            return FoundSource(source: id, refresh: nil)
        }
        guard let text = SourceAddress.completed(address), let page = SourceAddress.page(text) else {
            // No name is an address, but for that of a host on this machine.
            guard request.kind == nil, let named = try await store.source(named: address) else {
                throw LibraryError.badAddress(address)
            }
            return FoundSource(source: named.id, refresh: nil)
        }
        guard let kindName = request.kind else {
            let known = try await store.sources(at: SourceAddress.spellings(text))
            if let known = known.first(where: \.isFollowed) {
                return FoundSource(source: known.id, refresh: nil)
            }
            return try await SourceDetection(library: anonymous, url: page).source()
        }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        guard let id = kind.source(at: text) else { throw LibraryError.badAddress(address) }
        return FoundSource(source: id, refresh: nil)
    }
}

/// A request to follow a source.
public struct FollowRequest: Hashable, Sendable {
    /// An http or https address, without a scheme https except for a loopback host; or the name of a kind, for its
    /// usual address, or of a source that is or was followed.
    public var address: String
    /// The name of its kind; nil to detect it with requests to the server.
    public var kind: String?
    /// The prefix of its post IDs, `[a-z0-9-]+`; nil for one made from the host.
    public var name: String?
    /// The name to use if it has none yet and no other source has this one.
    public var suggestedName: String?
    /// The folder to put it in, its parts joined with `/`; nil for none, or the one that it is in.
    public var folder: String?
    /// The http or https address that relative links of its posts are of; nil for none, or the one that it has.
    public var site: String?
    /// The user's title for it; nil to keep the one it has.
    public var title: String?
    /// How long its posts are kept; nil to leave that unchanged.
    public var keep: RetentionChoice?
    /// How its posts are read with the articles behind their links; empty to leave that unchanged.
    public var articles: [ArticleSetting] = []
    /// Whether its posts count as read from the start.
    public var isRead = false
    /// Whether nothing is stored: the report tells what would happen.
    public var isDryRun = false
    /// Whether it is followed even if it can't be fetched now: a source followed elsewhere may be down for a day.
    public var isTrusted = false

    /// A request.
    public init(_ address: String, kind: String? = nil, name: String? = nil, folder: String? = nil) {
        self.address = address
        self.kind = kind
        self.name = name
        self.folder = folder
    }
}

/// A change of how the posts of a source are read with the articles behind their links; nil goes back to what holds for
/// all sources.
public enum ArticleSetting: Hashable, Sendable {
    /// When they are.
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
    /// The prefix before; nil if it is the same, or if there was none.
    public let formerName: String?
    /// Whether anything changed.
    public let outcome: Outcome
    /// How its list was fetched; nil if it was not.
    public let refresh: RefreshReport?
    /// How many posts it lists.
    public let posts: Int
    /// The folder that it is in; "" for none.
    public let folder: String
    /// The user's title for it, or else its own; nil if neither is known.
    public let title: String?

    /// The possible results.
    public enum Outcome: Sendable {
        /// It is followed from now on.
        case followed
        /// It was followed already, and has another name or folder now.
        case changed
        /// It was followed already.
        case unchanged
        /// An earlier request of the same call was for it, and decided its name and folder.
        case repeated
    }

    /// The addresses of other feeds that its page names, the best first.
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
