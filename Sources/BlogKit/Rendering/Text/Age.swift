import Foundation

/// How long ago something was, for people.
package enum Age {
    /// "just now", "5 minutes ago", "3 hours ago", "2 days ago"; the day for what is older than a month or still to come.
    package static func text(_ timestamp: Timestamp, now: Date) -> String {
        let seconds = Int(now.timeIntervalSince(timestamp.date))
        switch seconds {
        case ..<0: return Byline.day(timestamp)
        case ..<60: return "just now"
        case ..<3600: return counted(seconds / 60, "minute")
        case ..<86_400: return counted(seconds / 3600, "hour")
        case ..<(30 * 86_400): return counted(seconds / 86_400, "day")
        default: return Byline.day(timestamp)
        }
    }

    private static func counted(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s") ago"
    }
}
