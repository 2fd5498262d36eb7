import BlogEssentials

/// How long posts are kept after they were last published, changed or listed.
public enum Retention: Hashable, Sendable {
    /// Posts are never deleted.
    case forever
    /// A number of days, weeks, months or years.
    case age(Int, Unit)

    /// A unit of time.
    public enum Unit: Character, CaseIterable, Sendable {
        /// Days.
        case days = "d"
        /// Weeks.
        case weeks = "w"
        /// Months of 30 days.
        case months = "m"
        /// Years of 365 days.
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

    /// Parses `30d`, `6w`, `3m`, `1y` or `all`; nil for any other text.
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

    /// The text that ``init(_:)`` parses.
    public var text: String {
        switch self {
        case .forever: "all"
        case .age(let count, let unit): "\(count)\(unit.rawValue)"
        }
    }

    /// Posts before this date are deleted; nil for none.
    package func cutoff(at now: Date) -> Date? {
        guard case .age(let count, let unit) = self else { return nil }
        return now.addingTimeInterval(-TimeInterval(count) * TimeInterval(unit.days) * 86_400)
    }
}

/// The retention setting of a source.
public enum RetentionChoice: Hashable, Sendable {
    /// Its own retention.
    case own(Retention)
    /// The global setting.
    case common

    /// The source's own retention; nil for the global setting.
    public var retention: Retention? { if case .own(let retention) = self { retention } else { nil } }
}
