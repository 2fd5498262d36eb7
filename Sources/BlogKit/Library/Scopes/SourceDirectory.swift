import BlogEssentials
import BlogModel
import BlogStore

/// Finds sources by the names, titles and addresses that users type.
package struct SourceDirectory: Sendable {
    let connections: Connections
    /// The source that is read if none is followed.
    let defaultSource: SourceID

    private var store: PostStore { connections.store }

    /// The stored source at an address, preferably a followed one; nil if there is none.
    func source(at address: String) async throws -> StoredSource? {
        let sources = try await store.read { try Sources($0).find(at: SourceAddress.spellings(address)) }
        return sources.first(where: \.isFollowed) ?? sources.first
    }

    /// The ID of the stored source at an address, preferably a followed one; nil if there is none.
    package func id(at address: String) async throws -> SourceID? { try await source(at: address)?.id }

    /// Whether a source is or was followed under a name.
    package func has(named name: String) async throws -> Bool {
        try await store.read { try Sources($0).find(named: name) } != nil
    }

    /// Post IDs as they are printed and typed.
    ///
    /// - Parameter scope: a scope that was looked up, which may have most sources already.
    package func shortIDs(besides scope: ResolvedScope) async throws -> ShortIDs {
        guard case .everything = scope.scope else {
            return ShortIDs(try await store.read { try Sources($0).names() }, only: scope.onlySource)
        }
        let unfollowed = try await store.read { try Sources($0).names(areFollowed: false) }
        return ShortIDs(unfollowed + scope.stored.sources, only: scope.onlySource)
    }

    /// The base address of relative links in a source's posts; nil if unknown.
    package func site(of source: SourceID) async throws -> URL? {
        try await store.read { try Sources($0).find(source) }?.site.flatMap { URL(address: $0) }
    }

    /// Whether a source is followed, or is the default one.
    func isRead(_ source: SourceID) async throws -> Bool {
        if source == defaultSource { return true }
        return try await store.read { try Sources($0).find(source) }?.isFollowed == true
    }

    /// The source with a name, or of the kind with that name.
    func source(named name: String, in scope: Scope) async throws -> SourceID? {
        let kind = SourceRegistry.kind(named: name)
        // A server that the user names by its address, with the name of its kind, even if a source has this name.
        if case .sources(let sources) = scope, sources.count == 1, sources[0].kind == kind?.name,
            try await store.read({ try Sources($0).find(sources[0]) })?.name == nil
        {
            return sources[0]
        }
        if let named = try await store.read({ try Sources($0).find(named: name) }) { return named.id }
        guard let kind else { return nil }
        let sources = if case .sources(let sources) = scope, !scope.listsOthers { sources } else { [defaultSource] }
        return try await source(ofKind: kind, in: sources)
    }

    /// The source that the name of a kind refers to: one in the scope, else the only followed one, else the one at the
    /// kind's default address.
    private func source(ofKind kind: SourceKind, in sources: [SourceID]) async throws -> SourceID? {
        if let source = sources.first(where: { $0.kind == kind.name }) { return source }
        let followed = try await store.read { try Sources($0).followed() }.filter { $0.id.kind == kind.name }
        return followed.count == 1 ? followed[0].id : kind.source(at: nil)
    }

    /// The source with a given name, title or address that meets a condition.
    func source(withName name: String, where condition: (StoredSource) -> Bool) async throws -> StoredSource {
        let addresses = SourceAddress.completed(name).map(SourceAddress.spellings) ?? []
        let found =
            try await [store.read { try Sources($0).find(named: name) }].compactMap { $0 }
            + store.read { try Sources($0).find(at: addresses) }
            + (name == SourceRegistry.prefix(of: defaultSource)
                ? store.read { try Sources($0).find([defaultSource]) } : [])
        if let source = found.first(where: condition) { return source }
        let followed = try await store.read { try Sources($0).followed() }.filter(condition)
        // A mistyped prefix must not unfollow, or even delete, another source.
        let titled = SourceLookup.sources(name, among: followed, isExact: true)
        guard let source = titled.first, titled.count == 1 else {
            let alike = SourceLookup.sources(name, among: followed)
            throw LibraryError.notFollowed(name, known: (alike.isEmpty ? followed : alike).compactMap(\.name))
        }
        return source
    }

    /// The scope of some sources by name; that of a kind is looked up in `scope` first.
    func scope(named names: [String], in scope: Scope) async throws -> Scope {
        var ids: [SourceID] = []
        for name in names {
            if let id = try await source(named: name, in: scope) {
                ids.append(id)
                continue
            }
            let followed =
                try await store.read { try Sources($0).followed() } + store.read { try Sources($0).listingOthers() }
            guard let source = try SourceLookup.source(name, among: followed) else {
                let names = followed.compactMap(\.name)
                let kinds = SourceRegistry.kinds.filter { $0.defaultAddress != nil }.map(\.idPrefix)
                throw LibraryError.unknownSource(
                    name, known: names + kinds.filter { !names.contains($0) }, titles: followed.compactMap(\.title))
            }
            ids.append(source.id)
        }
        return .sources(ids)
    }

    /// The sources of a scope with their state, and how many unread posts their lists have.
    package func overview(of scope: ResolvedScope) async throws -> SourceOverview {
        let settled = try await store.settleRules()
        let scopes = ScopeResolver(store: store, defaultSource: defaultSource)
        let stored = try await scopes.stored(scope)
        let counts = try await store.read { [counted = scopes.withFrontPages(stored.map(\.listed))] in
            try UnreadCounts(counted, in: $0, settled)
        }
        let known = Set(stored.map(\.id))
        let now = connections.now()
        var states = scope.sources.filter { !known.contains($0) }.map {
            SourceState($0, isSubstitute: $0 == scope.substitute)
        }
        for source in stored {
            var unread = counts.count(source.key)
            var facts: ServiceFacts?
            if source.id.isService {
                facts = try await store.read { try ServiceItems($0, service: source.key).facts() }
                unread = counts.count(stored.filter { $0.id.service == source.id }.map(\.key))
            }
            states.append(
                SourceState(source, facts, unread: unread, isSubstitute: source.id == scope.substitute, now: now))
        }
        return SourceOverview(
            sources: states.sorted { ($0.name, $0.id.address) < ($1.name, $1.id.address) },
            unread: counts.count(stored.map(\.key)),
            unreadByFolder: Self.keysByFolder(of: stored).mapValues { counts.count($0) })
    }

    /// The keys of the sources in each folder and its subfolders.
    private static func keysByFolder(of sources: [StoredSource]) -> [String: [Int64]] {
        let own = Dictionary(grouping: sources) { $0.folder }
        return own.reduce(into: [:]) { keys, folder in
            for around in FolderPath(folder.key).ancestors { keys[around, default: []] += folder.value.map(\.key) }
        }
    }

    /// The sources of a scope with their state.
    package func states(of scope: ResolvedScope) async throws -> [SourceState] { try await overview(of: scope).sources }
}

/// Sources, and how many unread posts their lists have: what `list --unread` lists.
///
/// The numbers of the sources may add up to more, because stories that are in several sources are listed once.
package struct SourceOverview: Sendable {
    package var sources: [SourceState]
    /// How many unread posts all of them have together.
    package let unread: Int
    /// How many unread posts the sources in each folder and its subfolders have.
    package let unreadByFolder: [String: Int]

    package init(sources: [SourceState], unread: Int, unreadByFolder: [String: Int]) {
        (self.sources, self.unread, self.unreadByFolder) = (sources, unread, unreadByFolder)
    }
}
