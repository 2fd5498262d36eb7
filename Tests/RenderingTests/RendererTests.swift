import BlogMarkup
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("A rendered list") struct RendererTests {
    /// The output of a renderer for posts and their groups.
    private func render(_ renderer: some ListRenderer, _ posts: [(String?, PostMetadata)]) -> String {
        var renderer = renderer
        var text = renderer.start()
        var current: String?
        for (group, metadata) in posts {
            if let group, group != current {
                text += renderer.group(PostGroup(name: group, count: posts.filter { $0.0 == group }.count))
                current = group
            }
            text += renderer.record(Record(StoredPost(metadata: metadata, source: .one, group: group)))
        }
        return (text + renderer.end()).plain
    }

    private func two() throws -> [(String?, PostMetadata)] {
        [(nil, try sample()), (nil, try sample(id: "2", title: "Other", summary: nil))]
    }

    private func grouped() throws -> [(String?, PostMetadata)] {
        try [("A", sample()), ("A", sample(id: "2")), ("B", sample(id: "3"))]
    }

    @Test("needs of posts what each field says, and nothing else", arguments: Field.ofLists)
    func parts(field: Field) async throws {
        let store = try PostStore()
        let article = EntryDetails(
            tags: ["a"], enclosures: [Enclosure(url: "https://x.y/a.mp3")], image: "https://x.y/i.png",
            updated: Timestamp("2020-01-01T00:00:00Z"))
        let talk = PostMetadata(
            id: "9", title: "t", publishDate: try #require(Timestamp("2018-07-15T23:03:29Z")), postId: "8",
            summary: "s", author: Author(name: "Ann", image: "/a.png", title: "Editor"), link: "https://x.y/", score: 7,
            commentCount: 3, details: .discussion(Discussion(parent: "2", replies: ["9"], type: .job)))
        try await store.list([samplePhoto(), sample(id: "2", details: .entry(article)), talk])
        _ = try await store.mark(.labelled("later"), ids: [PostID(source: .one, local: "2")])
        func values(_ parts: Query.Parts) async throws -> [String?] {
            var query = Query()
            query.parts = parts
            return try await store.posts(query).map { presentation($0) }.flatMap { [field.text($0), field.json($0)] }
        }
        func presentation(_ post: StoredPost) -> Record { Record(post).shown(of: "x", at: "https://x.y") { $0 } }
        let whole = try await values(.all)
        #expect(try await values(field.parts) == whole)
        for part in [Query.Parts.headings, .summaries, .facts, .details] where field.parts.contains(part) {
            #expect(try await values(field.parts.subtracting(part)) != whole)
        }
    }

    @Test("has one record per line with tabs between fields")
    func tabSeparated() throws {
        #expect(
            render(TabSeparatedRenderer(fields: nil), try two()) == """
                1\t2018-07-15T23:03:29Z\tKerri Lane\tA Title\tA summary.
                2\t2018-07-15T23:03:29Z\tKerri Lane\tOther\t

                """)
    }

    @Test("has summaries cut to 300 characters, unless they were chosen", arguments: [300, 301])
    func longSummary(length: Int) throws {
        let summary = String(repeating: "é", count: length)
        let post = try sample(summary: summary)
        let shown = length == 300 ? summary : String(repeating: "é", count: 299) + "…"
        #expect(render(TabSeparatedRenderer(fields: nil), [(nil, post)]).hasSuffix("\tA Title\t\(shown)\n"))
        #expect(render(TabSeparatedRenderer(fields: [.summary]), [(nil, post)]) == summary + "\n")
    }

    @Test(
        "is a table if its columns fit, and otherwise a list",
        arguments: [(6, "a   b\nxx  yy\n"), (5, "a  xx\nb  yy\n")])
    func factTable(columns: Int, text: String) {
        let table = FactTable(columns: ["a", "b"], rows: [[.text("xx"), .text("yy")]])
        #expect(table.aligned(in: columns).plain == text)
    }

    @Test("has tabs and line breaks in fields replaced with spaces")
    func tabsInFields() throws {
        let post = try sample(title: "a\tb\nc\u{1B}[31m", summary: "\u{202E}x")
        #expect(render(TabSeparatedRenderer(fields: [.title, .summary]), [("G\tH", post)]) == "G H\ta b c\tx\n")
    }

    @Test("in CSV has a header, and quotes where they are needed")
    func commaSeparated() throws {
        let post = try sample(title: "a, \"b\"\nc", role: nil)
        #expect(
            render(CommaSeparatedRenderer(fields: [.id, .title, .authorTitle], isGrouped: true), [("G", post)])
                == "group,id,title,author.title\nG,1,\"a, \"\"b\"\"\nc\",\n")
    }

    @Test("in CSV has no formulas in texts, unless they are wanted")
    func formulas() throws {
        for start in ["=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠"] {
            let post = try sample(id: start + "1", title: start + "1+1", role: start + "HYPERLINK(1)")
            let fields: [Field] = [.id, .title, .authorTitle, .publishDate]
            let safe = render(CommaSeparatedRenderer(fields: fields, isGrouped: true), [(start + "G", post)])
            let cells = try #require(try StrictCSV.records(safe).last)
            let raw = render(
                CommaSeparatedRenderer(fields: fields, isGrouped: true, isSafe: false), [(start + "G", post)])
            let rawCells = try #require(try StrictCSV.records(raw).last)
            let quoted = rawCells.dropLast().map { "'\($0)" }
            #expect(cells == quoted + rawCells.suffix(1))
        }
    }

    @Test("in CSV has negative numbers as numbers")
    func negative() throws {
        let post = PostMetadata(
            id: "1", title: "-", publishDate: Timestamp(secondsSince1970: 0), postId: "1", summary: nil,
            author: Author(name: "a"), score: -5, commentCount: .min)
        let text = render(
            CommaSeparatedRenderer(fields: [.score, .commentCount, .title], isGrouped: false), [(nil, post)])
        #expect(text == "score,commentCount,title\n-5,-9223372036854775808,'-\n")
        let table = FactTable(columns: ["a", "b"], rows: [[.number(-5), .text("=1")]])
        #expect(table.commaSeparated() == "a,b\n-5,'=1\n" && table.commaSeparated(isSafe: false) == "a,b\n-5,=1\n")
    }

    @Test("in JSON has the API's format")
    func json() throws {
        let text = render(JSONRenderer(fields: nil, isGrouped: false), try two())
        let decoded = try JSONDecoder().decode([PostMetadata].self, from: Data(text.utf8))
        #expect(decoded == (try two().map(\.1)))
        #expect(text.hasPrefix("[\n{\"id\":\"1\",\"title\":\"A Title\",\"publishDate\":\"2018-07-15T23:03:29Z\","))
        #expect(!text.contains("null"))
    }

    @Test("in JSON has groups with their counts")
    func groupedJSON() throws {
        struct Group: Decodable, Equatable {
            let group: String
            let count: Int
            let posts: [[String: String]]
        }
        let text = render(JSONRenderer(fields: [.id], isGrouped: true), try grouped())
        let decoded = try JSONDecoder().decode([Group].self, from: Data(text.utf8))
        #expect(
            decoded == [
                Group(group: "A", count: 2, posts: [["id": "1"], ["id": "2"]]),
                Group(group: "B", count: 1, posts: [["id": "3"]]),
            ])
    }

    @Test("is valid JSON without posts", arguments: [true, false])
    func emptyJSON(isGrouped: Bool) {
        #expect(render(JSONRenderer(fields: nil, isGrouped: isGrouped), []) == "[]\n")
    }

    @Test("in JSON escapes what could control a terminal, and decodes to the same text")
    func jsonEscapes() throws {
        let title = "\u{1B}[31m \u{9B} \u{7F} \u{202E} \u{2066} \u{2028} \u{0} \" \\ / é 🚀"
        let text = render(JSONLinesRenderer(fields: [.title]), [(nil, try sample(title: title))])
        #expect(Sanitizer.output(text) == text)
        #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == ["title": title])
    }

    @Test("in JSON escapes a long body in linear time")
    func manyEscapes() {
        let growth = Growth.ofEightfoldInput(enough: 20, from: 2048) { count in
            let text = String(repeating: "\n\u{9B}\"", count: count)
            #expect(text.json.utf8.count == count * "\\n\\u009b\\\"".utf8.count + 2)
        }
        #expect(growth < 20)
    }

    @Test("has the group in each JSON line, but not with IDs only")
    func lines() throws {
        let text = render(JSONLinesRenderer(fields: [.id]), try grouped())
        #expect(
            text == "{\"group\":\"A\",\"id\":\"1\"}\n{\"group\":\"A\",\"id\":\"2\"}\n{\"group\":\"B\",\"id\":\"3\"}\n")
        #expect(render(IDRenderer(), try grouped()) == "1\n2\n3\n")
    }

    @Test("highlights matches in colour or with asterisks, and sanitizes them")
    func snippets() throws {
        let snippet = Snippet(pieces: [
            .init(text: "one\n", isHit: false), .init(text: "t\u{1B}[2Jwo", isHit: true),
            .init(text: " three", isHit: false),
        ])
        let record = Record(StoredPost(metadata: try sample(), source: .one, group: nil, snippet: snippet))
        var plain = CardRenderer(.sample(40))
        #expect(plain.record(record).plain.hasSuffix("  one **two** three\n"))
        var narrow = CardRenderer(.sample(20, isColored: true))
        #expect(narrow.record(record).spelledOut.hasSuffix("  one <hit>two</> three\n"))
        var tabs = TabSeparatedRenderer(fields: [.id, .snippet])
        #expect(tabs.record(record) == "1\tone **two** three\n")
        var json = JSONLinesRenderer(fields: [.snippet])
        #expect(json.record(record) == "{\"snippet\":\"one\\n**t\\u001b[2Jwo** three\"}\n")
    }

    @Test("labels a match in an article")
    func articleSnippet() throws {
        var snippet = Snippet(pieces: [.init(text: "one ", isHit: false), .init(text: "two", isHit: true)])
        snippet.place = .article
        let record = Record(StoredPost(metadata: try sample(), source: .one, group: nil, snippet: snippet))
        var plain = CardRenderer(.sample(40))
        #expect(plain.record(record).plain.hasSuffix("  article: one **two**\n"))
        var ranked = Record(StoredPost(metadata: try sample(), source: .one, group: nil, rank: 1, snippet: snippet))
        #expect(plain.record(ranked).plain.contains("article: one **two**\n"))
        ranked.snippet?.place = .post
        #expect(!plain.record(ranked).plain.contains("article"))
        var tabs = TabSeparatedRenderer(fields: nil, isSearch: true)
        #expect(tabs.record(record).plain.hasSuffix("\tarticle: one **two**\n"))
        var json = JSONLinesRenderer(fields: [.snippet, .snippetPlace])
        #expect(json.record(record) == "{\"snippet\":\"one **two**\",\"snippetPlace\":\"article\"}\n")
        #expect(json.record(ranked) == "{\"snippet\":\"one **two**\"}\n")
    }

    @Test("has all facts about an article in JSON")
    func articleFacts() {
        let article = Article(
            address: "http://a", title: "t", author: "n", site: "s", publishDate: Timestamp(secondsSince1970: 3),
            language: "fr", body: "b", format: .html, isComplete: false, fetchedAt: .day(1))
        let start = #"{"title":"t","author":"n","publishDate":"1970-01-01T00:00:03Z","site":"s","link":"http://a","#
        #expect(article.json.json == start + #""language":"fr","format":"html","isComplete":false}"#)
    }

    @Test("names the address of an article unless the post itself links to it", arguments: ["a", "b"])
    func articleAddress(host: String) {
        var record = Record(PostMetadata.linked("1", to: "https://\(host).example"))
        record.linkedArticle = .sample("text")
        let address = LinkedArticleFacts(record) { $0.utc }?.address
        #expect(address == (host == "a" ? nil : "https://a.example"))
    }

    @Test("of posts with heads separates them with a blank line and a form feed")
    func separators() throws {
        var renderer = BodyRenderer(isRaw: false, hasHead: true)
        let post = Post(id: "1", metadata: try sample(), body: "a")
        let (first, second) = (try renderer.post(Record(post)).plain, try renderer.post(Record(post)).plain)
        #expect(second == "\n\u{C}" + first && first.hasSuffix("\n\na\n"))
    }

    @Test("of bodies separates them with form feeds, and keeps raw ones unchanged")
    func bodies() throws {
        let metadata = try sample()
        let bodies = ["a\r\nb\u{1B}", "c\n"].map { Record(Post(id: "1", metadata: metadata, body: $0)) }
        var plain = BodyRenderer(isRaw: false)
        #expect(try bodies.map { try plain.post($0) }.joined().plain == "a\nb\n\u{C}c\n\n")
        var headed = BodyRenderer(isRaw: false, hasHead: true)
        #expect(
            try headed.post(bodies[1]) == "A Title\n=======\nKerri Lane, iOS Engineer · 2018-07-15T23:03:29Z\n\nc\n\n")
        var raw = BodyRenderer(isRaw: true)
        #expect(try bodies.map { try raw.post($0) }.joined().plain == "a\r\nb\u{1B}\u{C}c\n")
    }

    @Test(
        "of bodies has absolute addresses for pictures and links, wherever HTML has them",
        arguments: [
            #"<img src="pics/l.jpg">"#, #"<img srcset="pics/s.jpg 1x, pics/l.jpg 2x">"#,
            #"<img data-srcset="pics/l.jpg 800w">"#, #"<picture><source srcset="pics/l.jpg"><img></picture>"#,
            #"<a href="pics/l.jpg">image</a>"#,
        ])
    func wholeAddresses(html: String) throws {
        var record = Record(Post(id: "1", metadata: try sample(), body: "<p>\(html)</p>"))
        record.site = URL(string: "https://example.org/2024/post")
        var renderer = BodyRenderer(isRaw: false)
        #expect(try renderer.post(record).plain.hasSuffix("\n\n[1] https://example.org/2024/pics/l.jpg\n"))
    }

    @Test("in Markdown has the singular for one point and one comment")
    func countsInMarkdown() throws {
        let author = Author(name: "Ann", image: nil, title: nil)
        let metadata = PostMetadata(
            id: "1", title: "A Title", publishDate: try sample().publishDate, postId: "1", summary: nil, author: author,
            score: 1, commentCount: 1)
        var renderer = MarkdownRenderer(isGrouped: false)
        let text = renderer.record(Record(Post(id: "1", metadata: metadata, body: ""))).plain
        #expect(text.contains("*, 1 point, 1 comment\n"))
    }

    @Test("of posts has title, author, date and the wrapped body")
    func article() throws {
        var renderer = PostTextRenderer(.sample(20), codeWidth: 20)
        let post = Post(id: "1", metadata: try sample(), body: "\nOne two three four five six.\n\nEnd.\n")
        #expect(
            try renderer.post(Record(post)).plain == """
                A Title
                ━━━━━━━
                Kerri Lane, iOS
                Engineer · 15 July
                2018 · 1

                One two three four
                five six.

                End.

                """)
    }
}
