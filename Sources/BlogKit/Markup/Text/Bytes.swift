import BlogEssentials

// Reading text byte by byte, and escaping it scalar by scalar.

extension UInt8 {
    @inlinable package static var lineFeed: UInt8 { UInt8(ascii: "\n") }
    @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
    @inlinable package static var space: UInt8 { UInt8(ascii: " ") }
    @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }

    @inlinable package var isSpaceOrTab: Bool { self == .space || self == .tab }
    @inlinable package var isASCIIWhitespace: Bool { self == .space || (0x09...0x0D).contains(self) }
    @inlinable package var isASCIIPunctuation: Bool {
        (0x21...0x2F).contains(self) || (0x3A...0x40).contains(self) || (0x5B...0x60).contains(self)
            || (0x7B...0x7E).contains(self)
    }
}

extension Collection<UInt8> {
    @inlinable package var text: String { String(decoding: self, as: UTF8.self) }

    @inlinable package var isBlank: Bool { allSatisfy(\.isASCIIWhitespace) }

    /// Whether a text is one of the words separated by ASCII white space.
    package func hasWord(_ word: String) -> Bool { firstWord { $0.elementsEqual(word.utf8) } != nil }

    /// The first of the words separated by ASCII white space that satisfies the predicate, without a list of them all.
    @inlinable package func firstWord(where matches: (SubSequence) -> Bool) -> SubSequence? {
        var rest = drop(while: \.isASCIIWhitespace)
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isASCIIWhitespace }
            if matches(word) { return word }
            rest = rest[word.endIndex...].drop(while: \.isASCIIWhitespace)
        }
        return nil
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without ASCII white space at either end.
    @inlinable package var trimmed: SubSequence {
        var part = self[...]
        while part.first?.isASCIIWhitespace == true { part.removeFirst() }
        while part.last?.isASCIIWhitespace == true { part.removeLast() }
        return part
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The index of the first occurrence of a short pattern; nil if it doesn't occur.
    package func position(of pattern: [UInt8]) -> Int? {
        let offset = withContiguousStorageIfAvailable { bytes -> Int? in
            var start = 0
            while let offset = bytes.offset(of: pattern[0], from: start), offset + pattern.count <= bytes.count {
                if bytes[offset...].starts(with: pattern) { return offset }
                start = offset + 1
            }
            return nil
        }
        guard let offset else { return Array(self).position(of: pattern).map { startIndex + $0 } }
        return offset.map { startIndex + $0 }
    }

    /// Whether any of some short patterns occurs; String's own search takes many times as long.
    func hasAny(of patterns: [[UInt8]]) -> Bool { patterns.contains { position(of: $0) != nil } }
}

extension String {
    /// Replaces each occurrence of a scalar.
    ///
    /// `replacing(_:with:)` of the standard library compares Characters and so misses a quote followed by a combining
    /// mark, which is still a quote to every program that reads the result.
    package func replacing(scalar: Unicode.Scalar, with replacement: String) -> String {
        guard unicodeScalars.contains(scalar) else { return self }
        return mapScalars { $0 == scalar ? replacement : nil }
    }

    /// Puts a backslash before each scalar that satisfies the predicate.
    package func escaping(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isSpecial) else { return self }
        return mapScalars { isSpecial($0) ? "\\" + String($0) : nil }
    }

    /// Replaces the scalars for which the closure returns a replacement, and keeps all others.
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

extension [UInt8] {
    /// Appends a text, which takes half the time of appending its `utf8`.
    @inlinable package mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}
