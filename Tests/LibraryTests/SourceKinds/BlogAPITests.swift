import BlogHTTP
import BlogKit
import BlogLibrary
import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("A client of the blog API", .serialized) struct BlogAPITests {
    private let server: MockServer
    private let running: RunningServers
    private let api: BlogAPI

    init() throws {
        server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        running = RunningServers(server)
        api = try #require(BlogAPI(address: server.address + "/", timeout: 60))
    }

    private func fail(_ json: String, at path: String) {
        server.setFault(.body(Data(json.utf8)), for: path)
    }

    @Test("lists posts in the API's order")
    func list() async throws {
        let posts = try await api.list().posts
        let ids = (1...14).reversed().map { String($0) }
        #expect(posts.map(\.id) == ids + ["42"])
        #expect(posts[0].author.name == "田中 美咲")
        #expect(server.requestLines == ["GET /post-metadata"])
    }

    @Test("fetches metadata by its id, and a post by its postId")
    func post() async throws {
        let metadata = try await api.metadata(id: "11")
        let post = try await api.post(postId: metadata.postId)
        #expect(post.metadata == metadata)
        #expect(post.id == "2011")
        #expect(post.bodyFormat == nil)
        #expect(post.body.hasPrefix("We took the back button over"))
        #expect(server.requestLines == ["GET /post-metadata/11", "GET /post/2011"])
    }

    @Test("sends an unconditional request each time")
    func noStore() async throws {
        #expect(try await api.list() == api.list())
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.headers["if-none-match"] == nil })
    }

    @Test("skips unreadable records, and reports which they are")
    func rejected() async throws {
        fail("[\(sampleJSON(["title": nil])),\(sampleJSON(["id": #""2""#])),7]", at: "/post-metadata")
        let list = try await api.list()
        #expect(list.posts.map(\.id) == ["2"])
        #expect(list.rejected.map(\.index) == [0, 2])
        #expect(list.rejected.map(\.field) == ["title", ""])
        #expect(list.rejected.map(\.id) == ["1", nil])
        #expect(try await api.list().posts == list.posts)
    }

    @Test("reports at most 100 unreadable records, but counts all of them")
    func manyRejected() async throws {
        fail("[\(sampleJSON())" + String(repeating: ",{}", count: 5000) + "]", at: "/post-metadata")
        let list = try await api.list()
        #expect(list.posts.count == 1)
        #expect(list.rejected.map(\.index) == Array(1...100))
        #expect(list.rejectedCount == 5000)
    }

    @Test("accepts an empty list, but not one without any readable record", arguments: [0, 1, 30_000])
    func nonsense(count: Int) async throws {
        fail("[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]", at: "/post-metadata")
        guard count > 0 else { return #expect(try await api.list().posts.isEmpty) }
        let error = await #expect(throws: SourceError.self) { try await api.list() }
        guard case .nothingUsable(_, let rejected)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(rejected.count == min(count, 100))
    }

    @Test("names the missing post in its error")
    func noSuchPost() async throws {
        let url = try #require(URL(string: server.address + "/post/a%2Fb"))
        await #expect(throws: SourceError.noSuchPost(id: "a/b", url)) { try await api.post(postId: "a/b") }
        await #expect(throws: SourceError.self) { try await api.metadata(id: "99") }
    }

    /// Responses that aren't the post 1001, with the expected problem of each.
    static let wrong: [(String, String)] = [
        ("", "is empty"), ("<p>", "is a web page, not JSON"), ("null", "has an unexpected format: it is null"),
        (#"{"id":"1001","body":"x"}"#, "isn't a post: metadata is missing"),
        (#"{"id":"1001","metadata":\#(sampleJSON()),"body":null}"#, "isn't a post: body is null"),
        (
            #"{"id":"1001","metadata":\#(sampleJSON(["publishDate": #""soon""#])),"body":""}"#,
            "isn't a post: metadata.publishDate isn't an ISO 8601 timestamp"
        ),
        (
            #"{"id":"7","metadata":\#(sampleJSON(["postId": #""7""#])),"body":""}"#, "is for another post, “7”"
        ),
    ]

    @Test("says why a response isn't the requested post", arguments: wrong)
    func wrongPost(json: String, problem: String) async throws {
        fail(json, at: "/post/1001")
        let url = try #require(URL(string: server.address + "/post/1001"))
        await #expect(throws: SourceError.unreadable(url, problem: problem)) { try await api.post(postId: "1001") }
    }

    @Test("accepts a post that is identified by its metadata's id")
    func otherName() async throws {
        fail(#"{"id":"1","metadata":\#(sampleJSON()),"body":"x"}"#, at: "/post/1001")
        #expect(try await api.post(postId: "1001").body == "x")
    }

    @Test("reports the HTTP status, or that the connection was refused")
    func failures() async throws {
        let url = try #require(URL(string: server.address + "/post-metadata"))
        server.setFault(.status(403), for: "/post-metadata")
        await #expect(throws: HTTPError.status(url, code: 403, retryAfter: nil)) { try await api.list() }
        server.stop()
        await #expect(throws: HTTPError.unreachable(url, reason: .refused)) { try await api.list() }
    }

    @Test("gives up on a silent server after the timeout")
    func timeout() async throws {
        server.setFault(.stall, for: "/post-metadata")
        let api = try #require(BlogAPI(address: server.address, timeout: 0.3))
        let error = await #expect(throws: HTTPError.self) { try await api.list() }
        // On a busy machine, even the head may come too late.
        switch error {
        case .stalled(_, seconds: 0.3), .timedOut(_, seconds: 0.3): break
        default: Issue.record("\(error as Any)")
        }
    }

    @Test(
        "can be created only for web addresses",
        arguments: ["", "localhost:8106", "file:///etc", "ftp://a", "http://", "http://a/?b", "http://u:p@a"])
    func addresses(address: String) {
        #expect(BlogAPI(address: address) == nil)
        #expect(BlogAPI(address: "HTTP://Example.com:80/blog//")?.address.absoluteString == "http://example.com/blog")
    }
}
