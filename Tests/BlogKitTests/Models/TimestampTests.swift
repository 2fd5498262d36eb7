import BlogKit
import Testing

@Suite("A timestamp") struct TimestampTests {
    @Test(
        "reads ISO 8601 with any offset and fractions of a second",
        arguments: [
            ("2018-07-15T23:03:29Z", "2018-07-15T23:03:29Z"), ("2018-07-15T23:03:29-04:00", "2018-07-16T03:03:29Z"),
            ("2018-07-15T23:03:29.123Z", "2018-07-15T23:03:29Z"), ("2018-07-15T23:03:29+0930", "2018-07-15T13:33:29Z"),
        ])
    func reads(text: String, utc: String) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(timestamp.utc == utc)
        #expect(timestamp.text == text)
    }

    @Test(
        "refuses what is no timestamp",
        arguments: ["", "yesterday", "2018-07-15", "1531695809", "2018-99-15T00:00:00Z"])
    func refuses(text: String) {
        #expect(Timestamp(text) == nil)
    }
}
