import BlogEssentials

/// Characters that people can't see and programs read: in them, a text can say something else than it shows.
///
/// Removed are tag characters (U+E0000 to U+E007F), but in the flag of a region; variation selectors 17 to 256, but after a
/// Chinese character, whose form they choose; and soft hyphens, which terminals show or not, as they like.
package enum InvisibleCharacters {
    /// A text without them.
    package static func removed(from text: String) -> String {
        var text = text
        if text.withUTF8({ areNone(in: $0) }) { return text }
        let scalars = Array(text.unicodeScalars)
        var (kept, index): ([Unicode.Scalar], Int) = ([], 0)
        while index < scalars.count {
            let scalar = scalars[index]
            let end = scalar == flag ? endOfFlag(in: scalars, from: index) : index + 1
            let isSelector = (0xE0100...0xE01EF).contains(scalar.value)
            if isSelector ? kept.last.map(isIdeograph) == true : !isTag(scalar) && scalar != "\u{AD}" {
                kept += scalars[index..<end]
            }
            index = end
        }
        return String(String.UnicodeScalarView(kept))
    }

    /// Whether a text has none of them, nor others that begin with the same bytes.
    static func areNone(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        func has(_ first: UInt8, _ second: UInt8) -> Bool {
            var start = 0
            while let offset = text.offset(of: first, from: start), offset + 1 < text.count {
                if text[offset + 1] == second { return true }
                start = offset + 1
            }
            return false
        }
        return !has(0xC2, 0xAD) && !has(0xF3, 0xA0)
    }

    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0000...0xE007F).contains(scalar.value) }

    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isUnifiedIdeograph || (0xF900...0xFAFF).contains(scalar.value)
            || (0x2F800...0x2FA1F).contains(scalar.value)
    }

    private static let flag: Unicode.Scalar = "\u{1F3F4}"

    /// The end of the flag of a region, such as England's: up to six tags of letters and digits, and a tag that ends them
    /// (https://www.unicode.org/reports/tr51/#flag-emoji-tag-sequences).
    private static func endOfFlag(in text: [Unicode.Scalar], from start: Int) -> Int {
        let tags = text[(start + 1)...].prefix(7)
        guard let end = tags.firstIndex(where: { $0.value == 0xE007F }), end > start + 1 else { return start + 1 }
        let isRegion = text[(start + 1)..<end].allSatisfy {
            (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
        }
        return isRegion ? end + 1 : start + 1
    }
}
