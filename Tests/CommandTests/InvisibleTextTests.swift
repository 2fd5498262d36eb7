import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("Text that people can't see and models read") struct InvisibleTextTests {
    private let site: TestSite
    /// "hide" in tag characters.
    private static let hidden = "\u{E0068}\u{E0069}\u{E0064}\u{E0065}"

    init() async throws {
        let feed = """
            <rss version="2.0"><channel><title>A\(Self.hidden)b</title><item><guid>1</guid><title>T\(Self.hidden)\u{AD}1</title>
            <link>https://a.example/1</link><author>B\(Self.hidden)ob</author><category>x\(Self.hidden)y</category>
            <description>&lt;p&gt;W\(Self.hidden)or\u{AD}ds of it.&lt;/p&gt;</description></item></channel></rss>
            """
        site = try TestSite()
        site.server.setFault(.body(Data(feed.utf8), headers: ["Content-Type": "application/rss+xml"]), for: "/feed.xml")
        _ = try await site.blog("follow", site.server.address + "/feed.xml", "--as", "a", "--kind", "feed")
    }

    @Test(
        "is in no list and no post, in any format",
        arguments: [
            "list", "list --format tsv", "list --format table", "list --json", "list --format csv",
            "list --format markdown",
            "list --format html", "sources", "sources --json", "search words", "search words --json", "read a:1",
            "read a:1 --format markdown", "read a:1 --json=title,author,summary,tags",
        ])
    func shown(command: String) async throws {
        let outcome = try await site.run(command)
        #expect(outcome.code == 0 && outcome.output.contains { !$0.isWhitespace }, "\(outcome.errors)")
        let scalars = (outcome.output + outcome.errors).unicodeScalars
        #expect(!scalars.contains { (0xE0000...0xE007F).contains($0.value) || $0 == "\u{AD}" }, "\(outcome.output)")
    }

    @Test(
        "is in bodies as JSON and in raw posts, which are as published",
        arguments: ["read a:1 --json=body", "read a:1 --raw"])
    func published(command: String) async throws {
        #expect(try await site.run(command).output.contains(Self.hidden))
    }
}
