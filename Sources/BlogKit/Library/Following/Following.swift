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

    /// - Parameter isNoted: whether it can be undone.
    func follow(_ request: FollowRequest, isNoted: Bool = true) async throws -> FollowReport {
        var result: Result<FollowReport, any Error> = .failure(CancellationError())
        await follow([request], isNoted: isNoted) { result = $0 }
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
        let (sources, origins) = try await store.read { (try Sources($0).named(), try StoredOrigins($0).all()) }
        temporary.store = try await PostStore(following: sources, typed: origins)
        temporary.client = connections.client.remembering(temporary.store)
        var following = Following(connections: temporary, defaultSource: defaultSource)
        following.real = connections
        return following
    }

    /// Follows several sources concurrently and gives the results in their order.
    ///
    /// Each request is prepared, its list is fetched, it is recorded, and then reported. Requests are recorded in their order,
    /// whatever the speed of the servers, because an earlier one may take a name; trusted ones before anything is fetched,
    /// because their servers may be down; and a service when its server is asked, which needs its name.
    private func follow(
        _ requests: [FollowRequest], isNoted: Bool = true, give: (Result<FollowReport, any Error>) -> Void
    ) async {
        let following: Following
        do { following = requests.contains(where: \.isDryRun) ? try await dryRun() : self } catch {
            return requests.forEach { _ in give(.failure(error)) }
        }
        var queue = FetchQueue<Int>(Politeness.lists, clock: connections.clock)
        var trusted: [Int: Result<RecordedFollow, any Error>] = [:]
        for (index, request) in requests.enumerated() {
            let url = SourceAddress.completed(request.address).flatMap { URL(address: $0) }
            queue.add(index, host: url?.hostAndPort ?? request.address)
            guard request.isTrusted else { continue }
            trusted[index] = await result {
                let following = following.typing(request)
                return try await following.record(following.prepare(request))
            }
        }
        var (given, ready): (Int, [Int: Result<FetchedFollow, any Error>]) = (0, [:])
        var (sources, followed, changed): (Set<SourceID>, [SourceID], [String]) = ([], [], [])
        await queue.run { [trusted] index in
            await result { try await following.typing(requests[index]).fetch(requests[index], trusted[index]?.get()) }
        } take: { index, fetched, _ in
            ready[index] = fetched
            while let next = ready.removeValue(forKey: given) {
                let report = await result {
                    let fetched = try next.get()
                    // An earlier request for the same source decides its name and folder.
                    let isRepeated = !sources.insert(fetched.prepared.found.source).inserted
                    guard fetched.recorded == nil, !isRepeated else {
                        return try await following.report(fetched, fetched.recorded, isRepeated: isRepeated)
                    }
                    return try await following.report(fetched, following.record(fetched.prepared), isRepeated: false)
                }
                if case .success(let done) = report {
                    if done.outcome == .followed { followed.append(done.source) }
                    if done.outcome == .changed { changed.append(done.name) }
                }
                give(report)
                given += 1
            }
        }
        if isNoted, following.real == nil { await note(followed, changed) }
    }

    /// Notes for ``Library/undo()`` which sources were followed, and which changed that were followed before.
    func note(_ followed: [SourceID], _ changed: [String] = []) async {
        // Without it, an older change is the last one; the sources are followed in any case.
        if !changed.isEmpty { _ = try? await store.note(.other("The change of \(Counted.some(changed))")) }
        if !followed.isEmpty { _ = try? await store.note(.followed(followed)) }
    }

    /// Unfollows sources that were followed by mistake, unless they are unfollowed already.
    func takeBack(_ sources: [SourceID]) async throws -> [SourceState] {
        var states: [SourceState] = []
        for source in try await store.read({ try Sources($0).find(sources) }) where source.isFollowed {
            states.append(try await unfollow(source))
        }
        return states
    }

    /// What the source of a request has sent, and newsboat has stored of it; throws if there is nothing to show.
    ///
    /// - Parameter recorded: the request, if it was recorded already.
    private func fetch(_ request: FollowRequest, _ recorded: RecordedFollow?) async throws -> FetchedFollow {
        let prepared = if let recorded { recorded.prepared } else { try await prepare(request) }
        let (history, deleted) = try await addHistory(prepared)
        var fetched = FetchedFollow(
            prepared: prepared, recorded: recorded, refresh: prepared.found.refresh, history: history)
        if prepared.isFetched(freshness: connections.freshness) {
            if prepared.found.source.isService {
                let recorded = if let recorded { recorded } else { try await record(prepared) }
                fetched.recorded = recorded
                fetched.refresh = try await fetch(recorded)
            } else {
                fetched.refresh = try await refresh(prepared.found)
                if prepared.needsList, let error = fetched.refresh?.reasonForNoList(of: prepared.found.source) {
                    throw error
                }
            }
        }
        try await markDeleted(deleted, of: prepared.found.source)
        return fetched
    }

    /// Syncs a service that was recorded; if that fails for a new one, it is as if it had never been.
    private func fetch(_ service: RecordedFollow) async throws -> RefreshReport? {
        let refresh = try await refresh(service.prepared.found)
        guard service.prepared.needsList, let error = refresh?.reasonForNoList(of: service.after.id) else {
            return refresh
        }
        // It waits for the user to type its address.
        if case ServiceError.unconfirmed = error { return refresh }
        // What an import has brought stays, also if the server can't be asked yet.
        if !service.prepared.isStored {
            _ = try await forget(service.after)
            if let origin = service.newOrigin { try await store.write { try StoredOrigins($0).forget("\(origin)") } }
        }
        throw error
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
    private func prepare(_ request: FollowRequest) async throws -> PreparedFollow {
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
        let before = try await store.read { try Sources($0).find(found.source) }
        let prepared = PreparedFollow(
            request: request, folder: request.folder.map { FolderPath($0).text }, site: site, found: found,
            before: before)
        do {
            try check(request, for: found.source)
            // Nothing is fetched if the name is taken.
            _ = try await store.read {
                try Sources($0).name(of: found.source) { try prepared.name(before: before, isTaken: $0) }
            }
        } catch {
            // To find it, its list was stored.
            if found.isNew, let before { _ = try await forget(before) }
            throw error
        }
        return prepared
    }

    /// Throws a ``ServiceError`` for a service, or a feed of one, that can't be followed like that.
    private func check(_ request: FollowRequest, for source: SourceID) throws {
        if source.listsOthers, request.hasSettings { throw LibraryError.notOfSearches(request.address) }
        guard source.isService || source.service != nil else { return }
        let isUnsupported =
            source.isService ? request.hasSettingsOfFeeds : request.hasSettingsOfServices
        if isUnsupported {
            throw ServiceError.unsupported(name: request.address)
        }
        guard source.isService, !request.allowsHTTP, let url = URL(address: source.address) else { return }
        if !Service.isEncrypted(source.address) { throw ServiceError.insecure(url) }
    }

    /// Adds the articles of a feed that newsboat has stored, before its own, which are newer; returns those that newsboat has
    /// deleted, too.
    private func addHistory(_ prepared: PreparedFollow) async throws -> (HistoryReport?, deleted: [KeptEntry]) {
        guard let cache = prepared.request.history, !prepared.request.isDryRun else { return (nil, []) }
        let now = connections.now()
        let kept = try cache.entries(of: prepared.request.address, now: now)
        let title = try cache.feedTitle(of: prepared.request.address)
        var history = try await store.write {
            try HistoryWriter($0).add(kept, to: prepared.found.source, title: title, at: now)
        }
        history.leftOut = try cache.leftOut(of: prepared.request.address)
        return (history, kept.filter(\.isDeleted))
    }

    /// Marks articles as read that newsboat has deleted, and that have come with the feed since.
    private func markDeleted(_ deleted: [KeptEntry], of source: SourceID) async throws {
        guard !deleted.isEmpty else { return }
        _ = try await store.write { try HistoryWriter($0).add(deleted, to: source, title: nil, at: connections.now()) }
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
    private func record(_ prepared: PreparedFollow) async throws -> RecordedFollow {
        let (id, request) = (prepared.found.source, prepared.request)
        let stored = try await store.read { try Sources($0).find(id) }
        // Another request for the same source may have been faster.
        let before = stored?.isFollowed == true ? stored : prepared.before
        let keepsItsOwn = request.isImported && before?.isFollowed == true
        let folder = try await folder(of: prepared)
        let after = try await store.writeToDisk {
            try Sources($0).follow(
                id, in: keepsItsOwn ? nil : folder, site: keepsItsOwn ? nil : prepared.site,
                label: keepsItsOwn ? nil : prepared.label(isNew: before?.isFollowed != true), at: connections.now()
            ) { try prepared.name(before: before, title: stored?.title, isTaken: $0) }
        }
        let newOrigin = try await recordOrigin(of: after, request)
        if let keep = request.keep {
            try await store.writeToDisk { try Sources($0).setRetention(keep.retention, of: id) }
        }
        if let every = request.every {
            // The first refresh is recorded later.
            let connection = connections.connection(to: id)
            let due = stored?.refreshedAt.map { connection.dueDate(after: $0, every: every.interval) }
            try await store.writeToDisk { try Sources($0).setInterval(every.interval, dueAt: due, of: id) }
        }
        if !request.articles.isEmpty { try await set(request.articles, of: id) }
        return RecordedFollow(prepared: prepared, before: before, after: after, newOrigin: newOrigin)
    }

    /// The folder of a request, once a service has moved its feed there.
    private func folder(of prepared: PreparedFollow) async throws -> String? {
        guard real == nil, let folder = prepared.folder,
            let (service, stream) = prepared.found.source.placeAtService
        else { return prepared.folder }
        try await ServiceFeeds(connections: connections).move(stream, to: folder, at: service)
        return FolderPath([ServiceFeeds.folder(folder)]).text
    }

    /// Records that the user has typed the address of a source; returns its origin, if that was unknown until now.
    private func recordOrigin(of source: StoredSource, _ request: FollowRequest) async throws -> Origin? {
        guard let typed = request.typedURL.map({ Origin($0) }) else { return nil }
        let isKnown = await store.use(of: ["\(typed)"]) != nil
        let isService =
            source.id.isService && URL(address: source.id.address).map { typed.covers(Origin($0)) } == true
        let use = OriginUse(isService: isService, allowsHTTP: request.allowsHTTP)
        try await store.write { try StoredOrigins($0).add(use, of: "\(typed)") }
        // From now on, the login of this name is for this server.
        if isService, let name = source.name {
            try await store.write { try StoredOrigins($0).bind(login: name, to: "\(typed)") }
        }
        return isKnown ? nil : typed
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

    /// What came of a request.
    private func report(
        _ fetched: FetchedFollow, _ recorded: RecordedFollow?, isRepeated: Bool
    ) async throws -> FollowReport {
        let prepared = fetched.prepared
        let (id, request) = (prepared.found.source, prepared.request)
        let (before, after) = (recorded?.before ?? prepared.before, recorded?.after)
        let isNew = before?.isFollowed != true
        if request.isRead, isNew { try await markRead(id) }
        guard let now = try await store.read({ try Sources($0).find(id) }) else {
            throw LibraryError.badAddress(request.address)
        }
        let isChanged =
            prepared.isConfirmed || request.newAddress != nil || prepared.found.formerAddress != nil
            || before?.name != after?.name
            || before?.folder != after?.folder
            || before?.site != after?.site
            || before?.title != after?.title || before?.article != now.article
            || before?.articleBody != now.articleBody || before?.articleDrop != now.articleDrop
            || request.keep.map { $0.retention != before?.keep } == true || before?.every != now.every
        return FollowReport(
            prepared.found, now, formerName: before?.name,
            outcome: isRepeated ? .repeated : isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: isRepeated ? nil : fetched.refresh, history: fetched.history, isConfirmed: prepared.isConfirmed,
            service: id.isService ? try await store.read { try ServiceItems($0, service: now.key).facts() } : nil)
    }

    func unfollow(_ names: [String]) async -> [Result<SourceState, any Error>] {
        var (ended, noted): ([UnfollowedSource], RecordedChange?) = ([], nil)
        var results: [Result<SourceState, any Error>] = []
        for name in names {
            let result = await result {
                let source = try await followed(name)
                let state = try await unfollow(source)
                ended.append(UnfollowedSource(source))
                noted = try await store.note(.unfollowed(ended), replacing: noted)
                return state
            }
            results.append(result)
        }
        return results
    }

    private func unfollow(_ source: StoredSource) async throws -> SourceState {
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
        if source.isFollowed { _ = try await unfollow([source.name ?? name])[0].get() }
        let report = try await forget(source)
        try await store.note(.other("Deleting the posts of \(source.name ?? name)"))
        return report
    }

    private func forget(_ source: StoredSource) async throws -> PruneReport {
        try await end(source)
        if SourceRegistry.local(source.id.address) != nil {
            try await store.write { try StoredOrigins($0).forget(source.id.address) }
        }
        var (posts, comments) = (0, 0)
        let feeds =
            source.id.isService ? try await store.read { try ServiceItems($0, service: source.key).feeds() } : []
        for feed in feeds {
            let ofFeed = try await store.prune(feed.key, before: nil, at: connections.now())
            (posts, comments) = (posts + ofFeed.posts, comments + ofFeed.comments)
        }
        if source.id.isService { try await store.write { try ServiceItems($0, service: source.key).forgetAccount() } }
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
        let account = source.id.isService ? SourceAddress.user(in: address) : nil
        guard let text = SourceAddress.completed(account?.address ?? address), let page = SourceAddress.page(text)
        else {
            throw LibraryError.badAddress(address)
        }
        if source.id.isService {
            let user = account?.user ?? URL(address: source.id.address)?.user(percentEncoded: false)
            return try await move(service: source, to: page, of: user, request)
        }
        try checkMovable(source, name)
        if source.id.listsOthers { throw LibraryError.notOfSearches(name) }
        let kind = source.id.kind == FeedSource.kind.name ? nil : source.id.kind
        let found = try await find(FollowRequest(text, kind: kind))
        guard found.source.kind == source.id.kind else { throw LibraryError.badAddress(address) }
        // Feeds were received when they were detected; nothing is moved to a server that has no list.
        if kind != nil, found.source != source.id, let new = connections.source(found.source),
            case .entries(let entries, _, _) = try await new.refresh(nil, since: nil)
        {
            _ = try CheckedEntries(entries, of: new.url)
        }
        return try await move(source, to: found, request)
    }

    /// Moves a service with its feeds to another address, once the server there is seen to have the same account and feeds.
    private func move(
        service: StoredSource, to page: URL, of user: String?, _ request: FollowRequest
    ) async throws -> FoundSource {
        let found = try await findService(page.absoluteString, of: user, isSaid: false)
        guard let new = URL(address: found.source.address) else { throw ServiceError.notAnAPI(page) }
        guard found.source != service.id else { return found }
        guard request.allowsHTTP || Service.isEncrypted(found.source.address) else { throw ServiceError.insecure(new) }
        // The user says that the login is for this address.
        let typed = connections.typing(new, for: OriginUse(isService: true, allowsHTTP: request.allowsHTTP))
        try await typed.sync(of: found.source).check(isMovedFrom: service)
        let moved = try await move(service, to: found, request)
        if let old = URL(address: service.id.address) {
            try await store.write { try StoredOrigins($0).forgetService(at: Origin(old).covering) }
        }
        return moved
    }

    /// Throws for a service, which has no other address, and for its feeds, of which it knows the address.
    private func checkMovable(_ source: StoredSource, _ name: String) throws {
        if source.id.isService || source.id.service != nil { throw ServiceError.unsupported(name: name) }
    }

    /// Looks for a feed that can't be refreshed any more.
    private func repair(_ request: FollowRequest) async throws -> FoundSource {
        let source = try await directory.source(withName: request.address, where: \.isFollowed)
        if source.id.listsOthers { throw LibraryError.notOfSearches(request.address) }
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

    /// Whether the user has typed the address of a command or a file.
    private func isTypedBefore(_ local: SourceID) async -> Bool {
        guard let url = URL(address: local.address) else { return false }
        return await connections.client.origins.include(url)
    }

    /// The sync server at an address that names a user there, or that is said to be one.
    private func findService(_ address: String, of user: String?, isSaid: Bool) async throws -> FoundSource {
        guard let text = SourceAddress.completed(address), let page = SourceAddress.page(text) else {
            throw LibraryError.badAddress(address)
        }
        let known = Service.id(at: text, of: user)
        if let known, try await store.read({ try Sources($0).find(known) }) != nil { return FoundSource(source: known) }
        let detection = SourceDetection(connections: connections.anonymous, directory: directory, url: page)
        if let found = try await detection.service(at: page), let id = Service.id(at: found.source.address, of: user) {
            return FoundSource(source: id, software: found.software)
        }
        // Other servers aren't recognized without a login, which the first sync sends.
        guard isSaid, let known else { throw ServiceError.notAnAPI(page) }
        return FoundSource(source: known)
    }

    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
        let isService = request.kind == Service.kind.name
        if request.kind == nil || isService, let (user, address) = SourceAddress.user(in: address) {
            return try await findService(address, of: user, isSaid: isService)
        }
        if request.kind == nil, let named = try await store.read({ try Sources($0).find(named: address) }),
            named.isFollowed
        {
            return FoundSource(source: named.id)
        }
        if let kind = SourceRegistry.kind(named: address), request.kind == nil {
            // `BLOG_URL` says where that kind of the default source is.
            if kind.name == defaultSource.kind { return FoundSource(source: defaultSource) }
            if let id = kind.source(at: nil) { return FoundSource(source: id) }
        }
        if let local = SourceRegistry.local(address) {
            // Only what the user types is read or run, or has typed: an undo follows it again, with its kind.
            let isTyped = !request.isImported && !request.isTrusted && request.kind == nil
            let isAgain = request.kind == local.kind ? await isTypedBefore(local) : false
            guard isTyped || isAgain else { throw LibraryError.badAddress(address) }
            return FoundSource(source: local)
        }
        if let kind = request.kind.flatMap({ SourceRegistry.kind(named: $0) }), kind.isLocal,
            let id = kind.source(at: address)
        {
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
        if isService { return try await findService(address, of: nil, isSaid: true) }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        guard let id = kind.source(at: text) else { throw LibraryError.badAddress(address) }
        return FoundSource(source: id)
    }
}

extension RefreshReport {
    /// Why there is no list if there was none before; nil if there is one.
    fileprivate func reasonForNoList(of source: SourceID) -> (any Error)? {
        if case .waiting(let until?, _) = outcome, let url = URL(address: source.address) {
            return HTTPError.rateLimited(url, until: until)
        }
        return failure
    }
}

/// A request whose source was found.
private struct PreparedFollow: Sendable {
    let request: FollowRequest
    let folder: String?
    let site: String?
    let found: FoundSource
    /// The source as it was; nil if nothing of it was stored.
    let before: StoredSource?

    var isStored: Bool { before != nil }

    /// Whether it wasn't asked until now, when the user types its address.
    var isConfirmed: Bool {
        // A service that couldn't be synced is tried again, as is a command or a file.
        let isRetried = found.source.isService || SourceRegistry.kind(named: found.source.kind)?.scheme != nil
        let isWaiting = before?.problem == .unconfirmed || isRetried && before?.problem != nil
        return before?.isFollowed == true && isWaiting && request.typedURL != nil
    }

    /// Whether the list is fetched before the report.
    func isFetched(freshness: Freshness) -> Bool {
        let isMoved = request.newAddress != nil || request.isRepair
        return (before?.isFollowed != true || isMoved || isConfirmed) && found.refresh == nil
            && found.source.service == nil && freshness != .offline
    }

    /// Whether it isn't followed without a list.
    var needsList: Bool { !request.isTrusted && before?.hasList != true }

    /// The user's title on one line; "" for none.
    func label(isNew: Bool) -> String? {
        request.title.map { FeedText.line($0.utf8) ?? "" } ?? (isNew ? found.software : nil)
    }

    func name(before: StoredSource?, title: String? = nil, isTaken: (String) throws -> Bool) throws -> String {
        try SourceName.chosen(for: found.source, request, before: before?.name, title: title, isTaken: isTaken)
    }
}

/// A request that is recorded: its source is followed.
private struct RecordedFollow: Sendable {
    let prepared: PreparedFollow
    /// The source before that.
    let before: StoredSource?
    let after: StoredSource
    /// The origin that the user has typed for the first time; nil for none.
    let newOrigin: Origin?
}

/// A request whose source was asked.
private struct FetchedFollow: Sendable {
    let prepared: PreparedFollow
    /// Nil if it has yet to be recorded.
    var recorded: RecordedFollow?
    var refresh: RefreshReport?
    let history: HistoryReport?
}
