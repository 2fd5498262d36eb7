import BlogEssentials
import BlogModel

/// Search terms to mark in a text, folded as in a search.
package struct MarkedWords: Sendable {
    private let words: Set<String>
    private let prefixes: [String]

    /// The words of a search, without excluded words, field names and operators.
    package init(search: String = "") {
        var (words, prefixes): (Set<String>, [String]) = ([], [])
        for term in Search(search).terms {
            let folded = Folding.searchable(term.text).unicodeScalars
            let parts = folded.split(whereSeparator: { !Folding.isInWord($0) }).map {
                String(String.UnicodeScalarView($0))
            }
            words.formUnion(term.isPrefix ? parts.dropLast() : parts[...])
            if term.isPrefix, let last = parts.last { prefixes.append(last) }
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
        // A word with a superscript number is two words.
        Folding.words(String(word)).split(separator: " ").contains { part in
            words.contains(String(part)) || prefixes.contains { part.hasPrefix($0) }
        }
    }

    /// Characters that searches ignore, such as soft hyphens, don't end a word.
    private static func isInWord(_ character: Character) -> Bool {
        character.unicodeScalars.first.map {
            Folding.isInWord($0) || $0.properties.isDefaultIgnorableCodePoint
        } == true
    }
}
