import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("The example program", .serialized) struct ExampleTests {
    /// Runs `docs/example/main.swift`.
    private func run(_ arguments: String..., at site: TestSite) async throws -> Outcome {
        let program = BlogProcess.binary.deletingLastPathComponent().appending(path: "BlogExample")
        let process = BlogProcess(arguments, of: program, environment: site.environment, folder: site.home)
        return try await process.run(input: "")
    }

    @Test("lists posts by author and reads one, without a store")
    func api() async throws {
        let site = try TestSite()
        let outcome = try await run(site.server.address, at: site)
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "Archibald Finch")
        #expect(lines.contains("  2018-08-02T10:00:00Z  An Apology to the Back Button"))
        #expect(lines.contains("Caches: 3 Hard Things"))
        #expect(site.server.requestLines == ["GET /post-metadata", "GET /post/2014"])
        #expect(!FileManager.default.fileExists(atPath: site.storePath))
    }

    @Test("reports the record it left out, and lists the others")
    func rejected() async throws {
        let site = try TestSite()
        let metadata = #""title":"B","publishDate":"2018-01-01T00:00:00Z","postId":"2001","author":{"name":"Kim"}"#
        site.server.setFault(.body(Data(#"[{"id":"1"},{"id":"2",\#(metadata)}]"#.utf8)), for: "/post-metadata")
        let outcome = try await run(site.server.address, at: site)
        #expect(outcome.output.hasPrefix("Left out record 0: title is missing\nKim\n  2018-01-01T00:00:00Z  B\n"))
    }

    @Test("follows a blog, lists unread posts and finds a word in their texts")
    func blog() async throws {
        let site = try TestSite()
        let outcome = try await run(site.server.address, site.storePath, "greeting", at: site)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("Following 127-0-0-1: 15 posts\n"))
        #expect(outcome.output.contains("  An Apology to the Back Button\n"))
        #expect(outcome.output.contains("\n\nGrüße, 你好, مرحبا: Room for Every Greeting\n\n"))
    }

    @Test("follows a feed and finds a word in its posts, as plain text")
    func feed() async throws {
        let site = try TestSite(
            FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        let address = site.server.address + "/feeds/saltmarsh/"
        let outcome = try await run(address, site.storePath, "curlews", at: site)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\n\nForty Curlews, and One That Wasn’t\n\n"))
        #expect(!outcome.output.contains("<p>"))
    }

    @Test("shows a feed and the article of a page that are files")
    func files() async throws {
        let mocks = Repository.mockBlog.deletingLastPathComponent()
        let outcome = try await run(
            mocks.appending(path: "feeds/feed.xml").path,
            mocks.appending(path: "hackernews/pages/two-clocks.html").path, at: TestSite())
        #expect(outcome.code == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count > 4 && lines.dropFirst().first?.hasPrefix("  20") == true)
        #expect(!outcome.output.contains("<p>"))
    }

    @Test("has the code of README.md")
    func readme() throws {
        let program = try DocumentedCommand.text(of: "docs/example/main.swift")
        let blocks = try DocumentedCommand.text(of: "README.md").components(separatedBy: "```swift\n").dropFirst()
        let lines = blocks.flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
        #expect(lines.count == 3)
        for line in lines { #expect(program.contains(line)) }
    }

    @Test("requires an address", arguments: ["", "nowhere"])
    func noAddress(address: String) async throws {
        #expect(try await run(address, at: TestSite()).code == 2)
    }
}
