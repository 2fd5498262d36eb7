import Model
import Rendering

/// A text that is looked for in lines, and where it was found last.
struct SoughtText: Sendable {
    let text: String
    private let folded: String
    private var found: Int?

    /// Nil for an empty text.
    init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        folded = Folding.fold(text)
    }

    /// The words to mark.
    var marked: MarkedWords { MarkedWords(search: text + "*") }

    /// The first line with the text from the screen on, or else from the beginning; nil if there is none.
    mutating func first(shown: Range<Int>, of count: Int, line: (Int) -> StyledText) -> Int? {
        find(from: shown.lowerBound, step: 1, of: count, line: line)
    }

    /// The next line with the text, around the end; nil if there is none.
    mutating func next(forward: Bool, shown: Range<Int>, of count: Int, line: (Int) -> StyledText) -> Int? {
        // At the end it isn't the first line of the screen.
        let last = found.flatMap { shown.contains($0) ? $0 : nil } ?? shown.lowerBound
        let step = forward ? 1 : -1
        return find(from: last + step, step: step, of: count, line: line)
    }

    private mutating func find(from start: Int, step: Int, of count: Int, line: (Int) -> StyledText) -> Int? {
        for number in 0..<count {
            let index = (start + step * number + 2 * count) % count
            guard Folding.fold(line(index).plain).contains(folded) else { continue }
            found = index
            return index
        }
        return nil
    }
}
