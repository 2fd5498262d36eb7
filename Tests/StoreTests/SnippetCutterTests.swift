import BlogEssentials
import BlogMarkup
import BlogModel
import BlogTestSupport
import Testing

@testable import BlogStore

@Suite("A snippet") struct SnippetCutterTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        try await store.list([sample(id: "1", title: "Caches", summary: "A summary.")])
    }

    /// The snippet of a post with this body, with matches in brackets.
    private func snippet(_ words: String, in body: String, format: BodyFormat? = nil) async throws -> String? {
        try await store.store(body, of: "1", format: format)
        return try await store.posts(Query(words: words)).first?.snippet?.marked("[", "]")
    }

    private static func cutter(_ words: String...) -> SnippetCutter? {
        SnippetCutter(words.compactMap { SnippetCutter.Phrase($0, isPrefix: false) })
    }

    @Test(
        "marks matches in the spelling of the text",
        arguments: [
            ("swift", "A Swift server.", "A [Swift] server."),
            ("swift", "Swiftly, SWIFT, swift", "Swiftly, [SWIFT], [swift]"),
            ("swift*", "Swiftly, unswift", "[Swiftly], unswift"),
            (
                "\"structured concurrency\"", "On concurrency: structured\nconcurrency.",
                "On concurrency: [structured concurrency]."
            ),
            ("c++ 6.4", "I know C, C++ and 6.4", "I know C, [C++] and [6.4]"),
            ("c 6.4", "I know C++ and 6.4", "I know [C]++ and [6.4]"),
            ("c++", "É, C+++, C+, C++20, Müller++", "É, C+++, C+, [C++]20, Müller++"),
            (
                "\"c++ code\" müller++", "C code, C++ code, Müller+, Müller++语",
                "C code, [C++ code], Müller+, [Müller++]语"
            ),
            ("c+*", "C, C++, C#", "C, [C++], C#"),
            ("cafe", "Un café noir", "Un [café] noir"),
            ("cafe", "A cafe, un café", "A [cafe], un [café]"),
            ("天气", "今天天气好", "今天[天气]好"),
            ("server größe", "Server, Größe", "[Server], [Größe]"),
            ("server", "\n\n  A server", "A [server]"),
            ("swift", "swift {\n\t one\n}\u{3000}two", "[swift] { one }\u{3000}two"),
            ("body:server title:caches", "Caches on a server", "Caches on a [server]"),
            ("server -beta", "A server", "A [server]"),
            ("server", "A\u{200D}server, the\u{2011}server", "A\u{200D}server, the\u{2011}[server]"),
        ])
    func marks(words: String, body: String, snippet: String) async throws {
        #expect(try await self.snippet(words, in: body) == snippet)
    }

    static let markdown = [
        ("A **swift** [server](https://x.example/a) *here*.", "A [swift] server here."),
        ("# A swift\n\n- `swift build`\n", "A [swift] • [swift] build"),
        ("[A swift server](https://x.example/a) and so on", "A [swift] server and so on"),
        ("A *swift* \\*star\\* and snake_case_name", "A [swift] *star* and snake_case_name"),
        ("A swift 5 * 5 > 20, #1 and snake_case_name", "A [swift] 5 * 5 > 20, #1 and snake_case_name"),
    ]

    @Test("is text without Markdown markup", arguments: markdown)
    func unmarked(body: String, snippet: String) async throws {
        #expect(try await self.snippet("swift", in: body) == snippet)
    }

    private static let passage = "so many words in a row that no snippet can ever have all of them, and this"

    static let halves = [
        "**\(passage) swift \(passage)** and **more** of it", "*\(passage) **swift** \(passage)* it",
        "_\(passage) swift \(passage)_ it", "`\(passage) swift \(passage)` it",
        "[\(passage) swift \(passage)](https://x.example/a) it", "![\(passage) swift \(passage)](a.png) it",
        "# A heading\n\n**\(passage)\n\(passage)** a `b` swift *\(passage) \(passage)*",
        "# \(passage) swift \(passage) #\n\nit", "A [swift server][1] here.\n\n[1]: https://x.example/a",
    ]

    @Test("has no unbalanced markup where the text is cut", arguments: halves)
    func halfMarks(body: String) async throws {
        let others = String(repeating: "\n\nAnother \(Self.passage).\n\n", count: 80)
        for body in [body, body + others, others + body] {
            let snippet = try #require(try await snippet("swift", in: body))
            #expect(snippet.contains("[swift]"))
            #expect(!snippet.replacing("[swift]", with: "").contains { "*_`#[]()".contains($0) }, "\(snippet)")
            #expect(!snippet.contains("x.example"), "\(snippet)")
        }
    }

    @Test("of a beginning is that of the whole, or none")
    func early() throws {
        var random = SplitMix(state: 7)
        let words = ["swift", "Swift", "server", "a", "of", "concurrency", "é", "swiftly"]
        let cutter = try #require(Self.cutter("swift", "server"))
        var early = 0
        for _ in 0..<500 {
            let rare = Int.random(in: 0...60, using: &random)
            let text = Array(
                (0..<400).map { _ in
                    Int.random(in: 0...rare, using: &random) == 0 ? words.randomElement(using: &random)! : "word"
                }.joined(separator: " ").utf8)
            text.withUnsafeBufferPointer { whole in
                let beginning = UnsafeBufferPointer(rebasing: whole[..<Int.random(in: 0...1500, using: &random)])
                guard let snippet = cutter.cut(beginning: beginning) else { return }
                early += 1
                #expect(snippet == cutter.cut(whole))
            }
        }
        #expect(early > 50)
    }

    @Test(
        "of a body is that of its whole text, wherever its source has the words",
        arguments: [BodyFormat.html, .markdown])
    func source(format: BodyFormat) async throws {
        var random = SplitMix(state: 11)
        let parts =
            format == .html
            ? ["<p>", "</p>\n", "<b>swift</b>", "<a href='/swift/server'>", "</a>", "sw<i>ift</i>", "&amp;", "<br>"]
            : [
                "\n\n", "**swift** ", "[word](/swift/server) ", "`swift` ", "sw*ift* ", "\\_", "- ",
                "![server](a.png) ",
            ]
        let words = ["swift", "Swift,", "server", "a", "of", "swiftly", "é", "concurrency"]
        let cutter = try #require(Self.cutter("swift", "server"))
        var found = 0
        for _ in 0..<300 {
            let rare = Int.random(in: 1...40, using: &random)
            let body = (0..<300).map { _ in
                switch Int.random(in: 0..<3 * rare, using: &random) {
                case 0: parts.randomElement(using: &random)!
                case 1..<3: words.randomElement(using: &random)! + " "
                default: "word "
                }
            }.joined()
            var whole = BodyText.plainText(of: body, format: format)
            guard let snippet = try await snippet("swift server", in: body, format: format) else { continue }
            found += 1
            #expect(whole.withUTF8(cutter.cut(_:))?.marked("[", "]") == snippet, "\(body)")
        }
        #expect(found > 100)
    }

    @Test(
        "is found in words that markup interrupts, and in those that only the reader shows",
        arguments: [
            ("swift", "A sw<b>ift</b> server.", "A [swift] server."),
            ("cafe", "A caf&#101; there.", "A [cafe] there."),
            ("embedded", "<iframe src='https://a.b/'></iframe>", "[embedded] page"),
            ("swift", "<a href='/swift/'>One</a>" + String(repeating: " word", count: 300) + " sw<b>ift</b>.", nil),
        ])
    func interrupted(words: String, body: String, snippet: String?) async throws {
        let found = try #require(try await self.snippet(words, in: body, format: .html))
        #expect(snippet.map { $0 == found } ?? found.hasSuffix("word word word word word word [swift]."))
    }

    @Test(
        "begins at the first match, also beside typographic punctuation",
        arguments: ["“Swift” is", "Apple’s—Swift’s", "Swift… and", "•Swift– or", "‘Swift’"])
    func punctuation(start: String) async throws {
        let body = start + String(repeating: " word", count: 300) + " swift"
        let text = start.replacing("Swift", with: "[Swift]")
        #expect(try await snippet("swift", in: body, format: .plain)?.hasPrefix(text + " word") == true)
    }

    @Test("has all words, however often a common one comes before the others")
    func rare() async throws {
        let body =
            String(repeating: "the usual words. ", count: 200) + "Then the server came."
            + String(repeating: " the", count: 50)
        #expect(try await snippet("the server", in: body)?.contains("Then [the] [server] came. [the]") == true)
        #expect(try await snippet("serv* thé", in: body)?.contains("Then [the] [server] came. [the]") == true)
    }

    @Test("has no part of a tag after which the rest of a table is cut off")
    func table() async throws {
        let rows = String(repeating: "<tr><td>one</td><td>two</td></tr>", count: 60)
        for count in 0..<60 {
            let body = "<p>Swift \(String(repeating: "x", count: count))</p><table>\(rows)</table>"
            #expect(try await snippet("swift", in: body, format: .html)?.contains("<") == false)
        }
        let text = "I <3 this. " + String(repeating: "word ", count: 600)
        #expect(try await snippet("kerri", in: text, format: .html)?.hasPrefix("I <3 this. word") == true)
    }

    @Test(
        "isn't cut inside of numbers and the like",
        arguments: [
            ("At 10:30:45 on a day, a swift", "…10:30:45 on a day, a [swift]"),
            ("One 1,000,000 two three, four five, swift", "…1,000,000 two three, four five, [swift]"),
        ])
    func numbers(beginning: String, shown: String) async throws {
        let end = " and" + String(repeating: " so on", count: 7) + " to 3.14"
        #expect(try await snippet("swift", in: beginning + end + " and more", format: .plain) == shown + end + "…")
    }

    @Test("has words together that are within 120 characters", arguments: [(120, true), (121, false)])
    func distance(length: Int, isFirst: Bool) async throws {
        let first = "alpha " + String(repeating: "x", count: length - 11) + " beta"
        let body = "Start \(first)" + String(repeating: " word", count: 40) + " beta alpha"
        #expect(try await snippet("alpha beta", in: body)?.hasPrefix("Start [alpha]") == isFirst)
    }

    @Test("leaves out the addresses of links, which aren't searched either")
    func cutLinks() async throws {
        let address = "https://x.example/" + (1...30).map { "w\($0)" }.joined(separator: "/")
        let body = "[one](\(address)) swift [two](\(address)) end"
        let snippet = try #require(try await snippet("swift", in: body))
        #expect(snippet == "one [swift] two end")
        #expect(try await self.snippet("w30", in: body) == nil)
    }

    @Test("is the beginning of a post that matches only by its author")
    func author() async throws {
        try await store.list([sample(id: "1", title: "Caches", summary: "A summary.", author: "Kim Ö. Lund")])
        for words in ["author:kim", "lund", "author:lun*"] {
            #expect(try await snippet(words, in: "Nothing of *the kind*.") == "Nothing of the kind.")
        }
    }

    @Test("is the title if the words are only there")
    func title() async throws {
        #expect(try await snippet("caches", in: "Nothing of the kind.") == "[Caches]")
        #expect(try await snippet("title:caches", in: "Caches, caches") == "[Caches]")
    }

    @Test("is the first passage with most of the words, with some before and after it")
    func place() async throws {
        let padding = Array(repeating: "padding", count: 100).joined(separator: " ")
        let text = "One swift. \(padding) A swift server. \(padding) swift server \(padding)"
        let snippet = try #require(try await snippet("server swift", in: text))
        #expect(snippet.hasPrefix("…padding padding padding padding padding A [swift] [server]. padding"))
        #expect(snippet.hasSuffix(" padding…"))
        #expect(snippet.split(separator: " ").count == 24)
    }

    @Test("is from the beginning of a massive post, however often it has the words")
    func massive() async throws {
        let body = "So the story begins. " + String(repeating: "the story goes on. ", count: 20_000)
        let start = "So [the] story begins. [the] story goes on."
        #expect(try await snippet("the", in: body)?.hasPrefix(start) == true)
        #expect(try await snippet("stor*", in: body)?.hasPrefix("So the [story] begins. the [story]") == true)
        #expect(try await snippet("caches the", in: body)?.hasPrefix(start) == true)
        #expect(try await snippet("caché*", in: body + "Cachés") == "[Caches]")
    }

    @Test("stays short in text without spaces, and doesn't split characters")
    func unbroken() async throws {
        let text = String(repeating: "é", count: 5000) + " swift " + String(repeating: "語", count: 5000)
        let snippet = try #require(try await snippet("swift", in: text))
        #expect(snippet.contains("[swift]"))
        #expect(!snippet.contains("\u{FFFD}"))
    }

    @Test(
        "ends at whole characters",
        arguments: ["👩\u{200D}👩\u{200D}👧", "🇩🇪", "e\u{301}", "क्षि", "\u{1112}\u{1161}\u{11AB}", "か\u{3099}", "ﬁ"])
    func characters(character: String) async throws {
        for count in 0..<8 {
            let padding = String(repeating: "x", count: count) + String(repeating: character, count: 300)
            let snippet = try #require(try await snippet("swift", in: padding + " swift " + padding))
            let inner = snippet.replacing("[swift]", with: "").drop { $0 == "…" }.reversed().drop { $0 == "…" }
            #expect(snippet.contains("[swift]"))
            #expect(inner.allSatisfy { $0 == " " || $0 == "x" || $0 == Character(character) })
        }
    }

    @Test("begins with the separator that a mark is on")
    func separator() async throws {
        let text = String(repeating: "word ", count: 20) + String(repeating: " \u{301}o ", count: 6) + "swift"
        #expect(try await snippet("swift", in: text)?.hasPrefix("… \u{301}o") == true)
    }

    @Test(
        "is cut in linear time",
        arguments: [
            ("a*", "a "), ("é", "é "), ("e", "é "), ("漢", "漢"), ("swift", "swift "), ("ab*", "ab "),
            ("title:caches", "a "), ("a caches", "a "),
            ("\"a é\" OR \"é b\"", "a é "), ("a*", "&a;"),
            ("swift", "\u{1100}"), ("漢", "\u{200D}"), ("strasse", "ß"), ("e", "🇩"), ("swift", "e\u{301}"),
            ("が", "か\u{3099}"),
        ])
    func growth(words: String, text: String) async throws {
        let bodies = [4, 32].map { kilobytes in
            "a " + String(repeating: "é", count: 1000) + " swift é e 漢 ab "
                + String(repeating: text, count: kilobytes * 1024 / text.utf8.count)
        }
        let stores = try [PostStore(), PostStore()]
        for (store, body) in zip(stores, bodies) {
            try await store.list([sample(id: "1", title: "Caches", summary: "A summary.")])
            try await store.store(body, of: "1")
        }
        func look(in store: PostStore) async throws {
            let snippet = try await store.posts(Query(words: words)).first?.snippet
            #expect((snippet?.marked("", "").utf8.count ?? 0) < 3000)
        }
        let growth = try await Growth.ofEightfoldInput(
            enough: 30, short: { try await look(in: stores[0]) }, long: { try await look(in: stores[1]) })
        #expect(growth < 30)
    }
}
