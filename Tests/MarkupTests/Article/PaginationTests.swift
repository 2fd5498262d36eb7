import BlogEssentials
import BlogTestSupport
import Testing
@testable import BlogMarkup

@Suite("A page of an article on several pages") struct PaginationTests {
    /// A page at an address with some links, and what is told about its place: "1 of 3, then /lamp/2".
    struct Page: Sendable, CustomTestStringConvertible {
        let path: String
        let links: String
        let place: String?
        var testDescription: String { "\(path) \(links)" }

        init(_ path: String, _ links: String, _ place: String? = nil) {
            (self.path, self.links, self.place) = (path, links, place)
        }
    }

    private static let site = "https://gazette.example"

    private func pagination(_ page: Page) throws -> Pagination? {
        let text = "<head><title>The lamp</title></head><article>\(ArticleSample.text)</article>\(page.links)"
        let address = try #require(URL(string: Self.site + page.path))
        return try #require(PageArticle(page: text, at: address)).pagination
    }

    private func place(_ page: Page) throws -> String? {
        try pagination(page).map { found in
            let next = found.next.map { ", then " + $0.replacing(Self.site, with: "") } ?? ""
            return "\(found.number) of \(found.count.map(String.init) ?? "several")\(next)"
        }
    }

    /// A pager with links to pages by number, but for the current one.
    private static func pager(_ count: Int, at current: Int, _ address: (Int) -> String) -> String {
        let items = (1...count).map { number in
            number == current
                ? "<li class=active>\(number)</li>" : "<li><a href='\(address(number))'>\(number)</a></li>"
        }
        return "<ul class=pagination>\(items.joined())</ul>"
    }

    @Test(
        "tells its number, the number of pages and the address of the next one from links with numbers",
        arguments: [
            Page("/lamp", pager(3, at: 1) { "/lamp/\($0)" }, "1 of 3, then /lamp/2"),
            Page("/lamp/", pager(3, at: 1) { "/lamp/\($0)/" }, "1 of 3, then /lamp/2/"),
            Page("/lamp/2", pager(3, at: 2) { $0 == 1 ? "/lamp" : "/lamp/\($0)" }, "2 of 3, then /lamp/3"),
            Page("/lamp/3", pager(3, at: 3) { $0 == 1 ? "/lamp" : "/lamp/\($0)" }, "3 of 3"),
            Page("/lamp?page=2", pager(12, at: 2) { "?page=\($0)" }, "2 of 12, then /lamp?page=3"),
            Page("/story?id=7", pager(4, at: 1) { "/story?id=7&page=\($0)" }, "1 of 4, then /story?id=7&page=2"),
            Page("/lamp?utm_source=feed", pager(2, at: 1) { "lamp/page/\($0)" }, "1 of 2, then /lamp/page/2"),
            Page("/a/lamp.html", pager(2, at: 1) { "lamp-\($0).html" }, "1 of 2, then /a/lamp-2.html"),
            Page(
                "/a/lamp_2.html", pager(3, at: 2) { $0 == 1 ? "lamp.html" : "lamp_\($0).html" },
                "2 of 3, then /a/lamp_3.html"),
            Page("/lamp/", pager(3, at: 1) { "page\($0).html" }, "1 of 3, then /lamp/page2.html"),
            Page("/lamp?p=2", pager(2, at: 2) { $0 == 1 ? "/lamp" : "/lamp?p=\($0)" }, "2 of 2"),
            Page(
                "/lamp/",
                """
                <div class=page-links>Pages: <span class='post-page-numbers current' aria-current=page>
                <span class=screen-reader-text>Page</span>1</span> <a href='https://gazette.example/lamp/2/'>
                <span class=screen-reader-text>Page</span> 2</a></div>
                """, "1 of 2, then /lamp/2/"),
            Page(
                "/lamp",
                "<nav><a href=/lamp aria-current=page>1</a> <a href=/lamp/2>2</a> … <a href=/lamp/9>9</a></nav>",
                "1 of 9, then /lamp/2"),
            Page("/lamp", "<nav>1 <a href=/lamp/2>2</a> <a href=/lamp/3>3</a> …</nav>", "1 of several, then /lamp/2"),
        ])
    func numbers(page: Page) throws { #expect(try place(page) == page.place) }

    @Test(
        "tells the address of the next one from a link that is marked as such",
        arguments: [
            Page("/lamp", "<link rel=next href=/lamp/2>", "1 of several, then /lamp/2"),
            Page("/lamp", "<a rel='nofollow next' href='?page=2'>Next page</a>", "1 of several, then /lamp?page=2"),
            Page("/lamp.html", "<a rel=next href=lamp-2.html>On</a>", "1 of several, then /lamp-2.html"),
            Page("/lamp/page/4", "<link rel=next href=/lamp/page/5/>", "4 of several, then /lamp/page/5/"),
            Page(
                "/lamp?page=2&x=1", "<a rel=next href='/lamp?x=1&page=3'>On</a>", "2 of several, then /lamp?x=1&page=3"),
            Page(
                "/lamp", "<link rel=next href=//www.gazette.example/lamp/2>",
                "1 of several, then https://www.gazette.example/lamp/2"),
            Page("/lamp", "<link rel=next href=/lamp/2>" + pager(3, at: 1) { "/lamp/\($0)" }, "1 of 3, then /lamp/2"),
        ])
    func marks(page: Page) throws { #expect(try place(page) == page.place) }

    @Test(
        "is told from other pages",
        arguments: [
            Page("/lamp", "<link rel=next href=/gulls title='About gulls'>"),
            Page("/lamp", "<a rel=next href=/gulls/2>On</a>"),
            Page("/lamp", "<link rel=next href=https://other.example/lamp/2>"),
            Page("/lamp", "<link rel=prev href=/lamp/2>"),
            Page("/posts/41", "<link rel=next href=/posts/42>"), Page("/?p=41", "<link rel=next href='/?p=42'>"),
            Page("/41", "<a rel=next href=/42>Next</a><a href=/1>1</a><a href=/>Home</a>"),
            Page("/", "<a rel=next href=/page/2>Older</a>"), Page("/lamp", "<a href=/lamp/2>Part two</a>"),
            Page("/2024/05/lamp", "<a rel=next href=/2024/06/lamp>Next</a>"),
            Page("/lamp", "<a href=/lamp/2024>2024</a>"),
            Page("/lamp", "<link rel=next href=/lamp-2>"), Page("/lamp", "<link rel=next href=/lamp/2/gulls>"),
            Page("/lamp-1.html", "<link rel=next href=/lamp-2.html>"), Page("/lamp", "<a rel=next href=#2>2</a>"),
            Page("/lamp", "<p>Note<a href=#n2>2</a></p>"), Page("/lamp", pager(3, at: 1) { "/gulls/\($0)" }),
            Page("/lamp", "<div id=comments>\(pager(3, at: 1) { "?page=\($0)" })</div>"),
            Page("/lamp", "<a href=/lamp/3>2</a>"), Page("/lamp", "<a rel=next href=/lamp/02>On</a>"),
            Page("/lamp", "<a rel=next href=''>2</a>"), Page("/lamp", "<a rel=next href='javascript:page(2)'>2</a>"),
            Page("/comics/7", (1...9).map { "<a href=/comics/\($0)>\($0)</a>" }.joined()),
            Page("/lamp", "<a rel=next href=/lamp?page=1>On</a>"),
        ])
    func others(page: Page) throws { #expect(try place(page) == nil) }

    @Test("says so in a paragraph after its text, with a harmless link")
    func notice() throws {
        let page = Page("/a&b", "<link rel=next href='/a&b?page=2&x=<b>\"'>")
        #expect(try pagination(page) == nil)
        let found = try pagination(
            Page("/a&b?x=<i>\"", "<link rel=next href='/a&b?x=<i>\"&amp;page=2'><a href='?x=<i>\"&page=3'>3</a>"))
        let notice = try #require(found).notice
        #expect(notice.hasPrefix("<p>Page 1 of 3. Next page: <a href=\""))
        #expect(SafeArticle.problem(in: notice) == nil && !notice.contains("<i>"))
        #expect(
            try pagination(Page("/lamp", "<a href=/lamp/2>2</a>")).map { HTML.document($0.notice).blocks.plainText }
                == "Page 1 of 2. Next page: https://gazette.example/lamp/2")
        #expect(try pagination(Page("/lamp?page=2", "<a href=/lamp>1</a>"))?.notice == "<p>Page 2 of 2.</p>")
    }
}
