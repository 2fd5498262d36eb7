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
package struct Script {
    /// What stands in front of a text that has characters without a form of their own.
    let sign: String
    private let characters: [Character: Character]
    /// What each of Unicode's own characters stands for.
    private let plain: [Unicode.Scalar: Unicode.Scalar]

    private init(_ sign: String, _ plain: String, _ shown: String, unchanged: String = "") {
        self.sign = sign
        characters = Dictionary(
            zip(plain + shown + unchanged, shown + shown + unchanged), uniquingKeysWith: { first, _ in first })
        self.plain = Dictionary(zip(shown.unicodeScalars, plain.unicodeScalars)) { first, _ in first }
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

extension Script {
    /// A text with Unicode's own superscripts and subscripts as ``InlineElement/searchText(_:)`` has those of HTML: `2^10`,
    /// `H2O`.
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

    /// What a character of Unicode's own superscripts and subscripts stands for; another as it is.
    package static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard isScript(scalar) else { return scalar }
        return superscript.plain[scalar] ?? `subscript`.plain[scalar] ?? scalar
    }

    /// Whether a character is a digit or a sign above the line, and so none of the word before it.
    package static func isApart(_ scalar: Unicode.Scalar) -> Bool {
        isScript(scalar) && superscript.plain[scalar].map { !$0.properties.isAlphabetic } == true
    }

    /// Whether a character may be one of these; nearly none is.
    private static func isScript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0xB2: false
        case 0xB2...0xB3, 0xB9, 0x2B0...0x2E3, 0x1D2C...0x1D6A, 0x2070...0x209C, 0x2C7C...0x2C7D: true
        default: false
        }
    }
}
