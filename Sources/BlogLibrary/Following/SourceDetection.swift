import Essentials
import Feeds
import HTTP
import Model

/// The source that was found at an address.
struct FoundSource: Sendable {
    let source: SourceID
    /// How its list was refreshed while it was looked for; nil if it has yet to be.
    let refresh: RefreshReport?
    /// Other feeds that the page names, the best first.
    var others: [FeedCandidate] = []
    /// The feed, if it was received from the source's own address.
    var feed: HTTPResponse?
}

/// Finds the source at an address, by requesting it, after ``Library`` has found no followed source and no kind of that
/// name.
///
/// In this order: the site is known for where it has its feeds; the response is a feed; the page names feeds; a server
/// that speaks an API is there, unless the address ends as feeds do or its response is gone or XML; a feed is at one of
/// the usual addresses beside the page.
struct SourceDetection {
    let library: Library
    let url: URL

    /// The source at the address.
    ///
    /// Throws ``LibraryError/notASource(_:found:)`` if there is none, or an ``HTTPError`` if it can't be reached.
    func source() async throws -> FoundSource {
        if let known = KnownSites.feeds(for: url).first, let response = await feed(at: known.url, namedBy: nil) {
            return found(source(at: known.url), response)
        }
        let page = try await page()
        if case .page(let body, let response) = page {
            if FeedParser.isFeed(body) {
                return found(try await source(behind: response), response)
            }
            if let found = try await feed(namedBy: body, response) { return found }
        }
        if Self.mayBeAPI(url, page), let found = try await api() { return found }
        // Next to other content there may be a feed, but not the one that was meant.
        if case .page(let body, let response) = page, Self.isWebPage(body, response) {
            for guess in FeedDiscovery.wellKnown(for: response.finalURL) {
                guard let response = await feed(at: guess, namedBy: response, options: .probe) else { continue }
                return found(source(at: guess), response)
            }
        }
        switch page {
        case .page(let body, _): throw LibraryError.notASource(url, found: Self.description(of: body))
        case .failed(let error): throw error
        }
    }

    /// The response of the address itself.
    private enum Page {
        case page(Data, HTTPResponse)
        case failed(HTTPError)
    }

    private func page() async throws -> Page {
        do {
            let response = try await library.request(url, ofSourceAt: url, options: .feed)
            return .page(response.body.whole, response)
        } catch let error as HTTPError {
            // A server that can't be reached is not requested again in other words, nor a login tried everywhere.
            guard error.statusCode != nil, !error.hasLoginFailed else { throw error }
            return .failed(error)
        }
    }

    /// The best of the feeds that a page names that is one.
    private func feed(namedBy body: Data, _ page: HTTPResponse) async throws -> FoundSource? {
        let candidates = FeedDiscovery.candidates(in: body, at: page.finalURL, charset: page.head.charset)
        for candidate in candidates.prefix(Self.maxCandidates) {
            guard let response = await feed(at: candidate.url, namedBy: page) else { continue }
            var found = found(source(at: candidate.url), response)
            found.others = candidates.filter { $0.url != candidate.url && !($0.isElsewhere && $0.origin == .anchor) }
            return found
        }
        let withheld = candidates.first { $0.origin == .alternate && !library.mayFollow($0.url, insteadOf: url) }
        if let withheld {
            let feed = withheld.url.absoluteString
            throw LibraryError.notASource(
                url, found: "a web page whose feed needs a login from ~/.netrc (follow \(feed) instead)")
        }
        return nil
    }

    /// The feed at an address that nobody typed; nil if there is none.
    ///
    /// It is sent no login, and not followed if it would get one later on. It is in no private network, unless the page
    /// that names it is there.
    private func feed(
        at other: URL, namedBy page: HTTPResponse?, options: RequestOptions = .feed
    ) async -> HTTPResponse? {
        guard library.mayFollow(other, insteadOf: url) else { return nil }
        let place = SourceNetwork(url, foundAt: Set([page?.peer].compactMap { $0 }))
        let options = options.reaching(.publicInternet(and: place))
        guard let response = try? await library.request(other, ofSourceAt: nil, options: options) else { return nil }
        return FeedParser.isFeed(response.body.whole) ? response : nil
    }

    /// Whether a server that speaks an API may be at an address with such a response.
    private static func mayBeAPI(_ url: URL, _ page: Page) -> Bool {
        if FeedAddress.isLikely(url) || url.pathExtension.lowercased() == "xml" { return false }
        return switch page {
        case .failed(let error): error.statusCode != 410
        case .page(let body, _): description(of: body) != otherXML
        }
    }

    /// A server that speaks one of the APIs.
    private func api() async throws -> FoundSource? {
        for kind in SourceRegistry.kinds where kind.name != FeedSource.kind.name {
            guard let id = kind.source(at: url.absoluteString) else { continue }
            do {
                let report = try await library.reader(of: id).refreshed(respectsMaxAge: false)
                if case .failed(let error, _) = report.outcome { throw error }
                return FoundSource(source: id, refresh: report)
            } catch LibraryError.unreachable(let error) {
                throw error
            } catch let error as HTTPError {
                guard error.statusCode != nil, !error.hasLoginFailed else { throw error }
            } catch is SourceError {}
        }
        return nil
    }

    /// A source and the response to the request for it, which needn't be requested again unless it was redirected.
    private func found(_ source: SourceID, _ response: HTTPResponse) -> FoundSource {
        let isOwn = response.permanentURL == nil && response.finalURL.absoluteString == source.address
        return FoundSource(source: source, refresh: nil, feed: isOwn ? response : nil)
    }

    private func source(at url: URL) -> SourceID {
        FeedSource.kind.source(at: url.absoluteString)
            ?? SourceID(kind: FeedSource.kind.name, address: url.absoluteString)
    }

    /// The source of a feed's response: at its permanent new address, or the followed source at the address of the
    /// response, or else at the address that was requested.
    private func source(behind response: HTTPResponse) async throws -> SourceID {
        if let moved = response.permanentURL, library.mayFollow(moved, insteadOf: url) { return source(at: moved) }
        let final = source(at: response.finalURL)
        return try await library.isRead(final) ? final : source(at: url)
    }

    private static func isWebPage(_ body: Data, _ response: HTTPResponse) -> Bool {
        response.head.mediaType?.name.contains("html") == true || description(of: body) == namelessPage
    }

    /// The content of the address, in words.
    private static func description(of body: Data) -> String {
        let text = String(decoding: body.prefix(512), as: UTF8.self).lowercased()
            .trimmed { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        if text.isEmpty { return "an empty page" }
        if text.hasPrefix("<!doctype html") || text.contains("<html") { return namelessPage }
        if text.hasPrefix("<") { return otherXML }
        if text.hasPrefix("{") || text.hasPrefix("[") { return "JSON, but not a feed" }
        return "neither a feed nor a web page"
    }

    private static let otherXML = "XML, but not a feed"
    private static let namelessPage = "a web page without a feed"
    /// How many of the feeds that a page names are tried.
    private static let maxCandidates = 5
}
