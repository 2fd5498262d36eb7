import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A moved or failing feed", .serialized) struct FeedAddressTests: FeedFollowing {
    let fixture: FeedFixture

    init() throws { fixture = try FeedFixture() }

    @Test("changes its address after a week of permanent redirects, but not sooner")
    func moved() async throws {
        let start = Date()
        let old = server.address + "/feeds/old-garden.xml"
        _ = try await library().follow(FollowRequest(old, kind: "feed", name: "feed"))
        for day in [1.0, 6] {
            try await refresh(at: start.addingTimeInterval(day * 86_400))
            let source = try #require(try await library().sources().first)
            #expect(source.id.address == old)
            #expect(source.movedTo == server.address + "/feeds/garden/feed.xml")
        }
        try await refresh(at: start.addingTimeInterval(8 * 86_400))
        let source = try #require(try await library().sources().first)
        #expect(source.id.address == server.address + "/feeds/garden/feed.xml")
        #expect(source.movedTo == nil && source.name == "feed" && source.posts == 3)
        try await refresh(at: start.addingTimeInterval(9 * 86_400))
        #expect(try await posts().count == 3)
    }

    @Test("keeps its address if the redirects are interrupted or change their target")
    func interruptedRedirects() async throws {
        let start = Date()
        let item = "<item><guid>1</guid><title>One</title></item>"
        let places = ["/feeds/feed.xml", "/feeds/garden/feed.xml", "/feeds/bakery/feed.xml"]
        for place in places { serve(item, at: place) }
        _ = try await follow(places[0])
        let old = server.address + places[0]
        func move(to path: String?) { if let path { self.move(to: path) } else { serve(item) } }
        func refresh(_ days: ClosedRange<Int>, movedTo path: String?) async throws -> String? {
            move(to: path)
            for day in days { try await self.refresh(at: start.addingTimeInterval(Double(day) * 86_400)) }
            return try await library().sources().first?.id.address
        }
        #expect(try await refresh(1...4, movedTo: nil) == old)
        // Enough redirects, but over less than a week.
        #expect(try await refresh(1...4, movedTo: nil) == old)
        let hours = (0...5).map { start.addingTimeInterval(4.1 * 86_400 + Double($0) * 3600) }
        move(to: "/feeds/garden/feed.xml")
        for hour in hours { try await self.refresh(at: hour) }
        #expect(try await library().sources().first?.id.address == old)
        #expect(try await refresh(5...5, movedTo: nil) == old)
        // Three redirects over at least a week are needed, without other responses in between.
        #expect(try await refresh(5...5, movedTo: "/feeds/garden/feed.xml") == old)
        #expect(try await refresh(13...13, movedTo: "/feeds/garden/feed.xml") == old)
        #expect(try await refresh(14...14, movedTo: nil) == old)
        #expect(try await refresh(15...16, movedTo: "/feeds/garden/feed.xml") == old)
        #expect(try await refresh(22...22, movedTo: "/feeds/bakery/feed.xml") == old)
        #expect(try await refresh(30...30, movedTo: "/feeds/bakery/feed.xml") == old)
        let bakery = server.address + "/feeds/bakery/feed.xml"
        #expect(try await refresh(31...31, movedTo: "/feeds/bakery/feed.xml") == bakery)
    }

    /// The posts at the new address of a feed with the post 1, at first and later, and whether that address is adopted.
    static let moves: [(first: [Int], later: [Int], isAdopted: Bool)] = [
        ([1], [1], true), ([1], [2], true), ([2, 1], [3, 2, 1], true), ([2], [2], false), ([2], [1, 2], false),
        ([2, 3], [4, 3, 2], false),
    ]

    @Test("adopts a new address only if its posts were there when the redirects began", arguments: moves)
    func movedElsewhere(move: (first: [Int], later: [Int], isAdopted: Bool)) async throws {
        let (old, new) = ("/feeds/feed.xml", "/feeds/garden/feed.xml")
        func serve(_ posts: [Int], at place: String) {
            self.serve(posts.map { "<item><guid>\($0)</guid><title>Post \($0)</title></item>" }.joined(), at: place)
        }
        serve([1], at: old)
        _ = try await follow(old)
        self.move(to: new)
        for day in [1.0, 2, 5, 9, 17, 30] {
            serve(day == 1 ? move.first : move.later, at: new)
            try await refresh(at: Date().addingTimeInterval(day * 86_400))
        }
        let address = try await library().sources().first?.id.address
        #expect(address == server.address + (move.isAdopted ? new : old))
    }

    private func move(to path: String) {
        let head = "HTTP/1.1 301 Moved\r\nLocation: \(path)\r\nContent-Length: 0\r\n\r\n"
        server.setFault(.raw(Data(head.utf8)), for: "/feeds/feed.xml")
    }

    @Test("isn't followed twice through an address that redirects to it")
    func redirects() async throws {
        _ = try await follow("/feeds/garden/feed.xml")
        for path in ["/feeds/old-garden.xml", "/feeds/garden/rss"] {
            #expect(try await library().follow(server.address + path).outcome == .unchanged)
        }
        #expect(try await library().sources().count == 1)
    }

    @Test("that fails is retried by the next three half-hourly runs, then ever less often")
    func failures() async throws {
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(500), for: "/feeds/feed.xml")
        #expect(try await waits(5) == [29, 29, 29, 58, 116].map { $0 * 60 })
    }

    @Test("that fails isn't put off any longer by refreshes before it is due")
    func earlyFailures() async throws {
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(500), for: "/feeds/feed.xml")
        #expect(try await waits(4, isEarly: true) == [1740, 1740, 1740, 1740])
    }

    @Test(
        "isn't failing while its server wants to be left alone",
        arguments: [.status(503, retryAfter: 7200), .status(429, retryAfter: 7200), .status(429)] as [Fault])
    func leftAlone(fault: Fault) async throws {
        _ = try await follow("/feeds/feed.xml")
        let before = try await library().sources()
        server.setFault(fault, for: "/feeds/feed.xml")
        try await refresh()
        #expect(try await library().sources() == before)
    }

    /// The seconds until the source is due again after each of some refreshes, which are sent when it is due or, if
    /// early, a minute after the one before.
    private func waits(_ count: Int, isEarly: Bool = false) async throws -> [Double] {
        var date = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
        var waits: [Double] = []
        for _ in 0..<count {
            try await refresh(at: date)
            let due = try #require(try await library().sources().first?.dueAt)
            waits.append(due.timeIntervalSince(date))
            date = isEarly ? date.addingTimeInterval(60) : due
        }
        return waits
    }

    @Test(
        "that worked waits for up to a day after a failure, however it fails, and for days if it fails for a week",
        arguments: [.status(403), .status(404), .html, .reset] as [Fault])
    func refusals(fault: Fault) async throws {
        let minutes = [29, 29, 29, 58, 116, 232, 464, 928, 1440, 1440, 1440] as [Double]
        _ = try await follow("/feeds/feed.xml")
        server.setFault(fault, for: "/feeds/feed.xml")
        #expect(try await waits(minutes.count) == minutes.map { $0 * 60 })
        server.setFault(nil, for: "/feeds/feed.xml")
        try await refresh()
        #expect(try await library().sources().first?.problem == nil)
        server.setFault(fault, for: "/feeds/feed.xml")
        #expect(try await waits(1) == [29 * 60])
    }

    @Test("that is gone (410) keeps its posts and isn't due for months")
    func gone() async throws {
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(410), for: "/feeds/feed.xml")
        try await refresh()
        let source = try #require(try await library().sources().first)
        #expect(source.problem == .gone && source.posts == 4)
        #expect(try #require(source.dueAt).timeIntervalSinceNow > 300 * 86_400)
    }

    @Test(
        "keeps its title when only its beginning is sent, and fails",
        arguments: ["<rss><channel><title>x", "<feed xmlns='http://www.w3.org/2005/Atom'><title>Half a ti", "<rss>"])
    func onlyBeginning(text: String) async throws {
        let start = Date()
        _ = try await follow("/feeds/feed.xml")
        let before = try #require(try await library().sources().first)
        server.setFault(.body(Data(text.utf8)), for: "/feeds/feed.xml")
        try await refresh(at: start.addingTimeInterval(86_400))
        let source = try #require(try await library().sources().first)
        #expect(source.title == before.title && source.posts == before.posts && source.problem != nil)
    }

    @Test("keeps its posts when a captive portal's page is sent instead")
    func captivePortal() async throws {
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.html, for: "/feeds/feed.xml")
        try await refresh()
        #expect(try await posts().count == 4)
        #expect(try await library().sources().first?.problem == .unreadable)
    }

    @Test("is searched for at other addresses after a 401 only if no login was sent", arguments: [true, false])
    func refusedLogin(hasLogin: Bool) async throws {
        let netrc = hasLogin ? "machine 127.0.0.1 login reader password wrong" : ""
        // An address that doesn't look like a feed's: for those, no others are tried.
        server.setFault(.status(401), for: "/members")
        server.clearRequests()
        await #expect(throws: HTTPError.self) {
            try await library(netrc: netrc).follow(server.address + "/members")
        }
        // Without the login, and with it, once it isn't that of a sync server.
        #expect(server.requests.filter { $0.path == "/members" }.count == (hasLogin ? 2 : 1))
        #expect(server.requests.contains { $0.path == "/members/post-metadata" } == !hasLogin)
    }

    @Test("that needs a password takes it from .netrc")
    func login() async throws {
        await #expect(throws: HTTPError.self) { try await follow("/feeds/members.xml") }
        let netrc = "machine 127.0.0.1 login reader password \"open sesame\""
        let report = try await library(netrc: netrc).follow(server.address + "/feeds/members.xml")
        #expect(report.posts > 0)
    }
}
