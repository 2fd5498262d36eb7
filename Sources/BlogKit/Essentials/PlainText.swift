extension UnsafeBufferPointer<UInt8> {
    /// The end of the plain text that starts at an index: ASCII without control characters, quotes and backslashes.
    ///
    /// The plain way is a loop over the bytes, which `PlainTextTests` compares with this; all text of a list is scanned
    /// here ("first list of 100,000 posts" in Benchmarks/RESULTS.md).
    package func endOfPlainText(from start: Int) -> Int {
        end(from: start) { Marks.unprintable($0) | Marks.quotesAndBackslashes($0) }
    }

    /// The end of the text without ASCII control characters, quotes and backslashes that starts at an index.
    package func endOfUnquotedText(from start: Int) -> Int {
        end(from: start) { Marks.controls($0) | Marks.quotesAndBackslashes($0) }
    }

    /// The end of the printable ASCII text that starts at an index.
    package func endOfPrintableText(from start: Int) -> Int {
        var index = start
        if let bytes = UnsafeRawPointer(baseAddress) {
            // Nearly all text is printable, and 16 bytes at a time take two thirds of the time.
            while index <= count &- 16 {
                let first = Marks.unprintable(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let second = Marks.unprintable(bytes.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self))
                guard (first | second) & Marks.highBits == 0 else { break }
                index &+= 16
            }
        }
        return end(from: index) { Marks.unprintable($0) }
    }

    /// The end of the text without ASCII control characters and two other bytes, which aren't ASCII, that starts at an
    /// index.
    @inline(__always)
    package func endOfText(from start: Int, without first: UInt8, _ second: UInt8) -> Int {
        end(from: start) { bytes in
            // Nearly all text is printable ASCII, which takes a third of the time.
            Marks.unprintable(bytes) & Marks.highBits == 0
                ? 0 : Marks.controls(bytes) | Marks.equal(first, bytes) | Marks.equal(second, bytes)
        }
    }

    /// The index of the first marked byte.
    ///
    /// Marked bytes are rare, so bytes are scanned eight at a time.
    @inline(__always)
    private func end(from start: Int, _ marks: (UInt64) -> UInt64) -> Int {
        var index = start
        let bytes = UnsafeRawBufferPointer(self)
        let lastEight = count - 8
        while index <= lastEight {
            let eight = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let marked = marks(eight) & Marks.highBits
            guard marked == 0 else { return index + marked.trailingZeroBitCount / 8 }
            index += 8
        }
        // The last eight bytes, as most texts are short.
        if index < count, count >= 8 {
            let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: lastEight, as: UInt64.self))
            if marks(last) & Marks.highBits == 0 { return count }
        }
        while index < count, marks(UInt64(self[index]) | Marks.spaces) & Marks.highBits == 0 { index += 1 }
        return index
    }
}

/// Marks bytes by setting their highest bits, eight at a time.
///
/// Only a marked byte can carry over into the next one, so the first mark is always correct.
private enum Marks {
    @inline(__always)
    static func below(_ limit: UInt8, _ bytes: UInt64) -> UInt64 { (bytes &- each(limit)) & ~bytes }

    @inline(__always)
    static func equal(_ byte: UInt8, _ bytes: UInt64) -> UInt64 { below(1, bytes ^ each(byte)) }

    @inline(__always)
    static func controls(_ bytes: UInt64) -> UInt64 { below(0x20, bytes) | equal(0x7F, bytes) }

    /// Marks what isn't printable ASCII: what gets a high bit by subtracting a space or by adding 1, or has one.
    @inline(__always)
    static func unprintable(_ bytes: UInt64) -> UInt64 { (bytes &- each(0x20)) | (bytes &+ each(1)) | bytes }

    @inline(__always)
    static func quotesAndBackslashes(_ bytes: UInt64) -> UInt64 {
        equal(UInt8(ascii: "\""), bytes) | equal(UInt8(ascii: "\\"), bytes)
    }

    @inline(__always)
    private static func each(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    static var highBits: UInt64 { 0x8080_8080_8080_8080 }
    /// Seven spaces, which pad a single byte.
    static var spaces: UInt64 { 0x2020_2020_2020_2000 }
}
