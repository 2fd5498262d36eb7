import BlogMockServer
import BlogTestSupport
import Foundation
import Testing

@Suite("What sources link to", .serialized) struct LinkedTests {
    private let site: TestSite

    /// Follows two blogs that link to a page of the server, and to a post of the first one.
    init() async throws {
        site = try TestSite(FeedSite(folder: Repository.mockBlog.deletingLastPathComponent().appending(path: "feeds")))
        let page = Self.page(site)
        try await follow(
            "feed.xml", "ann", "https://ann.example",
            Self.item("https://ann.example/own", "An own post", "<p>Ann's <a href='\(page)'>The garden gate</a></p>"))
        try await follow(
            "garden/feed.xml", "bob", "https://bob.example",
            Self.item("https://bob.example/1", "One", "<p>See <a href='\(page)?utm_source=bob'>this</a></p>")
                + Self.item("https://bob.example/2", "Two", "<p><a href='https://ann.example/own'>Ann</a></p>"))
        try await follow(
            "saltmarsh/atom.xml", "cy", "https://cy.example",
            Self.item("https://cy.example/1", "Three", "<p><a href='http://www.ann.example/own/'>Ann's post</a></p>"))
    }

    /// A page on the same server, but at another host than the feeds.
    private static func page(_ site: TestSite) -> String {
        "\(site.server.address)/feeds/lantern/fog.html".replacingOccurrences(of: "127.0.0.1", with: "localhost")
    }

    private static func item(_ link: String, _ title: String, _ body: String) -> String {
        let date = Date(timeIntervalSinceNow: -3600).formatted(.iso8601)
        let text = String(repeating: "What I know about this, in my own words. ", count: 5)
        return """
            <item><title>\(title)</title><link>\(link)</link><guid>\(link)</guid><dc:date>\(date)</dc:date>
            <description><![CDATA[\(text)\(body)]]></description></item>
            """
    }

    private func follow(_ path: String, _ name: String, _ home: String, _ items: String) async throws {
        let feed = """
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>\(name)</title>
            <link>\(home)</link>\(items)</channel></rss>
            """
        site.server.setFault(.body(Data(feed.utf8)), for: "/feeds/\(path)")
        let run = try await site.blog("follow", "\(site.server.address)/feeds/\(path)", "--as", name)
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("is a source like others, and in no list but its own")
    func list() async throws {
        let followed = try await site.blog("follow", "linked")
        #expect(followed.errors.contains("Following linked: the pages that two or more of your sources linked to"))
        let card = try await site.blog("list", "-s", "linked", "--format", "text").output
        #expect(card.contains("The garden gate") && card.contains("also in ann, bob"), "\(card)")
        #expect(card.contains("An own post") && card.contains("also in bob, cy"), "\(card)")
        #expect(try await site.blog("list", "-s", "linked", "--format", "ids").lines.sorted() == ["ann:1", "linked:1"])
        #expect(try await !site.blog("list", "--format", "ids").lines.contains("linked:1"))
        #expect(try await site.blog("sources", "--format", "tsv").lines.last == "linked\t2\t2\tok\tlinked")
        #expect(try await site.blog("mark", "read", "ann:1").code == 0)
        #expect(try await site.blog("list", "-s", "linked", "--unread", "--format", "ids").lines == ["linked:1"])
        #expect(try await site.blog("list", "-s", "linked", "--new=n", "--format", "ids").lines.count == 2)
        #expect(try await site.blog("list", "-s", "linked", "--new=n", "--format", "ids").lines == [])
        #expect(try await site.blog("list", "-s", "linked", "-s", "ann").errors.contains("can only be listed alone"))
        #expect(try await site.blog("search", "-s", "linked", "own", "--format", "ids").lines == ["ann:1"])
    }

    @Test("is the page that was read by its address")
    func read() async throws {
        #expect(try await site.blog("read", Self.page(site)).code == 0)
        let all = try await site.blog("list", "-s", "linked", "--format", "ids").lines
        #expect(all.sorted() == ["ann:1", "pages:1"], "\(all)")
        let unread = try await site.blog("list", "-s", "linked", "--unread", "--format", "ids").lines
        #expect(unread == ["ann:1"], "\(unread)")
    }

    @Test("doesn't lead into a private network")
    func privateNetwork() async throws {
        _ = try await site.blog("list", "-s", "linked")
        let run = try await site.blog("read", "linked:1", "--format", "text")
        #expect(run.code != 0 && run.errors.contains("private network"), "\(run.errors)")
        #expect(try await site.blog("list", "-s", "linked", "--unread", "--format", "ids").lines.contains("linked:1"))
    }

    @Test("says why it is empty")
    func empty() async throws {
        #expect(try await site.blog("unfollow", "bob").code == 0)
        let run = try await site.blog("list", "-s", "linked")
        #expect(run.code == 0)
        #expect(run.errors.contains("No page was linked to by two of your sources in the last seven days."))
    }
}
