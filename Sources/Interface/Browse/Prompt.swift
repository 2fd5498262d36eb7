import BlogMarkup
import BlogRendering
import BlogTerminal

/// The line editor at the bottom of the screen.
package struct Prompt: Sendable, Equatable {
    package private(set) var purpose: Purpose
    package private(set) var text: String
    /// The number of characters before the cursor.
    private var cursor: Int
    /// The text that was typed before it was completed, and the index of the candidate; nil if it is as typed.
    private var completed: Completed?

    /// The text that was typed before an earlier one was recalled, and the index of that one; nil if none was.
    private var recalled: Recalled?

    private struct Recalled: Equatable {
        let typed: String
        let index: Int
    }

    private struct Completed: Equatable {
        let typed: String
        let index: Int
        let candidates: [String]
    }

    package enum Purpose: Hashable, Sendable {
        case search, filter, find, pipe, label
        case command
        /// The order of the list.
        case sort(label: String)
        /// An address to follow.
        case follow
        /// The options of a source, of which the first word is `blog follow`'s operand.
        case source(String, label: String)
        /// A rule; what was tested can be added.
        case rule(tested: String?, label: String)
        /// The folder of the source with a name.
        case folder(String, label: String)

        /// What was entered at earlier prompts with the same name can be recalled; nil if nothing can.
        package var nameOfHistory: String? {
            switch self {
            case .sort: "sort"
            case .rule: "rule"
            case .source, .folder: nil
            default: label
            }
        }

        fileprivate var label: String {
            switch self {
            case .search: "Search: "
            case .filter: "Filter: "
            case .find: "Find: "
            case .pipe: "Pipe to: "
            case .label: "Add or remove label: "
            case .command: ":"
            case .follow: "Follow: "
            case .sort(let label), .source(_, let label), .folder(_, let label), .rule(_, let label): label
            }
        }
    }

    package init(_ purpose: Purpose, text: String = "") {
        self.purpose = purpose
        self.text = text
        cursor = text.count
    }

    /// Replaces the text by the first candidate that begins with it, then by the next one at each call.
    mutating func complete(among candidates: [String]) {
        let typed = completed?.typed ?? text
        let fitting = candidates.filter { $0.hasPrefix(typed) }
        guard !fitting.isEmpty else { return }
        let index = completed.map { ($0.index + 1) % fitting.count } ?? 0
        (text, completed) = (fitting[index], Completed(typed: typed, index: index, candidates: fitting))
        cursor = text.count
    }

    /// Replaces the text by an entry of a history, whose last entry is the newest: the one before or after.
    mutating func recall(_ history: [String], isOlder: Bool) {
        let index = (recalled?.index ?? history.count) + (isOlder ? -1 : 1)
        guard (0...history.count).contains(index) else { return }
        let typed = recalled?.typed ?? text
        (text, recalled) =
            index == history.count ? (typed, nil) : (history[index], Recalled(typed: typed, index: index))
        (completed, cursor) = (nil, text.count)
    }

    package mutating func insert(_ typed: String) {
        let clean = Sanitizer.line(typed)
        guard text.utf8.count + clean.utf8.count <= Self.maxLength else { return }
        (completed, recalled) = (nil, nil)
        let index = text.index(text.startIndex, offsetBy: cursor)
        let count = text.count
        text.insert(contentsOf: clean, at: index)
        cursor += text.count - count
    }

    package mutating func edit(_ key: Key) {
        (completed, recalled) = (nil, nil)
        switch key {
        case .character(let character): insert(String(character))
        case .backspace: delete(from: cursor - 1)
        case .delete, .control("d"): delete(from: cursor, to: cursor + 1)
        case .control("u"): delete(from: 0)
        case .control("w"):
            let words = text.prefix(cursor).reversed().drop { $0 == " " }.drop { $0 != " " }
            delete(from: words.count)
        case .left, .control("b"): cursor = max(cursor - 1, 0)
        case .right, .control("f"): cursor = min(cursor + 1, text.count)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        default: break
        }
    }

    private mutating func delete(from start: Int, to end: Int? = nil) {
        let (start, end) = (max(start, 0), min(end ?? cursor, text.count))
        guard start < end else { return }
        text.removeSubrange(
            text.index(text.startIndex, offsetBy: start)..<text.index(text.startIndex, offsetBy: end))
        cursor = start
    }

    /// The prompt with a message about what was typed in place of its label.
    func saying(_ message: String) -> Prompt {
        let line = message.split(separator: "\n").first ?? ""
        let label = "\(line.hasSuffix(".") ? line.dropLast() : line): "
        var prompt = self
        switch purpose {
        case .sort: prompt.purpose = .sort(label: label)
        case .source(let name, _): prompt.purpose = .source(name, label: label)
        case .folder(let name, _): prompt.purpose = .folder(name, label: label)
        case .rule(let tested, _): prompt.purpose = .rule(tested: tested, label: label)
        default: break
        }
        return prompt
    }

    /// Its label and its text.
    var question: String { purpose.label + text }

    func draw(in frame: inout Frame, row: Int) {
        var label = StyledText(purpose.label, .strong)
        // A long message takes the rows above.
        if label.width > max(frame.size.columns - DisplayWidth.of(text) - 2, frame.size.columns / 2), row > 0 {
            frame.cover(purpose.label, endingAt: row - 1)
            label = StyledText("> ", .strong)
        }
        let room = max(frame.size.columns - label.width - 1, 1)
        // Of a long line, show the end before the cursor.
        var before = String(text.prefix(cursor))
        while DisplayWidth.of(before) > room { before.removeFirst() }
        let column = frame.write(label + StyledText(before), row: row)
        let end = frame.write(StyledText(String(text.dropFirst(cursor))), row: row, column: column)
        if let completed, completed.candidates.count > 1 {
            let others = completed.candidates.filter { $0 != text }.joined(separator: "  ")
            frame.write(StyledText(others, .muted), row: row, column: end + 4)
        }
        frame.cursor = Frame.Position(row: row, column: min(column, frame.size.columns - 1))
    }

    private static let maxLength = 1000
}
