import Essentials

/// How long posts are kept: for ever, or until that much time has passed since they were published, changed or listed.
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

    /// The retention that `30d`, `6w`, `3m`, `1y` or `all` stands for; nil for any other text.
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

    /// Older posts are deleted; nil for none.
    package func cutoff(at now: Date) -> Date? {
        guard case .age(let count, let unit) = self else { return nil }
        return now.addingTimeInterval(-TimeInterval(count) * TimeInterval(unit.days) * 86_400)
    }
}

/// The retention of one source: its own, or that of all others.
public enum RetentionChoice: Hashable, Sendable {
    /// Its own.
    case own(Retention)
    /// That of all others.
    case common

    /// The source's own; nil for none.
    public var retention: Retention? { if case .own(let retention) = self { retention } else { nil } }
}
