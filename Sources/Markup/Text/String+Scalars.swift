extension String {
    /// The text with each occurrence of a scalar replaced, for escaping.
    ///
    /// `replacing(_:with:)` of the standard library compares Characters and so misses a quote that a combining mark
    /// follows, which is a quote to every program that reads the result.
    package func replacing(scalar: Unicode.Scalar, with replacement: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        return mapScalars { $0 == scalar ? replacement : nil }
    }

    /// The text with a backslash in front of each of some scalars.
    package func escaping(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isSpecial) else { return self }
        return mapScalars { isSpecial($0) ? "\\" + String($0) : nil }
    }

    /// The text with the scalars replaced that have a replacement.
    package func mapScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        // Unchanged text is copied in runs, as appending scalars to a view of them can take quadratic time.
        var result = ""
        var (start, index) = (startIndex, startIndex)
        while index < endIndex {
            let next = unicodeScalars.index(after: index)
            if let text = replacement(unicodeScalars[index]) {
                result += self[start..<index]
                result += text
                start = next
            }
            index = next
        }
        return result + self[start...]
    }
}
