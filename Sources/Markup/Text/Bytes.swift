import Essentials

// Text that is read byte by byte. Properties of single bytes can be inlined in other layers.

extension UInt8 {
    @inlinable package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
    @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }

    @inlinable package var isSpaceOrTab: Bool { self == .space || self == .tab }
    @inlinable package var isASCIIWhitespace: Bool { self == .space || (0x09...0x0D).contains(self) }
    @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable package var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    @inlinable package var isASCIIPunctuation: Bool {
        (0x21...0x2F).contains(self) || (0x3A...0x40).contains(self) || (0x5B...0x60).contains(self)
            || (0x7B...0x7E).contains(self)
    }
}

extension Collection<UInt8> {
    /// The bytes as text.
    @inlinable package var text: String { String(decoding: self, as: UTF8.self) }

    /// Whether all bytes are white space.
    @inlinable package var isBlank: Bool { allSatisfy(\.isASCIIWhitespace) }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without white space at either end.
    @inlinable package var trimmed: SubSequence {
        var part = self[...]
        while part.first?.isASCIIWhitespace == true { part.removeFirst() }
        while part.last?.isASCIIWhitespace == true { part.removeLast() }
        return part
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The first position of a few bytes; nil if they don't occur.
    package func position(of mark: [UInt8]) -> Int? {
        let offset = withContiguousStorageIfAvailable { bytes -> Int? in
            guard let base = bytes.baseAddress else { return nil }
            var start = 0
            let end = bytes.count - mark.count + 1
            while start < end, let match = memchr(base + start, Int32(mark[0]), end - start) {
                let offset = UnsafeRawPointer(match) - UnsafeRawPointer(base)
                if memcmp(match, mark, mark.count) == 0 { return offset }
                start = offset + 1
            }
            return nil
        }
        guard let offset else { return Array(self).position(of: mark).map { startIndex + $0 } }
        return offset.map { startIndex + $0 }
    }
}
