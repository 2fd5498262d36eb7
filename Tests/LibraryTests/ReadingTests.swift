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

@Suite("A body that is fetched", .serialized) struct ReadingTests {
    private let server: MockServer
    private let running: RunningServers
    private let folder: TemporaryFolder
    private let store: PostStore

    private static let long = (1...20_000).map { "Zeile \($0) – ö" }.joined(separator: "\n")

    init() throws {
        server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        running = RunningServers(server)
        folder = try TemporaryFolder()
        store = try PostStore(path: folder.path("s"), busyTimeout: 1)
    }

    /// Reads post 1.
    private func read(_ freshness: Freshness = .normal) async throws -> ReadResult {
        let client = HTTPClient(
            transport: TransportKind.used.make(), timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 3, base: 0.001))
        let source = BlogAPISource(address: try #require(URL(string: server.address)), client: client)
        return try await SourceReader(source: source, store: store, freshness: freshness).read(id: "1")
    }

    /// Sends the first lines of a body, and no more.
    private func cutOff(times: Int? = nil) {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + #"{"id":"2001","body":"one\ntwo\nthr"#
        server.setFault(.raw(Data(bytes.utf8)), for: "/post/2001", times: times)
    }

    private func serve(_ body: String) {
        let text = body.replacing("\n", with: #"\n"#)
        server.setFault(.body(Data(#"{"id":"2001","body":"\#(text)"}"#.utf8)), for: "/post/2001")
    }

    private func isOutdated(_ post: ReadResult) -> Bool { if case .outdated = post.origin { true } else { false } }

    @Test("is an error if it is cut off, and isn't stored")
    func interrupted() async throws {
        cutOff()
        await #expect(throws: HTTPError.self) { try await read() }
        #expect(server.requestLines.count { $0 == "GET /post/2001" } == 3)
        let source = try #require(try await store.read { try Sources($0).all() }.first?.id)
        #expect(try await store.read { try Bodies($0).find("1", of: source) } == nil)
    }

    @Test("is replaced with the stored one if it is cut off")
    func fallback() async throws {
        serve("the old one")
        _ = try await read()
        cutOff()
        let old = try await read(.refresh)
        #expect(old.post.body == "the old one" && isOutdated(old))
        serve("a\nnew\none")
        #expect(try await read(.refresh).post.body == "a\nnew\none")
        #expect(try await read().post.body == "a\nnew\none")
    }

    @Test("is requested again if it is cut off")
    func retried() async throws {
        cutOff(times: 2)
        #expect(try await read().post.body.count > 100)
    }

    @Test("is whole if it is long, whether it was just fetched or is stored")
    func long() async throws {
        serve(Self.long)
        for freshness in [Freshness.normal, .normal, .refresh, .offline] {
            #expect(try await read(freshness).post.body == Self.long)
        }
        #expect(server.requestLines.count { $0 == "GET /post/2001" } == 2)
    }

    @Test("is read although it can't be stored, because another process has the lock or the disk is full")
    func notStored() async throws {
        serve("first")
        _ = try await read()
        for body in ["short", Self.long] {
            serve(body)
            let other = try Database(path: folder.path("s"), mode: .readWrite)
            try other.execute("BEGIN IMMEDIATE")
            let read = try await read(.refresh)
            #expect(read.post.body == body)
            if case .serverNotStored = read.origin {} else { Issue.record("\(read.origin)") }
            try other.execute("ROLLBACK")
            #expect(try await self.read(.offline).post.body == "first")
        }
        try await store.limitPages()
        for _ in 1...2 {
            #expect(try await read(.refresh).post.body == Self.long)
            #expect(await store.notice == .diskFull)
        }
        // Until the end of the process, in memory.
        #expect(try await read(.offline).post.body == Self.long)
    }
}
