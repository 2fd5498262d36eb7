extension UnsafeBufferPointer<UInt8> {
    /// The end of the signs at an index of a UTF-8 text if they belong to the word before them; nil if there are none.
    ///
    /// Those of "C++", "F#", "Disney+" and "C++20" do, which are other words without them; those of "a+b" and "#1" don't.
    /// As they are a word of their own, a search for "c" finds "C++", too, and one for "c++" is one for a phrase.
    package func endOfSigns(at index: Int) -> Int? {
        guard index < count, Self.isSign(self[index]), index > 0, isLetter(before: index) else { return nil }
        var end = index + 1
        while end < count, Self.isSign(self[end]) { end += 1 }
        return end < count && isLetter(at: end) ? nil : end
    }

    package static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "#") }

    private func isLetter(before index: Int) -> Bool {
        let last = self[index - 1]
        if last < 0x80 { return last.isASCIILetter }
        let scalar = String(decoding: self[Swift.max(0, index - 4)..<index], as: UTF8.self).unicodeScalars.last
        return scalar.map { Folding.isInWord($0) && $0.properties.numericType == nil } ?? false
    }

    /// Characters of scripts without spaces are words, so that signs before one end a word.
    private func isLetter(at index: Int) -> Bool {
        let first = self[index]
        if first < 0x80 { return first.isASCIILetter }
        let scalar = String(decoding: self[index..<Swift.min(index + 4, count)], as: UTF8.self).unicodeScalars.first
        return scalar.map { Folding.isInWord($0) && !Folding.isUnspaced($0) } ?? false
    }
}

extension String {
    /// The text with the signs of each word as a word of its own.
    ///
    /// They become characters for private use: SQLite's tokenizer, as ``Folding``, takes signs for what separates words.
    package var withSignsAsWords: String {
        var text = self
        return text.withUTF8 { bytes in
            var (words, copied, start) = ([UInt8](), 0, 0)
            var (plus, hash) = (-1, -1)
            while start < bytes.count {
                if plus < start { plus = bytes.offset(of: UInt8(ascii: "+"), from: start) ?? bytes.count }
                if hash < start { hash = bytes.offset(of: UInt8(ascii: "#"), from: start) ?? bytes.count }
                let sign = min(plus, hash)
                start = sign + 1
                guard let end = bytes.endOfSigns(at: sign) else { continue }
                words += bytes[copied..<sign]
                words += Self.boundary
                for byte in bytes[sign..<end] { words += Self.word(for: byte) }
                words += Self.boundary
                (copied, start) = (end, end)
            }
            return copied == 0 ? nil : String(decoding: words + bytes[copied...], as: UTF8.self)
        } ?? text
    }

    private static func word(for sign: UInt8) -> String.UTF8View {
        (sign == UInt8(ascii: "#") ? "\u{E023}" : "\u{E02B}").utf8
    }

    /// A zero-width space.
    private static let boundary = "\u{200B}".utf8
}
