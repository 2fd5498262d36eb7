import Essentials

/// Text without the differences that readers ignore: case, accents and full or half width.
package enum Folding {
    /// The folded text: "Ångström" and "ANGSTROM" give the same.
    package static func fold(_ text: String) -> String {
        CharacterFolding.fold(text) ?? foldedByFoundation(text)
    }

    static func foldedByFoundation(_ text: String) -> String {
        CombiningMarks.limited(text)
            .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }

    /// The text with its characters in the one spelling that Unicode calls composed.
    static func composed(_ text: String) -> String {
        CharacterFolding.applies(to: text)
            ? text : CombiningMarks.limited(text).precomposedStringWithCanonicalMapping
    }

    /// The folded words of a text with one space before, between and after them, so that whole words can be found
    /// by looking for `words(part)` in `words(whole)`.
    package static func words(_ text: String) -> String {
        let words = fold(text).split { !$0.isLetter && !$0.isNumber }
        return words.isEmpty ? "" : " " + words.joined(separator: " ") + " "
    }

    /// The words of a search pattern, as ``words(_:)`` has them; a star at the beginning or the end stands for the rest
    /// of a word.
    package static func pattern(_ text: String) -> String {
        var words = words(text)[...]
        if text.hasPrefix("*") { words = words.drop { $0 == " " } }
        if text.hasSuffix("*"), words.last == " " { words.removeLast() }
        return String(words)
    }

    /// A byte of ASCII in lower case; another as it is.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

/// Folds text whose characters don't depend on each other, as most text is.
///
/// The plain way is `foldedByFoundation(_:)`, which takes many times as long and is used for the rest. Every title and
/// author is folded when it is stored: "first list of 100,000 posts, many scripts" in Benchmarks/RESULTS.md.
/// `CharacterFoldingTests` compares the two for every character.
enum CharacterFolding {
    /// The text as Foundation folds and composes it; nil if it has a character for which that must be asked.
    static func fold(_ text: String) -> String? {
        var (text, isFolded) = (text, false)
        let folded = text.withUTF8 { bytes in
            // Two bytes become three at most.
            String(unsafeUninitializedCapacity: bytes.count * 3 / 2) { buffer in
                let count = write(bytes, into: buffer)
                isFolded = count != nil
                return count ?? 0
            }
        }
        return isFolded ? folded : nil
    }

    /// Whether a text has no character that depends on its neighbors, and none that is not composed.
    static func applies(to text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let letters = letters
            var index = 0
            while index < bytes.count {
                guard bytes[index] >= 0x80 else {
                    index += 1
                    continue
                }
                let (code, length) = scalar(bytes, index)
                let isTaken = code < end ? letters[Int(code - start)] != 0 : wide.contains(code) || isFolded(code)
                guard isTaken else { return false }
                index += length
            }
            return true
        }
    }

    /// Writes the folded text and returns its length; nil if that is for Foundation.
    private static func write(
        _ text: UnsafeBufferPointer<UInt8>, into folded: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        let letters = letters
        var (index, count) = (0, 0)
        func append(_ byte: UInt8) {
            folded[count] = byte
            count += 1
        }
        while index < text.count {
            let byte = text[index]
            guard byte >= 0x80 else {
                append(Folding.lowercased(byte))
                index += 1
                continue
            }
            let (code, length) = scalar(text, index)
            if code < end {
                var bytes = letters[Int(code - start)]
                guard bytes != 0 else { return nil }
                while bytes != 0 {
                    append(UInt8(truncatingIfNeeded: bytes))
                    bytes >>= 8
                }
            } else if wide.contains(code) {
                append(Folding.lowercased(UInt8(code - wide.lowerBound) + 0x21))
            } else {
                guard isFolded(code) else { return nil }
                for offset in 0..<length { append(text[index + offset]) }
            }
            index += length
        }
        return count
    }

    /// The non-ASCII character at an index, and how many bytes it has.
    private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> (code: UInt32, length: Int) {
        func bits(_ offset: Int) -> UInt32 { UInt32(text[index + offset] & 0x3F) }
        let first = UInt32(text[index])
        switch first {
        case ..<0xE0: return ((first & 0x1F) << 6 | bits(1), 2)
        case ..<0xF0: return ((first & 0xF) << 12 | bits(1) << 6 | bits(2), 3)
        default: return ((first & 0x7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4)
        }
    }

    // MARK: Latin, Greek and Cyrillic

    private static let start: UInt32 = 0x80
    private static let end: UInt32 = 0x530

    /// What each character becomes: the first byte of its UTF-8 is the lowest; 0 for a combining mark, and for one that
    /// is not composed.
    private static let letters: [UInt32] = {
        let all = (start..<end).map { String(UnicodeScalar($0) ?? " ") }
        // A line break stands between them, so that one call folds them all.
        let folded = Folding.foldedByFoundation(all.joined(separator: "\n")).utf8
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard folded.count == all.count else { return all.map { _ in 0 } }
        return zip(all, folded).map { letter, folded in
            let isComposed = letter.utf8.elementsEqual(letter.precomposedStringWithCanonicalMapping.utf8)
            guard isComposed, folded.count <= 3 else { return 0 }
            return folded.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }()

    // MARK: Other scripts

    /// What ASCII has, from "!" on, in the width of a Chinese character.
    private static let wide: ClosedRange<UInt32> = 0xFF01...0xFF5E

    /// Whether a character is known to stay what it is: those of scripts without capitals, symbols and most emoji.
    private static func isFolded(_ code: UInt32) -> Bool {
        switch code {
        case 0x3400...0x9FFF, 0x20000...0x2A6DF: true  // Chinese
        case 0x3000...0x3029, 0x3041...0x3096, 0x309B...0x30FF: true  // Japanese
        case 0xAC00...0xD7A3: true  // Korean
        case 0x0620...0x064A, 0x0660...0x0669, 0x0671...0x06D3: true  // Arabic
        case 0x05D0...0x05EA: true  // Hebrew
        case 0x10D0...0x10FF: true  // Georgian
        case 0x2010...0x205E, 0x20A0...0x20BF, 0x2190...0x21FF, 0x2600...0x27BF: true  // punctuation, symbols
        case 0x1F1E6...0x1F1FF, 0x1F300...0x1F3FA, 0x1F400...0x1F6D7, 0x1F900...0x1F9FF: true  // emoji
        default: false
        }
    }
}

/// Limits the number of combining marks on one letter.
///
/// No script needs more than a few, and Unicode's Stream-Safe Text Format allows 30
/// (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). Without a limit, comparing, folding and hashing
/// take time quadratic in the number of marks, which have to be sorted.
package enum CombiningMarks {
    /// The text without excess marks.
    package static func limited(_ text: String) -> String {
        var text = text
        let isLimited = text.withUTF8 { runTooLong(in: $0, from: 0) == nil }
        return isLimited ? text : String(decoding: limited(Array(text.utf8)), as: UTF8.self)
    }

    /// The UTF-8 text without excess marks.
    package static func limited(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { bytes in
            guard var run = runTooLong(in: bytes, from: 0) else { return text }
            var result: [UInt8] = []
            var place = 0
            while true {
                result += bytes[place..<run.lowerBound]
                place = run.upperBound
                guard let next = runTooLong(in: bytes, from: place) else { break }
                run = next
            }
            return result + bytes[place...]
        }
    }

    /// Whether there are no excess marks.
    package static func areFew(in text: UnsafeBufferPointer<UInt8>) -> Bool { runTooLong(in: text, from: 0) == nil }

    private static let most = 30

    /// The excess marks, from the 31st on, of the first run that is too long.
    ///
    /// A run that is too long has at least 62 bytes, so every 60th byte is looked at, and what is around it only where
    /// it is a mark.
    private static func runTooLong(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var probe = start + 2 * most
        while probe < text.count {
            var end = beginning(of: probe, in: text, from: start)
            guard text[end] >= 0xCC, isMark(text, end) else {
                probe += 2 * most
                continue
            }
            var first = end
            while first > start, case let before = beginning(of: first - 1, in: text, from: start), isMark(text, before)
            {
                first = before
            }
            var (kept, count) = (first, 0)
            end = first
            while end < text.count, isMark(text, end) {
                end += length(of: text[end])
                count += 1
                if count == most { kept = end }
            }
            end = min(end, text.count)
            if count > most { return kept..<end }
            probe = end + 2 * most
        }
        return nil
    }

    private static func isMark(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard text[index] >= 0xCC else { return false }
        let end = min(index + length(of: text[index]), text.count)
        guard let scalar = String(decoding: text[index..<end], as: UTF8.self).unicodeScalars.first else { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// Where the character begins that a byte is part of.
    private static func beginning(of index: Int, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = index
        while index > start, text[index] & 0xC0 == 0x80 { index -= 1 }
        return index
    }

    private static func length(of first: UInt8) -> Int { first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }
}
