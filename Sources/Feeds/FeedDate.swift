import Foundation
import Markup
import Model

/// Dates as feeds have them, which is as their authors like.
///
/// RFC 822 (https://www.rfc-editor.org/rfc/rfc2822#section-4.3) for RSS, RFC 3339 and
/// https://www.w3.org/TR/NOTE-datetime for the rest, and what else there is: see the table of its tests.
enum FeedDate {
    /// The moment that a text names; nil for none.
    ///
    /// A time without a zone is taken for UTC.
    static func timestamp(_ text: String) -> Timestamp? {
        let text = Array(text.utf8).trimmed.text
        if let exact = Timestamp(text) { return exact }
        return seconds(text).flatMap { Timestamp(ISO8601.text(Date(timeIntervalSince1970: $0))) }
    }

    /// Seconds since 1970, UTC.
    static func seconds(_ text: String) -> TimeInterval? {
        guard text.utf8.count <= 100 else { return nil }
        let tokens = FeedDateToken.tokens(text)
        if tokens.count == 1 || tokens.count == 3 && tokens[1] == .sign("."),
            case .number(let value, let digits) = tokens[0],
            digits == 10 || digits == 13 || digits == 9
        {
            return TimeInterval(value) / (digits == 13 ? 1000 : 1)
        }
        var reader = FeedDateReader(tokens)
        return reader.seconds()
    }
}

/// A word, a number or a sign of a date.
enum FeedDateToken: Equatable {
    case number(Int, digits: Int)
    /// In small letters.
    case word(String)
    case sign(Unicode.Scalar)
    case space

    static func tokens(_ text: String) -> [FeedDateToken] {
        var tokens: [FeedDateToken] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.first {
            if ("0"..."9").contains(first) {
                let digits = rest.prefix { ("0"..."9").contains($0) }
                rest = rest.dropFirst(digits.count)
                tokens.append(.number(Int(String(digits)) ?? .max, digits: digits.count))
            } else if isLetter(first) {
                let letters = rest.prefix { isLetter($0) }
                rest = rest.dropFirst(letters.count)
                tokens.append(.word(String(letters).lowercased()))
            } else {
                rest = rest.dropFirst()
                let isSpace =
                    first == " " || first == "," || first == "(" || first == ")" || first.properties.isWhitespace
                let token: FeedDateToken = isSpace ? .space : .sign(first == "\u{2212}" ? "-" : first)
                if token != .space || tokens.last != .space { tokens.append(token) }
            }
        }
        return tokens
    }

    /// Nearly all are ASCII, for which no table is needed.
    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? UInt8(ascii: scalar).isASCIILetter : scalar.properties.isAlphabetic
    }
}
