import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// Fetches the pictures in posts for reading offline.
package struct PictureSync: Sendable {
    let store: PostStore
    let scopes: ScopeResolver
    let pictures: PictureCache
    let now: @Sendable () -> Date

    /// Fetches the pictures in the posts of a scope that aren't stored, those of the newest posts first.
    ///
    /// It stops when the folder of pictures is full, before older ones would be removed.
    ///
    /// - Parameters:
    ///   - limit: how many posts of each source to look at; nil for all.
    ///   - pixels: the width for which the sizes of photos are chosen.
    package func sync(
        limit: Int? = nil, in scope: Scope = .everything, pixels: Int, observe: @escaping SyncObserver
    ) async throws -> PictureReport {
        var wanted: [WantedPicture] = []
        let scope = try await scopes.resolve(scope)
        let query = try await scopes.narrowed(Query(limit: limit), to: scope, clock: WallClock(now: now))
        let settled = try await store.settleRules()
        for source in scope.sources {
            let site = try await store.read { try Sources($0).find(source) }?.site.flatMap { URL(address: $0) }
            for item in try await store.read({ try SyncPlan($0).items(of: source, query, settled) })
            where wanted.count < Self.maxPictures {
                wanted += try await pictures(of: item, source, site, pixels)
                await observe(.pictures(0, of: wanted.count))
            }
        }
        return await fetch(wanted, observe)
    }

    /// The pictures that a stored post is shown with.
    private func pictures(
        of item: SyncPlan.Item, _ source: SourceID, _ site: URL?, _ pixels: Int
    ) async throws -> [WantedPicture] {
        guard let metadata = try await store.metadata(ofPost: item.post) else { return [] }
        let body = item.hasBody ? try await store.read { try Bodies($0).find(metadata.id, of: source) } : nil
        let server = URL(address: source.address)
        func pictures(in text: String, _ format: BodyFormat?, _ site: URL?) -> [WantedPicture] {
            Post(id: metadata.postId, metadata: metadata, body: text, bodyFormat: format)
                .pictureAddresses(fitting: pixels, server: server, site: site)
                .map { WantedPicture(urls: $0, source: source) }
        }
        let own = pictures(in: body?.text ?? "", body?.format, site)
        let stored = try await store.read { try Articles($0).find(of: PostID(source: source, local: metadata.id)) }
        guard let article = stored?.article else { return own }
        return own + pictures(in: article.body, article.format, URL(address: article.address))
    }

    private func fetch(_ wanted: [WantedPicture], _ observe: @escaping SyncObserver) async -> PictureReport {
        var report = PictureReport()
        var seen: Set<URL> = []
        var queue = FetchQueue<WantedPicture>(Politeness.pictures, clock: WallClock(now: now))
        for picture in wanted where seen.insert(picture.urls[0]).inserted {
            queue.add(picture, host: picture.urls[0].hostAndPort)
        }
        let count = queue.count
        await queue.run {
            await fetched($0)
        } take: { _, arrival, queue in
            guard let arrival else { return report.untried += 1 }
            report.count(arrival)
            if report.bytes >= PictureCache.maxBytes { queue.stop() }
            await observe(.pictures(report.total, of: count))
        }
        return report
    }

    private func fetched(_ wanted: WantedPicture) async -> PictureArrival {
        if let bytes = wanted.urls.lazy.compactMap({ pictures.use($0) }).first { return .unchanged(bytes: bytes) }
        do {
            let picture = try await pictures.picture(wanted.urls[0], of: wanted.source)
            return picture.path == nil ? .notStored : .new(bytes: picture.data.count)
        } catch {
            return .failed(wanted.urls[0], error)
        }
    }

    /// More wouldn't fit into the folder.
    private static let maxPictures = 10_000
}

/// A picture in several sizes, and the source that names it.
private struct WantedPicture: Sendable {
    let urls: [URL]
    let source: SourceID
}

enum PictureArrival: Sendable {
    case unchanged(bytes: Int)
    case new(bytes: Int)
    /// It was fetched, but couldn't be written.
    case notStored
    case failed(URL, any Error)
}

package struct PictureReport: Sendable {
    package private(set) var new = 0
    /// Pictures that were stored already.
    package private(set) var unchanged = 0
    /// Pictures that were fetched but couldn't be written.
    package private(set) var notStored = 0
    /// Pictures that were skipped because the folder is full.
    package internal(set) var untried = 0
    /// Pictures that couldn't be fetched, and why.
    package private(set) var failures: [(url: URL, error: any Error)] = []
    /// The size in bytes of the new and unchanged pictures.
    private(set) var bytes = 0

    /// The number of pictures processed.
    package var total: Int { new + unchanged + notStored + failures.count }

    mutating func count(_ arrival: PictureArrival) {
        switch arrival {
        case .unchanged(let count): (unchanged, bytes) = (unchanged + 1, bytes + count)
        case .new(let count): (new, bytes) = (new + 1, bytes + count)
        case .notStored: notStored += 1
        case .failed(let url, let error): failures.append((url, error))
        }
    }
}
