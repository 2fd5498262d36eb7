import BlogEssentials

/// White space between words, which HTML shows as one space: spaces, tabs and line breaks of ASCII, and nothing else.
///
/// Wider spaces are the indents of Chinese and of verse.
package enum WhiteSpace {
    /// A text with each run of white space as one space, and whether it ends in one.
    ///
    /// - Parameter afterSpace: whether to drop white space at the beginning.
    package static func collapsed(_ text: String, afterSpace: Bool) -> (text: String, endsInSpace: Bool) {
        var (text, isAfterSpace) = (text, afterSpace)
        let collapsed = text.withUTF8 { bytes -> String? in
            let start = endOfCollapsed(bytes, from: 0, &isAfterSpace)
            if start == bytes.count { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) {
                collapse(bytes, from: start, &isAfterSpace, to: $0)
            }
        }
        return (collapsed ?? text, isAfterSpace)
    }

    /// Writes a text with its white space collapsed, of which a beginning is so already, and returns its length.
    private static func collapse(
        _ bytes: UnsafeBufferPointer<UInt8>, from beginning: Int, _ isAfterSpace: inout Bool,
        to result: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        var (start, end, count) = (0, beginning, 0)
        func add(_ byte: UInt8) {
            result[count] = byte
            count += 1
        }
        while true {
            bytes[start..<end].forEach(add)
            guard end < bytes.count else { return count }
            let isSpace = bytes[end].isASCIIWhitespace
            if !isSpace { add(bytes[end]) } else if !isAfterSpace { add(.space) }
            isAfterSpace = isSpace
            start = end + 1
            end = endOfCollapsed(bytes, from: start, &isAfterSpace)
        }
    }

    /// The end of the text from an index on that is collapsed already.
    private static func endOfCollapsed(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ isAfterSpace: inout Bool
    ) -> Int {
        var (index, isSpace) = (start, isAfterSpace)
        while index < bytes.count {
            let byte = bytes[index]
            guard byte > .space || byte == .space && !isSpace else { break }
            isSpace = byte == .space
            index += 1
        }
        isAfterSpace = isSpace
        return index
    }
}

extension String {
    /// Whether it has nothing but white space.
    var isBlank: Bool {
        // Most texts begin with a letter.
        if let first = utf8.first, first > .space, first < 0x80 { return false }
        return unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }
}
