/// An inline element, rarer than the other kinds of ``Span``.
package enum InlineElement: Hashable, Sendable {
    case superscript
    case `subscript`
    /// A quotation inside a sentence; nested ones have different quotation marks.
    case quotation(isNested: Bool)
    case keyboard
    case marked
    case inserted
    /// An abbreviation; its title is shown after the first occurrence.
    case abbreviation(title: String, isFirst: Bool)
    /// A text with its readings among its spans.
    case ruby
    /// The pronunciation of a ruby text, which may come with parentheses of its own.
    case reading(hasParentheses: Bool)
    /// A parenthesis for programs that can't show a reading above its text.
    case parenthesis
    /// Text in another language or direction.
    case part(Language)
    /// The target of links in the same text; it has no spans.
    case anchor(String)
}

extension InlineElement {
    /// The element as text, with the styles that a terminal has.
    package func spans(_ inner: [Span]) -> [Span] {
        switch self {
        case .superscript: Script.superscript.spans(inner)
        case .subscript: Script.subscript.spans(inner)
        case .quotation(let isNested): [.text(isNested ? "‘" : "“")] + inner + [.text(isNested ? "’" : "”")]
        case .keyboard: [.code(inner.shownText)]
        case .abbreviation(let title, isFirst: true): inner + [.text(" (\(title))")]
        case .reading(hasParentheses: false): [.text("(")] + inner + [.text(")")]
        case .marked, .inserted, .abbreviation, .ruby, .reading, .parenthesis, .part, .anchor: inner
        }
    }

    /// The text to index for search: `H2O` is one word, but a footnote mark isn't part of the word before it.
    func searchText(_ inner: String) -> String {
        if case .abbreviation(let title, isFirst: true) = self { return "\(inner) (\(title))" }
        if self == .reading(hasParentheses: false) { return "(\(inner))" }
        guard self == .superscript, !inner.allSatisfy(\.isLetter), inner.first != "[" else { return inner }
        return "^" + inner
    }
}

/// Superscripts or subscripts in plain text.
package struct Script {
    /// The prefix of a text with characters that have no such form.
    let prefix: String
    private let characters: [Character: Character]
    /// The plain character for each superscript or subscript in Unicode.
    private let plain: [Unicode.Scalar: Unicode.Scalar]

    private init(_ prefix: String, _ plain: String, _ shown: String, unchanged: String = "") {
        self.prefix = prefix
        characters = Dictionary(
            zip(plain + shown + unchanged, shown + shown + unchanged), uniquingKeysWith: { first, _ in first })
        self.plain = Dictionary(zip(shown.unicodeScalars, plain.unicodeScalars)) { first, _ in first }
    }

    static let superscript = Script(
        "^", "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        unchanged: "®™℠©°ºª*†‡′″")
    static let `subscript` = Script("_", "0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

    /// The spans in Unicode's superscripts or subscripts if all characters have one, else with a prefix: `x²`, `x^(a, b)`.
    func spans(_ inner: [Span]) -> [Span] {
        let whole = inner.plainText
        let text = whole.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        // A footnote mark in brackets is recognised as one.
        guard let first = text.first, let last = text.last, first != "[" || last != "]" else { return inner }
        let mapped = inner.mapTexts { String($0.map { characters[$0] ?? $0 }) }
        if let mapped, text.allSatisfy({ characters[$0] != nil }) { return mapped }
        let isWord = text.count == 1 || text.allSatisfy { $0.isLetter || $0.isNumber } || first == "(" && last == ")"
        return isWord && mapped != nil ? [.text(prefix)] + inner : [.text(prefix + "(")] + inner + [.text(")")]
    }
}

extension Script {
    /// Rewrites Unicode's superscripts and subscripts as ``InlineElement/searchText(_:)`` does: `2^10`, `H2O`.
    package static func searchText(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isScript) else { return text }
        var result = String.UnicodeScalarView()
        var raised: [Unicode.Scalar] = []
        func end() {
            if raised.contains(where: { !$0.properties.isAlphabetic }) { result.append("^") }
            result.append(contentsOf: raised)
            raised = []
        }
        for scalar in text.unicodeScalars {
            if isScript(scalar), let plain = superscript.plain[scalar] {
                raised.append(plain)
                continue
            }
            if !raised.isEmpty { end() }
            result.append(plain(scalar))
        }
        end()
        return String(result)
    }

    /// The plain character for a superscript or subscript; any other character unchanged.
    package static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard isScript(scalar) else { return scalar }
        return superscript.plain[scalar] ?? `subscript`.plain[scalar] ?? scalar
    }

    /// Whether a character is a superscript digit or sign, which isn't part of the word before it.
    package static func isApart(_ scalar: Unicode.Scalar) -> Bool {
        isScript(scalar) && superscript.plain[scalar].map { !$0.properties.isAlphabetic } == true
    }

    /// Whether a character is in a block that has superscripts and subscripts.
    private static func isScript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xB2: false
        case 0xB2...0xB3, 0xB9, 0x2B0...0x2E3, 0x1D2C...0x1D6A, 0x2070...0x209C, 0x2C7C...0x2C7D: true
        default: false
        }
    }
}
