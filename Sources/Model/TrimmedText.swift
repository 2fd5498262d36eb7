extension StringProtocol {
    /// The text without leading and trailing white space, line breaks and zero-width spaces.
    package var trimmed: String { trimmed { $0.properties.isWhitespace || $0 == "\u{200B}" } }

    /// The text without leading and trailing scalars that satisfy a predicate.
    ///
    /// By scalars, because a space followed by a combining mark is a different Character.
    package func trimmed(_ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
        var rest = Substring(self).unicodeScalars
        while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
