import Foundation

extension Library {
    /// Follows the source at an address and fetches what it lists.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    public func follow(_ request: FollowRequest) async throws -> FollowReport {
        let name = try request.name.map { try SourceName.checked($0) }
        let folder = request.folder.map(SourceName.folder)
        let found = try await find(request)
        let id = found.source
        if let name, let owner = SourceRegistry.kind(named: name), owner.name != id.kind {
            throw LibraryError.badName(name, reason: "is kept for \(owner.description)")
        }
        let before = try await store.source(id)
        if request.isDryRun {
            return FollowReport(found, name: before?.name ?? "", outcome: .found, refresh: nil, posts: 0)
        }
        let after = try await store.follow(id, in: folder, at: now()) { taken in
            if let name, taken.contains(name) { throw LibraryError.badName(name, reason: "is another source's") }
            return name ?? before?.name ?? SourceName.of(id, besides: taken)
        }
        let isNew = before?.isFollowed != true
        var refresh = found.refresh
        if isNew, refresh == nil, freshness != .offline {
            refresh = await self.refresh([id], onlyDue: false, deadline: nil).first?.report
        }
        if request.isRead { _ = try await mark(.read, all: Filter(), in: .sources([id])) }
        let isChanged = before?.name != after.name || before?.folder != after.folder
        return FollowReport(
            found, name: after.name ?? "", outcome: isNew ? .followed : isChanged ? .changed : .unchanged,
            refresh: refresh, posts: try await store.source(id)?.posts ?? 0)
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
        var results: [Int: Followed] = [:]
        var given = 0
        await withTaskGroup(of: Followed.self) { group in
            func start() {
                while let index = queue.next() {
                    group.addTask { await followed(requests[index], index) }
                }
            }
            start()
            while let done = await group.next() {
                queue.finish(done.index)
                start()
                results[done.index] = done
                while let next = results.removeValue(forKey: given) {
                    give(next.result)
                    given += 1
                }
            }
        }
    }

    private func followed(_ request: FollowRequest, _ index: Int) async -> Followed {
        do {
            return Followed(index: index, result: .success(try await follow(request)))
        } catch {
            return Followed(index: index, result: .failure(error))
        }
    }

    /// No longer follows a source: its posts leave the lists, what is saved and all marks stay.
    ///
    /// Throws ``LibraryError/notFollowed(_:known:)`` or a ``StoreError``.
    ///
    /// - Parameter name: the name of a source, or its address.
    public func unfollow(_ name: String) async throws -> SourceState {
        let followed = try await store.followedSources()
        let text = SourceAddress.completed(name)
        let addresses =
            text.map { [SourceAddress.url($0), SourceAddress.page($0)].compactMap { $0?.absoluteString } } ?? []
        guard let source = followed.first(where: { $0.name == name || addresses.contains($0.id.address) }) else {
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
            } else if let kind = SourceRegistry.kind(named: name),
                let id = try await source(ofKind: kind, in: [defaultSource])
            {
                ids.append(id)
            } else {
                let followed = try await store.followedSources().compactMap(\.name)
                let kinds = SourceRegistry.kinds.filter { $0.usualAddress != nil }.map(\.idPrefix)
                throw LibraryError.unknownSource(name, known: followed + kinds)
            }
        }
        return .sources(ids)
    }

    /// What a request to follow means.
    private func find(_ request: FollowRequest) async throws -> FoundSource {
        let address = request.address
        if let kind = SourceRegistry.kind(named: address), request.kind == nil, let id = kind.source(at: nil) {
            return FoundSource(source: id, refresh: nil, others: [])
        }
        guard let text = SourceAddress.completed(address), let page = SourceAddress.page(text) else {
            throw LibraryError.badAddress(address)
        }
        guard let kindName = request.kind else {
            let spellings = [SourceAddress.url(text)?.absoluteString, page.absoluteString]
            if let known = try await store.followedSources().first(where: { spellings.contains($0.id.address) }) {
                return FoundSource(source: known.id, refresh: nil, others: [])
            }
            return try await SourceDetection(library: self, url: page, isDryRun: request.isDryRun).source()
        }
        guard let kind = SourceRegistry.kind(named: kindName) else {
            throw LibraryError.unknownSource(kindName, known: SourceRegistry.kinds.map(\.name))
        }
        guard let id = kind.source(at: text) else { throw LibraryError.badAddress(address) }
        return FoundSource(source: id, refresh: nil, others: [])
    }
}

/// A wish to follow a source.
public struct FollowRequest: Hashable, Sendable {
    /// An http or https address, without a scheme https except for a loopback host; or the name of a kind, for its usual
    /// address.
    public var address: String
    /// The name of its kind; nil to detect it with requests to the server.
    public var kind: String?
    /// What ids of its posts begin with, `[a-z0-9-]+`; nil for one made from the host.
    public var name: String?
    /// The folder to put it in, its parts joined with `/`; nil for none, or the one that it is in.
    public var folder: String?
    /// Whether its posts count as read from the start.
    public var isRead = false
    /// Whether it is only looked for, and nothing is stored.
    public var isDryRun = false

    /// A request.
    public init(_ address: String, kind: String? = nil, name: String? = nil, folder: String? = nil) {
        self.address = address
        self.kind = kind
        self.name = name
        self.folder = folder
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
        /// It was found, and nothing was stored.
        case found
        /// It is followed from now on.
        case followed
        /// It was followed already, and has another name or folder now.
        case changed
        /// It was followed already.
        case unchanged
    }

    /// The addresses of other feeds that its page names, the best first.
    public let others: [URL]

    init(_ found: FoundSource, name: String, outcome: Outcome, refresh: RefreshReport?, posts: Int) {
        source = found.source
        others = found.others.map(\.url)
        self.name = name
        self.outcome = outcome
        self.refresh = refresh
        self.posts = posts
    }
}

/// What came of one of several requests.
private struct Followed: Sendable {
    let index: Int
    let result: Result<FollowReport, any Error>
}
