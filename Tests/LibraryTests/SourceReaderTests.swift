import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A reader", .serialized) struct SourceReaderTests {
    private let server: MockServer
    private let running: RunningServers
    private let store: PostStore

    init() throws {
        server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        running = RunningServers(server)
        store = try PostStore()
    }

    private func reader(
        _ freshness: Freshness = .normal, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> SourceReader {
        let source = BlogAPISource(address: try #require(URL(string: server.address)), client: .impatient())
        return SourceReader(source: source, store: store, freshness: freshness, clock: .patient(now: now))
    }

    private func ids(_ list: PostList) async throws -> [String] {
        try await list.posts.reduce(into: []) { $0.append($1.metadata.id) }
    }

    @Test("requests the list once and returns it in order")
    func list() async throws {
        let list = try await reader().list(Query(limit: 3))
        #expect(try await ids(list) == ["14", "13", "12"])
        #expect(server.requestLines == ["GET /post-metadata"])
    }

    @Test("reads a listed post with one request, and again with none")
    func oneRequest() async throws {
        _ = try await reader().list(Query())
        server.clearRequests()
        #expect(try await reader().read(id: "1").post.id == "2001")
        #expect(server.requestLines == ["GET /post/2001"])
        if case .store = try await reader().read(id: "1").origin {} else { Issue.record("not from the store") }
        #expect(server.requests.count == 1)
    }

    @Test("reads an unlisted post with two requests")
    func twoRequests() async throws {
        _ = try await reader().read(id: "1")
        #expect(server.requestLines == ["GET /post-metadata/1", "GET /post/2001"])
    }

    @Test("never requests all bodies at once")
    func noPrefetching() async throws {
        _ = try await reader().list(Query())
        for id in ["1", "2", "nothing"] { _ = try? await reader(.refresh).read(id: id) }
        #expect(Set(server.requestLines.filter { !$0.contains("metadata") }) == ["GET /post/2001", "GET /post/2002"])
    }

    @Test("fetches a body again on refresh, or if its metadata has changed")
    func refresh() async throws {
        _ = try await reader().read(id: "1")
        server.clearRequests()
        _ = try await reader(.refresh).read(id: "1")
        #expect(server.requestLines == ["GET /post/2001"])
        let changed = sampleJSON(["postId": #""2002""#])
        server.setFault(.body(Data("[\(changed)]".utf8)), for: "/post-metadata")
        _ = try await reader().list(Query())
        #expect(try await reader().read(id: "1").post.id == "2002")
    }

    @Test("reports a post that doesn't exist, and one without a body")
    func noSuchPost() async throws {
        await #expect(throws: SourceError.self) { try await reader().read(id: "99") }
        server.setFault(.status(404), for: "/post/2001")
        let error = await #expect(throws: SourceError.self) { try await reader().read(id: "1") }
        #expect(error == .noBody(id: "1", try #require(URL(string: server.address + "/post/2001"))))
    }

    @Test("shows stored posts if the server is unreachable")
    func offline() async throws {
        _ = try await reader().list(Query())
        _ = try await reader().read(id: "1")
        server.stop()
        let list = try await reader().list(Query())
        guard case .failed(let error as HTTPError, _?) = list.report?.outcome else {
            return #expect(Bool(false), "the failure is not reported")
        }
        #expect(error.isUnreachable)
        #expect(try await ids(list).count == 15)
        #expect(try await reader().read(id: "1").post.body.hasPrefix("Big releases"))
        await #expect(throws: LibraryError.self) { try await reader().read(id: "2") }
    }

    @Test("fails without stored posts")
    func nothingStored() async throws {
        await #expect(throws: LibraryError.self) { try await reader(.offline).list(Query()) }
        await #expect(throws: LibraryError.self) { try await reader(.offline).read(id: "1") }
        #expect(server.requests.isEmpty)
        server.stop()
        await #expect(throws: LibraryError.self) { try await reader().list(Query()) }
    }

    @Test(
        "keeps the stored posts if the response is invalid",
        arguments: [
            Fault.html, .truncate, .body(Data()), .body(Data("[1,2]".utf8)), .status(500), .status(404), .reset,
            .body(Data([0xFF, 0xFE, 0xFD])), .redirect("file:///etc/passwd"),
        ])
    func nonsense(fault: Fault) async throws {
        _ = try await reader().list(Query())
        server.setFault(fault, for: "/post-metadata")
        let list = try await reader(.refresh).list(Query())
        #expect(list.report?.failure != nil)
        #expect(try await ids(list).count == 15)
    }

    @Test("reports flawed records each time, not only the first")
    func flaws() async throws {
        let json = "[\(sampleJSON()),\(sampleJSON(["id": #""2""#, "title": nil])),\(sampleJSON(["title": #""last""#]))]"
        server.setFault(.body(Data(json.utf8), headers: ["ETag": "\"x\""]), for: "/post-metadata")
        for _ in 1...2 {
            let list = try await reader().list(Query())
            #expect(
                list.refreshes[0].report.flaws.rejected == [
                    RejectedRecord(index: 1, field: "title", reason: "is missing", id: "2")
                ])
            #expect(list.refreshes[0].report.flaws.duplicateIDs == ["1"])
            #expect(try await ids(list) == ["1"])
        }
    }

    @Test("treats an identical list as unchanged")
    func unchanged() async throws {
        server.setFault(.body(Data("[\(sampleJSON())]".utf8)), for: "/post-metadata")
        _ = try await reader().list(Query())
        #expect(try await reader().list(Query()).report?.isUnchanged == true)
    }

    @Test("finds a body that has moved since its metadata was stored")
    func moved() async throws {
        server.setFault(.body(Data("[\(sampleJSON())]".utf8)), for: "/post-metadata")
        server.setFault(.body(Data(sampleJSON(["postId": #""2002""#]).utf8)), for: "/post-metadata/1")
        server.setFault(.body(Data(#"{"id":"2002","body":"moved"}"#.utf8)), for: "/post/2002")
        _ = try await reader().list(Query())
        #expect(try await reader().read(id: "1").post.id == "2002")
        #expect(server.requestLines.suffix(3) == ["GET /post/1001", "GET /post-metadata/1", "GET /post/2002"])
    }

    @Test("shows posts even while another process has locked the store")
    func busy() async throws {
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("s"), busyTimeout: 10)
        let source = BlogAPISource(address: try #require(URL(string: server.address)), client: .impatient())
        let reader = SourceReader(source: source, store: store, freshness: .refresh)
        _ = try await reader.list(Query())
        let other = try Database(path: folder.path("s"), mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        server.setFault(.body(Data("[\(sampleJSON())]".utf8)), for: "/post-metadata")
        let list = try await reader.list(Query())
        #expect((list.report?.failure as? StoreError)?.reason == .busy)
        #expect(try await ids(list).count == 15)
        if case .serverNotStored = try await reader.read(id: "1").origin {} else { Issue.record("not from the server") }
    }

    @Test("drops validators that are older than 8 days")
    func oldValidators() async throws {
        let start = Date(timeIntervalSince1970: 1_000_000)
        for (days, isConditional) in [(0.0, false), (4, true), (7.9, true), (8.1, false), (15, true)] {
            _ = try await reader { start.addingTimeInterval(days * 86_400) }.list(Query())
            #expect((server.requests.last?.headers["if-none-match"] != nil) == isConditional, "after \(days) days")
        }
    }

    @Test("makes no request while the list is fresh")
    func maxAge() async throws {
        let clock = TestClock(Date(timeIntervalSince1970: 1_000_000))
        let now: @Sendable () -> Date = { clock.now }
        server.setFault(
            .body(Data("[\(sampleJSON())]".utf8), headers: ["Cache-Control": "max-age=60"]), for: "/post-metadata")
        _ = try await reader(now: now).list(Query())
        clock.pass(59)
        _ = try await reader(now: now).list(Query())
        #expect(server.requests.count == 1)
        _ = try await reader(.refresh, now: now).list(Query())
        #expect(server.requests.count == 2)
        clock.pass(61)
        _ = try await reader(now: now).list(Query())
        #expect(server.requests.count == 3)
    }
}
