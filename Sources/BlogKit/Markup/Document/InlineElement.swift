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
        case .keyboard: inner.code
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
struct Script {
    /// The prefix of a text with characters that have no such form.
    let prefix: String
    private let characters: [Character: Character]

    private init(_ prefix: String, _ plain: String, _ shown: String, unchanged: String = "") {
        self.prefix = prefix
        characters = Dictionary(
            zip(plain + shown + unchanged, shown + shown + unchanged), uniquingKeysWith: { first, _ in first })
    }

    static let superscript = Script(
        "^", "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        unchanged: "®™℠©°ºª*†‡′″")
    static let `subscript` = Script("_", "0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

    /// The spans in Unicode's superscripts or subscripts if all characters have one, else with a prefix: `x²`, `x^(a, b)`.
    func spans(_ inner: [Span]) -> [Span] {
        // Nested ones would look at all of a long text again and again.
        guard inner.isShort(Self.maxBytes) else { return [.text(prefix + "(")] + inner + [.text(")")] }
        let whole = inner.plainText
        let text = whole.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        guard let first = text.first, let last = text.last else { return inner }
        if first == "[", last == "]" { return note(inner, text.dropFirst().dropLast()) }
        let mapped = inner.mapTexts { String($0.map { characters[$0] ?? $0 }) }
        if let mapped, text.allSatisfy({ characters[$0] != nil }) { return mapped }
        let isWord = text.count == 1 || text.allSatisfy { $0.isLetter || $0.isNumber } || first == "(" && last == ")"
        return isWord && mapped != nil ? [.text(prefix)] + inner : [.text(prefix + "(")] + inner + [.text(")")]
    }

    /// A footnote mark in brackets; a number in it would look like that of a link.
    private func note(_ inner: [Span], _ mark: some Collection<Character>) -> [Span] {
        guard !mark.isEmpty, mark.allSatisfy({ $0.isNumber && characters[$0] != nil }) else { return inner }
        let raised = inner.mapTexts { text in
            String(text.compactMap { "[]".contains($0) ? nil : characters[$0] ?? $0 })
        }
        return raised ?? inner
    }

    /// Longer texts are never shown in the characters of a script.
    private static let maxBytes = 1024
}
