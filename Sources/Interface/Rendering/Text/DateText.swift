import BlogEssentials
import BlogModel

/// Formats dates for people, in their own time zone.
package struct DateText: Sendable {
    private let now: Date
    private let timeZone: TimeZone?
    private let form: Form
    /// The current year, which relative dates leave out.
    private let thisYear: String

    package enum Form: Sendable {
        /// The age of dates in the last week: "3h"; otherwise the day: "20 Aug 2024".
        case relative
        /// Day and time: "2024-08-20 14:05".
        case absolute
        /// For programs: "2024-08-20T12:05:00Z".
        case utc
    }

    /// - Parameters:
    ///   - now: the date that ages are relative to.
    ///   - timeZone: nil for the user's.
    package init(now: Date = Date(), timeZone: TimeZone? = nil, form: Form = .relative) {
        self.now = now
        self.timeZone = timeZone
        self.form = form
        thisYear = form == .relative ? Day(now, in: timeZone).year : ""
    }

    /// "now", "4m", "3h", "2d", "20 Aug", and "20 Aug 2024" in another year.
    package func short(_ timestamp: Timestamp) -> String {
        form == .utc ? timestamp.utc : short(timestamp.moment)
    }

    package func short(_ date: Date) -> String {
        switch form {
        case .relative: return age(date) ?? day(date, hasShortMonth: true)
        case .absolute: return String(Self.local(date, in: timeZone).prefix(16)).replacing("T", with: " ")
        case .utc: return ISO8601.text(date)
        }
    }

    /// A date for a narrow column: "3h", "20 Aug", "20 Aug 2018" or "2018"; or "2018-08-20" unless dates are relative.
    package func column(_ date: Date, isWide: Bool) -> String {
        guard form == .relative else { return String(Self.local(date, in: timeZone).prefix(10)) }
        if isWide { return short(date) }
        if let age = age(date) { return age }
        let day = Day(date, in: timeZone)
        return day.year == thisYear ? text(day, hasShortMonth: true) : day.year
    }

    package func columnWidth(isWide: Bool) -> Int { form == .relative ? isWide ? 11 : 6 : 10 }

    /// The short date; empty if the date is unknown.
    func shortIfKnown(_ timestamp: Timestamp) -> [String] { timestamp.isKnown ? [short(timestamp)] : [] }

    /// The age of a date; nil if it isn't in the last week.
    private func age(_ date: Date) -> String? {
        let seconds = Int(now.timeIntervalSince(date).rounded(.down))
        return switch seconds {
        case 0..<60: "now"
        case 60..<3600: "\(seconds / 60)m"
        case 3600..<86_400: "\(seconds / 3600)h"
        case 86_400..<(7 * 86_400): "\(seconds / 86_400)d"
        default: nil
        }
    }

    /// "15 July 2018".
    package func long(_ timestamp: Timestamp) -> String {
        form == .relative ? day(timestamp.moment, hasShortMonth: false) : short(timestamp)
    }

    private func day(_ date: Date, hasShortMonth: Bool) -> String {
        text(Day(date, in: timeZone), hasShortMonth: hasShortMonth)
    }

    private func text(_ day: Day, hasShortMonth: Bool) -> String {
        let year = hasShortMonth && day.year == thisYear ? "" : " \(day.year)"
        return "\(day.number) \(hasShortMonth ? String(day.month.prefix(3)) : day.month)\(year)"
    }

    /// The local time in ISO 8601, with a "Z" although it isn't UTC.
    private static func local(_ date: Date, in timeZone: TimeZone?) -> String {
        let offset = timeZone?.secondsFromGMT(for: date) ?? LocalTime.secondsFromGMT(for: date)
        return ISO8601.text(date.addingTimeInterval(TimeInterval(offset)))
    }

    /// A local day.
    private struct Day {
        let number: Int
        /// The name of the month.
        let month: String
        /// Four digits.
        let year: String

        init(_ date: Date, in timeZone: TimeZone?) {
            let parts = DateText.local(date, in: timeZone).utf8.prefix { $0 != UInt8(ascii: "T") }
                .split(separator: UInt8(ascii: "-")).map { String(Substring($0)) }
            number = Int(parts[2]) ?? 0
            month = CalendarMonth.names[(Int(parts[1]) ?? 1) - 1]
            year = parts[0]
        }
    }
}
