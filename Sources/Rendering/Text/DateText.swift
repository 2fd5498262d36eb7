import Essentials
import Model

/// Dates for people: short, and in their own time zone.
package struct DateText: Sendable {
    private let now: Date
    private let timeZone: TimeZone?
    private let form: Form

    /// How dates are written.
    package enum Form: Sendable {
        /// The age of dates within the last week, the day of others.
        case relative
        /// Day and time: "2024-08-20 14:05".
        case absolute
        /// For programs: "2024-08-20T12:05:00Z".
        case utc
    }

    /// - Parameters:
    ///   - now: the date that ages are relative to.
    ///   - timeZone: nil for the user's.
    ///   - form: how dates are written.
    package init(now: Date = Date(), timeZone: TimeZone? = nil, form: Form = .relative) {
        self.now = now
        self.timeZone = timeZone
        self.form = form
    }

    /// "now", "4m", "3h", "2d", "20 Aug", and "20 Aug 2024" in another year; or always "2024-08-20 14:05".
    package func short(_ timestamp: Timestamp) -> String {
        form == .utc ? timestamp.utc : short(timestamp.moment)
    }

    /// The same of a moment.
    package func short(_ date: Date) -> String {
        switch form {
        case .relative: return age(date) ?? day(date, hasShortMonth: true)
        case .absolute: return String(local(date).prefix(16)).replacing("T", with: " ")
        case .utc: return ISO8601.text(date)
        }
    }

    /// A date for a narrow column: "3h", "20 Aug", "Aug 2018" or "2018"; or always "2018-08-20".
    package func column(_ date: Date, isWide: Bool) -> String {
        let day = local(date).prefix(10)
        guard form == .relative else { return String(day) }
        if let age = age(date) { return age }
        let text = self.day(date, hasShortMonth: true)
        if day.prefix(4) == local(now).prefix(4) { return text }
        return isWide ? String(text.drop { $0 != " " }.dropFirst()) : String(day.prefix(4))
    }

    /// The width of such a column.
    package func columnWidth(isWide: Bool) -> Int { form == .relative ? isWide ? 8 : 6 : 10 }

    /// The same in an array; empty if the date is unknown.
    package func known(_ timestamp: Timestamp) -> [String] { timestamp.isKnown ? [short(timestamp)] : [] }

    /// The age of a date within the last week; nil for others.
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
        let parts = local(date).split(separator: "T")[0].split(separator: "-")
        let month = CalendarMonth.names[(parts.dropLast().last.flatMap { Int($0) } ?? 1) - 1]
        let isThisYear = local(now).prefix(4) == local(date).prefix(4)
        let year = hasShortMonth && isThisYear ? "" : " \(parts[0])"
        return "\(Int(parts[parts.count - 1]) ?? 0) \(hasShortMonth ? String(month.prefix(3)) : month)\(year)"
    }

    /// The local time in the form of ISO 8601: "2018-07-15T23:03:29Z", although it isn't UTC.
    private func local(_ date: Date) -> String {
        let offset = timeZone?.secondsFromGMT(for: date) ?? LocalTime.secondsFromGMT(for: date)
        return ISO8601.text(date.addingTimeInterval(TimeInterval(offset)))
    }
}

/// The user's time zone, as the C library knows it: the variable `TZ`, a name or a rule, or else `/etc/localtime`; UTC
/// if neither can be read.
///
/// FoundationEssentials has no time zones with daylight saving: they are in Foundation, with ICU.
package enum LocalTime {
    /// How many seconds the zone is ahead of UTC at a moment.
    package static func secondsFromGMT(for date: Date) -> Int {
        _ = readZone
        let seconds = date.timeIntervalSince1970
        guard var moment = time_t(exactly: seconds.rounded(.down)) else { return 0 }
        var time = tm()
        return localtime_r(&moment, &time) == nil ? 0 : time.tm_gmtoff
    }

    /// `localtime_r` need not read the zone by itself.
    private static let readZone: Void = tzset()
}
