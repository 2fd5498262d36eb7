import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogModel
import BlogStore

/// Follows and unfollows sources.
struct Following: Sendable {
    let connections: Connections
    /// The source that is read if none is followed.
    let defaultSource: SourceID
    /// The real store, in a dry run.
    private var real: Connections?

    init(connections: Connections, defaultSource: SourceID) {
        (self.connections, self.defaultSource) = (connections, defaultSource)
    }

    private var store: PostStore { connections.store }

    private var directory: SourceDirectory { SourceDirectory(connections: connections, defaultSource: defaultSource) }

    func follow(_ request: FollowRequest) async throws -> FollowReport {
        var result: Result<FollowReport, any Error> = .failure(CancellationError())
        await follow([request]) { result = $0 }
        return try result.get()
    }

    func follow(_ requests: [FollowRequest]) -> AsyncStream<Result<FollowReport, any Error>> {
        AsyncStream { continuation in
            let task = Task {
                await follow(requests) { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The same with a temporary store that follows the same sources, for a dry run.
    private func dryRun() async throws -> Following {
        var temporary = connections
        temporary.store = try await PostStore(following: store.read { try Sources($0).named() })
        var following = Following(connections: temporary, defaultSource: defaultSource)
        following.real = connections
        return following
    }

    /// Follows several sources concurrently and gives the results in their order.
    ///
    /// Names are chosen in the order of the requests, whatever the speed of the servers.
    private func follow(_ requests: [FollowRequest], give: (Result<FollowReport, any Error>) -> Void) async {
        var queue = FetchQueue<Int>(Politeness.lists, clock: connections.clock)
        var prepared: [Int: Result<PendingFollow, any Error>] = [:]
        let following: Following
        do { following = requests.contains(where: \.isDryRun) ? try await dryRun() : self } catch {
            return requests.forEach { _ in give(.failure(error)) }
        }
        for (index, request) in requests.enumerated() {
            let url = SourceAddress.completed(request.address).flatMap { URL(address: $0) }
            queue.add(index, host: url?.hostAndPort ?? request.address)
            guard request.isTrusted else { continue }
            prepared[index] = await result {
                let following = following.typing(request)
                var pending = try await following.prepare(request)
                try await following.record(&pending)
                return pending
            }
        }
        var (given, ready): (Int, [Int: Result<PendingFollow, any Error>]) = (0, [:])
        var sources: Set<SourceID> = []
        await queue.run { [prepared] index in
            await result {
                let following = following.typing(requests[index])
                var pending =
                    if let result = prepared[index] {
                        try result.get()
                    } else { try await following.prepare(requests[index]) }
                try await following.addHistory(&pending)
                try await following.fetch(&pending)
                try await following.markDeleted(pending)
                return pending
            }
        } take: { index, pending, _ in
            ready[index] = pending
            while let next = ready.removeValue(forKey: given) {
                let report = await result {
                    var pending = try next.get()
                    // An earlier request for the same source decides its name and folder.
                    let isRepeated = !sources.insert(pending.found.source).inserted
                    if pending.after == nil, !isRepeated { try await following.record(&pending) }
                    return try await following.finish(pending, isRepeated: isRepeated)
                }
                give(report)
                given += 1
            }
        }
    }

    /// This for a request, whose address the user types now.
    private func typing(_ request: FollowRequest) -> Following {
        let use = OriginUse(allowsHTTP: request.allowsHTTP)
        var following = Following(
            connections: connections.typing(request.typedURL, for: use), defaultSource: defaultSource)
        following.real = real
        return following
    }

    private func markRead(_ source: SourceID) async throws {
        let scope = try await ScopeResolver(store: store, defaultSource: defaultSource).resolve(.sources([source]))
        _ = try await store.mark(.read, all: Query(filter: Filter()), in: scope.stored)
    }

    private func result<Value>(of work: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    /// Finds the source that a request is for, and validates the request.
    private func prepare(_ request: FollowRequest) async throws -> PendingFollow {
        if let name = request.name { try SourceName.check(name) }
        let site = try request.site.map { address in
            guard let site = SourceAddress.page(address) else { throw LibraryError.badAddress(address) }
            return site.absoluteString
        }
        let found =
            if let address = request.newAddress {
                try await move(request.address, to: address, request)
            } else if request.isRepair {
                try await repair(request)
            } else {
                try await findOrTrust(request)
            }
        if found.source.isSearch, request.hasSettings { throw LibraryError.notOfSearches(request.address) }
        try check(request, for: found.source)
        let before = try await store.read { try Sources($0).find(found.source) }
        // A service that couldn't be synced is tried again.
        let isWaiting = before?.problem == .unconfirmed || found.source.isService && before?.problem != nil
        let isConfirmed = before?.isFollowed == true && isWaiting && request.typedURL != nil
        let pending = PendingFollow(
            request: request, folder: request.folder.map { FolderPath($0).text }, site: site, found: found,
            before: before, isConfirmed: isConfirmed, isStored: before != nil, refresh: found.refresh)
        _ = try await store.read { try Sources($0).name(of: found.source, pending.name) }
        return pending
    }

    /// Throws a ``ServiceError`` for a service, or a feed of one, that can't be followed like that.
    private func check(_ request: FollowRequest, for source: SourceID) throws {
        guard source.isService || source.service != nil else { return }
        let isUnsupported =
            source.isService ? request.hasSettingsOfFeeds : request.hasSettingsOfServices
        if isUnsupported {
            throw ServiceError.unsupported(name: request.address)
        }
        guard source.isService, !request.allowsHTTP, let url = URL(address: source.address) else { return }
        if !Service.isEncrypted(source.address) { throw ServiceError.insecure(url) }
    }

    /// Adds the articles of a feed that newsboat has stored, before its own, which are newer.
    private func addHistory(_ pending: inout PendingFollow) async throws {
        guard let cache = pending.request.history, !pending.request.isDryRun else { return }
        let now = connections.now()
        let kept = try cache.entries(of: pending.request.address, now: now)
        let title = try cache.feedTitle(of: pending.request.address)
        pending.history = try await store.write { [pending] in
            try HistoryWriter($0).add(kept, to: pending.found.source, title: title, at: now)
        }
        pending.history?.leftOut = try cache.leftOut(of: pending.request.address)
        pending.deleted = kept.filter(\.isDeleted)
    }

    /// Marks articles as read that newsboat has deleted, and that have come with the feed since.
    private func markDeleted(_ pending: PendingFollow) async throws {
        guard !pending.deleted.isEmpty else { return }
        _ = try await store.write {
            try HistoryWriter($0).add(pending.deleted, to: pending.found.source, title: nil, at: connections.now())
        }
    }

    /// Fetches the list of a new source; throws if there is nothing to show, unless the request is trusted.
    private func fetch(_ pending: inout PendingFollow) async throws {
        let isMoved = pending.request.newAddress != nil || pending.request.isRepair
        if pending.found.source.service != nil { return }
        guard pending.isNew || isMoved || pending.isConfirmed, pending.refresh == nil,
            connections.freshness != .offline
        else { return }
        // The names of its feeds begin with that of a service, and its server is asked only if its address is recorded.
        if pending.found.source.isService { try await record(&pending) }
        pending.refresh = try await refresh(pending.found)
        guard !pending.request.isTrusted, pending.before?.hasList != true else { return }
        guard let error = pending.refresh?.failure else { return }
        // It waits for the user to type its address.
        if case ServiceError.unconfirmed = error { return }
        // What an import has brought stays, also if the server can't be asked yet.
        if !pending.isStored, let service = pending.after, service.id.isService { _ = try await forget(service) }
        throw error
    }

    /// Refreshes the list of a source, using the feed if detection has received it already.
    private func refresh(_ found: FoundSource) async throws -> RefreshReport? {
        guard let feed = found.feed, var source = connections.source(found.source) as? FeedSource else {
            return await SourcesRefresh(connections: connections)
                .refresh([found.source], onlyDue: false, deadline: nil).first?.report
        }
        source.received = feed
        return try await connections.reader(of: source).refreshed(respectsMaxAge: false)
    }

    /// Records that a source is followed.
    private func record(_ pending: inout PendingFollow) async throws {
        let id = pending.found.source
        let stored = try await store.read { try Sources($0).find(id) }
        pending.title = stored?.title
        // Another request for the same source may have been faster.
        if stored?.isFollowed == true { pending.before = stored }
        let keepsItsOwn = pending.request.isImported && !pending.isNew
        if real == nil, let folder = pending.folder, let (service, stream) = id.placeAtService {
            try await ServiceFeeds(connections: connections)
                .move(stream, from: stored?.folder ?? "", to: folder, at: service)
            pending.folder = FolderPath([ServiceFeeds.folder(folder)]).text
        }
        pending.after = try await store.writeToDisk { [pending] in
            try Sources($0).follow(
                id, in: keepsItsOwn ? nil : pending.folder, site: keepsItsOwn ? nil : pending.site,
                label: keepsItsOwn ? nil : pending.label, at: connections.now(), as: pending.name)
        }
        if let typed = pending.request.typedURL.map({ Origin($0) }) {
            let isService = id.isService && URL(address: id.address).map { typed.covers(Origin($0)) } == true
            let use = OriginUse(isService: isService, allowsHTTP: pending.request.allowsHTTP)
            try await store.write { try StoredOrigins($0).add(use, of: "\(typed)") }
            // From now on, the login of this name is for this server.
            if isService, let name = pending.after?.name {
                try await store.write { try StoredOrigins($0).bind(login: name, to: "\(typed)") }
            }
        }
        if let keep = pending.request.keep {
            try await store.writeToDisk { try Sources($0).setRetention(keep.retention, of: id) }
        }
        if let every = pending.request.every {
            // The first refresh is recorded later.
            let due = stored?.refreshedAt.map { Politeness.dueDate(after: $0, interval: every.interval?.delay) }
            try await store.writeToDisk { try Sources($0).setInterval(every.interval, dueAt: due, of: id) }
        }
        if !pending.request.articles.isEmpty { try await set(pending.request.articles, of: id) }
    }

    /// Changes how posts of a source are read with their linked articles.
    private func set(_ settings: [ArticleSetting], of id: SourceID) async throws {
        let stored = try await store.read { try Sources($0).find(id) }
        var (choice, body, drop) = (stored?.article, stored?.articleBody, stored?.articleDrop)
        for setting in settings {
            switch setting {
            case .choice(let new): choice = new
            case .body(let selector): body = selector
            case .drop(let selector): drop = selector
            }
        }
        try await store.writeToDisk { [choice, body, drop] in
            try Articles($0).choose(choice, body: body, drop: drop, of: id)
        }
    }

    private func finish(_ pending: PendingFollow, isRepeated: Bool) async throws -> FollowReport {
        let (id, request, before, after) = (pending.found.source, pending.request, pending.before, pending.after)
        if request.isRead, pending.isNew { try await markRead(id) }
        guard let now = try await store.read({ try Sources($0).find(id) }) else {
            throw LibraryError.badAddress(request.address)
        }
        let isChanged =
            pending.isConfirmed || request.newAddress != nil || pending.found.formerAddress != nil
            || before?.name != after?.name
            || before?.folder != after?.folder
            || before?.site != after?.site
            || before?.title != after?.title || before?.article != now.article
            || before?.articleBody != now.articleBody || before?.articleDrop != now.articleDrop
            || request.keep.map { $0.retention != before?.keep } == true || before?.every != now.every
        return FollowReport(
            pending.found, now, formerName: before?.name,
            outcome: isRepeated ? .repeated : pending.isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: isRepeated ? nil : pending.refresh, history: pending.history, isConfirmed: pending.isConfirmed,
            service: id.isService ? try await store.read { try ServiceItems($0, service: now.key).facts() } : nil)
    }

    func unfollow(_ name: String) async throws -> SourceState {
        let source = try await followed(name)
        if let (service, stream) = source.id.placeAtService {
            try await ServiceFeeds(connections: connections).remove(stream, at: service)
        }
        let facts =
            source.id.isService ? try await store.read { try ServiceItems($0, service: source.key).facts() } : nil
        try await end(source)
        return SourceState(source, facts, now: connections.now())
    }

    /// The source with a name that is followed; throws ``LibraryError/isDefault(_:)`` for one that only seems to be.
    private func followed(_ name: String) async throws -> StoredSource {
        do { return try await directory.source(withName: name, where: \.isFollowed) } catch {
            let unnamed = try? await directory.source(withName: name) { $0.id == defaultSource && $0.name == nil }
            guard unnamed != nil else { throw error }
            throw LibraryError.isDefault(name)
        }
    }

    /// Unfollows a source; what comes later with its address, as in an archive, isn't what the user typed.
    private func end(_ source: StoredSource) async throws {
        try await store.writeToDisk { try Sources($0).unfollow(source.id) }
        guard source.id.isService, let url = URL(address: source.id.address) else { return }
        try await store.write { try StoredOrigins($0).forgetService(at: Origin(url).covering) }
    }

    func forget(_ name: String) async throws -> PruneReport {
        let source = try await directory.source(withName: name) { $0.name != nil || $0.id == defaultSource }
        if source.isFollowed { _ = try await unfollow(source.name ?? name) }
        return try await forget(source)
    }

    private func forget(_ source: StoredSource) async throws -> PruneReport {
        try await end(source)
        var (posts, comments) = (0, 0)
        let feeds =
            source.id.isService ? try await store.read { try ServiceItems($0, service: source.key).feeds() } : []
        for feed in feeds {
            let ofFeed = try await store.prune(feed.key, before: nil, at: connections.now())
            (posts, comments) = (posts + ofFeed.posts, comments + ofFeed.comments)
        }
        var counts = try await store.prune(source.key, before: nil, at: connections.now())
        (counts.posts, counts.comments) = (counts.posts + posts, counts.comments + comments)
        _ = try await store.reclaim()
        return PruneReport(source, counts, bytes: 0)
    }

    /// Gives a followed source another address, at which there must be a source of the same kind.
    ///
    /// Throws ``LibraryError/addressTaken(_:name:)`` if another source has it.
    private func move(_ name: String, to address: String, _ request: FollowRequest) async throws -> FoundSource {
        let source = try await directory.source(withName: name, where: \.isFollowed)
        try checkMovable(source, name)
        guard let text = SourceAddress.completed(address), SourceAddress.page(text) != nil else {
            throw LibraryError.badAddress(address)
        }
        if source.id.isSearch { throw LibraryError.notOfSearches(name) }
        let kind = source.id.kind == FeedSource.kind.name ? nil : source.id.kind
        let found = try await find(FollowRequest(text, kind: kind))
        guard found.source.kind == source.id.kind else { throw LibraryError.badAddress(address) }
        return try await move(source, to: found, request)
    }

    /// Throws for a service, which has no other address, and for its feeds, of which it knows the address.
    private func checkMovable(_ source: StoredSource, _ name: String) throws {
        if source.id.isService || source.id.service != nil { throw ServiceError.unsupported(name: name) }
    }

    /// Looks for a feed that can't be refreshed any more.
    private func repair(_ request: FollowRequest) async throws -> FoundSource {
        let source = try await directory.source(withName: request.address, where: \.isFollowed)
        if source.id.isSearch { throw LibraryError.notOfSearches(request.address) }
        try checkMovable(source, request.address)
        guard Capabilities(of: [source.id]).canBeRepaired else {
            throw LibraryError.notRepaired(source.name ?? request.address, other: nil, problem: nil)
        }
        let known = real ?? connections
        let directory = SourceDirectory(connections: known, defaultSource: defaultSource)
        let lost = try await known.store.read { try Sources($0).find(source.id) } ?? source
        let found = try await SourceRepair(connections: known, directory: directory).source(of: lost)
        return try await move(source, to: found, request)
    }

    private func move(
        _ source: StoredSource, to found: FoundSource, _ request: FollowRequest
    ) async throws -> FoundSource {
        guard found.source != source.id else { return found }
        // Nothing is moved if its new name is taken.
        _ = try await store.read {
            try Sources($0).name(of: source.id) {
                try SourceName.chosen(for: source.id, request, before: source.name, isTaken: $0)
            }
        }
        if let other = try await store.read({ try Sources($0).find(found.source) }) {
            throw LibraryError.addressTaken(found.source.address, name: other.name ?? other.id.address)
        }
        try await store.write { try Sources($0).move(source.id, to: found.source.address) }
        var moved = found
        moved.formerAddress = source.id.address
        return moved
    }

    /// The source of a request; one of a list whose server refuses the request for now is taken for a feed.
    ///
    /// A list may still have the old address of a source that has another one now.
    private func findOrTrust(_ request: FollowRequest) async throws -> FoundSource {
        if request.isImported, let feed = FeedSource.kind.source(at: request.address),
            let moved = try await (real ?? connections).store.read({ try Sources($0).find(formerlyAt: feed) })
        {
            return FoundSource(source: moved.id)
        }
        do {
            return try await find(request)
        } catch {
            let cause = if case LibraryError.unreachable(let http) = error { http } else { error as? HTTPError }
            guard request.isImported, let cause, cause.isTemporary,
                let id = FeedSource.kind.source(at: request.address)
            else { throw error }
            return FoundSource(source: id, refresh: RefreshReport(.failed(cause, storedAt: nil)))
        }
    }

    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
        if request.kind == nil, let named = try await store.read({ try Sources($0).find(named: address) }),
            named.isFollowed
        {
            return FoundSource(source: named.id)
        }
        if let kind = SourceRegistry.kind(named: address), request.kind == nil, let id = kind.source(at: nil) {
            return FoundSource(source: id)
        }
        guard let text = SourceAddress.completed(address), let page = SourceAddress.page(text) else {
            // A name isn't an address, except for the name of a local host.
            guard request.kind == nil, let named = try await store.read({ try Sources($0).find(named: address) }) else {
                throw LibraryError.badAddress(address)
            }
            return FoundSource(source: named.id)
        }
        guard let kindName = request.kind else {
            if let known = try await directory.source(at: text), known.isFollowed {
                return FoundSource(source: known.id)
            }
            let detection = SourceDetection(connections: connections.anonymous, directory: directory, url: page)
            return try await detection.source()
        }
        if kindName == Service.kind.name {
            if let known = Service.kind.source(at: text),
                try await store.read({ try Sources($0).find(known) }) != nil
            {
                return FoundSource(source: known)
            }
            let detection = SourceDetection(connections: connections.anonymous, directory: directory, url: page)
            guard let found = try await detection.service(at: page) else { throw ServiceError.notAnAPI(page) }
            return found
        }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        guard let id = kind.source(at: text) else { throw LibraryError.badAddress(address) }
        return FoundSource(source: id)
    }
}

/// A request on its way to being followed.
private struct PendingFollow {
    let request: FollowRequest
    var folder: String?
    let site: String?
    let found: FoundSource
    var before: StoredSource?
    /// Whether it wasn't asked until now, when the user types its address.
    let isConfirmed: Bool
    /// Whether something of it was stored before.
    let isStored: Bool
    var refresh: RefreshReport?
    var history: HistoryReport?
    /// The articles among those of another reader that it no longer lists.
    var deleted: [KeptEntry] = []
    var title: String?
    var after: StoredSource?

    var isNew: Bool { before?.isFollowed != true }

    /// The user's title on one line; "" for none.
    var label: String? { request.title.map { FeedText.line($0.utf8) ?? "" } ?? (isNew ? found.software : nil) }

    func name(_ isTaken: (String) throws -> Bool) throws -> String {
        try SourceName.chosen(for: found.source, request, before: before?.name, title: title, isTaken: isTaken)
    }
}
