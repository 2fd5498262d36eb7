import Foundation
import Testing
@testable import Model

@Suite("How long posts are kept") struct RetentionTests {
    @Test(
        "is said in days, weeks, months or years, or is for ever",
        arguments: [("1d", 1), ("30d", 30), ("6w", 42), ("3m", 90), ("1y", 365), ("99999y", 36_499_635)])
    func ages(text: String, days: Int) throws {
        let retention = try #require(Retention(text))
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        #expect(retention.cutoff(at: now) == now.addingTimeInterval(TimeInterval(-days) * 86_400))
        #expect(retention.text == text)
    }

    @Test("for ever is no age")
    func forever() throws {
        #expect(Retention("all") == .forever)
        #expect(Retention("all")?.cutoff(at: Date()) == nil)
        #expect(Retention("all")?.text == "all")
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "d", "1", "0d", "-1d", "1.5y", "1h", "1 y", "y1", "１d", "100000d", "9223372036854775808d", "1yy",
            "none",
            "1d\u{301}",
        ])
    func others(text: String) { #expect(Retention(text) == nil) }
}
