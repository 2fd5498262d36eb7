// Not as a test of its inside: this is what any program can do.
import BlogKit
import BlogLibrary
import Foundation
import HTTP
import Model
import Synchronization
import Testing

@Suite("A program's own transport and clock") struct OwnTransportTests {
    /// Responds to every request with a list of one post, and counts them.
    private final class Canned: Transport {
        let requested = Mutex<[URL]>([])

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            requested.withLock { $0.append(request.url) }
            let list = """
                [{"id":"1","title":"T","publishDate":"2018-07-15T23:03:29Z","postId":"1","author":{"name":"A"}}]
                """
            return HTTPResponse(
                url: request.url, head: HTTPHead(status: 200, headers: ["Content-Type": "application/json"]),
                body: ResponseBody(Data(list.utf8)))
        }
    }

    @Test("carry the requests of the API's client")
    func api() async throws {
        let transport = Canned()
        let api = try #require(BlogAPI(address: "http://blog.example", transport: transport))
        #expect(try await api.metadata().map(\.title) == ["T"])
        #expect(transport.requested.withLock { $0 }.map(\.absoluteString) == ["http://blog.example/post-metadata"])
    }

    @Test("carry the requests of the library, and say when a list is due")
    func library() async throws {
        let folder = try TemporaryFolder()
        let transport = Canned()
        let clock = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let library = try Library(
            storePath: folder.path("store.db"), transport: transport, now: { clock.withLock { $0 } })
        // One source alone would be asked each time.
        for address in ["http://a.example", "http://b.example"] {
            #expect(try await library.follow(address).posts == 1)
        }
        let count = transport.requested.withLock(\.count)
        func titles() async throws -> [String] {
            var titles: [String] = []
            for try await post in try await library.list(Query(), in: .everything).posts {
                titles.append(post.metadata.title)
            }
            return titles
        }
        #expect(try await titles() == ["T", "T"])
        #expect(transport.requested.withLock(\.count) == count)
        clock.withLock { $0 += 86_400 }
        #expect(try await titles() == ["T", "T"])
        #expect(transport.requested.withLock(\.count) > count)
    }
}
