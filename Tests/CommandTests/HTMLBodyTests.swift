import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

/// A post in HTML, from a server with the blog API and in a feed.
private struct HTMLPost: MockSite {
    let paragraphs: Int

    private var body: String { (1...paragraphs).map { "<p>H<sub>2</sub>O \($0)</p>" }.joined() }
    private let metadata =
        #"{"id":"1","title":"t","publishDate":"2018-07-15T23:03:29Z","postId":"1","author":{"name":"a"}}"#

    /// The body as plain text.
    var text: String { (1...paragraphs).map { "H₂O \($0)\n" }.joined(separator: "\n") }

    func response(to request: MockRequest) -> MockResponse? {
        switch request.path {
        case "/post-metadata": .json(Data("[\(metadata)]".utf8))
        case "/post-metadata/1": .json(Data(metadata.utf8))
        case "/post/1": .json(Data(#"{"body":"\#(body)","metadata":\#(metadata),"id":"1"}"#.utf8))
        case "/feed.xml":
            MockResponse(
                headers: ["Content-Type": "application/rss+xml"],
                body: .bytes(
                    Data(
                        "<rss version='2.0'><channel><title>F</title><item><guid>1</guid><title>t</title><description><![CDATA[\(body)]]></description></item></channel></rss>"
                            .utf8)))
        default: nil
        }
    }
}

@Suite("An HTML body", .serialized) struct HTMLBodyTests {
    @Test("is text in a pipe, of any length, from an API or a feed", arguments: [10, 6000])
    func pipe(paragraphs: Int) async throws {
        let post = HTMLPost(paragraphs: paragraphs)
        let site = try TestSite(post)
        for options in [[], ["--offline"], ["--refresh"]] {
            #expect(try await site.blog(["read", "1", "--body"] + options).output == post.text)
        }
        #expect(try await site.blog("read", "1", "--raw").output.hasPrefix("<p>H<sub>2</sub>O 1</p>"))
        _ = try await site.blog("follow", site.server.address + "/feed.xml", "--as", "f")
        #expect(try await site.blog("read", "f:1", "--body").output == post.text)
        #expect(try await site.blog("read", "f:1").output.hasSuffix("\n\n" + post.text))
    }

    @Test("is found by the words that it shows")
    func search() async throws {
        let site = try TestSite(HTMLPost(paragraphs: 10))
        _ = try await site.blog("follow", site.server.address + "/feed.xml", "--as", "f")
        for words in ["H2O", "H₂O", "h₂o"] {
            #expect(try await site.blog("search", words, "--format", "ids").output == "f:1\n")
            #expect(try await site.blog("search", words, "--fields", "snippet").output.contains("**H2O**"))
        }
    }
}
