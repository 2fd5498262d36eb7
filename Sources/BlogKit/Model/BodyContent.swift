/// The text of a body, as it arrives or is stored.
package enum BodyContent: Sendable {
    /// The text.
    case text(String)
    /// A text that is too long for memory.
    case long(any LongText)
    /// Not modified: the stored body is current.
    case unchanged
}

/// A text that is too long for memory, and is read part by part.
package protocol LongText: Sendable {
    /// The part at a place, up to 128 KiB of whole characters; nil at the end.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameter place: 0 for the first part; it is advanced to the next one.
    func part(at place: inout Int) throws -> String?
}

extension LongText {
    /// The whole text, in memory after all.
    package func whole() throws -> String {
        var (text, place) = ("", 0)
        while let part = try part(at: &place) { text += part }
        return text
    }
}
