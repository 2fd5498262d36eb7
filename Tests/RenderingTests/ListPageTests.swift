import BlogMarkup
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("A list's web page") struct ListPageTests {
    private func record(_ metadata: PostMetadata, group: String? = nil, state: PostState = PostState()) -> Record {
        Record(StoredPost(metadata: metadata, source: .one, group: group, state: state))
    }

    private func photos(_ count: Int) -> [Record] { (1...count).map { record(samplePhoto(id: "\($0)")) } }

    @Test("is one file without scripts, which loads nothing but pictures")
    func selfContained() throws {
        let html = listPage([record(try sample())])
        let page = try StrictPage(html)
        let policy = try #require(page.all("meta").first { $0.attributes["http-equiv"] == "Content-Security-Policy" })
        #expect(policy.attributes["content"]?.hasPrefix("default-src 'none'; img-src https: http: data:; ") == true)
        #expect(page.all("link").map { $0.attributes["href"] } == ["data:,"])
        #expect(!html.contains("url(") && !html.contains("@import"))
        let without = listPage([record(try sample())], .sample(.none))
        #expect(without.contains("img-src data:;") && !without.contains("<img"))
    }

    @Test("has a card for each post: title, author, date, ID, summary and marks")
    func cards() throws {
        let read = PostState(isRead: true, isSaved: true)
        let page = try StrictPage(listPage([record(try sample()), record(try sample(id: "2"), state: read)]))
        #expect(page.all("ol", class: "cards").count == 1)
        #expect(page.all("li", class: "card").count == 1 && page.all("li", class: "card read").count == 1)
        #expect(page.text.contains("A Title ●\nKerri Lane · 15 July 2018 · 1\nA summary.\n"))
        #expect(page.values("aria-label") == ["unread", "saved"])
        #expect(page.text.hasSuffix("2 posts\n\n\n"))
    }

    @Test("has groups with headings, and a table of contents")
    func groups() throws {
        let records = try [("A & B", "1"), ("A & B", "2"), ("C", "3")].map { record(try sample(id: $1), group: $0) }
        let page = try StrictPage(listPage(records))
        #expect(page.all("h2").map { $0.attributes["id"] } == ["group-1", "group-2"])
        #expect(page.all("h3").count == 3 && page.all("section").count == 2)
        #expect(page.values("href").filter { $0.hasPrefix("#g") } == ["#group-1", "#group-2"])
        #expect(page.text.contains("Contents\n\nA & B 2\nC 1\n"))
        #expect(page.text.contains("A & B 2 posts\n") && page.text.contains("C 1 post\n"))
        #expect(try StrictPage(listPage([record(try sample(), group: "C")])).all("nav").isEmpty)
    }

    @Test("has photos in a grid of squares with rating and title, each of them a link")
    func grid() throws {
        let page = try StrictPage(listPage(photos(3)))
        #expect(page.all("ul", class: "photos").count == 1 && page.all("a", class: "cell").count == 3)
        let cell = try #require(page.all("a", class: "cell").first)
        #expect(cell.attributes["href"] == "https://photos.example/photo/1")
        #expect(page.values("src").first == "https://p.example/1-440.jpg")
        #expect(page.all("img").count { $0.attributes["loading"] == "lazy" } == 3)
        #expect(page.text.contains("rated 98.6Dawn"))
        let style = listPage([]).components(separatedBy: "</style>")[0]
        #expect(style.contains(".cell{aspect-ratio:1;") && style.contains("object-fit:cover"))
    }

    @Test("has a photo among other posts as a card, and a single one as a grid")
    func mixed() throws {
        let post = record(try sample(id: "p"))
        let page = try StrictPage(listPage([post] + photos(1) + [post] + photos(2) + [post] + photos(1)))
        #expect(page.all("li", class: "card").count == 5 && page.all("a", class: "cell").count == 2)
        #expect(page.all("span", class: "thumbnail").count == 2)
        #expect(page.all("ol", class: "cards").count == 2)
        let groups = [record(samplePhoto(), group: "A"), record(samplePhoto(id: "2"), group: "B")]
        #expect(try StrictPage(listPage(groups)).all("ul", class: "photos").count == 2)
    }

    static let ratings: [(Double?, String?)] = [
        (98.64, "98.6"), (0, "0.0"), (100, "100.0"), (nil, nil), (.nan, nil), (.infinity, nil), (-1, nil), (1e300, nil),
    ]

    @Test("shows a rating with one decimal, unless it is invalid", arguments: ratings)
    func rating(value: Double?, shown: String?) throws {
        let records = [record(samplePhoto(rating: value)), record(samplePhoto(id: "2", rating: nil))]
        let page = try StrictPage(listPage(records))
        #expect(page.all("span", class: "rating").count == (shown == nil ? 0 : 1))
        #expect(page.text.contains("rated ") == (shown != nil) && page.text.contains(shown ?? "Dawn"))
    }

    @Test("links to a post, else to its discussion")
    func targets() throws {
        var record = record(try sample())
        #expect(try StrictPage(listPage([record])).all("h2").count == 1)
        #expect(!listPage([record]).contains("<h2 lang=\"und\" dir=\"auto\"><a"))
        record.discussionPage = "https://news.example/item?id=1&x"
        #expect(try StrictPage(listPage([record])).values("href").contains("https://news.example/item?id=1&x"))
    }

    @Test("shows the command for reading a post without a link")
    func command() throws {
        var record = record(try sample())
        #expect(try StrictPage(listPage([record])).text.contains("To read the post: blog read 1\n"))
        record.discussionPage = "https://news.example/item?id=1"
        #expect(!listPage([record]).contains("blog read"))
    }

    @Test("highlights search matches")
    func hits() throws {
        var snippet = Snippet(pieces: [.init(text: "<b>", isHit: false), .init(text: "a&b", isHit: true)])
        let hit = Record(StoredPost(metadata: try sample(), source: .one, group: nil, snippet: snippet))
        let html = listPage([hit])
        #expect(html.contains(">&lt;b&gt;<mark>a&amp;b</mark>"))
        snippet.place = .article
        let other = Record(StoredPost(metadata: try sample(), source: .one, group: nil, snippet: snippet))
        #expect(listPage([other]).contains(">article: &lt;b&gt;<mark>a&amp;b</mark>"))
        _ = try StrictPage(html)
    }

    @Test("says that there are no posts")
    func empty() throws {
        #expect(try StrictPage(listPage([])).text.contains("No posts."))
        #expect(try StrictPage(articlePage([])).text.contains("No posts."))
    }
}
