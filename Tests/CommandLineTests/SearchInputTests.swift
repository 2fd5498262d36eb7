import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogLibrary
@testable import BlogRendering

@Suite("A typed search") struct SearchInputTests {
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
        try SearchInput(words).narrow(&query, now: now)
        #expect(query.words == "swift")
        #expect(query.filter.since == (try date(since)))
        #expect(query.filter.before == (try date(before)))
    }

    @Test("may include a kind of post and a tag")
    func others() throws {
        var query = Query()
        try SearchInput("in:comments a tag:Swift title:b -c").narrow(&query, now: now)
        #expect(query.words == "a title:b -c")
        #expect(query.filter.kind == .comments)
        #expect(query.filter.tag == "Swift")
        try SearchInput("in:posts").narrow(&query, now: now)
        #expect(query.words == nil)
        #expect(query.filter.kind == .posts)
    }

    @Test("may name the place where its words are searched", arguments: SearchField.allCases)
    func place(place: SearchField) throws {
        var query = Query()
        try SearchInput("swift in:\(place.rawValue) server").narrow(&query, now: now)
        #expect(query.words == "swift server")
        #expect(query.searchField == place)
        #expect(query.filter.kind == nil)
    }

    @Test("is rejected if a condition has no valid value", arguments: ["in:books", "since:x", "until:", "tag:"])
    func wrong(words: String) {
        var query = Query()
        #expect(throws: LibraryError.self) { try SearchInput(words).narrow(&query, now: now) }
    }

    @Test(
        "accepts a quoted tag",
        arguments: [("tag:\"open source\" a", "open source"), ("tag:\"b\" a", "b"), ("a tag:\"b c", "\"b")])
    func quoted(words: String, tag: String) throws {
        var query = Query()
        try SearchInput(words).narrow(&query, now: now)
        #expect(query.filter.tag == tag)
        #expect(query.words?.hasPrefix("a") == true)
    }

    @Test(
        "is rejected if a filter is part of an expression",
        arguments: [
            "tag:a OR b", "b OR tag:a", "NOT tag:a b", "b -tag:a", "(tag:a b)", "c (b OR tag:a)", "c (b tag:a)",
            "-in:title b",
        ])
    func combined(words: String) {
        var query = Query()
        #expect { try SearchInput(words).narrow(&query, now: now) } throws: { error in
            if case LibraryError.combinedFilter = error { true } else { false }
        }
    }

    @Test(
        "may have filters beside an expression",
        arguments: ["tag:a (b OR c)", "(b OR c) tag:a", "tag:a b OR c", "-b c tag:a"])
    func beside(words: String) throws {
        var query = Query()
        try SearchInput(words).narrow(&query, now: now)
        #expect(query.filter.tag == "a")
    }

    @Test("treats an unknown condition as a word", arguments: ["points:100", "-by:x", "(rank:1"])
    func unknown(words: String) {
        #expect(SearchInput(words).unknownConditions.count == 1)
        #expect(SearchInput(words + " title:x http://a.b c: :d").unknownConditions.count == 1)
        #expect(SearchInput.known == "in:, since:, tag:, until:, title:, summary:, author:, body: and article:")
    }
}
