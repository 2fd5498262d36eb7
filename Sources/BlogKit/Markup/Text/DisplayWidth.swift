/// Counts terminal columns.
package enum DisplayWidth {
    /// The columns of a text without line breaks; a tab counts as one.
    package static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        var columns = 0
        forEachCluster(of: String(text)) {
            columns += $1
            return true
        }
        return columns
    }

    /// Calls a function with each grapheme cluster of a text without line breaks, and its columns, until it returns false.
    package static func forEachCluster(of text: String, _ body: (Substring, Int) -> Bool) {
        var start = text.startIndex
        while start < text.endIndex {
            // Nearly all text is ASCII, where each byte is a cluster, unless a mark follows it.
            let next = text.utf8.index(after: start)
            let isAlone = text.utf8[start] < 0x80 && (next == text.endIndex || text.utf8[next] < 0x80)
            let end = isAlone ? next : text.index(after: start)
            guard body(text[start..<end], isAlone ? 1 : of(text[start])) else { return }
            start = end
        }
    }

    /// The columns of a character: 0, 1 or 2.
    package static func of(_ character: Character) -> Int {
        if character.isASCII { return 1 }
        let scalars = character.unicodeScalars
        guard let base = scalars.first(where: { !isZeroWidth($0) }) else { return 0 }
        if isWide(base) { return 2 }
        // An emoji selector (U+FE0F) and the second half of a flag make a narrow base wide.
        let isFlag = (0x1F1E6...0x1F1FF).contains(base.value) && scalars.count > 1
        if isFlag || scalars.contains("\u{FE0F}") { return 2 }
        // Spacing vowel signs of Indic scripts have a column of their own, as have other letters of a cluster, such as
        // the Thai vowel of กำ and the voicing mark of ｶﾞ.
        return scalars.contains { $0.properties.generalCategory == .spacingMark }
            || scalars.dropFirst().contains(where: isLetter) ? 2 : 1
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        // Terminals show a soft hyphen.
        if scalar == "\u{AD}" { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: (0x1160...0x11FF).contains(scalar.value)
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return (category == .otherLetter || category == .modifierLetter) && !isZeroWidth(scalar)
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(scalar.value)
            || wide.contains { $0.contains(scalar.value) }
    }

    /// East Asian wide and full-width characters, from Unicode's EastAsianWidth.txt; ranges with only unassigned code
    /// points between them are merged.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F320, 0x20000...0x3FFFD,
    ]
}
