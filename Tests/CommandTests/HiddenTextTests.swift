import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("HTML that can't be seen") struct HiddenTextTests {
    private static let unseen = [
        "<span hidden>WORD</span>", "<span style='color:red; DISPLAY : none'>WORD</span>",
        "<span style='visibility:hidden'>WORD</span>", "<span aria-hidden='true'>WORD</span>",
        "<script>var a = 'WORD'</script>", "<style>.WORD{}</style>", "<noscript>WORD</noscript>",
        "<template>WORD</template>", "<!-- WORD -->", "<dialog>WORD</dialog>", "<datalist><option>WORD</datalist>",
        "<span hidden><b>WORD</b><script>1</script>WORD</span>",
    ]
    private static let shown = [
        "<span hidden='until-found'>WORD</span>", "<button aria-expanded='false'>b</button><span hidden>WORD</span>",
        "<button aria-controls='p1'>b</button><span id='p1' aria-hidden='true'>WORD</span>",
        "<dialog open>WORD</dialog>", "<span class='x' style='display: inline'>WORD</span>",
    ]
    private let site: TestSite

    init() throws {
        site = try TestSite()
    }

    private func follow(_ html: String) async throws {
        let page = """
            <!doctype html><title>Page</title><article><h1>Page</h1>
            \((1...6).map { "<p>Paragraph \($0) of the page has enough words, with commas, to be an article for all.</p>" }.joined())
            <p>Before \(html.replacing("WORD", with: "phantom")) behind, in the middle of it.</p></article>
            """
        let text = "Before \(html.replacing("WORD", with: "phantom")) behind"
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>a</id><entry><id>1</id>
            <title type="html">\(text)</title><link href="\(site.server.address)/page.html"/>
            <summary type="html">\(text)</summary><content type="html">&lt;p&gt;Other text: \(text)&lt;/p&gt;</content>
            </entry></feed>
            """
        site.server.setFault(
            .body(Data(feed.utf8), headers: ["Content-Type": "application/atom+xml"]), for: "/feed.xml")
        site.server.setFault(.body(Data(page.utf8), headers: ["Content-Type": "text/html"]), for: "/page.html")
        _ = try await site.blog("follow", site.server.address + "/feed.xml", "--as", "a", "--kind", "feed")
    }

    /// Commands that show a title, a summary, a body, an article, a snippet, a page or Markdown.
    private static let commands = [
        "list --json=title", "list --json=summary", "list --format table", "read a:1", "read a:1 --format markdown",
        "read a:1 --format html", "read a:1 --article=always", "read a:1 --article=always --json=body", "search behind",
    ]

    @Test("is nowhere", arguments: unseen)
    func hidden(html: String) async throws {
        try await follow(html)
        for command in Self.commands {
            let outcome = try await site.run(command)
            #expect(outcome.code == 0 && outcome.output.contains("ehind"), "\(command): \(outcome.errors)")
            #expect(!outcome.output.contains("phantom"), "\(command): \(outcome.output)")
        }
        #expect(try await site.run("search phantom").code == 0)
        #expect(try await site.run("search phantom").output == "")
    }

    @Test("is what nobody opens, and not the rest", arguments: shown)
    func seen(html: String) async throws {
        try await follow(html)
        for command in Self.commands {
            let outcome = try await site.run(command)
            #expect(outcome.output.contains("phantom"), "\(command): \(outcome.output)\(outcome.errors)")
        }
    }
}
