import BlogMarkup
import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogRendering

@Suite("A typed search") struct TypedSearchTests {
    private let now = Timestamp("2026-11-21T06:00:00Z")?.date ?? .distantPast

    private func date(_ text: String?) throws -> Date? {
        try text.map { try #require(Timestamp($0 + "-01-01T00:00:00Z")).moment }
    }

    static let ranges: [(words: String, options: [String: String], since: String?, before: String?)] = [
        ("swift", [:], nil, nil), ("swift since:2017", [:], "2017", nil), ("until:2018 swift", [:], nil, "2019"),
        ("swift", ["since": "2017"], "2017", nil), ("swift", ["until": "2018"], nil, "2019"),
        ("swift since:2018", ["since": "2017", "until": "2020"], "2018", "2021"),
        ("swift until:2018", ["since": "2017", "until": "2020"], "2017", "2019"),
        ("swift since:2017 since:2018", [:], "2018", nil),
    ]

    @Test("may include dates, which take precedence over those of options", arguments: ranges)
    func dates(words: String, options: [String: String], since: String?, before: String?) throws {
        var query = Query(filter: try Invocation(operands: [], options: options).filter(now: now))
        try Search(words).narrow(&query, now: now)
        #expect(query.words == "swift")
        #expect(query.filter.since == (try date(since)))
        #expect(query.filter.before == (try date(before)))
    }

    @Test("may include a kind of post")
    func kind() throws {
        var query = Query()
        try Search("in:comments a tag:Swift title:b -c").narrow(&query, now: now)
        #expect(query.words == "a tag:Swift title:b -c")
        #expect(query.filter.kind == .comments)
        try Search("in:posts").narrow(&query, now: now)
        #expect(query.words == nil)
        #expect(query.filter.kind == .posts)
    }

    @Test("may name the place where its words are searched", arguments: SearchField.allCases)
    func place(place: SearchField) throws {
        var query = Query()
        try Search("swift in:\(place.rawValue) server").narrow(&query, now: now)
        #expect(query.words == "swift server")
        #expect(query.searchField == place)
        #expect(query.filter.kind == nil)
    }

    static let problems: [(words: String, sentence: String)] = [
        ("in:books", "Invalid value “books” for “in:”: use "), ("a since:x", "Invalid value “x” for “since:”: use "),
        ("until:", "Invalid value “” for “until:”: use "),
        ("a tag:", "Invalid value “” for “tag:”: use a tag (at character 3)."),
        ("ä is:read", "Invalid value “read” for “is:”: use unread or saved (at character 3)."),
        ("source:\"\"", "Invalid value “” for “source:”: use the name of a source (at character 1)."),
        ("(a OR folder:)", "Invalid value “” for “folder:”: use a folder (at character 7)."),
        (
            "b OR since:2018",
            "“since:” can't be combined with OR, NOT, a dash or parentheses: it applies to the whole search (at character 6)."
        ),
        ("since:2018 OR b", "“since:” can't be combined"), ("NOT until:2018 b", "“until:” can't be combined"),
        ("b -in:title", "“in:” can't be combined"), ("(in:title b)", "“in:” can't be combined"),
        (
            (1...41).map { "tag:a\($0)" }.joined(separator: " "),
            "A search has at most 40 conditions (at character 312)."
        ),
    ]

    @Test("is rejected with the place of what is wrong", arguments: problems)
    func wrong(words: String, sentence: String) throws {
        var query = Query()
        let error = try #require(throws: LibraryError.self) { try Search(words).narrow(&query, now: now) }
        #expect(error.sentence.text.hasPrefix(sentence), "\(error.sentence.text)")
    }

    static let conditions: [(words: String, condition: SearchCondition)] = [
        ("tag:\"open source\"", .tag("open source")), ("TAG:b", .tag("b")), ("tag:\"b c", .tag("b c")),
        ("source:LWN", .source("lwn")), ("folder:a/b", .folder("a/b")), ("is:Unread", .isUnread),
        ("is:saved is:unread", .all([.isSaved, .isUnread])), ("-is:saved", .not(.isSaved)),
        ("NOT (tag:a OR source:b)", .not(.any([.tag("a"), .source("b")]))),
        ("tag:a (source:b OR -is:unread)", .all([.tag("a"), .any([.source("b"), .not(.isUnread)])])),
        ("tag:a since:2018 source:b", .all([.tag("a"), .source("b")])),
        ("is:saved OR", .isSaved), ("is:saved AND", .isSaved), ("(is:saved OR) tag:a", .all([.isSaved, .tag("a")])),
        ("(tag:a) tag:b OR tag:c", .any([.all([.tag("a"), .tag("b")]), .tag("c")])),
    ]

    @Test("combines conditions with operators", arguments: conditions)
    func combined(words: String, condition: SearchCondition) {
        #expect(Search(words).problem == nil)
        #expect(Search(words).condition == condition)
    }

    @Test("can name a source by its new name")
    func renamed() {
        let search = Search("SOURCE:\"a\" (b OR -source:a) source:ab c source:a")
        #expect(search.renaming(["a": "new"]) == "source:new (b OR -source:new) source:ab c source:new")
        #expect(search.renaming(["b": "new"]) == search.text)
    }

    @Test(
        "is kept only if its quotation marks and brackets are closed",
        arguments: [("(a", 1), ("a (b OR (c)", 3), ("x \"a", 3), ("tag:\"a b", 5), ("(a) \"b\" tag:\"c d\" )", nil)])
    func kept(words: String, place: Int?) {
        #expect(Search(words).problem == nil)
        #expect(Search(words).problemOfKeeping?.place == place)
    }

    @Test("has words besides conditions")
    func words() {
        let search = Search("rust -beta (title:\"a b\" OR tag:x) c*")
        #expect(search.terms.map(\.text) == ["rust", "a b", "c*"])
        #expect(search.terms.map(\.field) == [nil, .title, nil])
        #expect(search.terms.map(\.isPrefix) == [false, false, true])
        #expect(search.condition?.hasWords == true)
        #expect(Search("tag:x").condition?.hasWords == false)
    }

    @Test(
        "finds nothing if it only excludes words", arguments: ["-a", "-(a b)", "NOT a -b", "(-a) OR -b", "-(a OR -b)"])
    func excluding(words: String) {
        #expect(Search(words).condition == nil)
        #expect(Search(words + " tag:x").condition != nil)
    }

    @Test("treats an unknown condition as a word", arguments: ["points:100", "-by:x", "(rank:1"])
    func unknown(words: String) {
        #expect(Search(words).unknownNames.count == 1)
        #expect(Search(words + " title:x http://a.b c: :d").unknownNames.count == 1)
        let known =
            "folder:, is:, label:, source:, tag:, in:, since:, until:, title:, summary:, author:, body: and article:"
        #expect(Search.known == known)
    }
}
