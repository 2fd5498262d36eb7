import BlogEssentials

/// How often a source is refreshed automatically.
public enum RefreshInterval: Hashable, Sendable {
    /// Only when a refresh is requested.
    case never
    /// After a number of minutes, hours or days.
    case every(Int, Unit)

    /// A unit of time.
    public enum Unit: Character, CaseIterable, Sendable {
        /// Minutes.
        case minutes = "m"
        /// Hours.
        case hours = "h"
        /// Days.
        case days = "d"

        fileprivate var seconds: TimeInterval {
            switch self {
            case .minutes: 60
            case .hours: 3600
            case .days: 86_400
            }
        }
    }

    /// Parses `10m`, `2h`, `1d` or `never`; nil for any other text.
    public init?(_ text: String) {
        if text == "never" {
            self = .never
            return
        }
        let digits = text.utf8.dropLast()
        guard let unit = text.last.flatMap({ Unit(rawValue: $0) }), (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text.dropLast()), count > 0
        else { return nil }
        self = .every(count, unit)
    }

    /// The text that ``init(_:)`` parses.
    public var text: String {
        switch self {
        case .never: "never"
        case .every(let count, let unit): "\(count)\(unit.rawValue)"
        }
    }

    /// The time in seconds; nil for never.
    package var seconds: TimeInterval? {
        switch self {
        case .never: nil
        case .every(let count, let unit): TimeInterval(count) * unit.seconds
        }
    }

    /// The time in seconds until the next refresh; a hundred years for never.
    package var delay: TimeInterval { seconds ?? 36_500 * Unit.days.seconds }
}

/// The refresh interval of a source.
public enum RefreshChoice: Hashable, Sendable {
    /// Its own interval.
    case own(RefreshInterval)
    /// The default: half an hour, or longer if its server says so.
    case common

    /// The source's own interval; nil for the default.
    public var interval: RefreshInterval? { if case .own(let interval) = self { interval } else { nil } }
}
