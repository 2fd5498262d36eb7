import BlogTestSupport
import Testing
@testable import BlogModel
@testable import BlogStore

@Suite("A search in articles", .serialized) struct ArticleSearchTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        try await store.list([
            sample(id: "1", title: "Swift on Servers", summary: "About deployment.", author: "Zoë Kim"),
            sample(id: "2", title: "Gardens", summary: nil, author: "Gregor"),
        ])
        try await store.store("A word about containers.", of: "1")
        try await store.storeArticle(
            "<p class=hidden-word>Static <b>linking</b> makes containers &amp; images small.</p>", .html, of: .one("1"))
    }

    private func search(_ words: String, in place: SearchField? = nil) async throws -> [String] {
        var query = Query(arrangement: Arrangement(sorting: .relevance), words: words)
        query.searchField = place
        return try await store.ids(query).sorted()
    }

    static let found: [(String, [String])] = [
        ("linking", ["1"]), ("\"static linking makes\"", ["1"]), ("link*", ["1"]), ("article:linking", ["1"]),
        ("deployment linking", ["1"]), ("body:linking", []), ("title:linking", []), ("article:deployment", []),
        ("ARTICLE:\"images small\"", ["1"]), ("swift -article:images", []), ("swift -article:rust", ["1"]),
        ("hidden", []), ("word", ["1"]), ("class", []), ("amp", []), ("-linking gardens", ["2"]),
    ]

    @Test("finds words of an article's text, but not of its markup", arguments: found)
    func words(words: String, ids: [String]) async throws {
        #expect(try await search(words) == ids)
    }

    static let places: [(String, SearchField, [String])] = [
        ("linking", .article, ["1"]), ("containers images", .article, ["1"]), ("deployment", .article, []),
        ("linking author:kim", .article, ["1"]), ("linking", .body, []), ("swift", .title, ["1"]),
        ("deployment", .summary, ["1"]), ("kim", .author, ["1"]), ("containers title:swift", .body, ["1"]),
    ]

    @Test("looks for words without a field in the given place", arguments: places)
    func place(words: String, place: SearchField, ids: [String]) async throws {
        #expect(try await search(words, in: place) == ids)
    }

    @Test("indexes plain text unchanged, and Markdown as it is shown", arguments: [BodyFormat.plain, .markdown])
    func text(format: BodyFormat) async throws {
        try await store.storeArticle("a <b>bold</b> word", format, of: .one("2"))
        #expect(try await search("b") == (format == .plain ? ["2"] : []))
        #expect(try await search("bold") == ["2"])
    }

    @Test("no longer finds words of an article that was replaced")
    func replaced() async throws {
        #expect(try await search("linking") == ["1"])
        try await store.storeArticle("<p>Other things.</p>", .html, of: .one("1"))
        #expect(try await store.read { try SearchIndex($0).pending() } == 1)
        #expect(try await search("linking") == [])
        #expect(try await search("things") == ["1"])
        #expect(try await search("containers deployment") == ["1"])
        #expect(try await store.check() == [])
    }

    @Test("finds words by an article's current format")
    func otherFormat() async throws {
        #expect(try await search("class") == [])
        let text = try #require(try await store.read { try Articles($0).find(of: .one("1")) }?.article?.body)
        try await store.storeArticle(text, .plain, of: .one("1"))
        #expect(try await search("class") == ["1"])
        #expect(try await store.check() == [])
    }

    @Test("doesn't reindex an article that is unchanged or failed")
    func unchanged() async throws {
        #expect(try await search("linking") == ["1"])
        let article = try #require(try await store.read { try Articles($0).find(of: .one("1")) }?.article)
        try await store.storeArticle(article.body, article.format, of: .one("1"))
        try await store.writeIfFree { try Articles($0).confirm(of: .one("1"), at: .day(2)) }
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(3)) }
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("2"), at: .day(3)) }
        #expect(try await store.read { try SearchIndex($0).pending() } == 0)
        #expect(try await search("linking") == ["1"])
        #expect(try await store.check() == [])
    }

    @Test("finds an article that was stored after its post was indexed")
    func late() async throws {
        #expect(try await search("roses") == [])
        try await store.storeArticle("About roses.", of: .one("2"))
        #expect(try await search("roses") == ["2"])
        try await store.list([sample(id: "1"), sample(id: "2", title: "Parks", summary: nil)])
        #expect(try await search("roses parks") == ["2"])
        #expect(try await search("gardens") == [])
        #expect(try await store.check() == [])
    }

    // MARK: Snippets

    private func snippet(_ words: String, in place: SearchField? = nil) async throws -> String? {
        var query = Query(arrangement: Arrangement(sorting: .relevance), words: words)
        query.searchField = place
        let snippet = try await store.posts(query).first?.snippet
        return snippet.map { "\($0.place) \($0.marked("[", "]"))" }
    }

    static let snippets: [(words: String, snippet: String)] = [
        ("linking", "article Static [linking] makes containers & images small."),
        ("containers", "post A word about [containers]."),
        ("containers images", "article Static linking makes [containers] & [images] small."),
        ("word containers linking", "post A [word] about [containers]."),
        ("article:containers", "article Static linking makes [containers] & images small."),
        ("body:containers article:images", "post A word about [containers]."),
        ("image*", "article Static linking makes containers & [images] small."),
        ("ímages", "article Static linking makes containers & [images] small."),
        ("deployment", "post About [deployment]."),
        ("deployment images", "article Static linking makes containers & [images] small."),
        ("title:swift", "post [Swift] on Servers"),
        ("zoe", "post A word about containers."),
    ]

    @Test("shows a snippet of the article if that has more of the words, else of the post", arguments: snippets)
    func snippetPlace(words: String, expected: String) async throws {
        #expect(try await snippet(words) == expected)
    }

    @Test(
        "counts a word that a text repeats only once",
        arguments: [
            ("Roses, roses and roses.", "Roses have thorns.", "article [Roses] have [thorns]."),
            ("Roses grow.", "Roses, roses and roses.", "post [Roses] grow."),
        ])
    func repeated(body: String, article: String, expected: String) async throws {
        try await store.store(body, of: "2")
        try await store.storeArticle(article, .markdown, of: .one("2"))
        #expect(try await snippet("roses thorns OR roses") == expected)
    }

    @Test("shows a snippet of the place that was searched")
    func snippetOfPlace() async throws {
        #expect(
            try await snippet("containers", in: .article)
                == "article Static linking makes [containers] & images small.")
        #expect(try await snippet("containers", in: .body) == "post A word about [containers].")
    }

    @Test("shows snippets without Markdown markup")
    func markdown() async throws {
        try await store.storeArticle("# Roses\n\nA *fine [rose](https://a.example)* grows.", .markdown, of: .one("2"))
        #expect(try await snippet("rose grows") == "article Roses A fine [rose] [grows].")
    }

    @Test("shows a snippet from far into a long article", arguments: BodyFormat.allTexts)
    func long(format: BodyFormat) async throws {
        let filler = String(repeating: "other words. ", count: 20_000)
        try await store.storeArticle(filler + "Here are roses. " + filler, format, of: .one("2"))
        let snippet = try #require(try await snippet("roses"))
        #expect(snippet.hasPrefix("article …") && snippet.contains("Here are [roses]. other"))
    }
}

extension BodyFormat {
    fileprivate static let allTexts: [BodyFormat] = [.plain, .markdown, .html]
}
