import BlogMarkup
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("A list on a terminal") struct ListScreenTests {
    private func record(
        _ metadata: PostMetadata, group: String? = nil, _ state: PostState = PostState(), rank: Int? = nil
    ) -> Record {
        Record(StoredPost(metadata: metadata, source: .one, group: group, state: state, rank: rank))
    }

    private func story(
        _ id: String, _ title: String, score: Int?, comments: Int?, type: Discussion.PostType = .story
    ) -> PostMetadata {
        PostMetadata(
            id: id, title: title, publishDate: Timestamp(secondsSince1970: 1_767_225_600 - 7200), postId: id,
            summary: nil, author: Author(name: "pg"), link: "https://www.example.org/x", score: score,
            commentCount: comments, details: .discussion(Discussion(parent: nil, replies: [], type: type)))
    }

    @Test(
        "keeps the number of a group's posts on the line of its name if both fit",
        arguments: [("Kerri Lane", "Kerri Lane · 2 posts"), ("Kerri Lanes", "Kerri Lanes\n2 posts")])
    func heading(name: String, expected: String) {
        var cards = CardRenderer(.sample(20))
        let rule = String(repeating: "─", count: 20)
        #expect(cards.group(PostGroup(name: name, count: 2)).plain == "\(expected)\n\(rule)\n")
    }

    @Test("shows when a post arrived that is dated later")
    func arrival() throws {
        let post = StoredPost(
            metadata: try sample(), source: .one, group: nil, arrival: Timestamp("2018-07-14T10:00:00Z"))
        var (cards, markdown) = (CardRenderer(.sample(60)), MarkdownRenderer(isGrouped: false))
        #expect(cards.record(Record(post)).plain.contains(" · 14 Jul 2018 · "))
        #expect(markdown.record(Record(post)).plain.contains("| 2018-07-14 |"))
    }

    @Test("shows cards: title, then author, date and ID, then two lines of summary")
    func cards() throws {
        var cards = CardRenderer(.sample(32))
        let long = "A summary of many words, which go on and on, and would fill more than two lines."
        let text =
            cards.group(PostGroup(name: "Kerri Lane", count: 2))
            + cards.record(record(try sample(title: "A title that needs two lines here", summary: long)))
            + cards.record(record(try sample(id: "2", summary: nil)))
            + cards.group(PostGroup(name: "田中", count: 1))
            + cards.record(record(try sample(id: "3", summary: "Short.", author: "田中", role: nil)))
        #expect(
            text.plain == """
                Kerri Lane · 2 posts
                ────────────────────────────────
                ●  A title that needs two lines
                   here
                   Kerri Lane · 15 Jul 2018 · 1
                   A summary of many words,
                   which go on and on, and woul…

                ●  A Title
                   Kerri Lane · 15 Jul 2018 · 2

                田中 · 1 post
                ────────────────────────────────
                ●  A Title
                   田中 · 15 Jul 2018 · 3
                   Short.

                """)
    }

    @Test("truncates a name rather than an ID, which has to be typed")
    func names() throws {
        var cards = CardRenderer(.sample(40))
        let post = try sample(id: "swift:123", summary: nil, author: "Wolfeschlegelsteinhausenbergerdorff", role: nil)
        #expect(cards.record(record(post)).plain.hasSuffix("\n   Wolfeschle… · 15 Jul 2018 · swift:123\n"))
    }

    @Test("has a name of eight columns beside the facts, but none shorter", arguments: [(37, true), (36, false)])
    func shortName(width: Int, isBeside: Bool) throws {
        var cards = CardRenderer(.sample(width))
        let post = try sample(id: "swift:123", summary: nil, author: "Wolfeschlegelsteinhausen", role: nil)
        #expect(cards.record(record(post)).plain.contains("\n   Wolfesc… · 15 Jul 2018 · swift:123\n") == isBeside)
    }

    @Test(
        "marks unread and saved posts without shifting the titles",
        arguments: [
            (PostState(), "●  A Title"), (PostState(isRead: true), "   A Title"),
            (PostState(isSaved: true), "●★ A Title"), (PostState(isRead: true, isSaved: true), " ★ A Title"),
        ])
    func marks(state: PostState, title: String) throws {
        var cards = CardRenderer(.sample(40))
        let card = cards.record(record(try sample(), state))
        #expect(card.plain.hasPrefix(title + "\n"))
        #expect(card.spelledOut.contains("<title>A Title</>") == !state.isRead)
        var table = TableRenderer(.sample(40))
        #expect((table.record(record(try sample(), state)) + table.end()).plain.hasPrefix("1 " + title))
    }

    @Test("has columns for points and comments of ranked posts, and their type unless it is story")
    func ranked() {
        var cards = CardRenderer(.sample(60))
        let posts = [
            story("8", "A title", score: 1, comments: 2), story("9", "B", score: 1234, comments: 56, type: .ask),
        ]
        #expect(
            posts.enumerated().map { cards.record(record($1, rank: $0 + 1)) }.joined().plain == """
                  1. ●  A title (example.org)
                           1 point     2 comments  pg · 2h · 8
                  2. ●  B (example.org)
                        1234 points   56 comments  pg · 2h · ask · 9

                """)
        var narrow = CardRenderer(.sample(30))
        #expect(
            narrow.record(record(posts[1], rank: 500)).plain
                == "500. ●  B (example.org)\n        1234 points\n        56 comments · pg · 2h\n        ask · 9\n")
    }

    @Test(
        "shows the site after a title, cut if eight columns are left, but not if fewer are",
        arguments: [(18, " (example.org)"), (19, " (example.or…"), (23, " (exampl…"), (24, "")])
    func site(length: Int, site: String) {
        var cards = CardRenderer(.sample(40))
        let title = String(repeating: "x", count: length)
        let lines = cards.record(record(story("8", title, score: 1, comments: 2), rank: 1)).plain
        #expect(lines.hasPrefix("  1. ●  \(title)\(site)\n"))
    }

    @Test("puts facts on a line as long as they fit", arguments: [(7, ["ab · cd"]), (6, ["ab", "cd"])])
    func facts(width: Int, lines: [String]) {
        #expect(TextLayout.wrap(facts: ["ab", "cd"], width: width) == lines)
    }

    @Test("shows higher scores brighter", arguments: [(3, "<muted>"), (100, ""), (300, "<strong>")])
    func brightness(score: Int, style: String) {
        var table = TableRenderer(.sample(60), orders: [.rank, .score, .comments])
        let line = table.record(record(story("8", "A", score: score, comments: 2), rank: 1)) + table.end()
        #expect(line.spelledOut.contains(style + "\(score)"))
    }

    @Test("fits a post on each line, without the least important columns if necessary", arguments: [80, 59, 39])
    func table(width: Int) throws {
        let posts = try [
            sample(id: "swift:1", title: "A title of many words that goes on for a good while, and then some more"),
            sample(id: "swift:12", title: "天气很好 and short"),
        ]
        var table = TableRenderer(.sample(width))
        let lines = (posts.map { table.record(record($0)) } + [table.end()]).joined().plain
            .split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
        #expect(lines[0].hasPrefix("swift:1  ●  A title of") && lines[1].hasPrefix("swift:12 ●  天气很好"))
        #expect(lines[0].contains("Kerri Lane") == (width >= 40))
        #expect(lines[0].hasSuffix("15 Jul 2018") == (width >= 40))
        #expect(lines[0].contains("…"))
    }

    @Test("has the selected columns, with a header on a terminal")
    func fields() throws {
        var table = TableRenderer(.sample(60), fields: [.id, .authorTitle, .title], hasHeader: true)
        let text = table.record(record(try sample())) + table.end()
        #expect(text.plain == "id author.title title\n1  iOS Engineer A Title\n")
        var dates = TableRenderer(.sample(60), fields: [.publishDate])
        #expect((dates.record(record(try sample())) + dates.end()).plain == "15 Jul 2018\n")
    }

    @Test(
        "shows authors on a narrow screen, and shortens IDs only as far as they can be typed",
        arguments: [40, 50, 80])
    func narrow(width: Int) throws {
        let id = "gardening-by-the-northern-sea:3"
        var table = TableRenderer(.sample(width)) { id, width in "\(id.prefix(width - 3))…:3" }
        let title = "A title of many words that goes on for a good while, and then some more"
        let text = table.record(record(try sample(id: id, title: title)))
        let more = table.record(record(try sample(id: "b:1", title: title))) + table.end()
        let lines = (text + more).plain.split(separator: "\n").map(String.init)
        #expect(lines.count == 2 && lines.allSatisfy { DisplayWidth.of($0) == width }, "\(lines)")
        #expect(lines[0].hasPrefix("gardening-by-the-northern".prefix(max(width * 3 / 10, 12) - 3) + "…:3 ●"))
        #expect(lines.allSatisfy { $0.contains(" Kerri") })
        let places = lines.map { line in
            line.firstRange(of: "●").map { DisplayWidth.of(String(line[..<$0.lowerBound])) }
        }
        #expect(places[0] == places[1])
    }

    @Test(
        "takes room from the last columns if a long ID leaves none for the title", arguments: [50, 80])
    func longIDs(width: Int) throws {
        let id = "f3c1a9d27b6e4f0d8a5c" + (width == 80 ? String(repeating: "0", count: 30) : "")
        var table = TableRenderer(.sample(width))
        let lines = try ["1", id, "2"].map { table.record(record(try sample(id: $0, title: "A title of some words"))) }
        let text = (lines.joined() + table.end()).plain.split(separator: "\n").map(String.init)
        #expect(text.count == 3 && text.allSatisfy { DisplayWidth.of($0) <= width }, "\(text)")
        #expect(text[1].hasPrefix(id + " ●"))
    }

    @Test("keeps its columns aligned if later points and names are longer")
    func laterNames() throws {
        var table = TableRenderer(.sample(80), orders: [.rank, .score, .comments])
        var text = StyledText()
        for number in 1...40 {
            text += table.record(
                record(
                    story(
                        "\(number)", "A title of many words, so many that they are cut", score: number < 30 ? 1 : 12345,
                        comments: number < 30 ? 2 : 12345), rank: number))
        }
        let lines = (text + table.end()).plain.split(separator: "\n").map(String.init)
        #expect(lines.count == 40 && lines.last?.contains(" 12345 12345 ") == true, "\(lines.last ?? "")")
        let places = Set(lines.map { line in line.firstRange(of: "A title").map { line[..<$0.lowerBound].count } })
        #expect(places.count == 1)
    }

    @Test("holds back no more than a screenful")
    func screenful() throws {
        var table = TableRenderer(.sample(60))
        let texts = try (1...30).map { table.record(record(try sample(id: "\($0)"))).plain }
        #expect(texts.prefix(23).joined().isEmpty)
        #expect(texts[23].split(separator: "\n").count == 24)
        #expect(texts[24...].allSatisfy { $0.split(separator: "\n").count == 1 })
        #expect(table.end() == "")
    }

    @Test("takes room from the title for a longer ID, and truncates no ID")
    func laterIDs() throws {
        var table = TableRenderer(.sample(60))
        let title = "A title of many words that goes on for a good while, and more"
        let first =
            table.record(record(try sample(id: "1", title: title))) + table.group(PostGroup(name: "B", count: 1))
        let later = table.record(record(try sample(id: "localhost-saltmarsh:31", title: title))) + table.end()
        let lines = (first + later).plain.split(separator: "\n").map(String.init)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 60 })
        #expect(lines.last?.hasPrefix("localhost-saltmarsh:31 ●  A title") == true)
        #expect(lines.last?.hasSuffix(" Kerri Lane   15 Jul 2018") == true)
    }

    @Test(
        "keeps its columns aligned if later IDs are longer", arguments: [60, 80])
    func columns(width: Int) throws {
        var table = TableRenderer(.sample(width), idWidth: "garden:1000".count)
        var text = StyledText()
        for number in 1...40 {
            let id = number < 30 ? "a:\(number)" : "garden:10\(number)"
            text += table.record(record(try sample(id: id, title: "A title of many words, \(id), and more of them")))
        }
        let lines = (text + table.end()).plain.split(separator: "\n").map(String.init)
        #expect(lines.count == 40)
        for part in ["A title", "Kerri Lane", "15 Jul 2018"] {
            let places = Set(
                lines.map { line in line.firstRange(of: part).map { DisplayWidth.of(String(line[..<$0.lowerBound])) } })
            #expect(places.count == 1 && places.first != .some(nil), "\(part)")
        }
    }

    static let dates: [(Int, String)] = [
        (-5, "1 Jan"), (0, "now"), (59, "now"), (60, "1m"), (3599, "59m"), (7200, "2h"), (86_400, "1d"),
        (6 * 86_400 + 1, "6d"), (7 * 86_400, "25 Dec 2025"),
    ]

    @Test("shows how long ago a post was published, or its date", arguments: dates)
    func date(seconds: Int, expected: String) {
        let moment = Timestamp(secondsSince1970: 1_767_225_600 - seconds)
        #expect(Screen.sample(80).dates.short(moment) == expected)
    }

    @Test("shows dates in the user's time zone")
    func timeZone() throws {
        let moment = try #require(Timestamp("2025-12-31T23:30:00Z"))
        let tokyo = DateText(
            now: Date(timeIntervalSince1970: 1_769_817_600), timeZone: TimeZone(identifier: "Asia/Tokyo"))
        #expect(tokyo.short(moment) == "1 Jan" && tokyo.long(moment) == "1 January 2026")
        let absolute = DateText(timeZone: .gmt, form: .absolute)
        #expect(absolute.short(moment) == "2025-12-31 23:30")
    }
}
