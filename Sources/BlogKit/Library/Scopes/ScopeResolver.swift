import BlogEssentials
import BlogModel
import BlogStore
import Synchronization

/// Looks up the sources of scopes.
struct ScopeResolver: Sendable {
    let store: PostStore
    /// The source that is read if none is followed.
    let defaultSource: SourceID

    /// The sources of a scope.
    ///
    /// Throws ``LibraryError/emptyFolder(_:)`` or a ``StoreError``.
    func resolve(_ scope: Scope) async throws -> ResolvedScope {
        switch scope {
        case .sources(let sources):
            if let list = sources.first(where: \.listsOthers) { return try await resolve(list, among: sources) }
            let all = try await withFeeds(sources)
            let stored = try await store.read { try Sources($0).find(all) }.map(\.listed)
            return ResolvedScope(scope: scope, sources: all, stored: withFrontPages(stored))
        case .folder(let folder):
            let followed = try await store.read { try Sources($0).listed(in: FolderPath(folder).text) }
            guard !followed.isEmpty else { throw LibraryError.emptyFolder(folder) }
            return ResolvedScope(scope: scope, sources: followed.map(\.id), stored: withFrontPages(followed))
        case .label(let label): return try await resolve(label: label)
        case .everything: return try await everything()
        }
    }

    /// All sources that are followed; if there are none, the default source.
    ///
    /// Following only single pages doesn't replace the default source, if it was listed before.
    private func everything() async throws -> ResolvedScope {
        let followed = try await store.read { try Sources($0).listed() }
        if followed.contains(where: { !$0.id.isPageSource }) {
            return ResolvedScope(scope: .everything, sources: followed.map(\.id), stored: withFrontPages(followed))
        }
        let substitute = try await store.read { try Sources($0).find(defaultSource) }.map(\.listed)
        let stored = followed.filter { $0.id != defaultSource } + (substitute.map { [$0] } ?? [])
        return ResolvedScope(
            scope: .everything, sources: stored.isEmpty ? [defaultSource] : stored.map(\.id),
            stored: withFrontPages(stored), substitute: defaultSource)
    }

    /// Stored sources, with the sections whose front pages stand for rankings among others.
    func withFrontPages(_ sources: [ListedSource]) -> SourceScope {
        var scope = SourceScope(sources)
        for source in sources {
            let kind = SourceRegistry.kinds.first { $0.name == source.id.kind }
            if let section = kind?.capabilities.sections.first { scope.frontPages[source.key] = section }
        }
        return scope
    }

    /// Some sources, with the feeds of those that are services.
    private func withFeeds(_ sources: [SourceID]) async throws -> [SourceID] {
        var all: [SourceID] = []
        for source in sources {
            all.append(source)
            guard source.isService, let service = try await store.read({ try Sources($0).find(source) }) else {
                continue
            }
            let feeds = try await store.read { try ServiceItems($0, service: service.key).feeds() }
            all += feeds.filter(\.isFollowed).map(\.id)
        }
        return all
    }

    /// The scope of a list that has the posts of others: all sources.
    private func resolve(_ list: SourceID, among sources: [SourceID]) async throws -> ResolvedScope {
        let name = try await store.read { try Sources($0).find(list) }?.name ?? list.address
        guard sources.count == 1 else { throw LibraryError.searchAmongSources(name) }
        if list.isSearch { try await check(Search(list.address)) }
        let all = try await everything()
        let own = list.isLinked ? try await store.read { try Sources($0).find([list]) }.map(\.listed) : []
        return ResolvedScope(
            scope: .sources([list]), sources: all.sources + own.map(\.id),
            stored: own.isEmpty ? all.stored : withFrontPages(all.stored.sources + own),
            list: ResolvedScope.ListOfOthers(id: list, name: name), substitute: all.substitute)
    }

    /// The scope of a label: all sources, also those that are no longer followed.
    private func resolve(label: String) async throws -> ResolvedScope {
        let all = try await everything()
        return ResolvedScope(
            scope: .label(label), sources: all.sources, stored: try await withUnfollowed(all.stored), label: label,
            substitute: all.substitute)
    }

    /// The stored sources that a query of a scope covers: posts that the user keeps stay in lists of everything, and in
    /// searches, when their sources are unfollowed.
    func stored(for query: Query, in scope: ResolvedScope) async throws -> SourceScope {
        guard scope.isOfEverything else { return scope.stored }
        // The first list of what sources link to has stored its posts since the scope was looked up.
        if query.ranked != nil, scope.linked == nil { return try await resolve(scope.scope).stored }
        if query.isOfKept { return try await withUnfollowed(scope.stored) }
        return query.hasWords ? scope.stored.keeping(try await unfollowed(besides: scope.stored)) : scope.stored
    }

    /// The stored sources whose posts are in lists of what the user keeps.
    func kept() async throws -> SourceScope { try await withUnfollowed(everything().stored) }

    private func withUnfollowed(_ stored: SourceScope) async throws -> SourceScope {
        SourceScope(stored.sources + (try await unfollowed(besides: stored)))
    }

    /// The sources that were followed once, as was the default one when it was read in their place.
    private func unfollowed(besides stored: SourceScope) async throws -> [ListedSource] {
        let known = Set(stored.sources.map(\.key))
        return try await store.read { [defaultSource] in
            let named = try Sources($0).names(areFollowed: false)
            return try named + Sources($0).find([defaultSource]).filter { $0.name == nil }.map(\.listed)
        }.filter { !known.contains($0.key) }
    }

    /// The sources of a scope that are stored, with all that is stored about them.
    func stored(_ scope: ResolvedScope) async throws -> [StoredSource] {
        switch scope.isOfSources ? scope.scope : .everything {
        case .sources: return try await store.read { try Sources($0).find(scope.sources) }
        case .folder(let folder): return try await store.read { try Sources($0).followed(in: FolderPath(folder).text) }
        case .everything, .label:
            let unfollowed = scope.stored.sources.filter { !$0.isFollowed }.map(\.id)
            return try await store.read { try Sources($0).followed() } + store.read { try Sources($0).find(unfollowed) }
        }
    }

    /// The query of a scope, once the posts are indexed, or stored, that a list of others may have.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    func narrowed(_ query: Query, to scope: ResolvedScope, clock: WallClock) async throws -> Query {
        guard !scope.isOfSources else { return query }
        var query = try scope.narrowed(query, now: clock.now())
        if query.hasWords { try await SearchIndexing(store: store).indexAll { _ in } }
        if scope.isOfLinked {
            query.ranked = try await scope.linkedPosts(newFor: query.newFor) {
                try await LinkedListing(store: store, clock: clock).posts(in: scope.stored, newFor: query.newFor)
            }
        }
        return query
    }

    /// The scope, looked up again if it has a source that wasn't stored then.
    func current(_ scope: ResolvedScope) async throws -> ResolvedScope {
        scope.stored.sources.count == scope.sources.count ? scope : try await resolve(scope.scope)
    }
}

/// The sources of a scope, and their stored states when they were looked up.
package struct ResolvedScope: Sendable {
    package let scope: Scope
    package let sources: [SourceID]
    /// The sources that are stored.
    let stored: SourceScope
    /// The list, with posts of others, that it is; nil for none.
    private(set) var list: ListOfOthers?
    /// The source of the pages that are posts of no other; nil unless it is their list, and they are stored.
    var linked: ListedSource? { isOfLinked ? stored.sources.first(where: \.id.isLinked) : nil }
    /// The label that the posts have; nil for any.
    private(set) var label: String?
    /// The default source, if it is read in place of sources that are followed; nil if there are any.
    package private(set) var substitute: SourceID?

    /// The posts that are the pages which sources link to, by the name of a cursor, once they were looked for: a list and its
    /// numbers are of the same.
    private let foundLinks = FoundLinks()

    private final class FoundLinks: Sendable {
        let posts = Mutex<[String?: RankedPosts]>([:])
    }

    fileprivate func linkedPosts(
        newFor cursor: String?, find: () async throws -> RankedPosts
    ) async throws -> RankedPosts {
        if let known = foundLinks.posts.withLock({ $0[cursor] }) { return known }
        let found = try await find()
        foundLinks.posts.withLock { $0[cursor] = found }
        return found
    }

    /// A saved search, or the pages that others link to.
    struct ListOfOthers: Sendable {
        let id: SourceID
        let name: String
    }

    /// Whether the posts are those of sources, and not of a list of others or a label.
    package var isOfSources: Bool { list == nil && label == nil }

    /// Whether the posts are the pages that sources link to.
    package var isOfLinked: Bool { list?.id.isLinked == true }

    /// Whether the posts are of all sources.
    fileprivate var isOfEverything: Bool { scope == .everything || list != nil }

    /// Whether the sources are given explicitly.
    package var isNamed: Bool { scope.isNamed && list == nil }

    /// Whether it is one source, or a service with its feeds.
    private var isOfOne: Bool {
        if case .sources(let named) = scope { named.count == 1 } else { sources.count == 1 }
    }

    /// A query of only those posts that the saved search finds, or that have the label.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    fileprivate func narrowed(_ query: Query, now: Date) throws -> Query {
        if let label {
            var query = query
            if query.filter.label == nil {
                query.filter.label = label
            } else {
                query.within.append(Search("label:\"\(label)\""))
            }
            return query
        }
        guard let search = list?.id, search.isSearch else { return query }
        var found = Query()
        try Search(search.address).narrow(&found, now: now)
        var query = query
        query.within += found.searches
        if let kind = query.filter.kind, let other = found.filter.kind, kind != other {
            // No post is of both kinds.
            query.filter.before = .distantPast
            return query
        }
        query.filter.kind = query.filter.kind ?? found.filter.kind
        if found.filter.hidden == .only { query.filter.hidden = .only }
        query.filter.since = [query.filter.since, found.filter.since].compactMap(\.self).max()
        query.filter.before = [query.filter.before, found.filter.before].compactMap(\.self).min()
        return query
    }

    /// The source that it is; nil for several, and for a service, a list of others or a label.
    package var single: SourceID? { isOfSources && sources.count == 1 && !sources[0].isService ? sources[0] : nil }

    /// The source whose posts have IDs without a prefix, if it has no name of its own: there is no other.
    var onlySource: SourceID? { single ?? substitute }

    /// The combined capabilities of the sources.
    package var capabilities: Capabilities {
        guard isOfLinked else { return Capabilities(of: sources) }
        var capabilities = LinkedSource.kind.capabilities
        capabilities.hasComments = Capabilities(of: sources).hasComments
        return capabilities
    }

    /// The sources as messages name them: "The Tidewater Reader", "http://localhost:8106", "12 sources".
    package var place: String {
        if let list { return list.id.isLinked ? "what your sources link to" : "the search “\(list.name)”" }
        if let label { return "posts labelled “\(label)”" }
        guard isOfOne else { return Counted.sources(sources.count { !$0.isService }) }
        let source = stored.sources.first { $0.id == sources[0] }
        return source?.title ?? (source?.isFollowed == true ? source?.name : nil) ?? sources[0].address
    }

    /// The title of a list of them: "The Tidewater Reader", "localhost:8106", "12 sources", or the folder's name.
    package var title: String {
        if case .folder(let name) = scope { return name }
        if let name = list?.name ?? label { return name }
        return String(place.trimmingPrefix(#/https?:\/\//#))
    }
}

extension Capabilities {
    /// The combined capabilities of some sources.
    package init(of sources: [SourceID]) {
        let kinds = Set(sources.map(\.kind))
        self = Capabilities.union(
            SourceRegistry.kinds.filter { kinds.contains($0.name) }.map(\.capabilities), areSeveral: sources.count != 1)
    }
}
