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
            let detection = SourceDetection(
                connections: connections.anonymous, directory: directory, url: page, site: URL(address: lost.id.address)
            )
            do {
                let found = try await detection.source()
                if found.source == lost.id { return found }
                guard let url = URL(address: found.source.address) else { continue }
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

    /// The addresses to ask: the one that its server has named, its own, its site, and the folders above it.
    private func pages(of source: StoredSource) -> [URL] {
        guard let own = URL(address: source.id.address) else { return [] }
        func mayAsk(_ address: String?) -> [URL] {
            guard let page = address.flatMap(SourceAddress.page), connections.client.mayMove(from: own, to: page)
            else { return [] }
            return [page]
        }
        let parts = own.path().split(separator: "/").dropLast()
        let folders = (0...parts.count).reversed().prefix(Self.maxFolders).compactMap { count in
            URL(address: "/" + parts.prefix(count).map { $0 + "/" }.joined(), relativeTo: own)?.absoluteURL
        }
        var pages: [URL] = []
        for page in mayAsk(source.movedTo) + [own] + mayAsk(source.site) + folders where !pages.contains(page) {
            pages.append(page)
        }
        return pages
    }

    /// Whether a feed has posts of a source, or nothing of the source is stored.
    private func isSame(_ found: FoundSource, _ lost: StoredSource) async throws -> Bool {
        guard lost.posts > 0 else { return true }
        let scopes = ScopeResolver(store: connections.store, defaultSource: directory.defaultSource)
        let listing = PostListing(connections: connections.offline, scopes: scopes)
        let list = try await listing.list(Query(limit: Self.maxPosts), in: scopes.resolve(.sources([lost.id])))
        let known = Traits(try await list.posts.reduce(into: []) { $0.append($1.metadata) })
        return known.areShared(by: Traits(try await posts(of: found)))
    }

    /// What tells posts of a feed from those of others.
    private struct Traits {
        private var identities: Set<String> = []
        private var titles: Set<String> = []

        init(_ posts: [PostMetadata]) {
            for post in posts {
                identities.insert(Entry.withoutDistinction(post.postId))
                if let link = post.link { identities.insert(Entry.canonical(link)) }
                titles.insert(post.title)
            }
        }

        /// Whether a post is the same, or two have the same titles: "Hello world!" alone means nothing.
        func areShared(by other: Traits) -> Bool {
            !identities.isDisjoint(with: other.identities) || titles.intersection(other.titles).count > 1
        }
    }

    /// The posts in a feed, of which nothing is stored.
    private func posts(of found: FoundSource) async throws -> [PostMetadata] {
        guard var source = connections.source(found.source) as? FeedSource else { return [] }
        source.received = found.feed
        guard case .entries(var entries, _, _) = try await source.refresh(nil, since: nil) else { return [] }
        var posts: [PostMetadata] = []
        while let batch = try entries.next() { posts += batch.entries.map(\.metadata) }
        return posts
    }

    private static let maxFolders = 3
    private static let maxPosts = 100
}
