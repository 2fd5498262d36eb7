import Foundation
import MockServer
import Testing
@testable import BlogLibrary
@testable import Feeds
@testable import HTTP
@testable import Model
@testable import Rendering
@testable import Store

extension FeedSourceTests {
    @Test("that moved for good gets its new address after a week of saying so, and not before")
    func moved() async throws {
        defer { server.stop() }
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

    @Test("that is where it was in between does not move, nor one that names another place each time")
    func movedNowAndThen() async throws {
        defer { server.stop() }
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
        // As many responses as are needed, but not for a week.
        #expect(try await refresh(1...4, movedTo: nil) == old)
        let hours = (0...5).map { start.addingTimeInterval(4.1 * 86_400 + Double($0) * 3600) }
        move(to: "/feeds/garden/feed.xml")
        for hour in hours { try await self.refresh(at: hour) }
        #expect(try await library().sources().first?.id.address == old)
        #expect(try await refresh(5...5, movedTo: nil) == old)
        // Three responses in no less than a week are needed, with none between them that says anything else.
        #expect(try await refresh(5...5, movedTo: "/feeds/garden/feed.xml") == old)
        #expect(try await refresh(13...13, movedTo: "/feeds/garden/feed.xml") == old)
        #expect(try await refresh(14...14, movedTo: nil) == old)
        #expect(try await refresh(15...16, movedTo: "/feeds/garden/feed.xml") == old)
        #expect(try await refresh(22...22, movedTo: "/feeds/bakery/feed.xml") == old)
        #expect(try await refresh(30...30, movedTo: "/feeds/bakery/feed.xml") == old)
        let bakery = server.address + "/feeds/bakery/feed.xml"
        #expect(try await refresh(31...31, movedTo: "/feeds/bakery/feed.xml") == bakery)
    }

    /// What is at the place to which a feed of the post 1 moves at first, and later; and whether it gets that address.
    static let moves: [(first: [Int], later: [Int], isAdopted: Bool)] = [
        ([1], [1], true), ([1], [2], true), ([2, 1], [3, 2, 1], true), ([2], [2], false), ([2], [1, 2], false),
        ([2, 3], [4, 3, 2], false),
    ]

    @Test("gets another address only where its posts were when it began to move", arguments: moves)
    func movedElsewhere(move: (first: [Int], later: [Int], isAdopted: Bool)) async throws {
        defer { server.stop() }
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

    @Test("that is followed already is not followed again by an address that leads to it")
    func redirects() async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/garden/feed.xml")
        for path in ["/feeds/old-garden.xml", "/feeds/garden/rss"] {
            #expect(try await library().follow(server.address + path).outcome == .unchanged)
        }
        #expect(try await library().sources().count == 1)
    }

    @Test("that fails is left alone for half an hour, then longer")
    func failures() async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(500), for: "/feeds/feed.xml")
        #expect(try await waits(2) == [1800, 3600])
    }

    @Test("that fails is left alone no longer because of requests before it is due")
    func earlyFailures() async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(500), for: "/feeds/feed.xml")
        #expect(try await waits(4, isEarly: true) == [1800, 1800, 1800, 1800])
    }

    @Test("that fails is left alone for as long as its server says", arguments: [60, 7200])
    func retryAfter(seconds: Int) async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(503, retryAfter: seconds), for: "/feeds/feed.xml")
        #expect(try await waits(1) == [Double(seconds)])
    }

    /// For how many seconds the source is left alone after each of some refreshes, which are sent when it is due, or a
    /// minute after the one before.
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
        "that refuses is left alone for days, up to a week, and one that fails otherwise for hours",
        arguments: [
            (Fault.status(403), [1, 2, 3, 4, 5, 6, 7, 7]), (.status(404), [1, 2]),
            (.status(429), [0.5 / 24, 1.0 / 24]),
            (.html, [0.5 / 24, 1.0 / 24]), (.reset, [0.5 / 24, 1.0 / 24]),
        ] as [(Fault, [Double])])
    func refusals(fault: Fault, days: [Double]) async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/feed.xml")
        server.setFault(fault, for: "/feeds/feed.xml")
        #expect(try await waits(days.count) == days.map { $0 * 86_400 })
        server.setFault(nil, for: "/feeds/feed.xml")
        try await refresh()
        #expect(try await library().sources().first?.problem == nil)
        server.setFault(fault, for: "/feeds/feed.xml")
        #expect(try await waits(1) == [days[0] * 86_400])
    }

    @Test("that is gone keeps its posts and is left alone")
    func gone() async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.status(410), for: "/feeds/feed.xml")
        try await refresh()
        let source = try #require(try await library().sources().first)
        #expect(source.problem == .gone && source.posts == 4)
        #expect(try #require(source.dueAt).timeIntervalSinceNow > 300 * 86_400)
    }

    @Test("is not taken for another by a page without posts, as a hotel's login is")
    func captivePortal() async throws {
        defer { server.stop() }
        _ = try await follow("/feeds/feed.xml")
        server.setFault(.html, for: "/feeds/feed.xml")
        try await refresh()
        #expect(try await posts().count == 4)
        #expect(try await library().sources().first?.problem == .failed)
    }

    @Test("that refuses a login is not asked at other addresses, and one without a login is", arguments: [true, false])
    func refusedLogin(hasLogin: Bool) async throws {
        defer { server.stop() }
        let netrc = hasLogin ? "machine 127.0.0.1 login reader password wrong" : ""
        // An address that doesn't end as feeds do: no other would be asked.
        server.setFault(.status(401), for: "/members")
        server.clearRequests()
        await #expect(throws: HTTPError.self) {
            try await library(netrc: netrc).follow(server.address + "/members")
        }
        #expect((server.requests.count == 1) == hasLogin)
    }

    @Test("with a password takes it from .netrc")
    func login() async throws {
        defer { server.stop() }
        await #expect(throws: HTTPError.self) { try await follow("/feeds/members.xml") }
        let netrc = "machine 127.0.0.1 login reader password \"open sesame\""
        let report = try await library(netrc: netrc).follow(server.address + "/feeds/members.xml")
        #expect(report.posts > 0)
    }
}
