import Essentials
import Model
import Store

extension Library {
    /// The source with a name, a title or an address that meets a condition.
    func named(_ name: String, where condition: (StoredSource) -> Bool) async throws -> StoredSource {
        let addresses = SourceAddress.completed(name).map(SourceAddress.spellings) ?? []
        let found = try await [store.source(named: name)].compactMap { $0 } + store.sources(at: addresses)
        if let source = found.first(where: condition) { return source }
        let followed = try await store.followedSources().filter(condition)
        // With a mistyped beginning, a source would be unfollowed, or even deleted, that nobody named.
        let titled = SourceTitles.sources(name, among: followed, isWhole: true)
        guard let source = titled.first, titled.count == 1 else {
            let alike = SourceTitles.sources(name, among: followed)
            throw LibraryError.notFollowed(name, known: (alike.isEmpty ? followed : alike).compactMap(\.name))
        }
        return source
    }

    /// The sources of a scope and their state; if nothing is followed, all stored sources and the default one.
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

    /// The sources with some names: followed ones by their names, their titles or a unique beginning, or kinds at their
    /// usual address.
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
                let kinds = SourceRegistry.kinds.filter { $0.defaultAddress != nil }.map(\.idPrefix)
                throw LibraryError.unknownSource(
                    name, known: names + kinds.filter { !names.contains($0) }, titles: followed.compactMap(\.title))
            }
            ids.append(source.id)
        }
        return .sources(ids)
    }
}

/// A source and its state.
public struct SourceState: Hashable, Sendable {
    /// Kind and address.
    public let id: SourceID
    /// Its name, or that of its kind if it was never followed.
    public let name: String
    /// The folder that it is in; "" for none.
    public let folder: String
    /// The user's title for it, or else its own; nil if neither is known.
    public let title: String?
    /// Whether it is followed.
    public let isFollowed: Bool
    /// Whether this program can fetch it: a store may have posts of a kind that only another version knows.
    public let isKnown: Bool
    /// How many posts it lists.
    public let posts: Int
    /// How many of them are stored with their bodies.
    public let bodies: Int
    /// How many comments are stored.
    public let comments: Int
    /// How many of its listed posts have not been read.
    public let unread: Int
    /// The base address of relative links in its posts; nil if unknown.
    public let site: String?
    /// How long its posts are kept; nil for as long as all others.
    public let keep: Retention?
    /// When its posts are read with the articles behind their links; nil for when all others are.
    public let article: ArticleChoice?
    /// When the list was last fetched or found unchanged; nil if never.
    public let refreshedAt: Date?
    /// When a list of several sources will refresh it again; nil for the next time.
    public let dueAt: Date?
    /// Its permanent new address, as its server says; nil if it hasn't moved.
    public let movedTo: String?
    /// The problem of the last refresh; nil if it succeeded.
    public private(set) var problem: RefreshProblem?
    /// When that was.
    public private(set) var failedAt: Date?

    init(_ source: StoredSource, now: Date, _ typedIDs: TypedIDs? = nil) {
        id = source.id
        name = typedIDs?.name(of: source.id) ?? source.name ?? source.id.kind
        folder = source.folder
        title = source.title
        isFollowed = source.isFollowed
        isKnown = SourceRegistry.isKnown(source.id)
        posts = source.posts
        bodies = source.bodies
        comments = source.comments
        unread = source.unread
        movedTo = source.movedTo
        site = source.site
        keep = source.keep
        article = source.article
        refreshedAt = source.refreshedAt
        dueAt = source.dueAt.flatMap { $0 > now ? $0 : nil }
        problem = source.problem
        failedAt = source.failedAt
    }

    /// The same after a refresh that gave no list.
    package func failing(_ problem: RefreshProblem, at date: Date) -> SourceState {
        var state = self
        state.problem = problem
        state.failedAt = failedAt ?? date
        return state
    }

    /// A source of which nothing is stored.
    init(_ source: SourceID, _ typedIDs: TypedIDs) {
        id = source
        name = typedIDs.name(of: source)
        folder = ""
        title = nil
        isFollowed = false
        isKnown = SourceRegistry.isKnown(source)
        (posts, bodies, comments, unread) = (0, 0, 0, 0)
        (refreshedAt, dueAt, problem, failedAt, movedTo, site, keep, article) = (nil, nil, nil, nil, nil, nil, nil, nil)
    }
}
