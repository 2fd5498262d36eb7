import BlogEssentials

/// The language and direction of a text, as far as they are declared.
package struct Language: Hashable, Sendable {
    package enum Direction: String, Sendable {
        case leftToRight = "ltr"
        case rightToLeft = "rtl"
        /// The direction of the first letter.
        case auto
    }

    /// A tag such as `en-GB`.
    package let tag: String?
    package let direction: Direction?

    package init(tag: String?, direction: Direction? = nil) {
        self.tag = tag
        self.direction = direction
    }

    /// The language of an element; nil if it has neither `lang` nor `dir`.
    init?(_ attributes: ElementAttributes) {
        let tag = (attributes["lang"] ?? attributes["xml:lang"]).flatMap(Self.tag)
        let direction = attributes["dir"].flatMap { Direction(rawValue: $0.lowercased()) }
        guard tag != nil || direction != nil else { return nil }
        self.init(tag: tag, direction: direction)
    }

    /// Whether the language is written from right to left.
    package var isRightToLeft: Bool {
        guard let parts = tag?.split(separator: "-") else { return false }
        if let script = parts.first(where: { $0.count == 4 }) { return Self.scripts.contains(String(script)) }
        return parts.first.map { Self.languages.contains(String($0)) } ?? false
    }

    private static let languages: Set = [
        "ar", "arc", "azb", "ckb", "dv", "fa", "glk", "he", "iw", "ji", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug",
        "ur", "yi",
    ]
    private static let scripts: Set = ["Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Syrc", "Thaa"]

    /// A normalised tag (https://www.rfc-editor.org/rfc/rfc5646) with language, script and region only; nil if invalid.
    package static func tag(_ text: String) -> String? {
        let parts = text.trimmed.replacing("_", with: "-").split(separator: "-").map { $0.lowercased() }
        guard let language = parts.first, (2...3).contains(language.count), language != "und",
            parts.joined().utf8.allSatisfy({ $0.isASCIIAlphanumeric }),
            language.utf8.allSatisfy(\.isASCIILetter)
        else { return nil }
        var tag = language
        var rest = parts.dropFirst()
        if let script = rest.first, script.count == 4, script.utf8.allSatisfy(\.isASCIILetter) {
            tag += "-" + script.prefix(1).uppercased() + script.dropFirst()
            rest.removeFirst()
        }
        if let region = rest.first {
            let isName = region.count == 2 && region.utf8.allSatisfy(\.isASCIILetter)
            if isName || region.count == 3 && region.utf8.allSatisfy(\.isDigit) { tag += "-" + region.uppercased() }
        }
        return tag
    }
}
