import BlogMockServer
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogRendering

@Suite("The mock feed site", .serialized) struct FeedSiteTests {
    private let server: MockServer

    init() throws {
        server = try MockServer(sites: [try FeedSite(folder: Repository.mockFeeds)])
    }

    private func url(_ path: String) throws -> URL { try #require(URL(string: server.address + "/feeds/" + path)) }

    private func get(
        _ path: String, _ validators: CacheValidators? = nil, netrc: String = "", options: RequestOptions = .feed
    ) async throws -> HTTPDocument {
        let client = HTTPClient(
            transport: TransportKind.used.make(), timeout: 60, netrc: Netrc(text: netrc), clock: .patient())
        return try await client.forSource(at: try #require(URL(string: server.address)))
            .get(
                try url(path), options: options, validators: validators, limit: HTTPLimits.feedBytes)
    }

    private static let feeds = [
        ("feed.xml", "<rss version=\"2.0\""), ("garden/feed.xml", "<rdf:RDF"),
        ("saltmarsh/atom.xml", "<feed xmlns=\"http://www.w3.org/2005/Atom\""),
        ("saltmarsh/feed.json", "https://jsonfeed.org/version/1.1"), ("saltmarsh/podcast.xml", "<enclosure "),
        ("saltmarsh/comments/feed.xml", "<rss"), ("bakery/feed.xml", "windows-1252"),
        ("bakery/notices.xml", "Katzen, Klaviere & Kinderwagen"), ("lantern/feed.xml", "<feed "), ("many/1", "<rss"),
        ("many/1000000", "<rss"),
    ]

    @Test("serves feeds in every format, and 304 for matching validators", arguments: feeds)
    func formats(path: String, sign: String) async throws {
        defer { server.stop() }
        let response = try await get(path)
        #expect(try String(decoding: response.body.data, as: UTF8.self).contains(sign))
        let validators = response.validators
        #expect(validators.etag != nil && validators.lastModified.flatMap(HTTPDate.date) != nil)
        #expect(try await get(path, validators).isNotModified)
        let onlyDate = CacheValidators(etag: nil, lastModified: validators.lastModified)
        #expect(try await get(path, onlyDate).isNotModified)
        #expect(try await !get(path, CacheValidators(etag: "\"x\"", lastModified: onlyDate.lastModified)).isNotModified)
    }

    @Test(
        "has pages with one feed, with several, with none, and with links only",
        arguments: [
            ("", ["feed.xml"]),
            (
                "saltmarsh/",
                ["saltmarsh/atom.xml", "saltmarsh/feed.json", "saltmarsh/podcast.xml", "saltmarsh/comments/feed.xml"]
            ),
            ("bakery/", ["bakery/feed.xml", "bakery/notices.xml"]), ("garden/", ["garden/feed.xml", "garden/rss/"]),
            ("lantern/", ["lantern/feed.xml"]),
            ("notes", []),
        ])
    func pages(page: String, feeds: [String]) async throws {
        defer { server.stop() }
        let response = try await get(page)
        #expect(response.head.mediaType?.name == "text/html")
        let found = try FeedDiscovery.candidates(in: response.body.data, at: response.finalURL)
        let own = found.filter { !$0.isElsewhere }
        #expect(own.map(\.url) == (try feeds.map(url)))
        for candidate in own { #expect(try await get(String(candidate.url.path().dropFirst(7))).head.isSuccess) }
    }

    @Test("has a feed of summaries, and all of their pages but one")
    func summaries() async throws {
        defer { server.stop() }
        let address = try url("lantern/feed.xml")
        let feed = try FeedParser.parse(
            [UInt8](try await get("lantern/feed.xml").body.data), charset: nil, base: address)
        #expect(
            feed.items.map(\.link)
                == (try ["fog", "lens", "entry"].map { try url("lantern/\($0).html").absoluteString }))
        for page in ["lantern/fog.html", "lantern/lens.html"] { #expect(try await get(page).head.isSuccess) }
        let gone = try url("lantern/entry.html")
        await #expect(throws: HTTPError.status(gone, code: 404, retryAfter: nil)) {
            try await get("lantern/entry.html")
        }
    }

    @Test("has a feed at an address that is guessed")
    func guesses() async throws {
        defer { server.stop() }
        var found: [URL] = []
        for guess in FeedDiscovery.wellKnown(for: try url("garden/")) {
            let path = String(guess.path().dropFirst("/feeds/".count))
            if guess.path().hasPrefix("/feeds/"), (try? await get(path, options: .probe)) != nil { found.append(guess) }
        }
        #expect(found == [try url("garden/feed.xml")])
    }

    @Test("has a feed that has moved, and one that is gone")
    func moved() async throws {
        defer { server.stop() }
        #expect(try await get("old-garden.xml").permanentURL == (try url("garden/feed.xml")))
        #expect(try await get("garden/rss/").permanentURL == nil)
        let closed = try url("closed.xml")
        await #expect(throws: HTTPError.status(closed, code: 410, retryAfter: nil)) { try await get("closed.xml") }
    }

    @Test("has a feed that requires a login")
    func members() async throws {
        defer { server.stop() }
        let feed = try url("members.xml")
        let login = "machine 127.0.0.1 login reader password "
        for (netrc, reason) in [("", HTTPError.Unauthorized.missing), (login + "sesame", .refused)] {
            await #expect(throws: HTTPError.unauthorized(feed, reason)) {
                try await get("members.xml", netrc: netrc)
            }
        }
        #expect(try await get("members.xml", netrc: login + "\"open sesame\"").head.isSuccess)
    }

    @Test("declares the encoding of the feed that isn't UTF-8")
    func encoding() async throws {
        defer { server.stop() }
        let response = try await get("bakery/feed.xml")
        #expect(response.head.charset == "windows-1252")
        #expect(try String(data: response.body.data, encoding: .utf8) == nil)
        #expect(try String(data: response.body.data, encoding: .windowsCP1252)?.contains("Bäckerei Möwe") == true)
    }

    @Test("generates the same feed every time, and another for every number")
    func madeUp() async throws {
        defer { server.stop() }
        let feed = try await get("many/7").body.bytes
        #expect(try await get("many/7").body.bytes == feed)
        #expect(try await get("many/8").body.bytes != feed)
        #expect(String(decoding: feed, as: UTF8.self).matches(of: /<item>/).count == 13)
    }

    @Test(
        "responds with 404 to other paths",
        arguments: ["many/0", "many/-1", "many/1000001", "many/x", "many", "routes.json", "..%2Fblog%2Fall.json", "x"])
    func missing(path: String) async throws {
        defer { server.stop() }
        let address = try url(path)
        await #expect(throws: HTTPError.status(address, code: 404, retryAfter: nil)) { try await get(path) }
        #expect(
            try FeedSite(folder: Repository.mockFeeds).response(to: #require(MockRequest("/post-metadata", [:]))) == nil
        )
    }

    @Test("reports what is wrong with its folder")
    func wrongFolder() throws {
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let missing = #expect(throws: MockServerError.self) { try FeedSite(folder: folder.url) }
        #expect(missing?.message == "\(folder.url.path) has no index.html")
        for name in ["index.html", "routes.json"] { try Data("[".utf8).write(to: folder.url.appending(path: name)) }
        let invalid = #expect(throws: MockServerError.self) { try FeedSite(folder: folder.url) }
        #expect(invalid?.message.hasPrefix("could not decode \(folder.url.path)/routes.json: ") == true)
    }
}
