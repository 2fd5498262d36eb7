import BlogEssentials

/// A timestamp that preserves the published text, so that JSON output is the same.
public struct Timestamp: Hashable, Sendable {
    /// ISO 8601 with a time zone and possibly fractional seconds, for example `2018-07-15T23:03:29-04:00`.
    public let text: String
    /// The date; nil if it is unknown, which is represented by the beginning of 1970.
    public var date: Date? { moment.timeIntervalSince1970 == 0 ? nil : moment }
    /// The date, or the beginning of 1970 if it is unknown.
    package let moment: Date

    /// Parses an ISO 8601 text; nil if it isn't valid.
    public init?(_ text: String) {
        guard let seconds = ISO8601.seconds(text) else { return nil }
        self.text = text
        moment = Date(timeIntervalSince1970: seconds)
    }

    /// The date at a number of seconds since 1970, UTC, clamped to the years 1970 to 9999.
    public init(secondsSince1970 seconds: Int) {
        moment = Date(timeIntervalSince1970: TimeInterval(min(max(seconds, 0), 253_402_300_799)))
        text = ISO8601.text(moment)
    }

    /// The date in UTC, to the second: `2018-07-16T03:03:29Z`.
    public var utc: String { ISO8601.isPlainUTC(text) ? text : ISO8601.text(moment) }

    package var isKnown: Bool { date != nil }

    /// Whole milliseconds since 1970, UTC.
    public var milliseconds: Int64 { moment.millisecondsSince1970 }
}

extension Timestamp: Comparable {
    /// By date; texts of the same moment have an order, too.
    public static func < (one: Timestamp, other: Timestamp) -> Bool {
        (one.moment, one.text) < (other.moment, other.text)
    }
}

extension Timestamp: Codable {
    /// Decodes an ISO 8601 text; throws `DecodingError.dataCorrupted` if it isn't valid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "isn't an ISO 8601 timestamp")
        }
        self = timestamp
    }

    /// Encodes the published text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Parses and formats RFC 3339 timestamps.
///
/// Foundation's parser isn't strict: it accepts `…Z<script>` and 30 February.
package enum ISO8601 {
    /// Seconds since 1970, UTC; nil for a text that isn't a timestamp in the years 1 to 9999.
    ///
    /// Beyond RFC 3339, `T` may be a space, seconds and the colon of an offset may be omitted, and so may UTC.
    static func seconds(_ text: String) -> TimeInterval? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = Scanner(bytes)
            guard let day = scanner.day(), (scanner.take("T", or: "t") ?? scanner.take(" ")) != nil,
                let clock = scanner.clock(), let offset = scanner.isAtEnd ? 0 : scanner.offset(), scanner.isAtEnd
            else { return nil }
            return day + clock - offset
        }
    }

    /// A date in UTC, to the second: `2018-07-16T03:03:29Z`.
    ///
    /// It is clamped to the years 1 to 9999, whose end, reached by a leap second, is the beginning of the year 10000.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        var moment = time_t(seconds.isNaN ? 0 : min(max(seconds, firstSecond), lastSecond).rounded(.down))
        var time = tm()
        gmtime_r(&moment, &time)
        // By hand, because String(format:) would take most of the time of a list row.
        return String(unsafeUninitializedCapacity: 32) { text in
            var count = 0
            func write(_ number: Int32, digits: Int, then separator: Unicode.Scalar) {
                var rest = number
                for index in (count..<count + digits).reversed() {
                    text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[count + digits] = UInt8(ascii: separator)
                count += digits + 1
            }
            let year = time.tm_year + 1900
            write(year, digits: year > 9999 ? 5 : 4, then: "-")
            write(time.tm_mon + 1, digits: 2, then: "-")
            write(time.tm_mday, digits: 2, then: "T")
            write(time.tm_hour, digits: 2, then: ":")
            write(time.tm_min, digits: 2, then: ":")
            write(time.tm_sec, digits: 2, then: "Z")
            return count
        }
    }

    /// The beginning and end of the years 1 to 9999, in seconds since 1970.
    private static let firstSecond: TimeInterval = -62_135_596_800
    private static let lastSecond: TimeInterval = 253_402_300_800

    /// Whether a timestamp has the format of ``text(_:)`` already, which has no leap seconds.
    static func isPlainUTC(_ timestamp: String) -> Bool {
        var timestamp = timestamp
        return timestamp.withUTF8 { bytes in
            bytes.count == 20 && bytes[10] == UInt8(ascii: "T") && bytes[17] != UInt8(ascii: "6")
                && bytes[19] == UInt8(ascii: "Z")
        }
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        private var index = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        @inline(__always)
        mutating func take(_ one: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Unicode.Scalar? {
            guard !isAtEnd else { return nil }
            let next = Unicode.Scalar(bytes[index])
            guard next == one || next == other else { return nil }
            index += 1
            return next
        }

        @inline(__always)
        private mutating func number(digits count: Int) -> Int? {
            guard bytes.count - index >= count else { return nil }
            var number = 0
            for place in index..<index + count {
                let digit = bytes[place] &- 0x30
                guard digit < 10 else { return nil }
                number = number &* 10 &+ Int(digit)
            }
            index += count
            return number
        }

        /// Seconds since 1970 at the beginning of a day.
        mutating func day() -> TimeInterval? {
            guard let year = number(digits: 4), year > 0, take("-") != nil, let month = number(digits: 2),
                (1...12).contains(month), take("-") != nil, let day = number(digits: 2), day > 0
            else { return nil }
            return CalendarMonth(year, month).day(day).map { TimeInterval($0 * 86_400) }
        }

        mutating func clock() -> TimeInterval? {
            guard let hour = number(digits: 2), hour < 24, take(":") != nil, let minute = number(digits: 2), minute < 60
            else { return nil }
            let whole = TimeInterval(hour * 3600 + minute * 60)
            guard take(":") != nil else { return whole }
            // 60 is a leap second.
            guard let second = number(digits: 2), second <= 60 else { return nil }
            return (take(".", or: ",") == nil ? 0 : fraction()).map { whole + TimeInterval(second) + $0 }
        }

        private mutating func fraction() -> TimeInterval? {
            var (value, factor, hasDigit) = (0.0, 0.1, false)
            while let digit = number(digits: 1) {
                value += Double(digit) * factor
                factor /= 10
                hasDigit = true
            }
            return hasDigit ? value : nil
        }

        /// The offset of a time zone from UTC, in seconds.
        mutating func offset() -> TimeInterval? {
            if take("Z", or: "z") != nil { return 0 }
            guard let sign = take("+", or: "-"), let hours = number(digits: 2), hours < 24 else { return nil }
            _ = take(":")
            guard let minutes = number(digits: 2), minutes < 60 else { return nil }
            return TimeInterval((sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
        }
    }
}

extension Date {
    /// Whole milliseconds since 1970, UTC, clamped to Int64.
    package var millisecondsSince1970: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    package init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The date as in messages: "2026-11-21 06:09 UTC".
    package var minuteText: String {
        let text = formatted(.iso8601)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}
