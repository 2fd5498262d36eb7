import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogModel
import BlogStore

/// Reads the older posts of a blog, which its feed has no more.
package struct ArchiveReading: Sendable {
    let connections: Connections
    let links: LinkRequests

    private var store: PostStore { connections.store }

    /// The most posts that an archive brings.
    static let maxPosts = 25_000
    /// How long to wait between two pages, in seconds.
    private static let pause: TimeInterval = 1

    /// Reads the archive of a source, or goes on where it was left, until there are no older posts, or only those that are
    /// older than the source keeps.
    ///
    /// Throws ``LibraryError/archiveOfService(_:)``, ``LibraryError/noArchive(_:)``, a ``FetchError`` or a ``StoreError``; what was
    /// read before stays, and the next time begins there.
    ///
    /// - Parameters:
    ///   - isWhole: whether it is read from its beginning, though it was read before.
    ///   - keep: for a source without a retention of its own; nil for ever.
    ///   - observe: gets the number of new posts after each page.
    package func read(
        _ id: SourceID, isWhole: Bool = false, keep: Retention?, observe: @Sendable (Int) async -> Void
    ) async throws -> ArchiveReport {
        let stored = try await store.read { try Sources($0).find(id) }
        let name = stored?.name ?? id.address
        if id.service != nil || id.isService { throw LibraryError.archiveOfService(name) }
        guard let source = stored, id.kind == FeedSource.kind.name, let address = URL(address: id.address) else {
            throw LibraryError.noArchive(name)
        }
        let feed = FeedSource(address: address, client: connections.client)
        var (place, count) = try await store.read { database in
            let archive = try ArchiveStoring(source.id, in: database)
            return (isWhole ? .notBegun : try archive.place, try archive.count)
        }
        func first() async throws -> URL {
            guard let page = try await feed.page(at: address, links).older?.page else {
                throw LibraryError.noArchive(name)
            }
            return page
        }
        var next: URL?
        if case .page(let address) = place { next = URL(address: address) }
        if next == nil { next = try await first() }
        var (report, seen) = (ArchiveReport(), Set<Int64>())
        report.isFull = count >= Self.maxPosts
        if report.isFull { return report }
        let cutoff = (source.keep ?? keep)?.cutoff(at: connections.now())
        while let page = next {
            // The feed itself was just requested.
            try await connections.clock.pause(Self.pause)
            let (entries, older): ([Entry], OlderPosts?)
            do { (entries, older) = try await self.page(at: page, of: feed) } catch let error as HTTPError
                where error.isNotFound && report.pages == 0 && place == .page(page.absoluteString)
            {
                // The blog has fewer pages than when it was left.
                (place, next) = (.notBegun, try await first())
                continue
            }
            let kept = entries.filter { entry in
                cutoff.map { entry.metadata.publishDate.milliseconds >= $0.millisecondsSince1970 } ?? true
            }
            let (new, posts) = try await store.writeToDisk { [now = connections.now(), room = Self.maxPosts - count] in
                let archive = try ArchiveStoring(source.id, in: $0)
                // The newest ones are the last.
                let saved = try archive.save(Array(kept.suffix(room)), at: now)
                return (saved.new, saved.posts)
            }
            count += new
            (report.pages, report.new) = (report.pages + 1, report.new + new)
            await observe(report.new)
            // Some servers send the same page again and again; a page may have only posts that are too old; and an archive
            // that was read to its end can only have grown.
            let isSeen = posts.isSubset(of: seen) || place == .end && new == 0
            seen.formUnion(posts)
            report.isFull = count >= Self.maxPosts
            next = isSeen || report.isFull ? nil : older?.page
            try await store.writeToDisk { [next] in
                try ArchiveStoring(source.id, in: $0).note(next.map { .page($0.absoluteString) } ?? .end)
            }
        }
        return report
    }

    /// A page of the archive; one beyond the last of WordPress doesn't exist, and has no entries.
    private func page(at url: URL, of feed: FeedSource) async throws -> (entries: [Entry], older: OlderPosts?) {
        do { return try await feed.page(at: url, links) } catch let error as HTTPError
            where error.isNotFound && FeedDocument.isNumbered(url)
        {
            return ([], nil)
        }
    }
}

/// What reading an archive has brought.
package struct ArchiveReport: Hashable, Sendable {
    package internal(set) var pages = 0
    package internal(set) var new = 0
    /// Whether it ended because there are too many posts.
    package internal(set) var isFull = false
}

extension FeedDocument {
    /// What the feed at an address says of older posts; nil if it says nothing.
    func olderPosts(at address: URL) -> OlderPosts? {
        let page: URL? =
            switch older {
            case .address(let other): URL(address: other)
            case .numberedPages: Self.numberedPage(after: address)
            case nil: nil
            }
        guard let page, page != address, page.isWeb else { return nil }
        return OlderPosts(page: page, total: total)
    }

    /// Whether an address is that of a numbered page.
    static func isNumbered(_ address: URL) -> Bool {
        URLComponents(url: address, resolvingAgainstBaseURL: false)?.queryItems?.contains { $0.name == number } == true
    }

    private static func numberedPage(after address: URL) -> URL? {
        guard var components = URLComponents(url: address, resolvingAgainstBaseURL: false) else { return nil }
        var items = components.queryItems ?? []
        let current = items.first { $0.name == number }?.value.flatMap { Int($0) } ?? 1
        items.removeAll { $0.name == number }
        components.queryItems = items + [URLQueryItem(name: number, value: String(current &+ 1))]
        return components.url
    }

    /// The name of the number of a page in WordPress (https://developer.wordpress.org/reference/classes/wp_query/).
    private static let number = "paged"
}
