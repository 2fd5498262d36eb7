/// A value bound to a statement.
package enum DatabaseValue: Sendable {
    case null
    case integer(Int64)
    case text(String)

    /// A text, or null.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// A number, or null.
    package init(_ number: Int64?) {
        self = number.map { .integer($0) } ?? .null
    }
}
