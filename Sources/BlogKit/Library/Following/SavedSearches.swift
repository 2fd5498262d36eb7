import BlogEssentials
import BlogModel
import BlogStore

/// Keeps searches under names, beside the sources.
package struct SavedSearches: Sendable {
    let connections: Connections
    let listing: PostListing

    private var store: PostStore { connections.store }

    /// Keeps a search, and returns it with the numbers of its posts.
    ///
    /// Throws ``LibraryError/badSearch(_:)``, or ``LibraryError/badName(_:reason:)`` for a name that is taken, or if the
    /// search is kept under another name.
    ///
    /// - Parameter isNoted: whether it can be undone.
    package func keep(_ typed: String, as name: String, isNoted: Bool = true) async throws -> SourceState {
        let id = SourceID.search(typed.trimmed)
        let now = connections.now()
        let search = Search(id.address)
        var query = Query()
        try search.narrow(&query, now: now)
        if let problem = search.problemOfKeeping { throw LibraryError.badSearch(problem) }
        guard search.isValid else { throw LibraryError.badSearch(SearchProblem(.empty, at: 1)) }
        try await listing.scopes.check(search)
        let known = try await store.read { try Sources($0).find(id) }?.name
        if let known, known != name { throw LibraryError.searchKept(known) }
        var request = FollowRequest(id.address)
        request.name = name
        let stored = try await store.writeToDisk { [request] in
            try Sources($0).follow(id, in: nil, site: nil, at: now) { isTaken in
                try SourceName.chosen(for: id, request, before: nil, isTaken: isTaken)
            }
        }
        if isNoted, known == nil { try await store.note(.followed([id])) }
        return try await state(of: stored)
    }

    /// Keeps a query feed of newsboat under a name made of its title; nil if it is kept already.
    ///
    /// Throws ``LibraryError/badSearch(_:)``, as for a folder that there isn't.
    package func keep(_ query: NewsboatQuery) async throws -> SourceState? {
        let taken = Set(try await store.read { try Sources($0).named() }.compactMap(\.name))
        let name =
            try SourceName.of(title: query.title) { taken.contains($0) }
            ?? SourceName.of(title: "query") {
                taken.contains($0)
            }
        do { return try await keep(query.words, as: name ?? "query") } catch LibraryError.searchKept { return nil }
    }

    /// The searches that are kept, and the list of what sources link to, if it is followed, by name.
    ///
    /// - Parameter areCounted: whether they have the numbers of their posts, which takes a search each.
    package func all(areCounted: Bool = true) async throws -> [SourceState] {
        var states: [SourceState] = []
        for list in try await store.read({ try Sources($0).listingOthers() }) {
            states.append(
                areCounted ? try await state(of: list) : SourceState(list: list, nil, now: connections.now()))
        }
        return states
    }

    private func state(of search: StoredSource) async throws -> SourceState {
        do {
            let counts = try await listing.counts(of: Query(), in: listing.scopes.resolve(.sources([search.id])))
            return SourceState(list: search, counts, now: connections.now())
        } catch let error as LibraryError {
            return SourceState(list: search, nil, now: connections.now()).failing(with: error, at: connections.now())
        }
    }
}

extension ScopeResolver {
    /// Checks that the sources and folders in a search exist.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    func check(_ search: Search) async throws {
        for (condition, range) in search.places {
            let (name, value, known): (String, String, [String])
            switch condition {
            case .source(let source):
                if let named = try await store.read({ try Sources($0).find(named: source) }), !named.id.listsOthers {
                    continue
                }
                (name, value) = ("source", source)
                let followed = try await store.read { try Sources($0).followed() }
                // By a title, the one that has it is meant.
                let titled = SourceLookup.sources(source, among: followed)
                known = (titled.isEmpty ? followed : titled).compactMap(\.name)
            case .folder(let folder):
                guard try await store.read({ try Sources($0).listed(in: FolderPath(folder).text) }).isEmpty else {
                    continue
                }
                (name, value) = ("folder", folder)
                let followed = try await store.read { try Sources($0).followed() }
                known = Set(followed.map(\.folder)).filter { !$0.isEmpty }.sorted()
            default: continue
            }
            let isShort = !known.isEmpty && known.count <= LibraryError.maxListed
            let expected = isShort ? Counted.choices(known) : "a \(name) that blog sources lists"
            throw LibraryError.badSearch(
                SearchProblem(
                    .badValue(name: name, value: value, expected: expected), at: search.place(of: range.lowerBound)))
        }
    }
}
