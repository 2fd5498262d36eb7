import BlogEssentials

/// White space between words, which HTML shows as one space.
package enum WhiteSpace {
    /// A text with each run of white space as one space, and whether it ends in one.
    ///
    /// No-break spaces (U+00A0) aren't white space. A mark after a space is kept.
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
            let space = length(at: end, in: bytes)
            if space == 0 { add(bytes[end]) } else if !isAfterSpace { add(.space) }
            isAfterSpace = space > 0
            start = end + max(space, 1)
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
            guard byte > .space ? !beginsWhiteSpace(byte) : byte == .space && !isSpace else { break }
            isSpace = byte == .space
            index += 1
        }
        isAfterSpace = isSpace
        return index
    }

    /// Whether a byte may begin a white space character that isn't ASCII: U+0085, U+1680, U+2000 to U+3000.
    private static func beginsWhiteSpace(_ byte: UInt8) -> Bool { byte == 0xC2 || (0xE1...0xE3).contains(byte) }

    /// The number of bytes of the white space character at an index; 0 if another one, or a part of it, is there.
    private static func length(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let byte = bytes[index]
        guard beginsWhiteSpace(byte) else { return byte.isASCIIWhitespace ? 1 : 0 }
        let length = byte == 0xC2 ? 2 : 3
        let character = bytes[index..<min(index + length, bytes.count)].text
        guard let scalar = character.unicodeScalars.first, scalar != "\u{A0}" else { return 0 }
        return scalar.properties.isWhitespace ? length : 0
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
