/// Folds text, so that it can be compared, sorted and searched the way people expect.
package enum Folding {
    /// The text without case, accents and character width: the same for "Ångström" and "ANGSTROM".
    ///
    /// The store's sort keys contain it, so it can't change without a migration.
    package static func fold(_ text: String) -> String {
        CharacterFolding.sorting.fold(text) ?? foldedByScalar(text)
    }

    /// The form in which text is searched, the same for all that readers may type for it: "Łódź" and "lodz", "Straße"
    /// and "strasse".
    ///
    /// The search index contains it, so a change of it needs a migration that rebuilds the index.
    package static func searchable(_ text: String) -> String {
        CharacterFolding.searching.fold(text) ?? SearchFolding.fold(text)
    }

    /// Folds scalar by scalar, using Unicode properties.
    ///
    /// Combining marks are dropped if the mark or its base letter is Latin, Greek or Cyrillic.
    static func foldedByScalar(_ text: String) -> String {
        // Appending several scalars to a String takes as long as the String is.
        var folded: [Unicode.Scalar] = []
        var base: Unicode.Scalar?
        for scalar in CombiningMarks.limited(text).unicodeScalars {
            let scalar = WidthFolding.fold(scalar)
            if isMark(scalar), let base, isEuropean(base) || isEuropean(scalar) { continue }
            // Characters from U+2C00 on never decompose into European letters.
            if scalar.value >= 0x2C00 {
                if !isMark(scalar) { base = scalar }
                appendCaseFolded(scalar, to: &folded)
                continue
            }
            let parts = Array(String(scalar).decomposed)
            let isLetter = parts.first.map { isEuropean($0) && !isMark($0) } == true
            if !isMark(scalar) { base = parts.first }
            for part in isLetter ? parts.filter({ !isMark($0) }) : [scalar] {
                folded += caseFolded(part).unicodeScalars.filter { !isLetter || !isMark($0) }
            }
        }
        return String(String.UnicodeScalarView(folded)).composed
    }

    private static func appendCaseFolded(_ scalar: Unicode.Scalar, to folded: inout [Unicode.Scalar]) {
        if scalar.properties.changesWhenCaseMapped {
            folded += caseFolded(scalar).unicodeScalars
        } else {
            folded.append(scalar)
        }
    }

    /// Lowercases by way of upper case, so that "ß" and "ẞ" become "ss", and "ς" becomes "σ".
    static func caseFolded(_ scalar: Unicode.Scalar) -> String {
        // Its capital is "I", but in Turkish it isn't the same letter as "i".
        if scalar == "ı" { return "ı" }
        return scalar.properties.lowercaseMapping.unicodeScalars.reduce(into: "") { text, lower in
            for upper in lower.properties.uppercaseMapping.unicodeScalars { text += upper.properties.lowercaseMapping }
        }
    }

    /// Whether a scalar is Latin, Greek or Cyrillic, or one of their combining marks.
    private static func isEuropean(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x510 }

    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isGraphemeExtend || (0x1F3FB...0x1F3FF).contains(scalar.value)
    }

    /// The text in Normalization Form C.
    package static func composed(_ text: String) -> String {
        CharacterFolding.sorting.applies(to: text) ? text : CombiningMarks.limited(text).composed
    }

    /// The searchable words of a text, each with one space around it: whole words match if `words(whole)` contains
    /// `words(part)`.
    ///
    /// A filter by author calls this for every post. The plain way, ``wordsByScalar(_:)``, takes twenty times as long;
    /// `FoldingTests` compares the two.
    package static func words(_ text: String) -> String {
        if let words = wordsOfASCII(text) { return words }
        let folded = searchable(text).withSignsAsWords
        return wordsOfASCII(folded) ?? wordsByScalar(folded)
    }

    /// Nil if there are other characters.
    private static func wordsOfASCII(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 && !UnsafeBufferPointer.isSign($0) }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count + 2) { words in
                var (count, isInWord) = (0, false)
                func append(_ byte: UInt8) {
                    words[count] = byte
                    count += 1
                }
                for byte in bytes {
                    let byte = byte.lowercased
                    let isPartOfWord = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                    if isPartOfWord, !isInWord { append(0x20) }
                    if isPartOfWord { append(byte) }
                    isInWord = isPartOfWord
                }
                if count > 0 { append(0x20) }
                return count
            }
        }
    }

    static func wordsByScalar(_ folded: String) -> String {
        let words = folded.unicodeScalars.split { !isInWord($0) }.map { String($0) }
        return words.isEmpty ? "" : " " + words.joined(separator: " ") + " "
    }

    /// Whether a scalar of searchable text is part of a word; the others separate words.
    static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        case .decimalNumber, .letterNumber, .otherNumber, .privateUse: true
        default: false
        }
    }

    /// The words of a search pattern in the form of ``words(_:)``.
    ///
    /// A leading or trailing `*` matches the rest of a word, and so does a script without spaces.
    package static func pattern(_ text: String) -> String {
        var words = words(text).unicodeScalars.dropFirst().dropLast()
        guard let first = words.first, let last = words.last else { return "" }
        if !text.hasPrefix("*"), !isUnspaced(first) { words.insert(" ", at: words.startIndex) }
        if !text.hasSuffix("*"), !isUnspaced(last) { words.append(" ") }
        return String(words)
    }

    /// Whether a scalar belongs to a script that doesn't separate words by spaces.
    @inlinable package static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        // Nearly all characters of an index are below.
        guard scalar.value >= 0x0E00 else { return false }
        return switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3040...0x312F, 0x31A0...0x31FF: true
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF66...0xFF9F: true
        case 0x20000...0x323AF: true
        default: false
        }
    }
}

extension UInt8 {
    /// The byte with an ASCII letter in lower case.
    @inlinable package var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    @inlinable package var isASCIILetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable package var isASCIIAlphanumeric: Bool { isASCIILetter || isDigit }
}

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first occurrence of a byte from an offset on; nil if it doesn't occur.
    package func offset(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let match = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(match) - UnsafeRawPointer(base)
    }
}

/// A fast path for text that can be folded one character at a time, which is nearly all text.
///
/// The plain ways are `Folding.foldedByScalar(_:)` and `SearchFolding.fold(_:)`, which handle all text but are many
/// times slower. Every title and author is folded when it is stored: "first list of 100,000 posts" in
/// Benchmarks/RESULTS.md. `CharacterFoldingTests` compares them for every character.
enum CharacterFolding: CaseIterable {
    case sorting
    case searching

    /// The folded, composed text; nil if a character isn't in the tables.
    func fold(_ text: String) -> String? {
        var (text, isFolded) = (text, false)
        let folded = text.withUTF8 { bytes in
            // Two bytes become at most three.
            String(unsafeUninitializedCapacity: bytes.count * 3 / 2) { buffer in
                let count = write(bytes, into: buffer)
                isFolded = count != nil
                return count ?? 0
            }
        }
        return isFolded ? folded : nil
    }

    /// Whether every character is composed and independent of its neighbors.
    func applies(to text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let letters = table(for: bytes)
            var index = 0
            while index < bytes.count {
                guard bytes[index] >= 0x80 else {
                    index += 1
                    continue
                }
                let (code, length) = Self.scalar(bytes, index)
                let isInTables =
                    code < Self.end ? letters[Int(code - Self.start)] != 0 : Self.wide.contains(code) || isFolded(code)
                guard isInTables else { return false }
                index += length
            }
            return true
        }
    }

    /// Writes the folded text and returns its length; nil if a character isn't in the tables.
    private func write(
        _ text: UnsafeBufferPointer<UInt8>, into folded: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        let letters = table(for: text)
        var (index, count) = (0, 0)
        func append(_ byte: UInt8) {
            folded[count] = byte
            count += 1
        }
        while index < text.count {
            let byte = text[index]
            guard byte >= 0x80 else {
                append(byte.lowercased)
                index += 1
                continue
            }
            let (code, length) = Self.scalar(text, index)
            if code < Self.end {
                var bytes = letters[Int(code - Self.start)]
                guard bytes != 0 else { return nil }
                while bytes != 0 {
                    append(UInt8(truncatingIfNeeded: bytes))
                    bytes >>= 8
                }
            } else if Self.wide.contains(code) {
                append((UInt8(code - Self.wide.lowerBound) + 0x21).lowercased)
            } else {
                guard isFolded(code) else { return nil }
                for offset in 0..<length { append(text[index + offset]) }
            }
            index += length
        }
        return count
    }

    /// The non-ASCII character at an index, and its length in bytes.
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

    /// The folded letters, or nothing if a text doesn't need them: making them takes as long as finding a post.
    private func table(for text: UnsafeBufferPointer<UInt8>) -> [UInt32] {
        if text.allSatisfy({ $0 < 0x80 }) { return [] }
        let isLatin = !text.contains { (0xC9...0xD4).contains($0) }
        return switch self {
        case .sorting: isLatin ? Self.sortedLatin : Self.sortedLetters
        case .searching: isLatin ? Self.searchedLatin : Self.searchedLetters
        }
    }

    /// The first character in UTF-8 that begins with the byte 0xC9.
    private static let endOfLatin: UInt32 = 0x240
    private static let sortedLatin = letters(start..<endOfLatin, Folding.foldedByScalar)
    private static let sortedLetters = sortedLatin + letters(endOfLatin..<end, Folding.foldedByScalar)
    private static let searchedLatin = letters(start..<endOfLatin, SearchFolding.fold)
    private static let searchedLetters = searchedLatin + letters(endOfLatin..<end, SearchFolding.fold)

    /// The folded form of each character: its UTF-8, the first byte lowest.
    ///
    /// 0 for combining marks, for characters that aren't composed, and for those that are ignored or set apart.
    private static func letters(_ codes: Range<UInt32>, _ fold: (String) -> String) -> [UInt32] {
        codes.map { code in
            guard let scalar = Unicode.Scalar(code), !Folding.isMark(scalar) else { return 0 }
            let letter = String(scalar)
            let folded = Array(fold(letter).utf8)
            guard folded.count <= 3, folded.first != UInt8(ascii: "^"),
                letter.utf8.elementsEqual(letter.composed.utf8)
            else { return 0 }
            return folded.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    // MARK: Other scripts

    private static let wide: ClosedRange<UInt32> = 0xFF01...0xFF5E

    /// Whether folding is known to leave a character alone: scripts without case, symbols and most emoji.
    private func isFolded(_ code: UInt32) -> Bool {
        switch code {
        case 0x3400...0x9FFF, 0x20000...0x2A6DF: true  // Chinese
        case 0x3000...0x3029, 0x3041...0x3096, 0x309B...0x30FF: true  // Japanese
        case 0xAC00...0xD7A3: true  // Korean
        case 0x0620...0x064A, 0x0660...0x0669, 0x0671...0x06D3: self == .sorting  // Arabic
        case 0x05D0...0x05EA: true  // Hebrew
        case 0x10D0...0x10FF: true  // Georgian
        case 0x2010...0x2027, 0x2030...0x205E: true  // punctuation
        case 0x20A0...0x20BF, 0x2190...0x21FF, 0x2600...0x27BF: true  // symbols
        case 0x1F1E6...0x1F1FF, 0x1F300...0x1F3FA, 0x1F400...0x1F6D7, 0x1F900...0x1F9FF: true  // emoji
        default: false
        }
    }
}

/// Maps halfwidth and fullwidth forms to the usual characters.
enum WidthFolding {
    /// The scalar in its usual width: "A" for "Ａ", "カ" for "ｶ".
    static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFF01 + 0x21) ?? scalar
        case 0xFF5F...0xFFEE: usual[scalar] ?? scalar
        default: scalar
        }
    }

    private static let usual: [Unicode.Scalar: Unicode.Scalar] = {
        let forms: [(first: UInt32, usual: String)] = [
            (0xFF5F, "⦅⦆。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"),
            (0xFFA0, "\u{1160}\u{1100}\u{1101}\u{11AA}\u{1102}\u{11AC}\u{11AD}\u{1103}\u{1104}\u{1105}\u{11B0}"),
            (0xFFAB, "\u{11B1}\u{11B2}\u{11B3}\u{11B4}\u{11B5}\u{111A}\u{1106}\u{1107}\u{1108}\u{1121}\u{1109}"),
            (0xFFB6, "\u{110A}\u{110B}\u{110C}\u{110D}\u{110E}\u{110F}\u{1110}\u{1111}\u{1112}"),
            (0xFFC2, "\u{1161}\u{1162}\u{1163}\u{1164}\u{1165}\u{1166}"),
            (0xFFCA, "\u{1167}\u{1168}\u{1169}\u{116A}\u{116B}\u{116C}"),
            (0xFFD2, "\u{116D}\u{116E}\u{116F}\u{1170}\u{1171}\u{1172}"),
            (0xFFDA, "\u{1173}\u{1174}\u{1175}"),
            (0xFFE0, "¢£¬"), (0xFFE4, "¦¥₩"), (0xFFE8, "│←↑→↓■○"),
        ]
        return forms.reduce(into: [:]) { usual, form in
            for (code, scalar) in zip(form.first..., form.usual.unicodeScalars) {
                Unicode.Scalar(code).map { usual[$0] = scalar }
            }
        }
    }()
}

/// Limits the number of combining marks on one letter.
///
/// No script needs more than a few, and Unicode's Stream-Safe Text Format allows 30
/// (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format). Marks are sorted when text is compared, folded or
/// hashed, which would take quadratic time without a limit.
package enum CombiningMarks {
    package static func limited(_ text: String) -> String {
        var text = text
        let isLimited = text.withUTF8 { runTooLong(in: $0, from: 0) == nil }
        return isLimited ? text : String(decoding: limited(Array(text.utf8)), as: UTF8.self)
    }

    package static func limited(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBufferPointer { bytes in
            var result: [UInt8] = []
            var position = 0
            while let run = runTooLong(in: bytes, from: position) {
                result += bytes[position..<run.lowerBound]
                position = run.upperBound
            }
            return position == 0 ? text : result + bytes[position...]
        }
    }

    /// Whether no letter has excess marks.
    package static func areFew(in text: UnsafeBufferPointer<UInt8>) -> Bool { runTooLong(in: text, from: 0) == nil }

    private static let limit = 30

    /// The excess marks of the first run that is too long, from the 31st mark on.
    ///
    /// Such a run has at least 62 bytes, so it is enough to test every 60th byte, and its surroundings if it is part of
    /// a mark.
    private static func runTooLong(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        var probe = start + 2 * limit
        while probe < text.count {
            var end = beginning(of: probe, in: text, from: start)
            guard text[end] >= 0xCC, isMark(text, end) else {
                probe += 2 * limit
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
                if count == limit { kept = end }
            }
            end = min(end, text.count)
            if count > limit { return kept..<end }
            probe = end + 2 * limit
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

    /// The index of the first byte of the character that a byte is part of.
    private static func beginning(of index: Int, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = index
        while index > start, text[index] & 0xC0 == 0x80 { index -= 1 }
        return index
    }

    private static func length(of first: UInt8) -> Int { first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }
}
