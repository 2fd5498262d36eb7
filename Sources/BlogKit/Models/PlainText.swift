extension UnsafeBufferPointer<UInt8> {
    /// The end of the plain text that starts at an index: ASCII without control characters, quotes and backslashes.
    ///
    /// Nearly all text is, so it is skipped 32 bytes at a time.
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        let bytes = UnsafeRawBufferPointer(self)
        while index + 32 <= count {
            let signs = Self.signs(bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self))
            let halves = signs.lowHalf | signs.highHalf
            guard (halves.x | halves.y) & Self.highBits == 0 else { break }
            index += 32
        }
        while index + 8 <= count, Self.isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
            index += 8
        }
        while index < count, Self.isPlain(UInt64(self[index]) | Self.spaces & ~0xFF) { index += 1 }
        return index
    }

    private static func isPlain(_ bytes: UInt64) -> Bool { signs(SIMD4(repeating: bytes)).x & highBits == 0 }

    /// Eight bytes in each of four numbers: all are plain unless one of these has the highest bit of a byte set.
    ///
    /// Only out of a byte that is not plain does one run over into the next, and the lowest such byte is always seen.
    @inline(__always)
    private static func signs(_ bytes: SIMD4<UInt64>) -> SIMD4<UInt64> {
        let controls = bytes &- each(0x20)
        let delete = bytes &+ each(1)
        let quotes = (bytes ^ each(UInt8(ascii: "\""))) &- each(1)
        let backslashes = (bytes ^ each(UInt8(ascii: "\\"))) &- each(1)
        return bytes | controls | delete | quotes | backslashes
    }

    @inline(__always)
    private static func each(_ byte: UInt8) -> SIMD4<UInt64> {
        SIMD4(repeating: 0x0101_0101_0101_0101 &* UInt64(byte))
    }

    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    private static var spaces: UInt64 { 0x2020_2020_2020_2020 }
}
