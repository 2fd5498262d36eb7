import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A request to follow that is refused or fails", .serialized) struct FailedFollowTests {
    private let blog: MockServer
    private let other: MockServer
    private let feeds: MockServer
    private let service: MockServer
    private let running: RunningServers
    private let store: PostStore

    init() throws {
        blog = try MockServer(sites: [MadeUpSite(posts: 3)])
        other = try MockServer(sites: [MadeUpSite(posts: 2)])
        feeds = try MockServer(sites: [FeedSite(folder: Repository.mockFeeds)])
        service = try MockServer(sites: [ServiceSite(.freshRSS, feeds: 2, items: 3, maxPage: 100)])
        running = RunningServers(blog, other, feeds, service)
        store = try PostStore()
    }

    private var library: Library {
        Library(
            store: store, client: .impatient(),
            logins: { _ in ServiceLogin(user: "alice", password: "wrong") })
    }

    /// All rows of all tables, but for what was learnt about hosts.
    private func rows() async throws -> [String] {
        try await store.read { database in
            let tables = try database.texts(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
                    AND name NOT IN ('waits', 'silences') AND name NOT LIKE 'sqlite_%' ORDER BY name
                """)
            return try tables.flatMap { table in
                let columns = try database.texts("SELECT name FROM pragma_table_info('\(table)')")
                let values = columns.map { "ifnull(quote(\($0)), '')" }.joined(separator: " || '|' || ")
                return try database.texts("SELECT '\(table) ' || \(values) FROM \(table) ORDER BY 1")
            }
        }
    }

    /// What is followed already: tide, a feed, and nerds, a server that speaks the blog API.
    private func followTwo() async throws {
        _ = try await library.follow(FollowRequest(feeds.address + "/feeds/feed.xml", name: "tide", folder: "sea"))
        _ = try await library.follow(FollowRequest(blog.address, name: "nerds"))
    }

    private enum Attempt: String, CaseIterable {
        case noSource, missingFeed, brokenFeed, limitedFeed, limitedPage, takenNameOfAPI, badName, takenName
        case nameOfKind, badSite, badAddress
        case takenNameOfFollowed, movedToTaken, movedToOtherKind, movedToNothing, movedUnderTakenName, repairOfWell
        case repairOfAPI, serviceWithBadLogin, serviceWithFolder, notAService, unknownKind
    }

    private func moving(_ request: FollowRequest, to address: String) -> FollowRequest {
        var request = request
        request.newAddress = address
        return request
    }

    private func repairing(_ name: String) -> FollowRequest {
        var request = FollowRequest(name)
        request.isRepair = true
        return request
    }

    private func request(_ attempt: Attempt) -> FollowRequest {
        let (garden, nothing) = (feeds.address + "/feeds/garden/feed.xml", feeds.address + "/feeds/nothing.xml")
        var request: FollowRequest
        switch attempt {
        case .noSource: request = FollowRequest(feeds.address + "/page")
        case .missingFeed: request = FollowRequest(nothing, kind: "feed")
        case .brokenFeed: request = FollowRequest(feeds.address + "/broken.xml", kind: "feed", name: "broken")
        case .limitedFeed: request = FollowRequest(feeds.address + "/limited.xml", kind: "feed")
        case .limitedPage: request = FollowRequest(feeds.address + "/limited.xml")
        case .takenNameOfAPI: request = FollowRequest(other.address, name: "tide")
        case .badName: request = FollowRequest(garden, name: "Big Name")
        case .takenName: request = FollowRequest(garden, name: "nerds")
        case .nameOfKind: request = FollowRequest(garden, name: "hn")
        case .badSite:
            request = FollowRequest(garden)
            request.site = "nonsense"
        case .badAddress: request = FollowRequest("nonsense")
        case .takenNameOfFollowed: request = FollowRequest("tide", name: "nerds")
        case .movedToTaken: request = moving(FollowRequest("tide"), to: blog.address)
        case .movedToOtherKind: request = moving(FollowRequest("nerds"), to: garden)
        case .movedToNothing: request = moving(FollowRequest("tide"), to: nothing)
        case .movedUnderTakenName: request = moving(FollowRequest("tide", name: "nerds"), to: garden)
        case .repairOfWell: request = repairing("nowhere")
        case .repairOfAPI: request = repairing("nerds")
        case .serviceWithBadLogin: request = FollowRequest(service.address, name: "home")
        case .serviceWithFolder: request = FollowRequest(service.address, name: "home", folder: "work")
        case .notAService: request = FollowRequest(feeds.address, kind: "service", name: "home")
        case .unknownKind: request = FollowRequest(garden, kind: "gopher")
        }
        return request
    }

    @Test("changes nothing that is stored, in a dry run or not", arguments: Attempt.allCases, [false, true])
    private func failure(attempt: Attempt, isDryRun: Bool) async throws {
        feeds.setFault(.html, for: "/page")
        feeds.setFault(.html, for: "/broken.xml")
        feeds.setFault(.status(429, retryAfter: 60), for: "/limited.xml")
        try await followTwo()
        let before = try await rows()
        #expect(before.count > 10)
        var request = request(attempt)
        request.isDryRun = isDryRun
        await #expect(throws: (any Error).self) { try await library.follow(request) }
        let after = try await rows()
        #expect(after == before, "\(attempt): \(Set(after).symmetricDifference(before).sorted())")
    }

    @Test("doesn't keep others from being followed, whichever fails", arguments: 0..<3)
    func others(failing: Int) async throws {
        var requests = ["/feeds/feed.xml", "/feeds/garden/feed.xml"].map { FollowRequest(feeds.address + $0) }
        requests.insert(FollowRequest(feeds.address + "/feeds/nothing.xml", kind: "feed"), at: failing)
        var outcomes: [Bool] = []
        for await result in library.follow(requests) { outcomes.append((try? result.get()) != nil) }
        #expect(outcomes == (0..<3).map { $0 != failing })
        #expect(try await library.sources().count == 2)
    }
}
