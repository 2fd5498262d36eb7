import BlogEssentials
import BlogMarkup
import BlogModel

/// Search terms to mark in a text, folded as in a search.
package struct MarkedWords: Sendable {
    private let phrases: [SearchedWords.Phrase]

    /// The words of a search, without excluded words, field names and operators.
    ///
    /// Those of a phrase are marked wherever they are, because it may go on in another line.
    package init(search: String = "") {
        phrases = Search(search).terms.compactMap { SearchedWords.Phrase($0.text, isPrefix: $0.isPrefix) }
            .flatMap(\.parts)
    }

    package func marking(_ text: StyledText) -> StyledText {
        guard !phrases.isEmpty, !text.isEmpty else { return text }
        var plain = text.plain
        let words = plain.withUTF8 { SearchedWords(of: $0) }
        var ranges: [Range<Int>] = []
        for range in phrases.flatMap(words.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, range.lowerBound < last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return text.styling(ranges, .hit)
    }

    /// A text between tags.
    func html(_ text: String) -> PageText {
        marking(StyledText(text)).runs.map { run -> PageText in
            run.styles.contains(.hit) ? "<mark>\(lines: run.text)</mark>" : "\(lines: run.text)"
        }.joined()
    }
}
