import Foundation

/// Timestamps as RFC 3339 has them, read strictly and written in UTC.
///
/// Foundation's own parser takes `…Z<script>` and 30 February for timestamps. The calendar is the C library's.
package enum ISO8601 {
    /// Seconds since 1970, UTC, or nil for a text that is no timestamp of the years 1 to 9999.
    ///
    /// `T` may be a space, letters may be small, seconds and their fraction may be missing, and so may the colon of an
    /// offset.
    static func seconds(_ text: String) -> TimeInterval? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = Scanner(rest: bytes[...])
            guard let day = scanner.day(), scanner.take("T", "t", " ") != nil, let clock = scanner.clock(),
                let offset = scanner.offset(), scanner.rest.isEmpty
            else { return nil }
            return day + clock - offset
        }
    }

    /// A moment in UTC, to the second: `2018-07-16T03:03:29Z`; one outside of the years 1 to 9999 as the nearest in them,
    /// or as the end of the last, where a leap second may be.
    package static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        var moment = time_t(seconds.isNaN ? 0 : min(max(seconds, firstSecond), lastSecond).rounded(.down))
        var time = tm()
        gmtime_r(&moment, &time)
        // Written by hand: String(format:) would dominate the time of a list row.
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

    /// The seconds since 1970 of the beginning and the end of the years 1 to 9999.
    private static let firstSecond: TimeInterval = -62_135_596_800
    private static let lastSecond: TimeInterval = 253_402_300_800

    /// Whether a timestamp is in the form that ``text(_:)`` writes already; a leap second is not.
    static func isPlainUTC(_ timestamp: String) -> Bool {
        timestamp.utf8.count == 20 && timestamp.hasSuffix("Z") && !timestamp.hasSuffix(":60Z")
            && timestamp.utf8.dropFirst(10).first == UInt8(ascii: "T")
    }

    /// The unread rest of a text.
    private struct Scanner {
        var rest: Slice<UnsafeBufferPointer<UInt8>>

        /// The next character, if it is one of these.
        mutating func take(_ characters: Unicode.Scalar...) -> Unicode.Scalar? {
            guard let found = characters.first(where: { rest.first.map(UInt32.init) == $0.value }) else { return nil }
            rest.removeFirst()
            return found
        }

        /// The next digits as a number.
        private mutating func number(digits count: Int) -> Int32? {
            guard rest.count >= count else { return nil }
            var number: Int32 = 0
            for byte in rest.prefix(count) {
                guard (0x30...0x39).contains(byte) else { return nil }
                number = number * 10 + Int32(byte - 0x30)
            }
            rest.removeFirst(count)
            return number
        }

        /// Seconds from 1970 to the beginning of a day.
        mutating func day() -> TimeInterval? {
            guard let year = number(digits: 4), year > 0, take("-") != nil, let month = number(digits: 2),
                (1...12).contains(month), take("-") != nil, let day = number(digits: 2), day > 0
            else { return nil }
            var time = tm()
            (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
            let seconds = timegm(&time)
            // A day that its month doesn't have has become one of the next.
            return time.tm_mday == day ? TimeInterval(seconds) : nil
        }

        /// Seconds since midnight.
        mutating func clock() -> TimeInterval? {
            guard let hour = number(digits: 2), hour < 24, take(":") != nil, let minute = number(digits: 2), minute < 60
            else { return nil }
            let whole = TimeInterval(hour * 3600 + minute * 60)
            guard take(":") != nil else { return whole }
            // A leap second is there at the end of a minute.
            guard let second = number(digits: 2), second <= 60 else { return nil }
            return (take(".", ",") == nil ? 0 : fraction()).map { whole + TimeInterval(second) + $0 }
        }

        private mutating func fraction() -> TimeInterval? {
            var (value, place, hasDigit) = (0.0, 0.1, false)
            while let digit = number(digits: 1) {
                value += Double(digit) * place
                place /= 10
                hasDigit = true
            }
            return hasDigit ? value : nil
        }

        /// How many seconds a time zone is ahead of UTC.
        mutating func offset() -> TimeInterval? {
            if take("Z", "z") != nil { return 0 }
            guard let sign = take("+", "-"), let hours = number(digits: 2), hours < 24 else { return nil }
            _ = take(":")
            guard let minutes = number(digits: 2), minutes < 60 else { return nil }
            return TimeInterval((sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
        }
    }
}
