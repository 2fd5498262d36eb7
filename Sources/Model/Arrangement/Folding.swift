import Foundation

/// Text without what a reader doesn't mind: case, accents and full or half width.
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

    /// The words of a text that someone looks for, as ``words(_:)`` has them; a star at the beginning or the end stands
    /// for the rest of a word.
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
