import BlogMockServer
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A sync of articles", .serialized) struct ArticleSyncTests {
    private let feed: LanternFeed

    init() throws {
        feed = try LanternFeed()
    }

    private func sync(
        _ freshness: Freshness = .normal, usual: ArticleChoice = .never, limit: Int? = nil, named: Bool = false
    ) async throws -> ArticleReport {
        feed.server.clearRequests()
        let scope = named ? Scope.sources([try await feed.post().source]) : .everything
        return try await feed.library(freshness).articleSync.sync(usual, limit: limit, in: scope)
    }

    private func isStored(_ page: String) async throws -> Bool {
        let post = try await feed.post(page)
        return try await feed.store.read { try Articles($0).find(of: post) }?.article != nil
    }

    @Test(
        "fetches the articles of sources that are read with them, or that are named",
        arguments: [
            (nil, .never, false, false), (nil, .never, true, true), (nil, .auto, false, true),
            (nil, .always, false, true),
            (.auto, .never, false, true), (.always, .never, false, true), (.never, .always, false, false),
            (.never, .always, true, true),
        ] as [(ArticleChoice?, ArticleChoice, Bool, Bool)])
    func sources(own: ArticleChoice?, usual: ArticleChoice, isNamed: Bool, isFetched: Bool) async throws {
        try await feed.follow(.choice(own))
        let report = try await sync(usual: usual, named: isNamed)
        #expect(report.sources == (isFetched ? 1 : 0))
        #expect(report.new == (isFetched ? 2 : 0))
        #expect(report.problems.count == (isFetched ? 1 : 0))
        #expect(Set(feed.requested) == (isFetched ? ["fog.html", "lens.html", "entry.html"] : []))
        #expect(try await isStored("fog.html") == isFetched)
    }

    @Test("fetches only the articles of unread or saved posts")
    func unreadOrSaved() async throws {
        try await feed.follow(.choice(.always))
        let library = feed.library()
        _ = try await library.mark(
            .read, ids: [feed.post("fog.html"), feed.post("lens.html"), feed.post("entry.html")])
        _ = try await library.mark(.saved, ids: [feed.post("lens.html")])
        #expect(try await sync().new == 1)
        #expect(feed.requested == ["lens.html"])
    }

    @Test(
        "fetches the article of a post with a long text only if it is always read",
        arguments: [(ArticleChoice.auto, false), (.always, true)])
    func longText(choice: ArticleChoice, isFetched: Bool) async throws {
        try await feed.follow(.choice(choice))
        let post = try await feed.post()
        // Too long for one row of the store.
        let text = String(repeating: "word ", count: 1 << 17)
        try await feed.store.write({
            try Bodies($0).save([(post.local, FetchedBody(content: .text(text), fetchedAt: .day(1)))], of: post.source)
        })
        _ = try await sync()
        #expect(Set(feed.requested) == Set((isFetched ? ["fog.html"] : []) + ["lens.html", "entry.html"]))
    }

    @Test("can be limited to the newest posts")
    func limit() async throws {
        try await feed.follow(.choice(.always))
        #expect(try await sync(limit: 1).new == 1)
        #expect(feed.requested == ["fog.html"])
    }

    @Test("fetches each page once, and revalidates it on refresh")
    func once() async throws {
        try await feed.follow(.choice(.always))
        _ = try await sync()
        let again = try await sync()
        #expect((again.new, again.unchanged, again.unavailable) == (0, 2, 1))
        #expect(feed.requested == [])
        #expect(try await sync(.refresh).total == 3)
        #expect(Set(feed.requested) == ["fog.html", "lens.html"])
        #expect(feed.server.requests.allSatisfy { $0.headers["if-none-match"] != nil })
        #expect(try await feed.read("lens.html", .always, .offline).post.body.contains("1,008 faces of glass"))
    }

    /// What the server sends, and whether the page is requested again after so many hours.
    static let failures: [(fault: Fault, hours: Double, isAgain: Bool)] = [
        (.refuse, 0.01, false), (.refuse, 0.02, true), (.status(500), 23.9, false), (.status(500), 24.1, true),
        (.status(403), 24.1, true), (.html, 24.1, false),
        (.status(404), 10_000, false), (.status(410), 10_000, false),
        (.body(Data("%PDF".utf8), headers: ["Content-Type": "application/pdf"]), 10_000, false),
        (.body(Data(), headers: ["Content-Type": "text/html"]), 23.9, false),
        (.body(Data(), headers: ["Content-Type": "text/html"]), 24.1, true),
    ]

    @Test("retries a failed page after a day, but not one that is gone or has no article", arguments: failures)
    func failed(fault: Fault, hours: Double, isAgain: Bool) async throws {
        try await feed.follow(.choice(.always))
        feed.server.setFault(fault, for: "/feeds/lantern/fog.html")
        _ = try await sync()
        feed.wait(hours: hours)
        _ = try await sync()
        #expect(feed.requested.contains("fog.html") == isAgain)
    }

    @Test("fetches only the articles of summaries with auto")
    func summaries() async throws {
        let items = [("fog.html", "Short"), ("lens.html", LanternFeed.words("Whole"))].map { page, text in
            "<item><guid>\(page)</guid><title>t</title><link>\(page)</link><description>\(text)</description></item>"
        }
        feed.serve(items: items.joined())
        try await feed.follow(.choice(.auto))
        #expect(try await sync().new == 1)
        #expect(feed.requested == ["fog.html"])
    }

    @Test(
        "stops requesting pages from a host that is rate limiting, and goes on with others",
        arguments: [
            Fault.status(429), .status(429, retryAfter: 60), .status(503, retryAfter: 60),
        ])
    func refusal(fault: Fault) async throws {
        let other = try MockServer(sites: [FeedSite(folder: Repository.mockFeeds)], host: 2)
        defer { other.stop() }
        try await feed.follow(.choice(.always))
        var request = FollowRequest(other.address + "/feeds/lantern/feed.xml", name: "other")
        request.articles = [.choice(.always)]
        _ = try await feed.library().follow(request)
        feed.server.setFault(fault, for: "/feeds/lantern/*")
        let report = try await feed.library().articleSync.sync(.never, in: .everything)
        #expect((report.new, report.problems.count, report.untried) == (2, 2, 2))
        #expect(feed.requested.count == 1)
    }

    @Test("requests pages from several hosts at once, but one at a time from each")
    func hosts() async throws {
        let transport = CountingTransport(hosts: 3, pages: 4)
        let library = feed.library(transport: transport)
        var request = FollowRequest("http://feed.example/")
        request.articles = [.choice(.always)]
        _ = try await library.follow(request)
        let report = try await library.articleSync.sync(.never, in: .everything)
        #expect(report.new == 12)
        #expect(transport.most == 1)
        #expect(transport.mostHosts == 3)
    }

    @Test("reports its progress")
    func progress() async throws {
        try await feed.follow(.choice(.always))
        let steps = Mutex<[String]>([])
        _ = try await feed.library().articleSync.sync(.never, in: .everything) { event in
            if case .articles(let done, let count) = event { steps.withLock { $0.append("\(done) of \(count)") } }
        }
        #expect(steps.withLock { $0.last } == "3 of 3")
    }

    @Test("fetches the pages kept by their address, whatever the choice")
    func pages() async throws {
        let page = try await feed.library(.offline).pages.postOrPage(feed.address("fog.html"), keepsUnreadable: true)
        #expect(page.problem != nil)
        #expect(try await feed.library().articleSync.sync(.never, in: .everything).new == 1)
        #expect(feed.requested == ["fog.html"])
    }
}

/// A feed with links to pages of several hosts, which counts the concurrent requests to each host.
private final class CountingTransport: Transport {
    private struct Counts {
        /// The requests in progress, by host.
        var now: [String: Int] = [:]
        var most = 0
        var mostHosts = 0
    }

    private let feed: String
    private let hosts: Int
    private let counts = Mutex(Counts())

    init(hosts: Int, pages: Int) {
        self.hosts = hosts
        let items = (0..<hosts * pages).map { number in
            "<item><guid>\(number)</guid><title>t</title><link>http://\(number % hosts).example/\(number)</link></item>"
        }
        feed = LanternFeed.rss(items)
    }

    /// The most requests to one host at once.
    var most: Int { counts.withLock(\.most) }
    /// The most hosts with requests at once.
    var mostHosts: Int { counts.withLock(\.mostHosts) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let host = request.url.host ?? ""
        let isFeed = host == "feed.example"
        counts.withLock { counts in
            counts.now[host, default: 0] += 1
            counts.most = max(counts.most, counts.now[host] ?? 0)
            counts.mostHosts = max(counts.mostHosts, counts.now.count)
        }
        // The first requests wait for each other; the later ones let others run.
        while !isFeed, mostHosts < hosts { try await Task.sleep(for: .milliseconds(5)) }
        for _ in 0..<20 { await Task.yield() }
        counts.withLock { counts in
            counts.now[host, default: 0] -= 1
            if counts.now[host] == 0 { counts.now[host] = nil }
        }
        let text = isFeed ? feed : LanternFeed.page(LanternFeed.words("Here"))
        let head = HTTPHead(status: 200, headers: ["Content-Type": isFeed ? "application/rss+xml" : "text/html"])
        return HTTPResponse(url: request.url, head: head, body: ResponseBody(Data(text.utf8)))
    }
}
