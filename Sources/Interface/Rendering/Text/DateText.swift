import BlogEssentials
import BlogModel

/// Formats dates for people, in their own time zone.
package struct DateText: Sendable {
    private let now: Date
    private let timeZone: TimeZone?
    private let form: Form

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
    }

    /// "now", "4m", "3h", "2d", "20 Aug", and "20 Aug 2024" in another year.
    package func short(_ timestamp: Timestamp) -> String {
        form == .utc ? timestamp.utc : short(timestamp.moment)
    }

    package func short(_ date: Date) -> String {
        switch form {
        case .relative: return age(date) ?? day(date, hasShortMonth: true)
        case .absolute: return String(local(date).prefix(16)).replacing("T", with: " ")
        case .utc: return ISO8601.text(date)
        }
    }

    /// A date for a narrow column: "3h", "20 Aug", "Aug 2018" or "2018"; or "2018-08-20" unless dates are relative.
    package func column(_ date: Date, isWide: Bool) -> String {
        let day = local(date).prefix(10)
        guard form == .relative else { return String(day) }
        if let age = age(date) { return age }
        let text = self.day(date, hasShortMonth: true)
        if day.prefix(4) == local(now).prefix(4) { return text }
        return isWide ? String(text.drop { $0 != " " }.dropFirst()) : String(day.prefix(4))
    }

    package func columnWidth(isWide: Bool) -> Int { form == .relative ? isWide ? 8 : 6 : 10 }

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
        let parts = local(date).split(separator: "T")[0].split(separator: "-")
        let month = CalendarMonth.names[(parts.dropLast().last.flatMap { Int($0) } ?? 1) - 1]
        let isThisYear = local(now).prefix(4) == local(date).prefix(4)
        let year = hasShortMonth && isThisYear ? "" : " \(parts[0])"
        return "\(Int(parts[parts.count - 1]) ?? 0) \(hasShortMonth ? String(month.prefix(3)) : month)\(year)"
    }

    /// The local time in ISO 8601, with a "Z" although it isn't UTC.
    private func local(_ date: Date) -> String {
        let offset = timeZone?.secondsFromGMT(for: date) ?? LocalTime.secondsFromGMT(for: date)
        return ISO8601.text(date.addingTimeInterval(TimeInterval(offset)))
    }
}
