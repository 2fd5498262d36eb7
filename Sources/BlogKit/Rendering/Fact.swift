import Foundation

/// A value in a table of facts that is about no post.
package enum Fact: Sendable {
    case none
    case text(String)
    case number(Int)
    case date(Date)

    /// The value as text, dates in UTC, "" where there is none.
    var text: String {
        switch self {
        case .none: ""
        case .text(let text): text
        case .number(let number): String(number)
        case .date(let date): date.formatted(.iso8601)
        }
    }

    /// The value as JSON.
    var json: String {
        switch self {
        case .none: "null"
        case .number: text
        case .text, .date: JSONText.string(text)
        }
    }
}
