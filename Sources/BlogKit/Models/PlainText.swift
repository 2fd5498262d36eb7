extension UnsafeBufferPointer<UInt8> {
    /// Where text that starts at a place ends to be plain: ASCII without control characters, quotes and backslashes.
    ///
    /// Nearly all text is, and whoever looks for something else goes past it eight bytes at a time.
    func endOfPlainText(from start: Int) -> Int {
        var index = start
        let bytes = UnsafeRawBufferPointer(self)
        while index + 8 <= count, Self.isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) {
            index += 8
        }
        while index < count, Self.isPlain(UInt64(self[index]) | Self.spaces & ~0xFF) { index += 1 }
        return index
    }

    /// Whether all eight bytes are plain: for one that isn't, one of these sums has the highest bit set.
    ///
    /// Only out of a byte that is not plain does one run over into the next, and the lowest such byte is always seen.
    private static func isPlain(_ bytes: UInt64) -> Bool {
        let controls = bytes &- each * 0x20
        let delete = bytes &+ each
        let quotes = (bytes ^ each * UInt64(UInt8(ascii: "\""))) &- each
        let backslashes = (bytes ^ each * UInt64(UInt8(ascii: "\\"))) &- each
        return (bytes | controls | delete | quotes | backslashes) & (each * 0x80) == 0
    }

    private static var each: UInt64 { 0x0101_0101_0101_0101 }
    private static var spaces: UInt64 { each * 0x20 }
}
