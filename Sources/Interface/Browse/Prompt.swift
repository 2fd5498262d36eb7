import BlogMarkup
import BlogRendering
import BlogTerminal

/// The line editor at the bottom of the screen.
package struct Prompt: Sendable, Equatable {
    package let purpose: Purpose
    package private(set) var text: String
    /// The number of characters before the cursor.
    private var cursor: Int

    package enum Purpose: Sendable {
        case search, filter, find, pipe

        fileprivate var label: String {
            switch self {
            case .search: "Search: "
            case .filter: "Filter: "
            case .find: "Find: "
            case .pipe: "Pipe to: "
            }
        }
    }

    package init(_ purpose: Purpose, text: String = "") {
        self.purpose = purpose
        self.text = text
        cursor = text.count
    }

    package mutating func insert(_ typed: String) {
        let clean = Sanitizer.line(typed)
        guard text.utf8.count + clean.utf8.count <= Self.maxLength else { return }
        let index = text.index(text.startIndex, offsetBy: cursor)
        let count = text.count
        text.insert(contentsOf: clean, at: index)
        cursor += text.count - count
    }

    package mutating func edit(_ key: Key) {
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

    func draw(in frame: inout Frame, row: Int) {
        let room = max(frame.size.columns - purpose.label.count - 1, 1)
        // Of a long line, show the end before the cursor.
        var before = String(text.prefix(cursor))
        while DisplayWidth.of(before) > room { before.removeFirst() }
        let column = frame.write(StyledText(purpose.label, .strong) + StyledText(before), row: row)
        frame.write(StyledText(String(text.dropFirst(cursor))), row: row, column: column)
        frame.cursor = Frame.Position(row: row, column: min(column, frame.size.columns - 1))
    }

    private static let maxLength = 1000
}
