// Imports no other module of the package: this is what any program can do.
import BlogKit
import BlogTestSupport
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The public API") struct PublicAPITests {
    @Test("has a comment on every symbol")
    func comments() throws {
        var count = 0
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for index in publicDeclarations(lines) {
                count += 1
                let above = lines[..<index].last { !$0.drop { $0 == " " }.hasPrefix("@") }
                let isDocumented = above?.drop { $0 == " " }.hasPrefix("///") == true
                #expect(isDocumented, "\(path):\(index + 1) \(lines[index])")
            }
        }
        // Otherwise this no longer finds them.
        #expect(count > 300)
    }

    /// The lines with public declarations.
    private func publicDeclarations(_ lines: [Substring]) -> [Int] {
        var caseIndents: [String] = []
        return lines.indices.filter { index in
            let line = lines[index]
            let code = line.drop { $0 == " " }
            let indent = String(line[..<code.startIndex])
            if code == "}" { caseIndents.removeAll { $0 == indent + "    " } }
            if code.hasPrefix("public enum ") { caseIndents.append(indent + "    ") }
            return code.hasPrefix("public ") || code.hasPrefix("case ") && caseIndents.contains(indent)
        }
    }

    @Test(
        "is shown in articles with the code of a program that is run",
        arguments: [
            "Sources/BlogKit/BlogKit/BlogKit.docc/ReadingTheBlogAPI.md",
            "Sources/BlogKit/BlogKit/BlogKit.docc/KeepingPosts.md",
            "docs/library.md",
        ])
    func articles(article: String) throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        }
        // The program's code is in functions.
        let code = try text("docs/example/main.swift").replacing("\n    ", with: "\n")
        let blocks = try text(article).matches(of: #/```swift\n((?s:.)*?)```/#).filter { !$0.1.contains("platforms:") }
        #expect(!blocks.isEmpty)
        for block in blocks { #expect(code.contains(block.1), "\(block.1)") }
    }

    @Test("has each of its types on the landing page")
    func landingPage() throws {
        let page = Repository.root.appending(path: "Sources/BlogKit/BlogKit/BlogKit.docc/BlogKit.md")
        let topics = try String(contentsOf: page, encoding: .utf8).split(separator: "## Topics")[1]
        let type = #/^public (?:final )?(?:struct|class|enum|actor|protocol|typealias) (\w+)/#.anchorsMatchLineEndings()
        for (path, text) in try Repository.swiftFiles(below: "Sources") {
            for match in text.matches(of: type) {
                #expect(topics.contains("``\(match.1)``"), "\(match.1) of \(path)")
            }
        }
    }
}

@Suite("A custom transport and clock") struct OwnTransportTests {
    /// Responds to every request with a list of one post, and counts them.
    private final class CannedTransport: Transport {
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

    @Test("serve the requests of BlogAPI")
    func api() async throws {
        let transport = CannedTransport()
        let api = try #require(BlogAPI(address: "http://blog.example", transport: transport))
        #expect(try await api.list().posts.map(\.title) == ["T"])
        #expect(transport.requested.withLock { $0 }.map(\.absoluteString) == ["http://blog.example/post-metadata"])
    }

    @Test("serve a library, and decide when a list is due")
    func library() async throws {
        let folder = try TemporaryFolder()
        let transport = CannedTransport()
        let clock = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        let library = try Library(
            storePath: folder.path("store.db"), transport: transport, now: { clock.withLock { $0 } })
        // A single source would be requested each time.
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

@Suite("A session of a program's own") struct OwnSessionTests {
    /// Answers every request with a list of one post, as a test of another program may do.
    private final class Stub: URLProtocol {
        override static func canInit(with request: URLRequest) -> Bool { true }
        override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }
        override func stopLoading() {}

        override func startLoading() {
            guard let url = request.url,
                let response = HTTPURLResponse(
                    url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "application/json"])
            else { return }
            let list = """
                [{"id":"1","title":"T\\u001b[1m","publishDate":"2018-07-15T23:03:29Z","postId":"1",\
                "author":{"name":"A","image":"/a.jpg"}}]
                """
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(list.utf8))
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private static var session: URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Stub.self]
        return URLSession(configuration: configuration)
    }

    @Test("serves the requests of BlogAPI")
    func api() async throws {
        let api = try #require(BlogAPI(address: "http://blog.example", session: Self.session, timeout: 600))
        let post = try #require(try await api.list().posts.first)
        #expect(post.safeTitle == "T")
        #expect(api.picture(of: post.author)?.absoluteString == "http://blog.example/a.jpg")
    }

    @Test("serves a library")
    func library() async throws {
        let folder = try TemporaryFolder()
        let library = try Library(storePath: folder.path("store.db"), timeout: 600, session: Self.session)
        #expect(try await library.follow("http://blog.example", kind: "blog").posts == 1)
    }
}

@Suite("Text of a post, for a program that prints it") struct PostTextTests {
    private func post(_ body: String, _ format: BodyFormat) throws -> Post {
        let date = try #require(Timestamp("2018-07-15T23:03:29Z"))
        let metadata = PostMetadata(
            id: "1", title: "A\u{1B}]0;B\u{7}\nC", publishDate: date, postId: "1", summary: nil,
            author: Author(name: "D\u{202E}E"))
        return Post(id: "1", metadata: metadata, body: body, bodyFormat: format)
    }

    @Test("has no escape sequences, controls and overrides")
    func safety() throws {
        let post = try post("<p>One\u{1B}[31m <b>two</b>\u{202E}</p><p>three</p>", .html)
        #expect(post.metadata.safeTitle == "A C")
        #expect(post.metadata.author.safeName == "DE")
        #expect(post.safeText == "One two\nthree")
    }

    @Test(
        "is Markdown and HTML without anything that runs",
        arguments: [
            (
                "<p onclick=a()>See <a href='/b'>this</a></p><script>c()</script>", BodyFormat.html, "See [this](/b)",
                "<p>See <a href=\"https://d.example/b\">this</a></p>\n"
            ),
            ("*One* [two](javascript:e)", .markdown, "*One* [two](javascript:e)", "<p><em>One</em> two</p>\n"),
        ])
    func formats(body: String, format: BodyFormat, markdown: String, html: String) throws {
        let post = try post(body, format)
        #expect(post.markdown == markdown)
        #expect(post.html(relativeTo: URL(string: "https://d.example/")) == html)
    }

    @Test("is in the order of its dates")
    func dates() throws {
        let texts = ["2020-01-01T00:00:00Z", "2020-01-01T00:30:00+01:00", "2019-12-31T23:00:00Z"]
        let dates = texts.compactMap { Timestamp($0) }.sorted()
        #expect(dates.map(\.text) == ["2019-12-31T23:00:00Z", "2020-01-01T00:30:00+01:00", "2020-01-01T00:00:00Z"])
    }
}
