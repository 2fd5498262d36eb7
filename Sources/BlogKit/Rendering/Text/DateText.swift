import Foundation

/// Dates for people: short, and in their own time zone.
package struct DateText: Sendable {
    private let now: Date
    private let timeZone: TimeZone
    private let isRelative: Bool

    /// - Parameters:
    ///   - now: from when ages are counted.
    ///   - isRelative: whether what is less than a week old is given as its age.
    package init(now: Date = Date(), timeZone: TimeZone = .current, isRelative: Bool = true) {
        self.now = now
        self.timeZone = timeZone
        self.isRelative = isRelative
    }

    /// "now", "4m", "3h", "2d", "20 Aug", and "20 Aug 2024" in another year; or always "2024-08-20 14:05".
    package func short(_ timestamp: Timestamp) -> String {
        let seconds = Int(now.timeIntervalSince(timestamp.date).rounded(.down))
        guard isRelative else {
            return "\(local(timestamp.date).prefix(10)) \(local(timestamp.date).dropFirst(11).prefix(5))"
        }
        switch seconds {
        case ..<0: return day(timestamp.date, hasShortMonth: true)
        case ..<60: return "now"
        case ..<3600: return "\(seconds / 60)m"
        case ..<86_400: return "\(seconds / 3600)h"
        case ..<(7 * 86_400): return "\(seconds / 86_400)d"
        default: return day(timestamp.date, hasShortMonth: true)
        }
    }

    /// "15 July 2018".
    package func long(_ timestamp: Timestamp) -> String {
        isRelative ? day(timestamp.date, hasShortMonth: false) : short(timestamp)
    }

    private func day(_ date: Date, hasShortMonth: Bool) -> String {
        let parts = local(date).split(separator: "T")[0].split(separator: "-")
        let month = CalendarMonth.names[(parts.dropLast().last.flatMap { Int($0) } ?? 1) - 1]
        let isThisYear = local(now).prefix(4) == local(date).prefix(4)
        let year = hasShortMonth && isThisYear ? "" : " \(parts[0])"
        return "\(Int(parts[parts.count - 1]) ?? 0) \(hasShortMonth ? String(month.prefix(3)) : month)\(year)"
    }

    /// The wall clock's time as ISO 8601 has it: "2018-07-15T23:03:29Z", which is true of the digits only.
    private func local(_ date: Date) -> String {
        ISO8601.text(date.addingTimeInterval(TimeInterval(timeZone.secondsFromGMT(for: date))))
    }
}
