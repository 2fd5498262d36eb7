import BlogRendering
import BlogTerminal

/// A rectangle of the screen.
struct Area: Hashable, Sendable {
    var row: Int
    var column: Int
    var width: Int
    var height: Int

    /// The column after the last one.
    var end: Int { column + width }
    var isEmpty: Bool { width <= 0 || height <= 0 }
}

extension Frame {
    /// Writes a line in an area, truncated to fit, and returns the column after it.
    @discardableResult
    mutating func write(_ text: StyledText, line: Int, in area: Area, margin: Int = 0) -> Int {
        guard (0..<area.height).contains(line) else { return area.column }
        return write(text, row: area.row + line, column: area.column + margin, end: area.end)
    }

    /// Writes a message over the rows that end with `row`, on at most a third of the screen.
    mutating func cover(_ message: String, endingAt row: Int) {
        let lines = StyledText(message).wrapped(to: max(size.columns, 1), atMost: max(size.rows / 3, 1))
        for (line, row) in zip(lines.reversed(), stride(from: row, through: 0, by: -1)) {
            write(StyledText(String(repeating: " ", count: size.columns)), row: row)
            write(line, row: row)
            reverse(row: row, columns: 0..<size.columns)
        }
    }

    /// Highlights the line with the cursor: its text, or only its first column in a pane without the focus.
    mutating func mark(line: Int, in area: Area, upTo end: Int, hasFocus: Bool) {
        let width = hasFocus ? max(end - area.column, 1) : 1
        reverse(row: area.row + line, columns: area.column..<area.column + width)
    }
}

/// The positions of the panes on the screen; nil for hidden ones.
struct Layout: Sendable, Equatable {
    var sources: Area?
    /// The line above the list; nil on a low screen.
    var listTitle: Area?
    var list: Area?
    var post: Area?
    /// Whether list and post are side by side.
    var isSplit = false
    /// Whether the sources are beside the list.
    var isSourcesBeside = false
    var textWidth = 80
    /// The columns of the vertical rules between panes.
    var rules: [Int] = []

    /// Longer lines are hard to read.
    static let maxTextWidth = 80
    /// The least width of a list beside a post; what the text of the post doesn't need goes to the titles.
    static let listWidth = 56
    static let sourcesWidth = 28
    /// The width from which list and post are side by side by default.
    static let splitColumns = 140
    /// The width from which the sources are shown by default.
    static let sourcesColumns = 180
    /// The least width for two panes.
    static let columnsForTwo = 70
    /// The least height for a list with a title.
    private static let rowsForTitle = 12

    /// Puts the title above the list.
    fileprivate mutating func addTitle() {
        guard var area = list, area.height >= Self.rowsForTitle else { return }
        listTitle = Area(row: area.row, column: area.column, width: area.width, height: 1)
        area.row += 1
        area.height -= 1
        list = area
    }

    /// The width of a list beside a post.
    fileprivate static func listWidth(of columns: Int) -> Int {
        min(max(listWidth, columns - maxTextWidth - 2 * margin - 1), columns / 2)
    }

    /// The blank columns at each side of a text.
    fileprivate static let margin = 2
}

extension BrowseState {
    var layout: Layout {
        var layout = Layout()
        var rest = Area(row: 0, column: 0, width: size.columns, height: max(size.rows - 1, 0))
        let canSplit = size.columns >= Layout.columnsForTwo
        layout.isSplit = canSplit && (isSplit ?? (size.columns >= Layout.splitColumns))
        let wantsSources = showsSources ?? (size.columns >= Layout.sourcesColumns && !sources.isEmpty)
        layout.isSourcesBeside = wantsSources && canSplit
        if layout.isSourcesBeside {
            layout.sources = layout.split(Layout.sourcesWidth, from: &rest)
        } else if wantsSources, focus == .sources {
            layout.sources = rest
            return layout
        }
        let listWidth = Layout.listWidth(of: rest.width)
        if post == nil {
            layout.list = rest
            if layout.isSplit { rest.width -= listWidth + 1 }
        } else if layout.isSplit {
            layout.list = layout.split(listWidth, from: &rest)
            layout.post = rest
        } else if focus == .list {
            layout.list = rest
        } else {
            layout.post = rest
        }
        layout.addTitle()
        layout.textWidth = textWidth(rest.width)
        return layout
    }

    private func textWidth(_ width: Int) -> Int {
        // The current comment is marked in the margin.
        min(max(width - 2, Screen.minWidth), Layout.maxTextWidth)
    }
}

extension Layout {
    /// Splits an area of some width from the left of another, with a rule between them.
    fileprivate mutating func split(_ width: Int, from rest: inout Area) -> Area {
        let area = Area(row: rest.row, column: rest.column, width: width, height: rest.height)
        rules.append(area.end)
        rest.column += width + 1
        rest.width -= width + 1
        return area
    }
}
