import Foundation

extension Library {
    /// Follows the source at an address and fetches what it lists.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    public func follow(_ request: FollowRequest) async throws -> FollowReport {
        let folder = request.folder.map { FolderPath($0).text }
        if let name = request.name { try SourceName.check(name) }
        let site = try request.site.map { address in
            guard let site = SourceAddress.page(address) else { throw LibraryError.badAddress(address) }
            return site.absoluteString
        }
        let found = try await find(request)
        let id = found.source
        let before = try await store.source(id)
        let name = try await store.name(of: id) { isTaken in
            try SourceName.chosen(for: id, request, before: before?.name, isTaken: isTaken)
        }
        let isNew = before?.isFollowed != true
        if request.isDryRun {
            if isNew, found.isUnseen, !request.isTrusted { try await probe(id) }
            return FollowReport(found, name: name, outcome: .found, refresh: nil, posts: 0)
        }
        var refresh = found.refresh
        if isNew, refresh == nil, !request.isTrusted { refresh = try await firstRefresh(of: id, before) }
        let after = try await store.follow(id, in: folder, site: site, at: now()) { isTaken in
            try SourceName.chosen(for: id, request, before: before?.name, isTaken: isTaken)
        }
        if let keep = request.keep { try await store.setRetention(keep.retention, of: id) }
        if isNew, refresh == nil { refresh = await report(of: id) }
        if request.isRead { _ = try await mark(.read, all: Filter(), in: .sources([id])) }
        let isChanged =
            before?.name != after.name || before?.folder != after.folder || before?.site != after.site
            || request.keep.map { $0.retention != before?.keep } == true
        return FollowReport(
            found, name: after.name ?? "", formerName: before?.name,
            outcome: isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: refresh, posts: try await store.source(id)?.posts ?? 0)
    }

    /// Fetches what a source lists that is about to be followed; throws why there is nothing to show of it.
    private func firstRefresh(of id: SourceID, _ stored: StoredSource?) async throws -> RefreshReport? {
        let report = await report(of: id)
        if case .failed(let error, _) = report?.outcome, stored?.hasList != true { throw error }
        return report
    }

    private func report(of id: SourceID) async -> RefreshReport? {
        guard freshness != .offline else { return nil }
        return await refresh([id], onlyDue: false, deadline: nil).first?.report
    }

    /// Requests what a source lists, and stores nothing; throws a ``FetchError`` if it gives no list.
    private func probe(_ id: SourceID) async throws {
        guard case .entries(let entries, _, _) = try await source(id)?.refresh(nil, since: nil) else { return }
        _ = try await entries.next()
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

    private func follow(_ requests: [FollowRequest], give: (Result<FollowReport, any Error>) -> Void) async {
        var queue = HostQueue()
        for (index, request) in requests.enumerated() {
            let url = SourceAddress.completed(request.address).flatMap { URL(string: $0) }
            queue.add(index, host: url?.hostAndPort ?? request.address)
        }
        var results: [Int: Result<FollowReport, any Error>] = [:]
        var given = 0
        await queue.run {
            await result(of: requests[$0])
        } give: { index, result, _ in
            results[index] = result
            while let next = results.removeValue(forKey: given) {
                give(next)
                given += 1
            }
        }
    }

    private func result(of request: FollowRequest) async -> Result<FollowReport, any Error> {
        do { return .success(try await follow(request)) } catch { return .failure(error) }
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

    /// The source of a name or an address that meets a condition.
    func named(_ name: String, where condition: (StoredSource) -> Bool) async throws -> StoredSource {
        let addresses = SourceAddress.completed(name).map(SourceAddress.spellings) ?? []
        let found = try await [store.source(named: name)].compactMap { $0 } + store.sources(at: addresses)
        guard let source = found.first(where: condition) else {
            throw LibraryError.notFollowed(name, known: try await store.followedSources().compactMap(\.name))
        }
        return source
    }

    /// The sources of a scope and how they stand; where nothing is followed, all of which something is stored, and the
    /// default one.
    public func sources(in scope: Scope = .everything) async throws -> [SourceState] {
        var stored = try await stored(in: scope).sources
        let known = Set(stored.map(\.id))
        var missing = try await sourceIDs(in: scope).filter { !known.contains($0) }
        if case .everything = scope, try await store.followedSources().isEmpty {
            stored = try await store.sources()
            missing = stored.contains { $0.id == defaultSource } ? [] : [defaultSource]
        }
        let typedIDs = try await typedIDs()
        let states = stored.map { SourceState($0, now: now(), typedIDs) } + missing.map { SourceState($0, typedIDs) }
        return states.sorted { ($0.name, $0.id.address) < ($1.name, $1.id.address) }
    }

    /// The sources that people mean by some names: those that are followed, or kinds at their usual address.
    ///
    /// Throws ``LibraryError/unknownSource(_:known:)`` or a ``StoreError``.
    ///
    /// - Parameter scope: the sources of which the name of a kind means the first one of that kind, where there is one.
    public func scope(named names: [String], in scope: Scope = .everything) async throws -> Scope {
        var ids: [SourceID] = []
        for name in names {
            guard let id = try await source(named: name, in: scope) else {
                let followed = try await store.followedSources().compactMap(\.name)
                let kinds = SourceRegistry.kinds.filter { $0.usualAddress != nil }.map(\.idPrefix)
                throw LibraryError.unknownSource(name, known: followed + kinds.filter { !followed.contains($0) })
            }
            ids.append(id)
        }
        return .sources(ids)
    }

    /// What a request to follow means.
    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
        if let kind = SourceRegistry.kind(named: address), request.kind == nil, let id = kind.source(at: nil) {
            return FoundSource(source: id, refresh: nil, others: [], isUnseen: true)
        }
        guard let text = SourceAddress.completed(address), let page = SourceAddress.page(text) else {
            // No name is an address, but for that of a host on this machine.
            guard request.kind == nil, let named = try await store.source(named: address) else {
                throw LibraryError.badAddress(address)
            }
            return FoundSource(source: named.id, refresh: nil, others: [], isUnseen: true)
        }
        guard let kindName = request.kind else {
            let known = try await store.sources(at: SourceAddress.spellings(text))
            if let known = known.first(where: \.isFollowed) {
                return FoundSource(source: known.id, refresh: nil, others: [])
            }
            return try await SourceDetection(library: anonymous, url: page, isDryRun: request.isDryRun).source()
        }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        guard let id = kind.source(at: text) else { throw LibraryError.badAddress(address) }
        return FoundSource(source: id, refresh: nil, others: [], isUnseen: true)
    }
}
