import BlogEssentials

/// Puts the marks of styles around parts of Markdown, but only where they are read as such.
///
/// Marks are beside text, not white space. Where they can't be read, as in `a**“b”**c`, there are none.
struct MarkdownEmphasis {
    private let parts: ArraySlice<MarkdownPart>
    /// What is before and after the parts.
    private let margin: DelimiterSide
    /// The styles that all of the parts have already.
    private let outer: MarkdownStyles

    /// - Parameter outer: the styles of the link whose text the parts are; nil if they aren't in one.
    init(_ parts: ArraySlice<MarkdownPart>, inLinkWith outer: MarkdownStyles? = nil) {
        self.parts = parts
        // Between its brackets, a text is read on its own.
        margin = outer == nil ? .space : .punctuation
        self.outer = outer ?? []
    }

    var text: String {
        let all = runs
        let read = readable(all)
        let lost = linkStyles(of: Set(all).subtracting(read))
        var marks = marks(of: read)[...]
        var (text, index) = ("", parts.startIndex)
        while true {
            while marks.first?.index == index, let mark = marks.popFirst() { text += mark.style.mark }
            guard index < parts.endIndex else { return text }
            let code = parts[index..<(marks.first?.index ?? parts.endIndex)].prefix { $0.code != nil }
            if code.isEmpty {
                text += parts[index].text(with: outer.union(parts[index].styles).subtracting(lost[index] ?? []))
                index += 1
            } else {
                // The backticks of neighbours would be read as those of one.
                text += MarkdownEscape.code(code.compactMap(\.code).joined())
                index = code.endIndex
            }
        }
    }

    /// The styles of runs of a single link, by its index: around its text, marks are read wherever the link is.
    private func linkStyles(of runs: Set<Run>) -> [Int: MarkdownStyles] {
        let links = runs.filter { $0.end == $0.start + 1 && parts[$0.start].isLink }
        return Dictionary(links.map { ($0.start, $0.style) }) { $0.union($1) }
    }

    // MARK: Runs

    /// Neighbouring parts with the same style, without the white space around them.
    private struct Run: Hashable {
        let style: MarkdownStyles
        let start: Int
        let end: Int

        /// A number that no other run has, and each part of this one.
        var name: Int { 8 * end + Int(style.rawValue) }
    }

    /// The longest runs of each style.
    private var runs: [Run] {
        MarkdownStyles.all.flatMap { style in
            var runs: [Run] = []
            var start: Int?
            for (index, part) in zip(parts.indices, parts) {
                let isIn = part.styles.subtracting(outer).contains(style)
                if !isIn { start = nil }
                guard isIn, !part.isSpace else { continue }
                if start != nil { runs.removeLast() }
                runs.append(Run(style: style, start: start ?? index, end: index + 1))
                start = start ?? index
            }
            return runs
        }
    }

    /// The runs in groups of those that overlap or touch.
    private func groups(of runs: [Run]) -> [[Run]] {
        var groups: [[Run]] = []
        var end = -1
        for run in runs.sorted(by: { $0.start < $1.start }) {
            if run.start > end { groups.append([]) }
            groups[groups.count - 1].append(run)
            end = max(end, run.end)
        }
        return groups
    }

    // MARK: Marks

    /// A mark before the part with an index.
    private struct Mark {
        let index: Int
        let style: MarkdownStyles
    }

    /// The marks of runs in their order, nested: of those in the same place, the first run is outside.
    private func marks(of runs: [Run]) -> [Mark] {
        var marks: [Mark] = []
        let order = Dictionary(zip(runs.map(\.name), 0...)) { first, _ in first }
        // From inside to outside, and from the last to the first.
        var (open, waiting) = ([Run](), runs.sorted { $0.start > $1.start })
        while let index = (open.map(\.end) + waiting.suffix(1).map(\.start)).min() {
            while open.contains(where: { $0.end == index }) {
                let run = open.removeFirst()
                marks.append(Mark(index: index, style: run.style))
                // It goes on after the end of one around it.
                if run.end > index { waiting.append(Run(style: run.style, start: nextText(index), end: run.end)) }
            }
            var starting: [Run] = []
            while waiting.last?.start == index, let run = waiting.popLast() { starting.append(run) }
            starting.sort { ($0.end, order[$1.name] ?? 0) < ($1.end, order[$0.name] ?? 0) }
            marks += starting.reversed().map { Mark(index: index, style: $0.style) }
            open = starting + open
        }
        return marks
    }

    /// The index of the first part from one on that isn't white space.
    private func nextText(_ index: Int) -> Int { parts[index...].firstIndex { !$0.isSpace } ?? parts.endIndex }

    // MARK: Reading

    /// The runs whose marks are read as meant.
    private func readable(_ runs: [Run]) -> [Run] {
        let strikes = Set(runs.filter { $0.style == .strike }.flatMap { [$0.start, $0.end] })
        let others = Set(runs.filter { $0.style != .strike }.flatMap { [$0.start, $0.end] })
        let readable = runs.filter { mayBeRead($0, besides: $0.style == .strike ? others : strikes) }
        return groups(of: readable).flatMap { read($0.sorted { $0.style.rawValue < $1.style.rawValue }) }
    }

    /// Whether both marks of a run could be read if there were no others.
    ///
    /// - Parameter others: the ends of runs whose marks have another character, which would be next to them.
    private func mayBeRead(_ run: Run, besides others: Set<Int> = []) -> Bool {
        (others.contains(run.start) || sides(run.start).areLeft)
            && (others.contains(run.end) || sides(run.end).areRight)
    }

    /// What is on both sides of a mark before the part with an index.
    private func sides(_ index: Int) -> DelimiterSides {
        DelimiterSides(before: before(index), after: after(index))
    }

    private func before(_ index: Int) -> DelimiterSide {
        index > parts.startIndex ? parts[index - 1].last : margin
    }

    private func after(_ index: Int) -> DelimiterSide {
        index < parts.endIndex ? parts[index].first : margin
    }

    /// Those of a group of runs whose marks are read as meant: all if possible.
    private func read(_ group: [Run]) -> [Run] {
        guard group.count > 1 else { return group.filter { mayBeRead($0) } }
        if areRead(group) { return group }
        guard group.count <= Self.maxTried else {
            // Marks that can't both open and close are always read.
            let apart = group.filter { !sides($0.start).areRight && !sides($0.end).areLeft }
            return areRead(apart) ? apart : []
        }
        var kept: [Run] = []
        // With others around them, some can be read that couldn't before.
        for run in group + group where !kept.contains(run) {
            kept = [kept + [run], [run] + kept].first(where: areRead) ?? kept
        }
        return kept
    }

    /// The size of a group whose runs are tried one by one, so that printing takes linear time.
    private static let maxTried = 12

    /// Whether the marks of runs are read as meant, in a text with the same characters next to them.
    private func areRead(_ runs: [Run]) -> Bool {
        guard let start = runs.map(\.start).min(), let end = runs.map(\.end).max() else { return true }
        var styles = Array(repeating: MarkdownStyles(), count: end - start)
        for run in runs { for index in run.start..<run.end { styles[index - start].formUnion(run.style) } }
        var letters = [Letter(before(start), [])]
        var text = letters[0].text
        var marks = marks(of: runs)[...]
        for index in start...end {
            while marks.first?.index == index, let mark = marks.popFirst() { text += mark.style.mark }
            let sides = index < end ? [after(index), before(index + 1)] : [after(index)]
            for letter in sides.map({ Letter($0, index < end ? styles[index - start] : []) }) {
                letters.append(letter)
                text += letter.text
            }
        }
        guard case .paragraph(let spans)? = Markdown.document(text).blocks.first else { return false }
        return Letter.all(in: spans) == letters.filter { $0.text != " " }
    }

    /// A letter that stands for all that are the same to marks.
    private struct Letter: Hashable {
        let text: String
        let styles: MarkdownStyles

        init(_ text: String, _ styles: MarkdownStyles) {
            self.text = text
            self.styles = styles
        }

        init(_ side: DelimiterSide, _ styles: MarkdownStyles) {
            self.init(side == .space ? " " : side == .punctuation ? "," : "a", styles)
        }

        /// The letters of spans, without spaces.
        static func all(in spans: [Span], _ styles: MarkdownStyles = []) -> [Self] {
            spans.flatMap { span -> [Self] in
                switch span {
                case .text(let text): text.filter { $0 != " " }.map { Self(String($0), styles) }
                case .emphasis(let inner): all(in: inner, styles.union(.emphasis))
                case .strong(let inner): all(in: inner, styles.union(.strong))
                case .strike(let inner): all(in: inner, styles.union(.strike))
                default: []
                }
            }
        }
    }
}
