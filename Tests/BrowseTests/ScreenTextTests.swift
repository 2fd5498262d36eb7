import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogRendering

@Suite("Text for the screen") struct ScreenTextTests {
    /// Dates with their texts in a wide and in a narrow column, on 1 June 2026.
    static let columns: [(date: String, wide: String, narrow: String)] = [
        ("2026-06-01T11:59:59Z", "now", "now"), ("2026-06-01T11:00:00Z", "1h", "1h"),
        ("2026-05-26T12:00:00Z", "6d", "6d"),
        ("2026-05-25T12:00:00Z", "25 May", "25 May"), ("2026-01-01T00:00:00Z", "1 Jan", "1 Jan"),
        ("2025-12-31T23:59:59Z", "31 Dec 2025", "2025"), ("1999-02-03T00:00:00Z", "3 Feb 1999", "1999"),
        ("2026-06-02T00:00:00Z", "2 Jun", "2 Jun"), ("2027-06-02T00:00:00Z", "2 Jun 2027", "2027"),
    ]

    @Test("has dates that fit their column", arguments: columns)
    func dates(date: String, wide: String, narrow: String) throws {
        let now = try #require(Timestamp("2026-06-01T12:00:00Z")?.date)
        let moment = try #require(Timestamp(date)?.date)
        let texts = DateText(now: now, timeZone: .gmt)
        #expect(texts.column(moment, isWide: true) == wide)
        #expect(texts.column(moment, isWide: false) == narrow)
        #expect(wide.count <= texts.columnWidth(isWide: true) && narrow.count <= texts.columnWidth(isWide: false))
        let absolute = DateText(now: now, timeZone: .gmt, form: .absolute)
        for isWide in [true, false] {
            #expect(absolute.column(moment, isWide: isWide) == date.prefix(10))
            #expect(absolute.columnWidth(isWide: isWide) == 10)
        }
    }

    /// Pieces, separated by "|", with the resulting lines.
    static let pieces: [(pieces: String, lines: [String])] = [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\n\n", ["a", ""]), ("a|b", ["ab"]), ("a|\n|b", ["a", "b"]),
        ("a\nb|c\nd", ["a", "bc", "d"]), ("\n", [""]), ("|||a", ["a"]), ("a\n|\nb", ["a", "", "b"]),
    ]

    @Test("is split into lines wherever its pieces end", arguments: pieces)
    func lines(pieces: String, lines: [String]) {
        var cutter = LineCutter()
        var cut: [StyledText] = []
        for piece in pieces.split(separator: "|", omittingEmptySubsequences: false) {
            cut += cutter.lines(of: StyledText(String(piece), .strong))
        }
        cut += cutter.rest()
        #expect(cut.map(\.plain) == lines)
        #expect(cut.flatMap(\.runs).allSatisfy { $0.styles == [.strong] })
        #expect(cutter.rest().isEmpty)
    }

    @Test("keeps its styles and links on each of its lines")
    func styles() {
        var cutter = LineCutter()
        let text = StyledText("a\nb").linked(to: "https://x.y") + StyledText("c\n", .code)
        let lines = cutter.lines(of: text)
        #expect(
            lines == [
                StyledText("a").linked(to: "https://x.y"),
                StyledText("b").linked(to: "https://x.y") + StyledText("c", .code),
            ])
    }
}
