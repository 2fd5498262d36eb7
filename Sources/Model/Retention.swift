import Foundation

/// How long posts are kept: for ever, or until they have not been published, changed or listed for so long.
public enum Retention: Hashable, Sendable {
    /// Nothing is deleted.
    case forever
    /// So many days, weeks, months or years.
    case age(Int, Unit)

    /// What an age is counted in.
    public enum Unit: Character, CaseIterable, Sendable {
        /// Days.
        case days = "d"
        /// Weeks.
        case weeks = "w"
        /// Thirty days each.
        case months = "m"
        /// 365 days each.
        case years = "y"

        fileprivate var days: Int {
            switch self {
            case .days: 1
            case .weeks: 7
            case .months: 30
            case .years: 365
            }
        }
    }

    /// How long a text says: `30d`, `6w`, `3m`, `1y` or `all`; nil for any other.
    public init?(_ text: String) {
        if text == "all" {
            self = .forever
            return
        }
        let digits = text.utf8.dropLast()
        guard let unit = text.last.flatMap({ Unit(rawValue: $0) }), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text.dropLast()), count > 0
        else { return nil }
        self = .age(count, unit)
    }

    /// The text that ``init(_:)`` takes.
    public var text: String {
        switch self {
        case .forever: "all"
        case .age(let count, let unit): "\(count)\(unit.rawValue)"
        }
    }

    /// What is older than this goes; nil for nothing.
    package func cutoff(at now: Date) -> Date? {
        guard case .age(let count, let unit) = self else { return nil }
        return now.addingTimeInterval(-TimeInterval(count) * TimeInterval(unit.days) * 86_400)
    }
}

/// What is said about one source: how long its posts are kept, or that it is as long as those of all others.
public enum RetentionChoice: Hashable, Sendable {
    /// So long, whatever holds for others.
    case own(Retention)
    /// As long as those of others.
    case common

    /// The source's own; nil for none.
    public var retention: Retention? { if case .own(let retention) = self { retention } else { nil } }
}
