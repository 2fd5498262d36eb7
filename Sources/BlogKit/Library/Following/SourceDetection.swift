import BlogEssentials
import BlogFeeds
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

struct FoundSource: Sendable {
    let source: SourceID
    /// How its list was refreshed during detection; nil if it wasn't.
    var refresh: RefreshReport?
    /// Whether nothing was stored of it before its list was.
    var isNew = false
    /// The address that it had before; nil if that is unchanged.
    var formerAddress: String?
    /// The software of a service; nil for any other source.
    var software: String?
    /// Other feeds found on the page, best first.
    var others: [FeedCandidate] = []
    /// The feed, if it was received from the source's own address.
    var feed: HTTPDocument?
}

/// Finds the source at an address by requesting it, if it is neither a followed source nor the name of a kind.
///
/// In this order: the feed of a site whose feed addresses are known; the response, if it is a feed; a feed linked from
/// the page, unless that is of a sync server; a server that speaks an API, unless the address looks like that of a feed or the response is 410 or XML; a
/// feed at one of the usual addresses near the page.
struct SourceDetection {
    let connections: Connections
    let directory: SourceDirectory
    let url: URL
    /// The source whose site it is, of which only a feed is wanted; nil for an address that the user has typed.
    var site: URL?

    /// The source at the address.
    ///
    /// Throws ``LibraryError/notASource(_:found:)`` if there is none, or an ``HTTPError`` if it can't be reached.
    func source() async throws -> FoundSource {
        // The password of a sync server isn't for its pages, which would get it as a login of the web.
        if site == nil, connections.client.login(for: url) != nil, let found = try await service(at: url) {
            return found
        }
        let known = KnownSites.feeds(for: url)
        if let first = known.first, let response = try? await feed(at: first.url) {
            var found = found(source(at: first.url), response)
            found.others = Array(known.dropFirst())
            return found
        }
        let page = try await page()
        var broken: String?
        if case .success(let response) = page {
            if FeedParser.isFeed(try response.body.bytes) { return found(try await source(of: response), response) }
            if Self.isOfService(response), let found = try await service(of: response) { return found }
            if let found = try await feed(linkedFrom: response, broken: &broken) { return found }
        }
        if site == nil, Self.mayBeAPI(url, page) {
            if let found = try await api() { return found }
            if let found = try await service(at: url) { return found }
        }
        // There may be a feed next to other content too, but not the one that was meant.
        if case .success(let response) = page, Self.isWebPage(response) {
            for guess in FeedDiscovery.wellKnown(for: response.finalURL) {
                guard let response = try? await feed(at: guess, options: .probe) else { continue }
                return found(source(at: guess), response)
            }
        }
        switch page {
        case .success(let response):
            throw LibraryError.notASource(url, found: broken ?? Self.description(of: response))
        case .failure(let error): throw error
        }
    }

    /// The response from the address itself.
    private func page() async throws -> Result<HTTPDocument, HTTPError> {
        do {
            return .success(try await request(url, isOwn: site.map { Origin($0) == Origin(url) } ?? true))
        } catch let error as HTTPError {
            // Don't send other requests to a server that can't be reached, or try a login everywhere.
            guard error.statusCode != nil, !error.hasLoginFailed else { throw error }
            return .failure(error)
        }
    }

    /// The best feed linked from a page.
    ///
    /// - Parameter broken: what the page is if its feed can't be fetched.
    private func feed(linkedFrom page: HTTPDocument, broken: inout String?) async throws -> FoundSource? {
        let candidates = try FeedDiscovery.candidates(
            in: page.body.data, at: page.finalURL, charset: page.head.charset, header: page.head["Link"])
        for candidate in candidates.prefix(Self.maxCandidates) {
            let response: HTTPDocument?
            do { response = try await feed(at: candidate.url) } catch {
                if broken == nil, candidate.origin == .alternate {
                    let cause = RefreshProblem.cause(of: error).text.trimmed { $0 == "." }
                    broken = "a web page whose feed, \(candidate.url.absoluteString), can't be fetched (\(cause))"
                }
                continue
            }
            guard let response else { continue }
            var found = found(source(at: candidate.url), response)
            found.others = candidates.filter { $0.url != candidate.url && !($0.isElsewhere && $0.origin == .anchor) }
            return found
        }
        let withheld = candidates.first { $0.origin == .alternate && !mayFollow($0.url) }
        if let withheld {
            let feed = withheld.url.absoluteString
            throw LibraryError.notASource(
                url, found: "a web page whose feed needs a login from ~/.netrc (follow \(feed) instead)")
        }
        return nil
    }

    /// The feed at an address that a page or a rule names; nil if there is none, or it may not be requested.
    ///
    /// Throws an ``HTTPError``.
    ///
    /// No login is sent, and a feed that would get one later isn't followed.
    private func feed(at other: URL, options: RequestOptions = .feed) async throws -> HTTPDocument? {
        guard mayFollow(other) else { return nil }
        let response = try await request(other, isOwn: false, options: options)
        return FeedParser.isFeed(try response.body.bytes) ? response : nil
    }

    /// Whether there may be a server that speaks an API at an address with this response.
    private static func mayBeAPI(_ url: URL, _ page: Result<HTTPDocument, HTTPError>) -> Bool {
        if FeedAddress.isLikely(url) || url.pathExtension.lowercased() == "xml" { return false }
        return switch page {
        case .failure(let error): error.statusCode != 410
        case .success(let response): description(of: response) != otherXML
        }
    }

    /// The server at the address, if it speaks one of the APIs.
    private func api() async throws -> FoundSource? {
        for kind in SourceRegistry.kinds where kind.isDetectedByList {
            guard let id = kind.source(at: url.absoluteString) else { continue }
            do {
                let isKnown = try await connections.store.read { try Sources($0).find(id) } != nil
                let report = try await connections.reader(of: id).refreshed(respectsMaxAge: false)
                if let error = report.failure { throw error }
                return FoundSource(source: id, refresh: report, isNew: !isKnown)
            } catch LibraryError.unreachable(let error) {
                throw error
            } catch let error as HTTPError {
                guard error.statusCode != nil, !error.hasLoginFailed else { throw error }
            } catch is SourceError {}
        }
        return nil
    }

    /// The sync server with a page.
    ///
    /// Throws ``LibraryError/notASource(_:found:)`` if a redirect led there: its target must not choose who gets the
    /// password.
    private func service(of page: HTTPDocument) async throws -> FoundSource? {
        guard Origin(url).covers(Origin(page.finalURL)) else {
            let target = page.finalURL.absoluteString
            throw LibraryError.notASource(
                url, found: "a redirect to another server, \(target) (follow that address if it is yours)")
        }
        return try await service(at: page.finalURL)
    }

    /// The sync server at or below an address; nil if there is none.
    func service(at page: URL) async throws -> FoundSource? {
        for base in Self.services(near: page) {
            guard let software = try await ReaderAPI.software(at: base, client: connections.client),
                let id = Service.kind.source(at: base.absoluteString)
            else { continue }
            return FoundSource(source: id, software: software)
        }
        return nil
    }

    /// Where the API of a sync server may be, given the address of one of its pages.
    private static func services(near page: URL) -> [URL] {
        guard var parts = URLComponents(url: page, resolvingAgainstBaseURL: true) else { return [] }
        parts.query = nil
        guard let base = parts.url.flatMap({ SourceAddress.url($0.absoluteString) }) else { return [] }
        // FreshRSS's own pages are in a folder beside that of the API.
        let folder = ["i", "api"].contains(base.lastPathComponent) ? base.deletingLastPathComponent() : base
        return [base, folder.appending(encodedPath: ["api"], suffix: "/greader.php")]
    }

    /// Whether a page says that it is of a sync server, which may have a feed of all its items, too.
    private static func isOfService(_ page: HTTPDocument) -> Bool {
        let start = String(decoding: page.body.prefix(8192), as: UTF8.self)
        return ["FreshRSS", "Miniflux"].contains { start.contains($0) } && isWebPage(page)
    }

    /// A source with the response to a request for it, which needn't be repeated unless there was a redirect.
    private func found(_ source: SourceID, _ response: HTTPDocument) -> FoundSource {
        let isOwn = response.permanentURL == nil && response.finalURL.absoluteString == source.address
        return FoundSource(source: source, feed: isOwn ? response : nil)
    }

    private func source(at url: URL) -> SourceID {
        FeedSource.kind.source(at: url.absoluteString)
            ?? SourceID(kind: FeedSource.kind.name, address: url.absoluteString)
    }

    /// The source of a feed's response: at its new address after a permanent redirect, else the followed source at its
    /// final address, else at the requested address.
    private func source(of response: HTTPDocument) async throws -> SourceID {
        if let moved = response.permanentURL, mayFollow(moved) { return source(at: moved) }
        let final = source(at: response.finalURL)
        return try await directory.isRead(final) ? final : source(at: url)
    }

    /// Requests a page or a feed.
    ///
    /// - Parameter isOwn: whether it is that of the source, which alone may get a login.
    private func request(
        _ page: URL, isOwn: Bool, options: RequestOptions = .feed
    ) async throws -> HTTPDocument {
        try await (isOwn ? connections.client.forSource(at: url) : connections.client)
            .get(page, options: options, limit: HTTPLimits.feedBytes)
    }

    /// Whether the source may be followed at another address, given by a server or a page.
    private func mayFollow(_ other: URL) -> Bool { connections.client.mayMove(from: url, to: other) }

    private static func isWebPage(_ response: HTTPDocument) -> Bool {
        response.head.mediaType?.name.contains("html") == true || description(of: response) == pageWithoutFeed
    }

    /// What the body is, in words.
    private static func description(of response: HTTPDocument) -> String {
        let text = String(decoding: response.body.prefix(512), as: UTF8.self).lowercased()
            .trimmed { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        if text.isEmpty { return "an empty page" }
        if text.hasPrefix("<!doctype html") || text.contains("<html") { return pageWithoutFeed }
        if text.hasPrefix("<") { return otherXML }
        if text.hasPrefix("{") || text.hasPrefix("[") { return "JSON, but not a feed" }
        return "neither a feed nor a web page"
    }

    private static let otherXML = "XML, but not a feed"
    private static let pageWithoutFeed = "a web page without a feed"
    /// How many of the feeds linked from a page to try.
    private static let maxCandidates = 5
}
