/// An inline element, rarer than the other kinds of ``Span``.
package enum InlineElement: Hashable, Sendable {
    case superscript
    case `subscript`
    /// A quotation inside a sentence; nested ones have different quotation marks.
    case quotation(isNested: Bool)
    case keyboard
    case marked
    /// A part of code.
    case colored(CodeColor)
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
        case .marked, .colored, .inserted, .abbreviation, .ruby, .reading, .parenthesis, .part, .anchor: inner
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
        if first == "[", last == "]" { return notes(inner, whole) }
        let mapped = inner.mapTexts { String($0.map { characters[$0] ?? $0 }) }
        if let mapped, text.allSatisfy({ characters[$0] != nil }) { return mapped }
        let isWord = text.count == 1 || text.allSatisfy { $0.isLetter || $0.isNumber } || first == "(" && last == ")"
        return isWord && mapped != nil ? [.text(prefix)] + inner : [.text(prefix + "(")] + inner + [.text(")")]
    }

    /// Footnote marks without their brackets, in which numbers would look like those of links: `[2][3]` becomes `²,³`.
    private func notes(_ inner: [Span], _ whole: String) -> [Span] {
        guard areNotes(whole) else { return inner }
        var marks = FootnoteMarks()
        guard let raised = inner.mapTexts({ marks.raise($0) { characters[$0] } }) else { return inner }
        let margins = [whole.first, whole.last].map { $0?.isWhitespace == true ? [Span.text(" ")] : [] }
        return margins[0] + raised + margins[1]
    }

    /// Whether a text is nothing but numbers in brackets: `[1]`, `[2, 3]`, `[4]–[6]`.
    private func areNotes(_ text: String) -> Bool {
        let marks = text.split(separator: "]", omittingEmptySubsequences: false)
        return marks.dropLast().allSatisfy { mark in
            let mark = mark.drop(while: FootnoteMarks.isBetweenNumbers)
            return mark.first == "[" && mark.contains(where: \.isNumber)
                && mark.dropFirst().allSatisfy {
                    FootnoteMarks.isBetweenNumbers($0) || $0.isNumber && characters[$0] != nil
                }
        }
    }

    /// Longer texts are never shown in the characters of a script.
    private static let maxBytes = 1024
}

/// Writes footnote marks with a comma or what was there between their numbers.
private struct FootnoteMarks {
    private var isAfterNumber = false
    /// Whether a bracket or space came after the last number.
    private var isApart = false

    static func isBetweenNumbers(_ character: Character) -> Bool {
        character.isWhitespace || separators.contains(character)
    }

    private static let separators: Set<Character> = [",", ";", "-", "–"]

    /// Raises the next part of the marks.
    ///
    /// - Parameter form: the raised form of a digit; nil for other characters.
    mutating func raise(_ text: String, form: (Character) -> Character?) -> String {
        var result = ""
        for character in text {
            if Self.separators.contains(character) {
                result.append(character)
                (isAfterNumber, isApart) = (false, false)
            } else if let digit = form(character) {
                result += isAfterNumber && isApart ? "," : ""
                result.append(digit)
                (isAfterNumber, isApart) = (true, false)
            } else {
                isApart = true
            }
        }
        return result
    }
}
