import BlogEssentials
import BlogModel
import Foundation
import Testing
@testable import blog
@testable import BlogCommandLine
@testable import BlogRendering
@testable import BlogTerminal

@Suite("An option's value") struct InvocationTests {
    private let now = Timestamp("2026-11-21T06:00:00Z")?.date ?? .distantPast

    @Test(
        "may be a year, a month, a day, a time or a number of days ago",
        arguments: [
            ("2018", "2018-01-01T00:00:00Z", "2019-01-01T00:00:00Z"),
            ("2018-07", "2018-07-01T00:00:00Z", "2018-08-01T00:00:00Z"),
            ("2018-12-31", "2018-12-31T00:00:00Z", "2019-01-01T00:00:00Z"),
            ("2018-07-15T23:03:29Z", "2018-07-15T23:03:29Z", "2018-07-15T23:03:30Z"),
            ("today", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
            ("yesterday", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"),
            ("7d", "2026-11-14T00:00:00Z", "2026-11-15T00:00:00Z"),
            ("2w", "2026-11-07T00:00:00Z", "2026-11-08T00:00:00Z"),
        ])
    func days(text: String, start: String, end: String) throws {
        let range = try #require(DayRange.parse(text, now: now, offset: { _ in 0 }))
        #expect(range.lowerBound == Timestamp(start)?.date)
        #expect(range.upperBound == Timestamp(end)?.date)
    }

    @Test(
        "means days of the user's time zone, summer time included",
        arguments: [
            ("Europe/Berlin", "2018", "2017-12-31T23:00:00Z", "2018-12-31T23:00:00Z"),
            ("Europe/Berlin", "2018-03-25", "2018-03-24T23:00:00Z", "2018-03-25T22:00:00Z"),
            ("Asia/Tokyo", "today", "2026-11-20T15:00:00Z", "2026-11-21T15:00:00Z"),
            ("America/Los_Angeles", "today", "2026-11-20T08:00:00Z", "2026-11-21T08:00:00Z"),
            ("America/Los_Angeles", "2018-07-15T23:03:29Z", "2018-07-15T23:03:29Z", "2018-07-15T23:03:30Z"),
        ])
    func localDays(zone: String, text: String, start: String, end: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        let range = try #require(DayRange.parse(text, now: now) { zone.secondsFromGMT(for: $0) })
        #expect(range == (try #require(Timestamp(start)?.date))..<(try #require(Timestamp(end)?.date)))
    }

    @Test(
        "isn't parsed as a date in any other format",
        arguments: ["", "18", "2018-7", "2018-13", "2018-02-30", "2018-", "-2018", "7x", "d", "12018", "٢٠١٨"])
    func noDate(text: String) {
        #expect(DayRange.parse(text, now: now) == nil)
    }

    @Test(
        "must be a positive integer if it is a count",
        arguments: ["0", "-1", "x", "1.5", "99999999999999999999"])
    func count(text: String) {
        #expect(throws: UsageError.self) {
            try Invocation(operands: [], options: ["limit": text]).count(.limit)
        }
    }

    @Test(
        "may be a number of seconds up to a day",
        arguments: [("86400", 86_400.0), ("0.1", 0.1), ("86400.1", nil), ("0", nil), ("-1", nil), ("nan", nil)])
    func seconds(text: String, seconds: Double?) throws {
        let invocation = try Invocation(operands: [], options: ["timeout": text])
        #expect((try? invocation.seconds(.timeout)) == seconds)
    }

    @Test(
        "may be the path of the store, whatever it begins with",
        arguments: [
            ("a.db", "a.db"), (":a.db", "./:a.db"), ("~/a.db", "/home/me/a.db"), ("~me/a.db", "~me/a.db"),
            ("/a.db", "/a.db"),
        ])
    func storePath(typed: String, path: String) throws {
        let invocation = try Invocation(operands: [], options: ["store": typed])
        #expect(invocation.storePath(Environment(["HOME": "/home/me"])) == path)
    }

    @Test(
        "selects fields, those of --fields rather than of --json",
        arguments: [
            (["json": "id,title"], [Field.id, .title]), (["fields": "author.name"], [.authorName]),
            (["json": "id", "fields": "read, id"], [.read, .id]),
        ])
    func fields(options: [String: String], fields: [Field]) throws {
        #expect(try Invocation(operands: [], options: options).fields(among: Field.ofLists) == fields)
    }

    @Test("may be several sources, with or without spaces between them", arguments: ["a,b", "a, b", " a ,b "])
    func sources(typed: String) throws {
        let invocation = try Invocation(operands: [], options: ["source": typed])
        #expect(invocation.typedSources == ["a", "b"])
    }

    @Test(
        "is a format that --oneline may repeat but not contradict",
        arguments: [([:], Format.table), (["format": "table"], .table), (["format": "csv"], nil)])
    func oneLine(format: [String: String], expected: Format?) throws {
        let options = format.merging(["oneline": ""]) { $1 }
        #expect((try? Invocation(operands: [], options: options))?.format == expected)
    }

    @Test("is rejected for an unknown field, with the nearest one")
    func unknownField() {
        let expected = Counted.choices(Field.ofLists.map(\.rawValue))
        #expect(throws: UsageError.badValue("titel", option: "json", expected: expected, nearest: "title")) {
            try Invocation(operands: [], options: ["json": "titel"]).fields(among: Field.ofLists)
        }
    }
}
