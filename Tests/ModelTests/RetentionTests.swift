import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel

@Suite("A retention period") struct RetentionTests {
    @Test(
        "is a number of days, weeks, months or years",
        arguments: [("1d", 1), ("30d", 30), ("6w", 42), ("3m", 90), ("1y", 365), ("99999y", 36_499_635)])
    func ages(text: String, days: Int) throws {
        let retention = try #require(Retention(text))
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        #expect(retention.cutoff(at: now) == now.addingTimeInterval(TimeInterval(-days) * 86_400))
        #expect(retention.text == text)
    }

    @Test("may be forever")
    func forever() throws {
        #expect(Retention("all") == .forever)
        #expect(Retention("all")?.cutoff(at: Date()) == nil)
        #expect(Retention("all")?.text == "all")
    }

    @Test(
        "rejects anything else",
        arguments: [
            "", "d", "1", "0d", "-1d", "1.5y", "1h", "1 y", "y1", "１d", "100000d", "9223372036854775808d", "1yy",
            "none",
            "1d\u{301}",
        ])
    func others(text: String) { #expect(Retention(text) == nil) }
}
