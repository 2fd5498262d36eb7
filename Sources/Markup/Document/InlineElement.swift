/// An element inside a text that is rare, but means something.
package enum InlineElement: Hashable, Sendable {
    case superscript
    case `subscript`
    /// A quotation inside a sentence; one in another has other quotation marks.
    case quotation(isNested: Bool)
    case keyboard
    case marked
    case inserted
    case abbreviation(title: String)
}

extension InlineElement {
    /// What the element is where there are only characters and the styles of a terminal.
    package func spans(_ inner: [Span]) -> [Span] {
        switch self {
        case .superscript: Script.superscript.spans(inner)
        case .subscript: Script.subscript.spans(inner)
        case .quotation(let isNested): [.text(isNested ? "‘" : "“")] + inner + [.text(isNested ? "’" : "”")]
        case .keyboard: [.code(inner.shownText)]
        case .marked, .inserted, .abbreviation: inner
        }
    }

    /// What the element says to a search: `H2O` is one word, and the mark of a footnote is not part of the word before it.
    func searchText(_ inner: String) -> String {
        guard self == .superscript, !inner.allSatisfy(\.isLetter), inner.first != "[" else { return inner }
        return "^" + inner
    }
}

/// Superscripts or subscripts in plain text.
private struct Script {
    /// What stands in front of a text that has characters without a form of their own.
    let sign: String
    private let characters: [Character: Character]

    private init(_ sign: String, _ plain: String, _ shown: String, unchanged: String = "") {
        self.sign = sign
        characters = Dictionary(
            zip(plain + shown + unchanged, shown + shown + unchanged), uniquingKeysWith: { first, _ in first })
    }

    static let superscript = Script(
        "^", "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ",
        unchanged: "®™℠©°ºª*†‡′″")
    static let `subscript` = Script("_", "0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

    /// The spans in Unicode's characters where all have one, else behind a sign: `x²`, `x^(a, b)`.
    func spans(_ inner: [Span]) -> [Span] {
        let whole = inner.plainText
        let text = whole.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        // A footnote's mark in brackets is seen as such, and a picture is as large as ever.
        guard let first = text.first, let last = text.last, first != "[" || last != "]" else { return inner }
        let mapped = inner.mapTexts { String($0.map { characters[$0] ?? $0 }) }
        if let mapped, text.allSatisfy({ characters[$0] != nil }) { return mapped }
        let isWord = text.count == 1 || text.allSatisfy { $0.isLetter || $0.isNumber } || first == "(" && last == ")"
        return isWord && mapped != nil ? [.text(sign)] + inner : [.text(sign + "(")] + inner + [.text(")")]
    }
}
