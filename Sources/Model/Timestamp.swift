import Foundation

/// A timestamp as a server sent it: the text is kept, so that JSON output equals the published text.
public struct Timestamp: Hashable, Sendable {
    /// ISO 8601 with a time zone and perhaps fractions of a second, for example `2018-07-15T23:03:29-04:00`.
    public let text: String
    /// The moment that `text` names.
    public let date: Date

    /// The moment that an ISO 8601 text names, or nil if it names none.
    public init?(_ text: String) {
        guard let seconds = ISO8601.seconds(text) else { return nil }
        self.text = text
        date = Date(timeIntervalSince1970: seconds)
    }

    /// The moment at a number of seconds since 1970, UTC.
    public init(secondsSince1970 seconds: Int) {
        // Beyond the years that ISO 8601 has four digits for, a number is no time.
        date = Date(timeIntervalSince1970: TimeInterval(min(max(seconds, 0), 253_402_300_799)))
        text = ISO8601.text(date)
    }

    /// The moment in UTC, to the second: `2018-07-16T03:03:29Z`.
    public var utc: String { ISO8601.isPlainUTC(text) ? text : ISO8601.text(date) }

    /// Whether the moment is known: the beginning of 1970 stands for an unknown one.
    package var isKnown: Bool { date.timeIntervalSince1970 != 0 }

    /// The moment in whole milliseconds since 1970, UTC.
    public var milliseconds: Int64 { date.millisecondsSince1970 }
}

extension Timestamp: Codable {
    /// Decodes the text that ``init(_:)`` takes; throws `DecodingError.dataCorrupted` for any other.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let timestamp = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "is not an ISO 8601 timestamp")
        }
        self = timestamp
    }

    /// Encodes the text as it was published.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
