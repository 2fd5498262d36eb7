import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A blog API source", .serialized) struct BlogAPISourceTests {
    private let server: MockServer
    private let running: RunningServers
    private let source: BlogAPISource

    init() throws {
        server = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        running = RunningServers(server)
        source = BlogAPISource(address: try #require(URL(string: server.address)), client: .impatient())
    }

    private func text(_ source: BlogAPISource, of metadata: PostMetadata) async throws -> String {
        guard case .text(let text) = try await source.body(of: metadata, validators: nil).content else { return "" }
        return text
    }

    @Test("fetches a post's body by its postId")
    func body() async throws {
        let metadata = try await source.metadata(id: "11")
        #expect(try await text(source, of: metadata).hasPrefix("We took the back button over"))
        #expect(server.requestLines == ["GET /post-metadata/11", "GET /post/2011"])
    }

    @Test(
        "encodes an ID as a single path segment",
        arguments: [
            ("a/b", "a%2Fb"), ("../../etc/passwd", "%2E%2E%2F%2E%2E%2Fetc%2Fpasswd"), ("a b", "a%20b"),
            ("a?b#c", "a%3Fb%23c"), ("100%", "100%25"), ("日本", "%E6%97%A5%E6%9C%AC"), ("a\nb", "a%0Ab"),
            ("x.y", "x%2Ey"), ("%2F", "%252F"), ("..", "%2E%2E"), (".", "%2E"),
        ])
    func identifiers(id: String, segment: String) async throws {
        await #expect(throws: SourceError.self) { try await source.metadata(id: id) }
        #expect(server.requestLines == ["GET /post-metadata/\(segment)"])
    }

    @Test("sends its validators, and treats 304 as unchanged")
    func validators() async throws {
        guard case .entries(_, .complete, let first) = try await source.refresh(nil, since: nil) else {
            return #expect(Bool(false), "the list isn't complete")
        }
        #expect(first.validators.etag != nil)
        guard case .unchanged(let again, wasSent: false) = try await source.refresh(nil, since: first) else {
            return #expect(Bool(false), "304 isn't treated as unchanged")
        }
        #expect(again.validators == first.validators)
    }

    /// Responses that aren't a post, though some contain a body, with the expected error of each.
    static let wrong: [(String, String)] = [
        (#"{"body":"one\ntwo"#, "ends before it is complete"), (#"{"body":"one\x"}"#, "isn't valid JSON"),
        (#"{"body":"one",}}"#, "isn't valid JSON"), (#"{"body":"one"} {}"#, "isn't valid JSON"),
        (#"{"body":7}"#, "isn't a post: body isn't a string"), (#"{"id":"1"}"#, "isn't a post: body is missing"),
        (#"["body","x"]"#, "has an unexpected format: it isn't an object"), ("<p>", "is a web page, not JSON"),
        ("", "is empty"),
    ]

    @Test("says why a response isn't a post", arguments: wrong)
    func wrongBody(json: String, problem: String) async throws {
        server.setFault(.body(Data(json.utf8)), for: "/post/101")
        let error = await #expect(throws: SourceError.self) { try await text(source, of: sample()) }
        guard case .unreadable(_, problem)? = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test(
        "reads a body from any valid JSON",
        arguments: [
            (#"{"b\u006fdy":"a \ud800"}"#, "a \u{FFFD}"), (#"{"x":[{}],"body":"","id":"101"}"#, ""),
            (#"{"\ud800":1,"body":"a"}"#, "a"),
        ])
    func forms(json: String, text: String) async throws {
        server.setFault(.body(Data(json.utf8)), for: "/post/101")
        #expect(try await self.text(source, of: sample()) == text)
    }

    @Test("rejects a post of more than 16 MB, whatever that is")
    func tooLong() async throws {
        let chunk = String(repeating: "x", count: 1 << 20)
        let stub = StubTransport(chunks: [#"{"x":""#] + Array(repeating: chunk, count: 17) + [#"","body":"y"}"#])
        let source = BlogAPISource(address: URL(filePath: "/"), client: HTTPClient(transport: stub))
        await #expect(throws: HTTPError.tooLarge(URL(filePath: "/post/101"), limit: 16 << 20)) {
            try await text(source, of: sample())
        }
    }

    @Test(
        "rejects the body of another post",
        arguments: [
            (#"{"body":"x","id":"101","metadata":{"id":"1"}}"#, true), (#"{"id":7,"body":"x","metadata":[]}"#, true),
            (#"{"id":"102","body":"x"}"#, false), (#"{"body":"x","metadata":{"id":"2"}}"#, false),
        ])
    func otherBody(json: String, isThis: Bool) async throws {
        server.setFault(.body(Data(json.utf8)), for: "/post/101")
        let text = try? await text(source, of: sample())
        #expect(text == (isThis ? "x" : nil))
    }

    @Test("rejects the metadata of another post")
    func otherPost() async throws {
        server.setFault(.body(Data(sampleJSON().utf8)), for: "/post-metadata/2")
        await #expect(throws: SourceError.self) { try await source.metadata(id: "2") }
    }
}
