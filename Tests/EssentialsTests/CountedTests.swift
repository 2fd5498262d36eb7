import Foundation
import Testing
@testable import BlogEssentials

@Suite("Counts and lists in words") struct CountedTests {
    @Test(
        "name up to six things, and of more the first five",
        arguments: [
            (0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c"), (5, "a, b, c, d and e"), (6, "a, b, c, d, e and f"),
            (7, "a, b, c, d, e and 2 more"), (26, "a, b, c, d, e and 21 more"),
        ])
    func some(count: Int, text: String) {
        #expect(Counted.some("abcdefghijklmnopqrstuvwxyz".prefix(count).map(String.init)) == text)
    }

    @Test(
        "group the digits of large numbers",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")])
    func number(count: Int, text: String) {
        #expect(Counted.number(count) == text)
        #expect(Counted.grouped(posts: count) == text + " posts")
    }

    @Test("have a singular")
    func singular() {
        #expect(Counted.grouped(posts: 1) == "1 post")
        #expect([0, 1, 2].map { Counted.bodies($0) } == ["0 bodies", "1 body", "2 bodies"])
        #expect(
            [(1, 0), (2, 1), (0, 2)].map { Counted.deleted($0, $1) }
                == ["1 post", "2 posts and 1 comment", "0 posts and 2 comments"])
    }

    @Test(
        "have at most three decimals",
        arguments: [
            (30, "30"), (2.5, "2.5"), (0.25, "0.25"), (1000, "1000"), (1.23456, "1.235"), (0, "0"), (-1.5, "-1.5"),
        ])
    func decimals(number: Double, text: String) {
        #expect(DecimalText.text(number) == text)
    }

    @Test(
        "give sizes in kilobytes below a megabyte, and at least one",
        arguments: [
            (0, "1 kB"), (999, "1 kB"), (1999, "1 kB"), (2000, "2 kB"), (999_999, "999 kB"), (1_000_000, "1.0 MB"),
            (1_099_999, "1.0 MB"), (1_100_000, "1.1 MB"), (123_456_789, "123.4 MB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(Counted.bytes(bytes) == text)
    }

    @Test(
        "have a fixed number of decimals",
        arguments: [(87.25, "87.2"), (87.35, "87.3"), (100, "100.0"), (0, "0.0")])
    func fixedDecimals(number: Double, text: String) {
        #expect(DecimalText.text(number, digits: 1) == text)
        #expect(text == String(format: "%.1f", number))
    }
}
