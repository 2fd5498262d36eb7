import BlogLibrary
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogStore

@Suite("A search", .serialized) struct SearchTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        try await store.list([
            sample(id: "1", title: "Swift on Servers", summary: "About deployment.", author: "Zoë Kim"),
            sample(id: "2", title: "Cafés", summary: "Where swift is written.", author: "Gregor"),
            sample(id: "3", title: "全文検索の話", summary: "検索エンジン", author: "田中"),
            sample(id: "4", title: "天气", summary: nil, author: "李雷"),
            sample(id: "5", title: "안녕", summary: nil, author: "김"),
        ])
        try await store.store("Structured concurrency, and then concurrency that is structured.", of: "1")
        try await store.store("今天天气很好。I don't mind “C++ 6.4”.", of: "4")
        try await store.store("한국어로 씁니다", of: "5")
        try await store.store("ภาษาไทย H₂O 2¹⁰ 1ˢᵗ", of: "2")
    }

    private func search(_ words: String, _ query: Query = Query(arrangement: Arrangement(sorting: .relevance)))
        async throws -> [String]
    {
        var query = query
        query.words = words
        return try await store.ids(query)
    }

    static let found: [(String, [String])] = [
        ("swift", ["1", "2"]), ("SWIFT deployment", ["1"]), ("cafes", ["2"]), ("zoe", ["1"]), ("swift -cafés", ["1"]),
        ("\"structured concurrency\"", ["1"]), ("\"concurrency structured\"", []), ("concurrency structured", ["1"]),
        ("concur*", ["1"]), ("concur", []), ("author:gregor", ["2"]), ("title:swift", ["1"]),
        ("-author:kim swift", ["2"]),
        ("title:\"on servers\"", ["1"]), ("author:swift", []), ("summary:swift", ["2"]), ("body:concurrency", ["1"]),
        ("検索", ["3"]), ("索", ["3"]), ("全文検索", ["3"]), ("文全", []), ("エンジン", ["3"]), ("天气很好", ["4"]), ("天", ["4"]),
        ("今天*", ["4"]), ("한국", ["5"]), ("안녕", ["5"]), ("ไทย", ["2"]), ("don't", ["4"]), ("6.4", ["4"]), ("c++", ["4"]),
        ("ไทย H₂O", ["2"]), ("h2o", ["2"]), ("2¹⁰", ["2"]), ("2^10", ["2"]), ("210", []), ("x²", []), ("1st", ["2"]),
        ("AND", ["1"]), ("swift OR cafes", ["1", "2"]), ("(deployment OR cafes) -zoe", ["2"]), ("swift NOT", []),
        ("NEAR(swift", []), ("swift\"", ["1", "2"]),
        ("swift *", ["1", "2"]), ("swift )(", ["1", "2"]), ("{title}:swift", []), ("swift^2", []), ("x\0y", []),
        ("swift author:", ["1", "2"]), ("swift\"deployment", ["1"]), ("\"\"swift", ["1", "2"]),
        ("title:title:swift", []),
    ]

    @Test("matches words, phrases, prefixes and fields in any script, ignoring case and accents", arguments: found)
    func words(words: String, ids: [String]) async throws {
        #expect(try await search(words).sorted() == ids)
    }

    @Test(
        "finds a word with signs only with them, and one without signs with any",
        arguments: [
            ("c++", ["c++", "c++20", "c++语", "c++cyr", "both"]), ("C#", ["c#", "wide#", "both"]), ("c+", []),
            ("c#7", []),
            ("c", ["c", "c++", "c++20", "c++语", "c++cyr", "c#", "wide#", "both"]), ("c++20", ["c++20"]),
            ("20", ["c++20"]),
            ("disney", ["disney+", "disney"]), ("disney+", ["disney+"]), ("\"disney+ shows\"", ["disney+"]),
            ("\"disney shows\"", ["disney"]), ("title:f#", ["f#"]), ("body:f#", []), ("f", ["f#"]),
            ("c# c++", ["both"]),
            ("c -c++ -c#", ["c"]), ("c+*", ["c++", "c++20", "c++语", "c++cyr", "both"]), ("a+b", ["a+b"]), ("a+", []),
            ("a", ["a+b"]), ("один+", ["один+"]), ("один", ["один+", "один+два"]), ("один+два", ["один+два"]),
            ("issue #5", ["issue"]), ("5", ["issue"]), ("语", ["c++语"]), ("c++语", ["c++语"]), ("сиплюс", []),
        ])
    func signs(words: String, ids: [String]) async throws {
        let titles = [
            "c": "The letter C.", "c++": "(C++)", "c++20": "C++20’s modules", "c++语": "学C++语言", "c++cyr": "C++ и C",
            "c#": "In C#-style", "wide#": "Ｃ＃", "both": "From C++, to C#", "disney+": "Disney+ shows",
            "disney": "Disney shows", "f#": "F#, functional", "a+b": "a+b", "один+": "один+", "один+два": "один+два",
            "issue": "Issue #5",
        ]
        let store = try PostStore()
        try await store.list(titles.map { try sample(id: $0.key, title: $0.value, summary: nil, author: "Z") })
        var query = Query(arrangement: Arrangement(sorting: .relevance))
        query.words = words
        #expect(try await store.ids(query).sorted() == ids.sorted())
    }

    @Test(
        "is rejected if it has no words to look for",
        arguments: ["", " ", "\"", "\"\"", "*", "-", "-swift", "(", "author:", "😀", "\u{0}", "-a -b", "…", "--"])
    func nothing(words: String) async throws {
        #expect(!Query.canSearch(words))
        #expect(try await search(words) == [])
    }

    @Test(
        "accepts any text without an error",
        arguments: ["\u{E48}\u{E48}", "\u{301}", (1...5000).map { "a\($0)" }.joined(separator: " ")])
    func anything(words: String) async throws {
        #expect(try await search(words) == [])
    }

    @Test("treats a repeated word as one")
    func repetition() async throws {
        let words = Array(repeating: "swift \"SWIFT\" -beta", count: 300).joined(separator: " ")
        #expect(try await search(words) == ["1", "2"])
    }

    @Test("looks into tags and links, and follows their changes")
    func facts() async throws {
        func post(_ tags: [String], _ link: String?) throws -> PostMetadata {
            PostMetadata(
                id: "t", title: "Some title", publishDate: try #require(Timestamp("2018-07-15T23:03:29Z")), postId: "t",
                summary: nil, author: Author(name: "Ann"), link: link, details: .entry(EntryDetails(tags: tags)))
        }
        try await store.list([try post(["Seltene Erden"], "https://kernel.example/2026/lagerhaus")])
        for words in ["erden", "\"seltene erden\"", "lagerhaus", "kernel example", "tag:\"seltene erden\" lager*"] {
            #expect(try await search(words) == ["t"], "\(words)")
        }
        for words in ["https", "title:lagerhaus"] { #expect(try await search(words) == [], "\(words)") }
        try await store.list([try post(["Neu"], "kernel")])
        for (words, ids) in [("erden", []), ("lagerhaus", []), ("neu", ["t"]), ("kernel", ["t"]), ("example", [])] {
            #expect(try await search(words) == ids, "\(words)")
        }
        #expect(try await store.check() == [])
    }

    @Test("ranks matches in the title first, and can be sorted, filtered, limited and grouped")
    func arrangement() async throws {
        #expect(try await search("swift") == ["1", "2"])
        #expect(try await search("swift", Query(arrangement: Arrangement(sorting: .title))) == ["2", "1"])
        #expect(try await search("swift", Query(filter: Filter(author: "gregor"))) == ["2"])
        let limited = Query(arrangement: Arrangement(sorting: .relevance, grouping: .author), limit: 1)
        #expect(try await search("swift", limited) == ["1"])
        let grouped = Query(arrangement: Arrangement(sorting: .relevance, grouping: .author))
        #expect(try await search("swift", grouped) == ["2", "1"])
        let reversed = Query(arrangement: Arrangement(sorting: .relevance, isReversed: true))
        #expect(try await search("swift", reversed) == ["2", "1"])
    }

    @Test("ranks only the latest matches if they are many and limited, else all of them")
    func commonWord() async throws {
        try await store.list(
            (1...30).map { try sample(id: "n\($0)", title: $0 % 10 == 0 ? "Often often" : "Seldom", summary: "often") })
        let limited = Query(arrangement: Arrangement(sorting: .relevance), limit: 2)
        #expect(try await search("often", limited) == ["n10", "n20"])
        await store.setMaxRanked(15)
        #expect(try await search("often", limited) == ["n20", "n30"])
        var posts = limited
        posts.filter.kind = .posts
        #expect(try await search("often", posts) == ["n20", "n30"])
        let grouped = Query(arrangement: Arrangement(sorting: .relevance, grouping: .author), limit: 2)
        #expect(try await search("often", grouped) == ["n20", "n30"])
        let exact = [
            Query(arrangement: Arrangement(sorting: .relevance)),
            Query(arrangement: Arrangement(sorting: .relevance), limit: 16),
            Query(filter: Filter(author: "kerri"), arrangement: Arrangement(sorting: .relevance), limit: 2),
        ]
        var page = limited
        page.offset = 28
        #expect(try await search("often", page).count == 2)
        for query in exact { #expect(try await search("often", query).prefix(2) == ["n10", "n20"]) }
        #expect(try await search("often", exact[0]).count == 30)
        #expect(try await search("seldom -nothing", limited).count == 2)
        await store.setMaxRanked(29)
        #expect(try await search("title:often", limited) == ["n10", "n20"])
    }

    @Test("ranks the latest matches of its own sources, however many others were stored since")
    func commonWordElsewhere() async throws {
        for source in [SourceID.one, .two] {
            try await store.list((1...30).map { try sample(id: "n\($0)", title: "Often \($0)") }, of: source)
        }
        await store.setMaxRanked(20)
        let limited = Query(arrangement: Arrangement(sorting: .relevance), limit: 20)
        let newest = Set((11...30).map { "n\($0)" })
        #expect(try await Set(search("often", limited)) == newest)
    }

    @Test("shows a snippet as published")
    func snippet() async throws {
        let hit = try #require(try await store.posts(Query(words: "天气很好")).first?.snippet)
        #expect(hit.marked("[", "]") == "今天[天气很好]。I don't mind “C++ 6.4”.")
        #expect(hit.pieces.count { $0.isHit } == 1)
    }

    @Test("follows every change")
    func changes() async throws {
        #expect(try await search("deployment") == ["1"])
        try await store.list([sample(id: "1", title: "Swift", summary: "About packages.")])
        #expect(try await search("deployment") == [])
        #expect(try await search("packages concurrency") == ["1"])
        try await store.store("Another body.", of: "1")
        #expect(try await search("concurrency") == [])
        #expect(try await search("another packages") == ["1"])
        try await store.store("Late body.", of: "3")
        #expect(try await search("late") == ["3"])
        #expect(try await store.check() == [])
    }

    @Test("reindexes a changed post once, however often it changed")
    func oftenChanged() async throws {
        #expect(try await search("deployment") == ["1"])
        for text in ["One body.", "Another body.", "The last body."] { try await store.store(text, of: "1") }
        try await store.list([sample(id: "1", title: "Swift", summary: "About packages.")])
        #expect(try await store.read { try SearchIndex($0).pending() } == 1)
        #expect(try await search("last packages") == ["1"])
        #expect(try await search("another") == [])
        #expect(try await search("deployment") == [])
        #expect(try await store.check() == [])
    }

    @Test("is repaired by a vacuum if its index is damaged, though posts have changed since")
    func unsoundIndex() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("blog.sqlite3")
        var file: PostStore? = try PostStore(path: path)
        try await file?.list([sample(id: "1", title: "Swift"), sample(id: "2", title: "Other")])
        #expect(try await file?.ids(Query(words: "swift")) == ["1"])
        file = nil
        try Database(path: path, mode: .readWrite).execute("DELETE FROM search_data WHERE id > 10")
        let store = try PostStore(path: path)
        try await store.list([sample(id: "1", title: "Changed"), sample(id: "2", title: "Other")])
        #expect(try await store.check() == [PostStore.unsoundIndex])
        try await store.vacuum()
        #expect(try await store.check() == [])
        #expect(try await store.ids(Query(words: "changed")) == ["1"])
    }

    @Test("finds delisted posts, and none of other blogs")
    func scope() async throws {
        try await store.list([])
        try await store.list([sample(id: "1", title: "Swift elsewhere")], of: .two)
        #expect(try await search("swift") == ["1", "2"])
    }

    @Test("indexes a few posts at a time, each once")
    func batches() async throws {
        try await store.list((1...450).map { try sample(id: "n\($0)", title: "Many") })
        #expect(try await store.read { try SearchIndex($0).pending() } == 455)
        #expect(try await [store.indexMore(1), store.indexMore(1)] == [1, 1])
        #expect(try await store.read { try SearchIndex($0).pending() } == 453)
        #expect(try await search("many").count == 450)
    }

    @Test("indexes no posts from the first one on whose body is still missing")
    func incomplete() async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1"), sample(id: "2"), sample(id: "3")])
        #expect(try await store.indexIfFree(waitsForBodies: true) == 0)
        try await store.store("One.", of: "1")
        try await store.store("Three.", of: "3")
        #expect(try await store.indexIfFree(waitsForBodies: true) == 1)
        try await store.store("Two.", of: "2")
        #expect(try await store.indexIfFree(waitsForBodies: true) == 2)
        #expect(try await store.check() == [])
    }

    @Test("indexes in the background only if no other process is writing")
    func meanwhile() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("blog.sqlite3")
        let store = try PostStore(path: path)
        try await store.list([sample(id: "1"), sample(id: "2")])
        let other = try Database(path: path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        #expect(try await store.indexIfFree() == 0)
        #expect(try await store.read { try SearchIndex($0).pending() } == 2)
        try other.execute("COMMIT")
        #expect(try await store.indexIfFree() == 2)
        #expect(try await store.read { try SearchIndex($0).pending() } == 0)
        #expect(try await store.check() == [])
    }
}

@Suite("A search in any language") struct SearchFoldingTests {
    static let found: [(String, String, String?)] = [
        ("strasse", "Die Straße.", "Die [Straße]."), ("STRAẞE", "Die Strasse.", "Die [Strasse]."),
        ("lodz", "In Łódź, pchnąć", "In [Łódź], pchnąć"), ("ærøskøbing", "Aeroskobing", "[Aeroskobing]"),
        ("fine", "a ﬁne ligature", "a [ﬁne] ligature"), ("fin*", "a ﬁne ligature", "a [ﬁne] ligature"),
        ("isik", "Işık IŞIK", "[Işık] [IŞIK]"), ("κοσμος", "ο Κόσμος", "ο [Κόσμος]"), ("κοσμοσ", "κόσμος", "[κόσμος]"),
        ("елка", "Ёлка и ёжик", "[Ёлка] и ёжик"), ("\"елка и ежик\"", "Ёлка и ёжик", "[Ёлка и ёжик]"),
        ("замок", "за\u{301}мок", "[за\u{301}мок]"), ("мой", "мои", nil), ("мои", "мо\u{438}\u{306}", nil),
        ("محمد", "مُحَمَّد كتاب", "[مُحَمَّد] كتاب"), ("القرآن", "القُرْآن", "[القُرْآن]"), ("שלום", "שָׁלוֹם עולם", "[שָׁלוֹם] עולם"),
        ("abc123", "ＡＢＣ１２３", "[ＡＢＣ１２３]"), ("cafe", "cafe\u{301} A", "[cafe\u{301}] A"),
        ("café", "cafe\u{301}", "[cafe\u{301}]"),
        ("h2o", "H₂O", "[H₂O]"), ("2^10", "2¹⁰.", "[2¹⁰]."), ("\"x 2\"", "x²", "[x²]"), ("210", "2¹⁰", nil),
        ("1/2", "1½ cups", "1[½] cups"),
        ("が", "か\u{3099}く", "[か\u{3099}]く"), ("か", "か\u{3099}く", nil), ("か", "がく", nil), ("ガ", "ｶﾞ", "[ｶﾞ]"),
        ("कि", "की", nil), ("नमस्ते", "नमस्ते दुनिया", "[नमस्ते] दुनिया"), ("नमसत", "नमस्ते", nil), ("กี", "กิน", nil),
        ("한국", "\u{1112}\u{1161}\u{11AB}국", "[\u{1112}\u{1161}\u{11AB}국]"),
        ("software", "soft\u{AD}ware!", "[soft\u{AD}ware]!"), ("soft\u{AD}ware", "software", "[software]"),
        ("segmentation", "seg\u{200B}men\u{2060}tation", "[seg\u{200B}men\u{2060}tation]"),
        ("seg", "seg\u{200B}men", nil),
        ("heart", "a ❤\u{FE0F} heart", "a ❤\u{FE0F} [heart]"), ("don", "don’t", "[don]’t"),
        ("1", "\u{600}1.", "[\u{600}1]."),
    ]

    @Test("finds what readers type for a word, and marks the word as published", arguments: found)
    func body(words: String, text: String, snippet: String?) async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1", title: "Caches", summary: nil)])
        try await store.store(text, of: "1")
        #expect(try await store.posts(Query(words: words)).first?.snippet?.marked("[", "]") == snippet)
    }

    @Test("finds it in titles, with or without a filter", arguments: found)
    func title(words: String, text: String, snippet: String?) async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1", title: text, summary: nil)])
        #expect(try await store.posts(Query(words: "title:" + words)).first?.snippet?.marked("[", "]") == snippet)
    }

    @Test(
        "is the same for a filter by title, author or tag",
        arguments: [
            ("łódź", "lodz", true), ("Soft\u{AD}ware", "software", true), ("software", "soft\u{200B}ware", true),
            ("Straße", "STRASSE", true), ("мой", "мои", false), ("🎉", "🎉\u{FE0F}", true), ("🎉", "\u{AD}", false),
            ("की", "कि", false),
        ])
    func filters(text: String, typed: String, isFound: Bool) async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1", title: text, author: "Xy " + text)])
        #expect(try await !store.ids(Query(filter: Filter(title: typed))).isEmpty == isFound)
        if typed.contains(where: \.isLetter) {
            #expect(try await !store.ids(Query(filter: Filter(author: typed))).isEmpty == isFound)
        }
    }
}

@Suite("A search query") struct SearchExpressionTests {
    static let expressions: [(String, String?)] = [
        ("swift", #""swift""#), ("a b", #""a" AND "b""#), ("a OR b", #""a" OR "b""#),
        ("a b OR c", #"("a" AND "b") OR "c""#), ("(a OR b) c", #"("a" OR "b") AND "c""#),
        ("a AND b", #""a" AND "b""#), ("a -b", #"("a") NOT ("b")"#), ("a NOT b -c", #"("a") NOT ("b" OR "c")"#),
        ("a -(b OR c)", #"("a") NOT (("b" OR "c"))"#), ("-a", nil), ("", nil), ("OR", #""OR""#),
        ("a OR", #""a""#), ("a AND", #""a""#), ("(a OR) b", #""a" AND "b""#), ("OR a", #""a""#), ("a OR OR", #""a""#),
        ("a NOT", #""a" AND "NOT""#), ("a OR b OR", #""a" OR "b""#), ("AND", #""AND""#),
        ("(a", #""a""#), ("a)", #""a)""#), ("()", nil), ("((a) b", #""a" AND "b""#), ("a a a b", #""a" AND "b""#),
        ("a or b", #""a" AND "or" AND "b""#), ("a OR (b", #""a" OR "b""#),
        ("a b OR a c", #"("a" AND "b") OR ("a" AND "c")"#),
        ("ANDROID", #""ANDROID""#), ("a ORACLE", #""a" AND "ORACLE""#), ("a NOTES", #""a" AND "NOTES""#),
        ("NOT_x", #""NOT_x""#), ("a OR(b)", #""a" OR "b""#), ("a NOT(b)", #"("a") NOT ("b")"#),
        ("a (a OR b)", #""a" AND ("a" OR "b")"#), ("(a b) OR a", #"("a" AND "b") OR "a""#),
        ("a -(a b)", #"("a") NOT (("a" AND "b"))"#),
        ("title:a OR body:\"b c\"*", #"title : "a" OR body : "b c" *"#), ("-a OR b", nil), (") a", #""a""#),
    ]

    @Test("is translated for SQLite's full-text search", arguments: expressions)
    func expression(typed: String, expected: String?) {
        #expect(SearchExpression(typed)?.text == expected)
    }
}
