import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Finds the feed of a source again that can't be refreshed any more.
struct SourceRepair: Sendable {
    let connections: Connections
    let directory: SourceDirectory

    /// The feed at the source's address, or the one with its posts that its site names now.
    ///
    /// Throws ``LibraryError/notRepaired(_:other:problem:)`` if there is none.
    func source(of lost: StoredSource) async throws -> FoundSource {
        var other: URL?
        var problem: (any Error)?
        for page in pages(of: lost) {
            let detection = SourceDetection(connections: connections.anonymous, directory: directory, url: page)
            do {
                let found = try await detection.source()
                if found.source == lost.id { return found }
                guard found.source.kind == lost.id.kind, let url = URL(address: found.source.address) else { continue }
                if try await isSame(found, lost) { return found }
                other = other ?? url
            } catch let error as any FetchError {
                problem = problem ?? error
            } catch let error as LibraryError {
                problem = problem ?? error
            }
        }
        throw LibraryError.notRepaired(lost.name ?? lost.id.address, other: other, problem: problem)
    }

    /// The addresses to ask: the new one that the server has named, its own, its site, and the folders above it.
    private func pages(of source: StoredSource) -> [URL] {
        guard let own = URL(address: source.id.address) else { return [] }
        // Servers and lists from outside have named these.
        let named = [source.movedTo, source.site].compactMap { $0.flatMap(SourceAddress.page) }.filter { page in
            let leadsInside = page.host.map { NetworkAddress.isPrivate(host: $0) } ?? true
            return connections.client.mayMove(from: own, to: page)
                && (!leadsInside || page.hostAndPort == own.hostAndPort)
        }
        let parts = own.path().split(separator: "/").dropLast()
        let folders = (0...parts.count).reversed().prefix(Self.maxFolders).compactMap { count in
            URL(address: "/" + parts.prefix(count).map { $0 + "/" }.joined(), relativeTo: own)?.absoluteURL
        }
        var pages: [URL] = []
        for page in named.prefix(1) + [own] + named.dropFirst() + folders where !pages.contains(page) {
            pages.append(page)
        }
        return pages
    }

    /// Whether a feed has posts of a source, or nothing of the source is stored.
    private func isSame(_ found: FoundSource, _ lost: StoredSource) async throws -> Bool {
        guard lost.posts > 0 else { return true }
        let scopes = ScopeResolver(store: connections.store, defaultSource: directory.defaultSource)
        let listing = PostListing(connections: connections.offline, scopes: scopes)
        let list = try await listing.list(Query(limit: Self.maxTitles), in: scopes.resolve(.sources([lost.id])))
        let known = try await list.posts.reduce(into: Set()) { $0.insert($1.metadata.title) }
        return try await !known.isDisjoint(with: titles(of: found))
    }

    /// The titles of the posts in a feed, of which nothing is stored.
    private func titles(of found: FoundSource) async throws -> Set<String> {
        guard var source = connections.source(found.source) as? FeedSource else { return [] }
        source.received = found.feed
        guard case .entries(let entries, _, _) = try await source.refresh(nil, since: nil) else { return [] }
        var titles: Set<String> = []
        while let batch = try await entries.next() { titles.formUnion(batch.entries.map(\.metadata.title)) }
        return titles
    }

    private static let maxFolders = 3
    private static let maxTitles = 100
}
