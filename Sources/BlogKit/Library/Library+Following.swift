import Foundation

extension Library {
    /// Follows the source at an address and fetches what it lists.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - address: an http or https address, without a scheme https except for a loopback host; or the name of a kind,
    ///     for its usual address.
    ///   - kind: the name of its kind; nil to detect it with requests to the server.
    ///   - name: what ids of its posts begin with, `[a-z0-9-]+`; nil for one made from the host.
    ///   - folder: the folder to put it in, its parts joined with `/`; nil for none, or the one that it is in.
    public func follow(
        _ address: String, kind: String? = nil, as name: String? = nil, folder: String? = nil
    ) async throws -> FollowReport {
        let name = try name.map { try SourceName.checked($0) }
        let folder = folder.map(SourceName.folder)
        var (id, refresh) = (try await knownSource(address, kind), RefreshReport?.none)
        if id == nil {
            guard let url = SourceAddress.completed(address) else { throw LibraryError.badAddress(address) }
            (id, refresh) = try await SourceDetection(library: self, url: url).refreshed()
        }
        guard let id else { throw LibraryError.badAddress(address) }
        if let name, let owner = SourceRegistry.kind(named: name), owner.name != id.kind {
            throw LibraryError.badName(name, reason: "is kept for \(owner.description)")
        }
        let before = try await store.source(id)
        let after = try await store.follow(id, in: folder, at: now()) { taken in
            if let name, taken.contains(name) { throw LibraryError.badName(name, reason: "is another source's") }
            return name ?? before?.name ?? SourceName.of(id, besides: taken)
        }
        let isNew = before?.isFollowed != true
        if isNew, refresh == nil, freshness != .offline {
            refresh = await self.refresh([id], onlyDue: false, deadline: nil).first?.report
        }
        let isChanged = before?.name != after.name || before?.folder != after.folder
        return FollowReport(
            source: id, name: after.name ?? "", outcome: isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: refresh, posts: try await store.source(id)?.posts ?? 0)
    }

    /// Follows several sources at once; what comes of each is given in their order.
    ///
    /// The parameters are those of ``follow(_:kind:as:folder:)``.
    public func follow(
        _ addresses: [String], kind: String? = nil, as name: String? = nil, folder: String? = nil
    ) -> AsyncStream<Result<FollowReport, any Error>> {
        AsyncStream { continuation in
            let task = Task {
                var queue = HostQueue()
                for (index, address) in addresses.enumerated() {
                    queue.add(index, host: SourceAddress.completed(address)?.hostAndPort ?? address)
                }
                var reports: [Int: Result<FollowReport, any Error>] = [:]
                var given = 0
                await withTaskGroup(of: (Int, Result<FollowReport, any Error>).self) { group in
                    func start() {
                        while let index = queue.next() {
                            group.addTask {
                                do {
                                    let report = try await follow(
                                        addresses[index], kind: kind, as: name, folder: folder)
                                    return (index, .success(report))
                                } catch {
                                    return (index, .failure(error))
                                }
                            }
                        }
                    }
                    start()
                    while let (index, report) = await group.next() {
                        reports[index] = report
                        queue.finish(index)
                        start()
                        while let report = reports.removeValue(forKey: given) {
                            continuation.yield(report)
                            given += 1
                        }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// No longer follows a source: its posts leave the lists, what is saved and all marks stay.
    ///
    /// Throws ``LibraryError/notFollowed(_:known:)`` or a ``StoreError``.
    ///
    /// - Parameter name: the name of a source, or its address.
    public func unfollow(_ name: String) async throws -> SourceState {
        let followed = try await store.followedSources()
        let address = SourceAddress.completed(name)?.absoluteString
        guard let source = followed.first(where: { $0.name == name || $0.id.address == address }) else {
            throw LibraryError.notFollowed(name, known: followed.compactMap(\.name))
        }
        try await store.unfollow(source.id)
        return SourceState(source, now: now())
    }

    /// The sources of a scope and how they stand; where nothing is followed, all of which something is stored, and the
    /// default one.
    public func sources(in scope: Scope = .everything) async throws -> [SourceState] {
        var stored = try await stored(in: scope).sources
        var missing = try await sourceIDs(in: scope).filter { id in !stored.contains { $0.id == id } }
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
    public func scope(named names: [String]) async throws -> Scope {
        var ids: [SourceID] = []
        for name in names {
            if let source = try await store.source(named: name) {
                ids.append(source.id)
            } else if let kind = SourceRegistry.kind(named: name) {
                guard let id = defaultSource.kind == kind.name ? defaultSource : kind.source(at: nil) else { continue }
                ids.append(id)
            } else {
                let followed = try await store.followedSources().compactMap(\.name)
                throw LibraryError.unknownSource(name, known: followed + SourceRegistry.kinds.map(\.idPrefix))
            }
        }
        return .sources(ids)
    }

    /// The source at an address if its kind is known without a request; else nil.
    private func knownSource(_ text: String, _ kindName: String?) async throws -> SourceID? {
        if let kind = SourceRegistry.kind(named: text), kindName == nil { return kind.source(at: nil) }
        guard let url = SourceAddress.completed(text) else { throw LibraryError.badAddress(text) }
        guard let kindName else {
            return try await store.followedSources().first { $0.id.address == url.absoluteString }?.id
        }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        return SourceID(kind: kind.name, address: url.absoluteString)
    }
}

/// What came of following a source.
public struct FollowReport: Sendable {
    /// What is followed.
    public let source: SourceID
    /// What ids of its posts begin with.
    public let name: String
    /// Whether anything changed.
    public let outcome: Outcome
    /// How its list was fetched; nil if it was not.
    public let refresh: RefreshReport?
    /// How many posts it lists.
    public let posts: Int

    /// What following an address may come to.
    public enum Outcome: Sendable {
        /// It is followed from now on.
        case followed
        /// It was followed already, and has another name or folder now.
        case changed
        /// It was followed already.
        case unchanged
    }
}
