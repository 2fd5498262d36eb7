import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel

@Suite("A timestamp") struct TimestampTests {
    @Test(
        "parses ISO 8601 with any offset and fractional seconds",
        arguments: [
            ("2018-07-15T23:03:29Z", "2018-07-15T23:03:29Z"), ("2018-07-15T23:03:29-04:00", "2018-07-16T03:03:29Z"),
            ("2018-07-15t23:03:29z", "2018-07-15T23:03:29Z"), ("2018-07-15 23:03Z", "2018-07-15T23:03:00Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z"),
            ("2020-02-29T00:00:00,5-00:30", "2020-02-29T00:30:00Z"), ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z"),
            ("2018-07-15 23:03:29.1", "2018-07-15T23:03:29Z"), ("2018-07-15T23:03:29.123Z", "2018-07-15T23:03:29Z"),
            ("2018-07-15T23:03:29+0930", "2018-07-15T13:33:29Z"),
        ])
    func reads(text: String, utc: String) throws {
        let timestamp = try #require(Timestamp(text))
        #expect(timestamp.utc == utc)
        #expect(timestamp.text == text)
    }

    @Test(
        "rejects malformed input",
        arguments: [
            "", "yesterday", "2018-07-15", "1531695809", "2018-99-15T00:00:00Z",
            "2018-02-30T00:00:00Z", "2019-02-29T00:00:00Z", "2018-07-15T25:00:00Z", "2018-7-5T2:3:9Z",
            "0000-01-01T00:00:00Z",
            "2018-07-15T23:03:29Z<script>", "2018-07-15T23:60:00Z", "2018-07-15T23:03:29.Z",
            "2018-07-15T23:03:29+24:00", "2018-07-15T23:03:29+4", "２018-07-15T23:03:29Z", "-018-07-15T23:03:29Z",
        ])
    func rejects(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(
        "knows every day of the calendar, and no other",
        arguments: [1, 4, 100, 400, 1582, 1899, 1900, 1970, 2000, 2023, 2024, 2100, 9999])
    func days(year: Int32) {
        for (month, day) in (1...12).flatMap({ month in (1...31).map { (Int32(month), Int32($0)) } }) {
            let text = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, day)
            var parts = tm()
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
            let seconds = timegm(&parts)
            #expect(
                Timestamp(text)?.moment == (parts.tm_mday == day ? Date(timeIntervalSince1970: Double(seconds)) : nil))
        }
    }

    @Test("has no date if it is unknown, which is encoded as 1970")
    func unknown() throws {
        let unknown = Timestamp(secondsSince1970: 0)
        #expect(unknown.date == nil)
        #expect(try String(decoding: JSONEncoder().encode([unknown]), as: UTF8.self) == #"["1970-01-01T00:00:00Z"]"#)
        #expect(Timestamp(secondsSince1970: 1).date == Date(timeIntervalSince1970: 1))
    }
}
