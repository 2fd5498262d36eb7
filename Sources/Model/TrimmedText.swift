extension StringProtocol {
    /// The text without white space, line breaks and zero-width spaces at either end.
    package var trimmed: String { trimmed { $0.properties.isWhitespace || $0 == "\u{200B}" } }

    /// The text without some scalars at either end.
    ///
    /// By scalars, as a space that a combining mark follows is another Character.
    package func trimmed(_ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
        var rest = Substring(self).unicodeScalars
        while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
