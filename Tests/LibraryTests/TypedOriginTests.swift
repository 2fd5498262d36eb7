import BlogMockServer
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// Files by their paths.
private final class FileSite: MockSite {
    private let files = Mutex<[String: MockResponse]>([:])

    subscript(path: String) -> MockResponse? {
        get { files.withLock { $0[path] } }
        set { files.withLock { $0[path] = newValue } }
    }

    func response(to request: MockRequest) -> MockResponse? { self[request.path] }

    func set(_ path: String, _ text: String, status: Int = 200, headers: [String: String] = [:]) {
        self[path] = MockResponse(status: status, headers: headers, body: .bytes(Data(text.utf8)))
    }
}

/// The user's own server and a stranger's, each with files, feeds and a sync server, and a library with logins for both.
private final class TwoServers {
    let files = FileSite()
    let strangersFiles = FileSite()
    let service = ServiceSite(.freshRSS, feeds: 1, items: 2)
    let own: MockServer
    let stranger: MockServer
    let library: Library
    let store: PostStore
    private let folder: TemporaryFolder

    init(_ kind: TransportKind, hasNetrc: Bool = true) throws {
        own = try MockServer(sites: [files, service])
        stranger = try MockServer(sites: [strangersFiles, ServiceSite(.freshRSS, feeds: 1, items: 2)], host: 2)
        folder = try TemporaryFolder()
        store = try PostStore(path: folder.path("blog.sqlite3"))
        let login = "login alice password apipass1\n"
        let client = HTTPClient(
            transport: kind.make(), timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 1, base: 0),
            netrc: hasNetrc ? Netrc(text: "machine 127.0.0.1 \(login)machine 127.0.0.2 \(login)") : .empty,
            clock: .patient(), waits: store,
            origins: store)
        library = Library(
            store: store, client: client,
            logins: { ["home", "work"].contains($0) ? ServiceLogin(user: "alice", password: "apipass1") : nil })
        for (site, server) in [(files, own), (strangersFiles, stranger)] {
            site.set("/feed.xml", Self.feed(linkingTo: "\(server.address)/1"), headers: ["ETag": "\"\(server.port)\""])
            site[Self.picture] = MockResponse(
                headers: ["Content-Type": "image/png"], body: .bytes(MadeUpPicture.png(10, 10, bytes: 100)))
        }
    }

    deinit {
        own.stop()
        stranger.stop()
    }

    static let picture = "/1.png"
    static let api = "/api/greader.php"

    static func feed(linkingTo link: String) -> String {
        """
        <rss version="2.0"><channel><title>A feed</title><item><title>A post</title><guid>\(link)</guid>\
        <link>\(link)</link></item></channel></rss>
        """
    }

    /// Imports a source as an archive has it.
    func importSource(kind: String, address: String, named name: String) async throws {
        var source = ExportedSource(SourceID(kind: kind, address: address), name: name, folder: "")
        source.followedAt = 1_700_000_000_000
        _ = try await Archive(path: folder.path("blog.sqlite3")).merge(source)
    }

    /// Follows what a list in a file has.
    func follow(list: String) async throws {
        try Data(list.utf8).write(to: folder.url.appending(path: "list.txt"))
        let input = try FollowInput([folder.path("list.txt")], like: FollowRequest(""))
        for await _ in library.follow(input.requests) {}
    }

    func refresh() async throws {
        _ = await library.refresh(try await library.sources().map(\.id), onlyDue: false)
        _ = try? await library.sync()
    }

    /// What a server received: the requests, and those of them with a password.
    static func received(by server: MockServer) -> (all: [String], withPassword: [String]) {
        let requests = server.requests
        let secret = requests.filter { request in
            request.headers["authorization"]?.hasPrefix("Basic") == true
                || request.form.contains { $0.name == "Passwd" }
        }
        return (requests.map { "\($0.method) \($0.path)" }, secret.map { "\($0.method) \($0.path)" })
    }
}

/// A way in which a stranger could get a password, or let private networks be entered.
private struct Attempt: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether the user follows the stranger's feed by its address.
    var followsStranger = false
    let run: @Sendable (TwoServers) async throws -> Void

    var testDescription: String { name }

    static let all =
        redirects.map { status in
            Attempt(name: "a redirect with \(status) of the typed address to a sync server") {
                $0.files.set("/", "", status: status, headers: ["Location": $0.stranger.address + "/"])
                _ = try? await $0.library.follow($0.own.address, as: "home")
            }
        }
        + redirects.map { status in
            Attempt(name: "a redirect with \(status) of a followed feed") {
                _ = try await $0.library.follow($0.own.address + "/feed.xml")
                $0.files.set("/feed.xml", "", status: status, headers: ["Location": $0.stranger.address + "/feed.xml"])
            }
        } + [
            Attempt(name: "a redirect of the API of a followed service") {
                _ = try await $0.library.follow($0.own.address, as: "home")
                for call in ["/accounts/ClientLogin", "/reader/api/0/subscription/list"] {
                    $0.files.set(
                        TwoServers.api + call, "", status: 302,
                        headers: ["Location": $0.stranger.address + TwoServers.api + call])
                }
            },
            Attempt(name: "an archive with a service of the name of the login") {
                try await $0.importSource(
                    kind: "service", address: $0.stranger.address + TwoServers.api, named: "home")
            },
            Attempt(name: "an archive with a service that takes the name of one that is renamed") {
                _ = try await $0.library.follow($0.own.address, as: "home")
                _ = try await $0.library.follow($0.own.address, as: "work")
                try await $0.importSource(
                    kind: "service", address: $0.stranger.address + TwoServers.api, named: "home")
            },
            Attempt(name: "an archive with a service at the origin of a followed feed", followsStranger: true) {
                try await $0.importSource(
                    kind: "service", address: $0.stranger.address + TwoServers.api, named: "home")
            },
            Attempt(name: "a service of an archive, followed by its name") {
                try await $0.importSource(
                    kind: "service", address: $0.stranger.address + TwoServers.api, named: "home")
                _ = try? await $0.library.follow("home")
            },
            Attempt(name: "an archive with a feed") {
                try await $0.importSource(kind: "feed", address: $0.stranger.address + "/feed.xml", named: "a")
            },
            Attempt(name: "a list with a service") {
                try await $0.follow(list: "\($0.stranger.address)\(TwoServers.api)\n\($0.stranger.address)\n")
            },
            Attempt(name: "a list with a feed") { try await $0.follow(list: $0.stranger.address + "/feed.xml\n") },
            Attempt(name: "an OPML file with a feed") {
                try await $0.follow(
                    list: """
                        <opml version="2.0"><body>\
                        <outline type="rss" text="a" xmlUrl="\($0.stranger.address)/feed.xml"/></body></opml>
                        """)
            },
            Attempt(name: "a page that links to a feed") {
                $0.files.set(
                    "/blog",
                    "<link rel=alternate type=application/rss+xml href='\($0.stranger.address)/feed.xml'><h1>A blog</h1>",
                    headers: ["Content-Type": "text/html"])
                _ = try? await $0.library.follow($0.own.address + "/blog")
            },
            Attempt(name: "a picture and an article of a feed") {
                $0.files.set("/feed.xml", TwoServers.feed(linkingTo: $0.stranger.address + "/1"))
                let feed = try await $0.library.follow($0.own.address + "/feed.xml").source
                let picture = try #require(URL(string: $0.stranger.address + TwoServers.picture))
                _ = try? await $0.library.pictures.picture(picture, of: feed)
                _ = try? await $0.library.articleSync.sync(in: .everything) { _ in }
            },
            Attempt(name: "pictures of a feed of a service") { servers in
                _ = try await servers.library.follow(servers.own.address, as: "home")
                let feeds = try await servers.library.sources().filter { $0.feed != nil }
                let feed = try #require(feeds.first).id
                for server in [servers.stranger, servers.own] {
                    let picture = try #require(URL(string: server.address + TwoServers.picture))
                    await #expect(throws: HTTPError.privateAddress(picture)) {
                        try await servers.library.pictures.picture(picture, of: feed)
                    }
                }
            },
            Attempt(name: "a page of an archive") {
                let page = try #require(URL(string: $0.stranger.address + "/feed.xml"))
                let store = $0.store
                _ = try await store.writeToDisk {
                    try Sources($0).follow(PageSource.sourceID, in: nil, site: nil, at: Date()) { _ in "pages" }
                }
                _ = try await store.write {
                    try Posts($0).addNumbered(PageSource.entry(for: page), to: PageSource.sourceID, at: Date())
                }
                _ = try await $0.library.articleSync.sync(in: .everything) { _ in }
            },
        ]

    private static let redirects = [301, 302, 307, 308]
}

@Suite("The address that the user typed", .serialized) struct TypedOriginTests {
    @Test(
        "alone decides where passwords go, and which private networks are entered", arguments: TransportKind.allCases,
        Attempt.all)
    private func attempts(kind: TransportKind, attempt: Attempt) async throws {
        let servers = try TwoServers(kind)
        if attempt.followsStranger {
            // A feed, the login for which is wanted by no one.
            _ = try await servers.library.follow(servers.stranger.address + "/feed.xml")
        }
        servers.stranger.clearRequests()
        try await attempt.run(servers)
        try await servers.refresh()
        let received = TwoServers.received(by: servers.stranger)
        #expect(received.withPassword == [])
        #expect(received.all.filter { !attempt.followsStranger || $0 != "GET /feed.xml" } == [])
    }

    @Test("gets the password of a service there, and no login of the web", arguments: TransportKind.allCases)
    func service(kind: TransportKind) async throws {
        let servers = try TwoServers(kind)
        _ = try await servers.library.follow(servers.own.address, as: "home")
        _ = try await servers.library.follow(servers.own.address + "/feed.xml")
        _ = try? await servers.library.follow(servers.own.address + "/nothing")
        try await servers.refresh()
        let received = TwoServers.received(by: servers.own)
        #expect(Set(received.withPassword) == ["POST \(TwoServers.api)/accounts/ClientLogin"])
        #expect(received.all.contains("GET /feed.xml"))
    }

    @Test("gets its own login, also after a redirect within the origin", arguments: TransportKind.allCases)
    func login(kind: TransportKind) async throws {
        let servers = try TwoServers(kind)
        servers.files.set("/old.xml", "", status: 302, headers: ["Location": "/feed.xml"])
        _ = try await servers.library.follow(servers.own.address + "/old.xml")
        servers.own.clearRequests()
        _ = await servers.library.refresh(try await servers.library.sources().map(\.id), onlyDue: false)
        #expect(TwoServers.received(by: servers.own).withPassword == ["GET /old.xml", "GET /feed.xml"])
    }

    @Test("confirms what came with an archive or a list", arguments: [true, false])
    func confirming(isService: Bool) async throws {
        let servers = try TwoServers(.used)
        let address = servers.own.address + (isService ? TwoServers.api : "/feed.xml")
        try await servers.importSource(kind: isService ? "service" : "feed", address: address, named: "home")
        try await servers.refresh()
        let waiting = try #require(try await servers.library.sources().first)
        #expect(waiting.problem == .unconfirmed && servers.own.requests.isEmpty)
        let report = try await servers.library.follow(isService ? servers.own.address : address)
        #expect(report.name == "home" && report.outcome == .changed && report.refresh?.failure == nil)
        let confirmed = try await servers.library.sources()
        #expect(confirmed.allSatisfy { $0.problem == nil })
        #expect(confirmed.reduce(0) { $0 + ($1.feed == nil && isService ? 0 : $1.posts) } == (isService ? 2 : 1))
    }

    @Test("confirms nothing, and loses nothing, if it can't be reached")
    func unreachable() async throws {
        let servers = try TwoServers(.used)
        let address = servers.own.address + TwoServers.api
        try await servers.importSource(kind: "service", address: address, named: "home")
        servers.service.set(password: "another")
        await #expect(throws: ServiceError.badLogin(try #require(URL(string: address)))) {
            try await servers.library.follow(servers.own.address)
        }
        #expect(try await servers.library.sources().map(\.name) == ["home"])
    }

    @Test("lets a page be read again in a private network by its ID")
    func page() async throws {
        let servers = try TwoServers(.used)
        servers.files.set(
            "/page", "<h1>A page</h1><p>" + String(repeating: "Some words of a page. ", count: 40),
            headers: ["Content-Type": "text/html"])
        let post = try await servers.library.pages.postOrPage(servers.own.address + "/page").post
        let url = try #require(URL(string: servers.own.address + "/page"))
        let articles = ArticleFetching(
            connections: servers.library.connections, links: LinkRequests(client: servers.library.connections.client))
        #expect(try await articles.fetch(of: post, at: url, nil).article.body.contains("Some words of a page."))
        #expect(servers.own.requests.count == 2)
    }

    @Test("isn't that of a service any more that was unfollowed", arguments: [true, false])
    func unfollowed(isForgotten: Bool) async throws {
        let servers = try TwoServers(.used)
        _ = try await servers.library.follow(servers.stranger.address, as: "trial")
        if isForgotten {
            _ = try await servers.library.forget("trial")
        } else {
            _ = try await servers.library.unfollow("trial")
        }
        servers.stranger.clearRequests()
        try await servers.importSource(
            kind: "service", address: servers.stranger.address + TwoServers.api, named: "home")
        try await servers.refresh()
        #expect(servers.stranger.requests.isEmpty)
    }

    @Test("isn't brought along by a name that another service had")
    func renamed() async throws {
        let servers = try TwoServers(.used, hasNetrc: false)
        _ = try await servers.library.follow(servers.own.address, as: "home")
        _ = try await servers.library.follow(servers.stranger.address, as: "work")
        var old = FollowRequest("home", name: "old")
        _ = try await servers.library.follow(old)
        (old.address, old.name) = ("work", "home")
        _ = try await servers.library.follow(old)
        servers.stranger.clearRequests()
        try await servers.refresh()
        #expect(servers.stranger.requests.isEmpty)
        // Unless the user types its address with that name.
        _ = try await servers.library.follow(servers.stranger.address, as: "home")
        #expect(!TwoServers.received(by: servers.stranger).withPassword.isEmpty)
    }

    @Test("loses nothing that was stored if it can't be followed again")
    func followedAgain() async throws {
        let servers = try TwoServers(.used)
        _ = try await servers.library.follow(servers.own.address, as: "home")
        func posts() async throws -> Int {
            try await servers.store.read { try Sources($0).all() }.reduce(0) { $0 + $1.posts }
        }
        let before = try await posts()
        _ = try await servers.library.unfollow("home")
        servers.service.set(password: "another")
        let failed = try await servers.library.follow(servers.own.address)
        #expect(failed.refresh?.failure as? ServiceError == .badLogin(try #require(URL(string: failed.address))))
        #expect(try await posts() == before && before > 0)
        servers.service.set()
        let again = try await servers.library.follow(servers.own.address)
        #expect(again.name == "home" && again.refresh?.failure == nil)
    }
}
