import BlogEssentials

/// Search terms to mark in a text, ignoring case and accents.
package struct MarkedWords: Sendable {
    private let words: Set<String>
    private let prefixes: [String]

    /// The words of a search, without excluded words, field names and operators.
    package init(search: String = "") {
        var (words, prefixes): (Set<String>, [String]) = ([], [])
        for term in search.split(separator: " ") where !term.hasPrefix("-") && !["AND", "OR", "NOT"].contains(term) {
            let text = term.split(separator: ":").last ?? term
            for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "*" }) {
                let folded = Self.folded(word.replacing("*", with: ""))
                if word.hasSuffix("*") { prefixes.append(folded) } else { words.insert(folded) }
            }
        }
        self.words = words.filter { !$0.isEmpty }
        self.prefixes = prefixes.filter { !$0.isEmpty }
    }

    package func marking(_ text: StyledText) -> StyledText {
        guard !words.isEmpty || !prefixes.isEmpty, !text.isEmpty else { return text }
        let plain = text.plain
        var ranges: [Range<Int>] = []
        var index = plain.startIndex
        while let start = plain[index...].firstIndex(where: Self.isInWord) {
            let end = plain[start...].firstIndex { !Self.isInWord($0) } ?? plain.endIndex
            if isMarked(plain[start..<end]) {
                let offset = plain.utf8.distance(from: plain.startIndex, to: start)
                ranges.append(offset..<offset + plain[start..<end].utf8.count)
            }
            index = end
        }
        return text.styling(ranges, .hit)
    }

    private func isMarked(_ word: Substring) -> Bool {
        let folded = Self.folded(word)
        return words.contains(folded) || prefixes.contains { folded.hasPrefix($0) }
    }

    private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    private static func folded(_ word: some StringProtocol) -> String {
        // The index stores `H₂O` as `H2O`.
        Folding.fold(Folding.fold(String(word)).withPlainASCII)
    }
}
