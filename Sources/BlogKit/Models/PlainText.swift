/// Ends of text that needs no second look. Nearly all text does not, so it is skipped 32 bytes at a time.
extension UnsafeBufferPointer<UInt8> {
    /// The end of the plain text that starts at an index: ASCII without control characters, quotes and backslashes.
    func endOfPlainText(from start: Int) -> Int { end(from: start, before: .quotesAndLetters) }

    /// The same for text that may go beyond ASCII.
    func endOfUnquotedText(from start: Int) -> Int { end(from: start, before: .quotes) }

    /// The end of the text without control characters of ASCII, and without characters that begin with one of two bytes.
    @inline(__always)
    func endOfText(from start: Int, without first: UInt8, _ second: UInt8) -> Int {
        end(from: start, before: .bytes(first, second))
    }

    /// What ends a text beside control characters.
    private enum Stop {
        case quotes
        /// Letters beyond ASCII.
        case quotesAndLetters
        case bytes(UInt8, UInt8)
    }

    @inline(__always)
    private func end(from start: Int, before stop: Stop) -> Int {
        var index = start
        let bytes = UnsafeRawBufferPointer(self)
        while index + 32 <= count {
            let signs = Self.signs(bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self), stop)
            let halves = signs.lowHalf | signs.highHalf
            guard (halves.x | halves.y) & Self.highBits == 0 else { break }
            index += 32
        }
        while index + 8 <= count {
            let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let signs = Self.signs(SIMD4(repeating: eight), stop).x & Self.highBits
            guard signs == 0 else { return index + signs.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count, Self.signs(SIMD4(repeating: UInt64(self[index]) | Self.spaces), stop).x & 0x80 == 0 {
            index += 1
        }
        return index
    }

    /// Eight bytes in each of four numbers: the highest bit of a byte is set where a text ends.
    ///
    /// Only out of such a byte does one run over into the next, and the lowest is always seen.
    @inline(__always)
    private static func signs(_ bytes: SIMD4<UInt64>, _ stop: Stop) -> SIMD4<UInt64> {
        let controls = (bytes &- each(0x20)) | (bytes &+ each(1))
        return switch stop {
        case .quotes: (controls | quotes(bytes)) & ~bytes
        case .quotesAndLetters: controls | quotes(bytes) | bytes
        case .bytes(let first, let second): controls & ~bytes | zeros(bytes ^ each(first)) | zeros(bytes ^ each(second))
        }
    }

    @inline(__always)
    private static func quotes(_ bytes: SIMD4<UInt64>) -> SIMD4<UInt64> {
        ((bytes ^ each(UInt8(ascii: "\""))) &- each(1)) | ((bytes ^ each(UInt8(ascii: "\\"))) &- each(1))
    }

    @inline(__always)
    private static func zeros(_ bytes: SIMD4<UInt64>) -> SIMD4<UInt64> { (bytes &- each(1)) & ~bytes }

    @inline(__always)
    private static func each(_ byte: UInt8) -> SIMD4<UInt64> {
        SIMD4(repeating: 0x0101_0101_0101_0101 &* UInt64(byte))
    }

    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static var spaces: UInt64 { 0x2020_2020_2020_2000 }
}
