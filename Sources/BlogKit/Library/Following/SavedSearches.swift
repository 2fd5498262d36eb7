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
    package func keep(_ typed: String, as name: String) async throws -> SourceState {
        let id = SourceID.search(typed.trimmed)
        let now = connections.now()
        var query = Query()
        try Search(id.address).narrow(&query, now: now)
        if let other = try await store.source(id)?.name, other != name {
            throw LibraryError.badName(name, reason: "this search is kept as \(other)")
        }
        var request = FollowRequest(id.address)
        request.name = name
        let stored = try await store.follow(id, in: nil, site: nil, at: now) { [request] isTaken in
            try SourceName.chosen(for: id, request, before: nil, isTaken: isTaken)
        }
        return try await state(of: stored)
    }

    /// The searches that are kept, by name.
    ///
    /// - Parameter areCounted: whether they have the numbers of their posts, which takes a search each.
    package func all(areCounted: Bool = true) async throws -> [SourceState] {
        var states: [SourceState] = []
        for search in try await store.searches() {
            states.append(areCounted ? try await state(of: search) : SourceState(search, nil, now: connections.now()))
        }
        return states
    }

    private func state(of search: StoredSource) async throws -> SourceState {
        let counts =
            SourceRegistry.isKnown(search.id)
            ? try await listing.counts(of: Query(), in: listing.scopes.resolve(.sources([search.id]))) : nil
        return SourceState(search, counts, now: connections.now())
    }
}

extension SourceDirectory {
    /// Checks that the sources and folders in a search exist.
    ///
    /// Throws ``LibraryError/badSearch(_:)``.
    package func check(_ search: Search) async throws {
        for (condition, place) in search.places {
            let (name, value, known): (String, String, [String])
            switch condition {
            case .source(let source):
                if try await has(named: source) { continue }
                (name, value) = ("source", source)
                known = try await connections.store.followedSources().compactMap(\.name)
            case .folder(let folder):
                guard try await connections.store.listedSources(in: FolderPath(folder).text).isEmpty else { continue }
                (name, value) = ("folder", folder)
                known = Set(try await connections.store.followedSources().map(\.folder)).filter { !$0.isEmpty }.sorted()
            default: continue
            }
            let isShort = !known.isEmpty && known.count <= LibraryError.maxListed
            let expected = isShort ? Counted.choices(known) : "a \(name) that blog sources lists"
            throw LibraryError.badSearch(
                SearchProblem(.badValue(name: name, value: value, expected: expected), at: place))
        }
    }
}
