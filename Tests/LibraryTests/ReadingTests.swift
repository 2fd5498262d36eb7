import BlogTestSupport
import Foundation
import BlogMockServer
import Synchronization
import Testing
@testable import BlogLibrary
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogStore

@Suite("A body read while it arrives", .serialized) struct ReadingTests {
    private let server: MockServer
    private let store: PostStore

    init() throws {
        server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        store = try PostStore()
    }

    /// Reads post 1, and returns the text delivered before the end, and the result.
    private func read(
        _ freshness: Freshness = .normal, isCompleteOnly: Bool = false
    ) async throws -> (given: String, result: Result<ReadPost, any Error>) {
        let client = HTTPClient(
            transport: TransportKind.used.make(), timeout: 60, retryPolicy: RetryPolicy(maxAttempts: 3, base: 0.001))
        let source = BlogAPISource(address: try #require(URL(string: server.address)), client: client)
        let reader = SourceReader(source: source, store: store, freshness: freshness)
        let given = Mutex("")
        do {
            let post = try await reader.read(
                id: "1", receive: { _, text in given.withLock { $0 += text } }, isCompleteOnly: isCompleteOnly)
            return (given.withLock { $0 }, .success(post))
        } catch { return (given.withLock { $0 }, .failure(error)) }
    }

    /// Sends the first lines of a body, and no more.
    private func cutOff(times: Int? = nil) {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + #"{"id":"2001","body":"one\ntwo\nthr"#
        server.setFault(.raw(Data(bytes.utf8)), for: "/post/2001", times: times)
    }

    private func serve(_ body: String) {
        server.setFault(.body(Data(#"{"id":"2001","body":"\#(body)"}"#.utf8)), for: "/post/2001")
    }

    private func isOutdated(_ post: ReadPost) -> Bool { if case .outdated = post.origin { true } else { false } }

    @Test("is delivered as it arrives")
    func given() async throws {
        defer { server.stop() }
        serve(#"one\ntwo\nthree"#)
        let read = try await read()
        #expect(read.given == "one\ntwo\nthree")
        #expect(try read.result.get().post.body == "one\ntwo\nthree")
    }

    @Test("ends in an error if it is cut off, and isn't stored or requested again")
    func interrupted() async throws {
        defer { server.stop() }
        cutOff()
        let read = try await read()
        #expect(read.given == "one\ntwo\n")
        #expect(throws: HTTPError.self) { try read.result.get() }
        #expect(server.requestLines.count { $0 == "GET /post/2001" } == 1)
        #expect(try await store.body(id: "1", of: #require(store.sources().first?.id)) == nil)
    }

    @Test("isn't delivered early if a stored body can be shown instead")
    func fallback() async throws {
        defer { server.stop() }
        serve("the old one")
        _ = try await read()
        cutOff()
        let failed = try await read(.refresh)
        #expect(failed.given == "")
        #expect(try failed.result.get().post.body == "the old one")
        #expect(isOutdated(try failed.result.get()))
        serve(#"a\nnew\none"#)
        let read = try await read(.refresh)
        #expect(read.given == "")
        #expect(try read.result.get().post.body == "a\nnew\none")
        #expect(try await self.read().result.get().post.body == "a\nnew\none")
    }

    @Test("is requested again if it is cut off before any of it was delivered")
    func retried() async throws {
        defer { server.stop() }
        serve("the old one")
        _ = try await read()
        server.setFault(nil, for: "/post/2001")
        cutOff(times: 2)
        let read = try await read(.refresh)
        #expect(try read.result.get().post.body.count > 100)
        #expect(!isOutdated(try read.result.get()))
    }

    @Test("isn't delivered early if only a complete body is of use")
    func complete() async throws {
        defer { server.stop() }
        cutOff()
        let failed = try await read(isCompleteOnly: true)
        #expect(failed.given == "")
        #expect(throws: (any Error).self) { try failed.result.get() }
        serve(#"one\ntwo"#)
        let read = try await read(isCompleteOnly: true)
        #expect(read.given == "")
        #expect(try read.result.get().post.body == "one\ntwo")
    }
}
