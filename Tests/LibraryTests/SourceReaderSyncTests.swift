import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A sync", .serialized) struct SourceReaderSyncTests {
    private let server: MockServer
    private let running: RunningServers
    private let store: PostStore

    init() throws {
        server = try MockServer(sites: [MadeUpSite(posts: 6)])
        running = RunningServers(server)
        store = try PostStore()
    }

    private func reader(
        _ freshness: Freshness = .normal, timeout: TimeInterval = 60, attempts: Int = 1
    ) throws -> SourceReader {
        let client = HTTPClient(
            transport: TransportKind.used.make(), timeout: timeout,
            retryPolicy: RetryPolicy(maxAttempts: attempts, base: 0.001),
            waits: store)
        let source = BlogAPISource(address: try #require(URL(string: server.address)), client: client)
        return SourceReader(source: source, store: store, freshness: freshness)
    }

    /// The numbers of new, updated, unchanged, failed and untried posts.
    private func counts(_ report: SyncReport) -> [Int] {
        [report.new, report.updated, report.unchanged, report.failed, report.untried]
    }

    @Test("counts failures, keeps the first, and names a hundred")
    func counting() {
        var report = SyncReport(refresh: RefreshReport(.unchanged))
        for number in 1...101 { report.count(.failed(NSError(domain: "", code: number)), of: "\(number)") }
        #expect((report.failed, report.failures.count, report.failures.last?.id) == (101, 100, "100"))
        #expect((report.firstError as? NSError)?.code == 1)
    }

    @Test("fetches the missing bodies, and only the list the next time")
    func twice() async throws {
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [6, 0, 0, 0, 0])
        server.clearRequests()
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [0, 0, 6, 0, 0])
        #expect(server.requestLines == ["GET /post-metadata"])
    }

    @Test("starts with the newest posts, and stops at the limit")
    func newest() async throws {
        #expect(counts(try await reader().sync(SyncOptions(limit: 2, jobs: 1)) { _ in }) == [2, 0, 0, 0, 0])
        let newest = try await reader(.offline).list(Query(limit: 2)).posts
            .reduce(into: []) { $0.append("GET /post/\($1.metadata.postId)") }
        #expect(Array(server.requestLines.dropFirst()) == newest)
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [4, 0, 2, 0, 0])
    }

    @Test("has at most as many connections as jobs")
    func jobs() async throws {
        _ = try await reader().sync(SyncOptions(jobs: 2)) { _ in }
        #expect(server.requests.count == 7)
        #expect(server.connectionCount <= 2)
    }

    @Test("continues after a failed post, and fetches it the next time")
    func failures() async throws {
        let list = try await reader().list(Query(limit: 1)).posts
        let postId = try #require(try await list.first { _ in true }).metadata.postId
        server.setFault(.status(500), for: "/post/\(postId)")
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [5, 0, 0, 1, 0])
        server.setFault(nil, for: "/post/\(postId)")
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [1, 0, 5, 0, 0])
    }

    @Test("retries a body if the transfer fails", arguments: [Fault.reset, .wrongLength, .refuse, .status(500)])
    func retry(fault: Fault) async throws {
        let path = "/post/\(MadeUpSite.postId(3))"
        server.setFault(fault, for: path, times: 1)
        #expect(counts(try await reader(timeout: 60, attempts: 2).sync(SyncOptions()) { _ in }) == [6, 0, 0, 0, 0])
        #expect(server.requestLines.count { $0 == "GET \(path)" } == 2)
    }

    @Test("gives up if the server goes away, and reports an unreachable server")
    func away() async throws {
        _ = try await reader().list(Query())
        for path in 1...6 { server.setFault(.reset, for: "/post/\(MadeUpSite.postId(path))") }
        #expect(counts(try await reader().sync(SyncOptions(jobs: 1)) { _ in }) == [0, 0, 0, 5, 1])
        server.stop()
        let report = try await reader().sync(SyncOptions()) { _ in }
        #expect(report.refresh.failure != nil)
        #expect(counts(report) == [0, 0, 0, 0, 0])
    }

    @Test(
        "gives up on a server that wants to be left alone, or responds with 503 again and again",
        arguments: [(429, [0, 0, 0, 1, 5]), (503, [0, 0, 0, 5, 1])])
    func refusal(status: Int, counts: [Int]) async throws {
        server.setFault(.status(status), for: "/post/*")
        #expect(self.counts(try await reader(timeout: 30).sync(SyncOptions(jobs: 1)) { _ in }) == counts)
    }

    @Test("stores the bodies that have arrived while it waits for another, also if it is interrupted then")
    func storedMeanwhile() async throws {
        server.setFault(.hold, for: "/post/\(MadeUpSite.postId(3))")
        let (stored, continuation) = AsyncStream<Void>.makeStream()
        let sync = Task {
            try await reader().sync(SyncOptions()) { if case .done = $0 { continuation.yield() } }
        }
        var count = 0
        for await _ in stored {
            count += 1
            if count == 5 { break }
        }
        let bodies = try await store.read { try Sources($0).all() }.reduce(0) { $0 + $1.bodies }
        #expect(bodies == 5)
        sync.cancel()
        await #expect(throws: CancellationError.self) { try await sync.value }
    }

    @Test("revalidates a body if its metadata changes, and fetches it anew if its postId does")
    func outdated() async throws {
        let body = Data(#"{"id":"1001","body":"same"}"#.utf8)
        server.setFault(.body(body, headers: ["ETag": "\"b\""]), for: "/post/1001")
        server.setFault(.body(Data("[\(sampleJSON())]".utf8)), for: "/post-metadata")
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [1, 0, 0, 0, 0])
        server.setFault(.body(Data("[\(sampleJSON(["title": #""New""#]))]".utf8)), for: "/post-metadata")
        server.setFault(.status(304), for: "/post/1001")
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [0, 0, 1, 0, 0])
        #expect(server.requests.last?.headers["if-none-match"] == "\"b\"")
        #expect(try await reader(.offline).read(id: "1").post.body == "same")
        server.setFault(.body(Data("[\(sampleJSON(["postId": #""1001x""#]))]".utf8)), for: "/post-metadata")
        server.setFault(.body(Data(#"{"body":"other"}"#.utf8)), for: "/post/1001x")
        #expect(counts(try await reader().sync(SyncOptions()) { _ in }) == [0, 1, 0, 0, 0])
        #expect(server.requests.last?.headers["if-none-match"] == nil)
    }

    @Test("makes all posts searchable")
    func search() async throws {
        _ = try await reader().sync(SyncOptions()) { _ in }
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        #expect(scope.missingBodies == 0)
        let blog = SourceID(kind: "blog", address: server.address)
        #expect(try await store.ids(Query(words: "part"), of: blog).count > 0)
    }
}
