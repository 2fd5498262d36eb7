import BlogCommandLine
import BlogEssentials
import BlogRendering

/// The lines of a pane that are on the screen.
struct Viewport: Sendable {
    /// The first visible line.
    var top = 0
    /// The number of lines that fit; at least 1.
    var height = 1 {
        didSet { height = max(height, 1) }
    }

    /// How far to scroll for a page: one line stays visible.
    var page: Int { max(height - 1, 1) }

    /// The visible lines of a pane with `count` lines.
    func visible(of count: Int) -> Range<Int> { min(top, count)..<min(top + height, count) }

    /// The top when the last line is at the bottom.
    func lastTop(of count: Int) -> Int { max(count - height, 0) }

    /// Scrolls as little as possible to make a line visible.
    mutating func reveal(_ line: Int, of count: Int) {
        top = min(max(top, line - height + 1), line)
        top = min(top, lastTop(of: count))
    }
}

/// A pane whose cursor, or whose first visible line, can be moved.
protocol Movable {
    var viewport: Viewport { get }
    mutating func move(to line: Int)
    mutating func move(by count: Int)
}

extension Movable {
    /// Carries out an action that moves; false for any other action.
    @discardableResult
    mutating func move(_ action: Action) -> Bool {
        switch action {
        case .first: move(to: 0)
        case .last: move(to: .max)
        default:
            guard let distance = action.distance(page: viewport.page) else { return false }
            move(by: distance)
        }
        return true
    }
}

/// A pane of text that can be scrolled and searched.
protocol TextScrolling: Movable {
    var search: LineSearch? { get set }
    var lineCount: Int { get }

    func line(_ number: Int) -> StyledText
}

extension TextScrolling {
    var visibleLines: Range<Int> { viewport.visible(of: lineCount) }

    /// Scrolls to the first line that contains a text, starting at the top of the screen; false if there is none.
    ///
    /// An empty text ends the search.
    mutating func find(_ text: String) -> Bool {
        search = LineSearch(text)
        return search == nil || scrollToMatch(from: visibleLines.lowerBound, step: 1)
    }

    /// Scrolls to the next or previous match, wrapping around at the end; false if there is none.
    mutating func findNext(forward: Bool) -> Bool {
        // Near the end of the text, the last match isn't the first visible line.
        let last = search?.lastMatch.flatMap { visibleLines.contains($0) ? $0 : nil } ?? visibleLines.lowerBound
        let step = forward ? 1 : -1
        return scrollToMatch(from: last + step, step: step)
    }

    private mutating func scrollToMatch(from start: Int, step: Int) -> Bool {
        guard let search else { return false }
        let count = lineCount
        for offset in 0..<count {
            let number = (start + step * offset + 2 * count) % count
            guard search.matches(line(number)) else { continue }
            self.search?.lastMatch = number
            move(to: number)
            return true
        }
        return false
    }
}

/// A search for a text in the lines of a pane, ignoring case and accents.
struct LineSearch: Sendable {
    let text: String
    private let folded: String
    fileprivate(set) var lastMatch: Int?

    /// Nil for a text without visible characters.
    init?(_ text: String) {
        folded = Folding.searchable(text)
        guard !folded.isEmpty else { return nil }
        self.text = text
    }

    /// The words to highlight.
    var marked: MarkedWords { MarkedWords(search: text + "*") }

    fileprivate func matches(_ line: StyledText) -> Bool { Folding.searchable(line.plain).contains(folded) }
}

extension Array {
    /// The first index whose element satisfies a predicate that holds for all elements after it, in O(log n).
    func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Action {
    /// The number of rows or lines that it moves down, or up if negative; nil for other actions.
    func distance(page: Int) -> Int? {
        switch self {
        case .down: 1
        case .up: -1
        case .halfDown: page / 2
        case .halfUp: -page / 2
        case .pageDown: page
        case .pageUp: -page
        default: nil
        }
    }
}
