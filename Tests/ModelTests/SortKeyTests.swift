import BlogModel
import BlogTestSupport
import Foundation
import Testing

@Suite("A sort key") struct SortKeyTests {
    @Test(
        "puts titles in natural order",
        arguments: [
            ["Part 2", "Part 10"], ["apple", "Banana"], ["Éclairs", "Edam"], ["\"Done\"", "Eager"], ["Zebra", "日本"],
            ["3 things", "Apple"], ["Part 007", "Part 8"], ["🚀 Launch", "Moon"], ["Swift 5.9", "Swift 5.10"],
            ["Part 9999999999", "Part 10000000000"], ["Part 2 of 10", "Part 2 of 9x"].reversed(),
            ["99999999999999999999", "100000000000000000000"],
        ])
    func order(titles: [String]) throws {
        let keys = try titles.map { SortKey(try sample(title: $0)).title }
        #expect(Array(keys[0].utf8).lexicographicallyPrecedes(Array(keys[1].utf8)), "\(keys)")
    }

    @Test(
        "groups titles by their first letter",
        arguments: [
            ("Éclairs", "E"), ("“Done”", "D"), ("3 things", "0–9"), ("🚀", "#"), ("", "#"), ("日本", "日"),
            ("🚀 Launch", "L"), ("ßtraße", "S"), ("()", "#"),
        ])
    func letter(title: String, letter: String) throws {
        #expect(SortKey(try sample(title: title)).letter == letter)
    }

    @Test("tells apart authors whose names differ only in case")
    func authors() throws {
        #expect(SortKey(try sample(author: "Kim")).author != SortKey(try sample(author: "KIM")).author)
    }

    @Test(
        "puts a date into its month in UTC",
        arguments: [
            ("2018-08-31T23:59:59Z", "2018-08"), ("2018-08-31T23:59:59-04:00", "2018-09"),
            ("2018-09-01T00:30:00+09:00", "2018-08"), ("1969-12-31T23:59:59Z", "1969-12"),
            ("2000-02-29T12:00:00Z", "2000-02"), ("1970-01-01T00:00:00Z", "1970-01"),
        ])
    func month(date: String, month: String) throws {
        #expect(SortKey(try sample(date: date)).month == month)
    }

    @Test("computes the same month as Foundation")
    func months() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var random = SplitMix(state: 1)
        for _ in 0..<2000 {
            // Years 1600 to 9999: Foundation uses the Julian calendar for dates before 1582.
            let moment = Int64.random(in: -11_676_096_000_000..<253_402_300_800_000, using: &random)
            let parts = calendar.dateComponents([.year, .month], from: Date(millisecondsSince1970: moment))
            let month = CalendarMonth(containing: moment)
            #expect(month.year == parts.year && month.month == parts.month, "\(moment)")
            let first = calendar.date(from: DateComponents(year: month.year, month: month.month))
            #expect(first?.timeIntervalSince1970 == Double(month.firstDay * 86_400))
        }
    }

    @Test("formats a month for display")
    func monthName() {
        #expect(CalendarMonth(text: "2018-08")?.name == "August 2018")
        #expect(CalendarMonth(text: "2018-13") == nil)
    }

    @Test("treats canonically equivalent author names as the same")
    func spellings() throws {
        #expect(SortKey(try sample(author: "Zo\u{EB}")).author == SortKey(try sample(author: "Zoe\u{308}")).author)
        #expect(SortKey(try sample(author: "\u{AC01}")) == SortKey(try sample(author: "\u{1100}\u{1161}\u{11A8}")))
    }
}
