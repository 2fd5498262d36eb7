import Foundation
import HTTP
import Model
import Store

extension Library {
    /// Follows the source at an address and fetches what it lists.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    public func follow(_ request: FollowRequest) async throws -> FollowReport {
        let library = request.isDryRun ? try await rehearsal() : self
        var prospect = try await library.prospect(request)
        if request.isTrusted { try await library.adopt(&prospect) }
        try await library.fetch(&prospect)
        if !request.isTrusted { try await library.adopt(&prospect) }
        return try await library.finish(prospect)
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
        /// What its list says that it is called.
        var title: String?
        var after: StoredSource?

        var isNew: Bool { before?.isFollowed != true }

        func name(_ isTaken: (String) throws -> Bool) throws -> String {
            try SourceName.chosen(for: found.source, request, before: before?.name, title: title, isTaken: isTaken)
        }
    }

    /// Finds out what a request means, and whether it can be met.
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

    /// Fetches what a new source lists; throws why there is nothing to show of it, unless it is followed all the same.
    private func fetch(_ prospect: inout Prospect) async throws {
        guard prospect.isNew, prospect.refresh == nil, freshness != .offline else { return }
        prospect.refresh = try await refresh(prospect.found)
        guard !prospect.request.isTrusted, prospect.before?.hasList != true else { return }
        if case .failed(let error, _) = prospect.refresh?.outcome { throw error }
    }

    /// Refreshes the list of a source, with the feed that was received while the source was looked for.
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
    }

    /// Says what came of it.
    private func finish(_ prospect: Prospect) async throws -> FollowReport {
        let (id, request, before, after) = (prospect.found.source, prospect.request, prospect.before, prospect.after)
        if request.isRead { _ = try await mark(.read, all: Filter(), in: .sources([id])) }
        guard let now = try await store.source(id) else { throw LibraryError.badAddress(request.address) }
        let isChanged =
            before?.name != after?.name || before?.folder != after?.folder || before?.site != after?.site
            || before?.title != after?.title || request.keep.map { $0.retention != before?.keep } == true
        return FollowReport(
            prospect.found, now, formerName: before?.name,
            outcome: prospect.isNew ? .followed : isChanged ? .changed : .unchanged, refresh: prospect.refresh)
    }

    /// Follows the source at an address, as ``follow(_:)-(FollowRequest)`` does.
    public func follow(
        _ address: String, kind: String? = nil, as name: String? = nil, folder: String? = nil
    ) async throws -> FollowReport {
        try await follow(FollowRequest(address, kind: kind, name: name, folder: folder))
    }

    /// Follows several sources at once; what comes of each is given in their order.
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
            let url = SourceAddress.completed(request.address).flatMap { URL(string: $0) }
            queue.add(index, host: url?.hostAndPort ?? request.address)
            if request.isTrusted {
                prospects[index] = await library.step(nil, of: request) { try await library.adopt(&$0) }
            }
        }
        var (given, ready): (Int, [Int: Result<Prospect, any Error>]) = (0, [:])
        await queue.run { [prospects] index in
            await library.step(prospects[index], of: requests[index]) { try await library.fetch(&$0) }
        } give: { index, prospect, _ in
            ready[index] = prospect
            while let next = ready.removeValue(forKey: given) {
                give(await library.report(next))
                given += 1
            }
        }
    }

    /// A step of a source on its way, from the first one on.
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

    private func report(_ prospect: Result<Prospect, any Error>) async -> Result<FollowReport, any Error> {
        do {
            var prospect = try prospect.get()
            if prospect.after == nil { try await adopt(&prospect) }
            return .success(try await finish(prospect))
        } catch {
            return .failure(error)
        }
    }

    /// No longer follows a source: its posts leave the lists, what is saved and all marks stay.
    ///
    /// Throws ``LibraryError/notFollowed(_:known:)`` or a ``StoreError``.
    ///
    /// - Parameter name: the name of a source, or its address.
    public func unfollow(_ name: String) async throws -> SourceState {
        let source = try await named(name, where: \.isFollowed)
        try await store.unfollow(source.id)
        return SourceState(source, now: now())
    }

    /// The source of a name, a title or an address that meets a condition.
    func named(_ name: String, where condition: (StoredSource) -> Bool) async throws -> StoredSource {
        let addresses = SourceAddress.completed(name).map(SourceAddress.spellings) ?? []
        let found = try await [store.source(named: name)].compactMap { $0 } + store.sources(at: addresses)
        if let source = found.first(where: condition) { return source }
        let followed = try await store.followedSources().filter(condition)
        // A slip of a beginning would unfollow, and perhaps delete, what nobody named.
        let titled = SourceTitles.sources(name, among: followed, isWhole: true)
        guard let source = titled.first, titled.count == 1 else {
            let alike = SourceTitles.sources(name, among: followed)
            throw LibraryError.notFollowed(name, known: (alike.isEmpty ? followed : alike).compactMap(\.name))
        }
        return source
    }

    /// The sources of a scope and how they stand; where nothing is followed, all of which something is stored, and the
    /// default one.
    public func sources(in scope: Scope = .everything) async throws -> [SourceState] {
        let (sources, found) = try await resolve(scope)
        var stored = found.sources
        let known = Set(stored.map(\.id))
        var missing = sources.filter { !known.contains($0) }
        if case .everything = scope, !stored.contains(where: \.isFollowed) {
            stored = try await store.sources()
            missing = stored.contains { $0.id == defaultSource } ? [] : [defaultSource]
        }
        let typedIDs = try await typedIDs()
        let states = stored.map { SourceState($0, now: now(), typedIDs) } + missing.map { SourceState($0, typedIDs) }
        return states.sorted { ($0.name, $0.id.address) < ($1.name, $1.id.address) }
    }

    /// The sources that people mean by some names: those that are followed, by their names, their titles or a beginning that
    /// no other has, or kinds at their usual address.
    ///
    /// Throws ``LibraryError/unknownSource(_:known:titles:)``, ``LibraryError/severalSources(_:names:)`` or a
    /// ``StoreError``.
    ///
    /// - Parameters:
    ///   - names: the names, titles or beginnings.
    ///   - scope: the sources of which the name of a kind means the first one of that kind, if there is one.
    public func scope(named names: [String], in scope: Scope = .everything) async throws -> Scope {
        var ids: [SourceID] = []
        for name in names {
            if let id = try await source(named: name, in: scope) {
                ids.append(id)
                continue
            }
            let followed = try await store.followedSources()
            guard let source = try SourceTitles.source(name, among: followed) else {
                let names = followed.compactMap(\.name)
                let kinds = SourceRegistry.kinds.filter { $0.usualAddress != nil }.map(\.idPrefix)
                throw LibraryError.unknownSource(
                    name, known: names + kinds.filter { !names.contains($0) }, titles: followed.compactMap(\.title))
            }
            ids.append(source.id)
        }
        return .sources(ids)
    }

    /// What a request to follow means.
    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
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
