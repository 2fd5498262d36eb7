/// Folds text scalar by scalar into the form in which it is searched.
///
/// Everything is left out or replaced that readers of a language may leave out or replace as they type: accents, vowel
/// points, special letters, and characters that can't be seen. Signs that make another word are kept, such as the vowel
/// signs of Indic scripts or the marks of kana.
struct SearchFolding {
    /// The forms of the scalars so far.
    private var forms: [Unicode.Scalar: [UInt8]] = [:]
    private var wasApart = false

    static func fold(_ text: String) -> String {
        var (text, folding, folded) = (text, SearchFolding(), [UInt8]())
        text.withUTF8 { bytes in
            for part in parts(of: bytes) {
                if part.count == 1 {
                    folded.append(bytes[part.lowerBound].lowercased)
                } else {
                    folded += folding.fold(bytes[part])
                }
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// The parts of a text that can be folded one after the other, in whole characters: single ones of ASCII, and runs
    /// of others.
    static func parts(of text: UnsafeBufferPointer<UInt8>) -> some Sequence<Range<Int>> {
        sequence(state: 0) { start in
            guard start < text.count else { return nil }
            var end = start
            // Next to other characters, an ASCII character may be part of them.
            while end < text.count, text[end] >= 0x80 || end + 1 < text.count && text[end + 1] >= 0x80 { end += 1 }
            end = min(end + 1, text.count)
            defer { start = end }
            return start..<end
        }
    }

    /// The searchable form of the next part of a text, in whole characters.
    mutating func fold(_ part: some Collection<UInt8>) -> [UInt8] {
        var folded: [UInt8] = []
        for scalar in Self.composed(String(decoding: part, as: UTF8.self)).unicodeScalars {
            // A superscript number or a fraction is a word of its own, as in an element of HTML: `2^10`.
            let isApart = Self.isApart(scalar)
            if isApart, !wasApart { folded.append(UInt8(ascii: "^")) }
            wasApart = isApart
            folded += form(of: scalar)
        }
        return folded
    }

    private static func composed(_ text: String) -> String {
        // A single scalar is composed as its form is made.
        if text.unicodeScalars.dropFirst().isEmpty { return text }
        let usual = CombiningMarks.limited(text).unicodeScalars.map(WidthFolding.fold)
        return String(String.UnicodeScalarView(usual)).composed
    }

    private mutating func form(of scalar: Unicode.Scalar) -> [UInt8] {
        if let form = forms[scalar] { return form }
        let form = Array(Self.form(of: scalar).utf8)
        forms[scalar] = form
        return form
    }

    private static func form(of scalar: Unicode.Scalar) -> String {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return "" }
        let usual = String(WidthFolding.fold(scalar))
        let isInWord = properties.isAlphabetic || properties.numericType != nil
        let plain = isInWord ? usual.withPlainASCII : usual
        let hasAccents = !letters.contains(scalar) && (isInWord || Folding.isMark(scalar))
        var form = ""
        for part in plain.decomposed where !hasAccents || !isAccent(part) {
            for folded in Folding.caseFolded(part).unicodeScalars { form += replacements[folded] ?? String(folded) }
        }
        return form.composed
    }

    /// Letters of Cyrillic alphabets whose marks aren't accents.
    private static let letters: Set<Unicode.Scalar> = ["й", "Й", "ў", "Ў", "ї", "Ї", "ѓ", "Ѓ", "ќ", "Ќ"]

    /// What is typed for characters that don't decompose.
    private static let replacements: [Unicode.Scalar: String] = [
        // Latin
        "æ": "ae", "ǆ": "dz", "œ": "oe", "ø": "o", "þ": "th", "ð": "d", "đ": "d", "ł": "l", "ħ": "h", "ŧ": "t",
        "ŋ": "n",
        "ı": "i", "ə": "e", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ƴ": "y", "ʻ": "'", "ʼ": "'",
        // Fractions
        "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
        // Arabic: the lengthening stroke, and letters that differ between keyboards.
        "\u{640}": "", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك",
    ]

    /// Whether a scalar is an accent or a vowel point, and not part of a letter or a syllable.
    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Latin to Devanagari, and the blocks of marks for several scripts.
        case 0x300..<0x955, 0x1AB0..<0xA67E, 0xFE20..<0xFE30:
            // Others such as the marks of kana are the same in every script, and have one of these classes.
            let isPartOfLetter = [0, 7, 8, 9].contains(scalar.properties.canonicalCombiningClass.rawValue)
            return !isPartOfLetter || scalar.properties.generalCategory == .enclosingMark
        default: return false
        }
    }

    private static func isApart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xB2...0xB3, 0xB9, 0xBC...0xBE, 0x2070, 0x2074...0x2079, 0x2153...0x215E: true
        default: false
        }
    }
}
