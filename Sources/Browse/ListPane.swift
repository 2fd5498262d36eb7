import BlogLibrary
import Model
import Rendering
import Store
import Terminal

/// A list of posts on the screen.
package struct ListPane: Sendable {
    package var request: ListRequest
    package private(set) var rows: [ListRow] = []
    /// Why the list can't be read; nil if it can.
    package private(set) var failure: Message?
    /// Whether all rows are there.
    package private(set) var isComplete = false
    /// Whether the rows are still those of the request before.
    package private(set) var isStale = true
    /// How many rows were asked for.
    private var requested = 0
    /// The rows that are shown: posts and the headings of groups.
    private var lines: [Line] = []
    /// The place of each post among ``lines``.
    private var linesOfRows: [Int] = []
    private var scrolled = ScrolledList()
    /// The row with the cursor.
    package private(set) var cursor = 0
    /// The number of the request, so that rows of an earlier one are told apart.
    package internal(set) var number: Int
    /// How many posts match, and how many of them are unread; nil until counted.
    package var counts: ListCounts?
    /// Whether ranks, points and comments are shown.
    private var isRanked = false
    private var hasSources = false
    /// The post on which the cursor is to be when its row comes.
    private var wanted: PostID?
    /// The words of a search, which are marked in titles.
    private var marked = MarkedWords()

    private enum Line: Sendable {
        case heading(String)
        case row(Int)
    }

    package init(_ request: ListRequest, number: Int) {
        self.request = request
        self.number = number
        if let search = request.search { marked = MarkedWords(search: search) }
    }

    // MARK: Rows

    /// The post with the cursor; nil in an empty list.
    package var current: ListRow? { rows.indices.contains(cursor) ? rows[cursor] : nil }

    package mutating func append(_ more: [ListRow], isEnd: Bool) {
        if isStale { (rows, lines, linesOfRows, cursor, isStale) = ([], [], [], 0, false) }
        for row in more {
            if let group = row.group, group != rows.last?.group { lines.append(.heading(group)) }
            linesOfRows.append(lines.count)
            lines.append(.row(rows.count))
            if row.id == wanted {
                cursor = rows.count
                wanted = nil
            }
            isRanked = isRanked || row.rank != nil
            hasSources = hasSources || row.source != nil
            rows.append(row)
        }
        isComplete = isEnd
        if isEnd { wanted = nil }
        show(cursor)
    }

    /// Whether it is a ranking of which not all posts were fetched.
    var lacksPosts: Bool {
        isComplete && isRanked && !isStale && request.filter.isEmpty && request.search == nil
            && [.all, .asRequested].contains(request.show) && rows.count < counts?.posts ?? 0
    }

    /// Ends a list that can't be read.
    package mutating func fail(_ message: Message) {
        append([], isEnd: true)
        failure = message
    }

    /// Starts again with another request, and comes back to the same post if that is still there.
    ///
    /// The rows stay until others come, so that the screen doesn't flicker.
    package mutating func restart(_ request: ListRequest, number: Int, keepsPost: Bool) {
        let old = self
        self = ListPane(request, number: number)
        (rows, lines, linesOfRows, scrolled) = (old.rows, old.lines, old.linesOfRows, old.scrolled)
        (cursor, isRanked, hasSources) = (old.cursor, old.isRanked, old.hasSources)
        wanted = keepsPost ? old.current?.id : nil
        isStale = true
    }

    /// Wants rows, `count` in all; nil for as many as moving needs without a wait.
    ///
    /// Returns how many are to be read in all; nil if nothing has to be done for it.
    mutating func want(_ count: Int?) -> Int? {
        // The cursor is where rows are that will be gone.
        guard count != nil || !isStale else { return nil }
        let count = count ?? cursor + Self.reserve
        guard !isComplete, isStale || count > rows.count, count > requested else { return nil }
        // A step of the cursor alone is no reason for a request.
        requested = count == .max ? count : max(count, requested + Self.reserve)
        return requested
    }

    private static let reserve = 500

    // MARK: Moving

    package var height: Int { scrolled.height }
    var page: Int { max(height - 1, 1) }

    /// The posts on the screen.
    var shownRows: Range<Int> {
        let shown = scrolled.shown(of: lines.count)
        let first = linesOfRows.partitioningIndex { $0 >= shown.lowerBound }
        return first..<max(linesOfRows.partitioningIndex { $0 >= shown.upperBound }, first)
    }

    package mutating func resize(_ height: Int) {
        scrolled.height = max(height, 1)
        show(cursor)
    }

    package mutating func move(to row: Int) {
        // Whoever moves the cursor no longer waits for another post.
        wanted = nil
        show(row)
    }

    private mutating func show(_ row: Int) {
        cursor = min(max(row, 0), max(rows.count - 1, 0))
        guard linesOfRows.indices.contains(cursor) else { return }
        let line = linesOfRows[cursor]
        // The heading above the first post of a group is seen with it.
        if line > 0, case .heading = lines[line - 1] { scrolled.move(to: line - 1, of: lines.count) }
        scrolled.move(to: line, of: lines.count)
    }

    package mutating func move(by count: Int) { move(to: cursor + count) }

    /// The next unread post behind a row; nil if none of the rows is one.
    package func unread(after row: Int) -> Int? {
        rows[min(max(row + 1, 0), rows.count)...].firstIndex { !$0.isRead }
    }

    package func unread(before row: Int) -> Int? { rows[..<min(row, rows.count)].lastIndex { !$0.isRead } }

    // MARK: Marks

    /// Notes a mark of some posts, and returns those that did not have it.
    package mutating func note(_ mark: Mark, _ ids: Set<PostID>) -> [PostID] {
        var changed: [PostID] = []
        // Usually it is the post with the cursor.
        let isCurrent = ids.count == 1 && current.map { ids.contains($0.id) } == true
        for index in isCurrent ? cursor..<cursor + 1 : rows.indices where ids.contains(rows[index].id) {
            let (wasRead, wasSaved) = (rows[index].isRead, rows[index].isSaved)
            switch mark {
            case .read: rows[index].isRead = true
            case .unread: rows[index].isRead = false
            case .saved: rows[index].isSaved = true
            case .unsaved: rows[index].isSaved = false
            }
            guard (wasRead, wasSaved) != (rows[index].isRead, rows[index].isSaved) else { continue }
            changed.append(rows[index].id)
        }
        noteCount(mark, changed.count)
        return changed
    }

    private mutating func noteCount(_ mark: Mark, _ count: Int) {
        guard let counts, mark == .read || mark == .unread else { return }
        let unread = counts.unread + (mark == .read ? -count : count)
        self.counts = ListCounts(posts: counts.posts, unread: min(max(unread, 0), counts.posts))
    }

    // MARK: View

    /// - Parameter hasFocus: whether the keys are for this list.
    func draw(in frame: inout Frame, _ area: Area, dates: DateText, hasFocus: Bool) {
        guard !area.isEmpty else { return }
        let columns = Columns(width: area.width, isRanked: isRanked, hasSources: hasSources, dates: dates)
        for (number, index) in scrolled.shown(of: lines.count).enumerated() {
            switch lines[index] {
            case .heading(let name):
                frame.write(StyledText(name, .groupTitle), line: number, in: area)
            case .row(let index):
                let end = frame.write(columns.text(rows[index], marked: marked), line: number, in: area)
                if index == cursor { frame.mark(line: number, in: area, upTo: end, hasFocus: hasFocus) }
            }
        }
    }

    /// A row in words.
    func spoken(_ index: Int, _ dates: DateText) -> String {
        let row = rows[index]
        let counts = [
            row.points.map { Counted.of(Int($0), "point") }, row.commentCount.map { Counted.comments(Int($0)) },
        ]
        let parts =
            [row.title, row.source, row.date.map(dates.short)] + counts
            + [row.isRead ? nil : "unread", row.isSaved ? "saved" : nil]
        return "\(index + 1). \(parts.compactMap(\.self).joined(separator: ", "))"
    }

    /// The columns of a row: those that align come first, so that no right-to-left title can shift them.
    private struct Columns {
        let isRanked: Bool
        let isWide: Bool
        let sourceWidth: Int
        let dates: DateText

        init(width: Int, isRanked: Bool, hasSources: Bool, dates: DateText) {
            self.isRanked = isRanked && width >= 44
            isWide = width >= 60
            sourceWidth = hasSources && isWide ? min(width / 4, 22) : 0
            self.dates = dates
        }

        func text(_ row: ListRow, marked: MarkedWords) -> StyledText {
            var text = row.isRead ? StyledText(" ") : StyledText("●", .unread)
            text += row.isSaved ? StyledText("★ ", .saved) : "  "
            if isRanked {
                text += StyledText(row.rank.map { "\($0)." } ?? "", .muted).padded(to: 4, isRightAligned: true)
                text += number(row.points, "p", width: 6) + number(row.commentCount, "c", width: 6) + "  "
            }
            let age = row.date.map { dates.column($0, isWide: isWide) } ?? ""
            let width = dates.columnWidth(isWide: isWide)
            text += StyledText(age, .muted).padded(to: width, isRightAligned: true) + "  "
            if sourceWidth > 0 {
                let source = StyledText(row.source ?? row.author, row.isRead ? .muted : .author)
                text += source.truncated(to: sourceWidth - 2).padded(to: sourceWidth)
            }
            return text + marked.marking(StyledText(row.title, row.isRead ? .muted : .title))
        }

        /// "412p": points, or a photo's rating; "12c": comments.
        private func number(_ number: Int32?, _ unit: String, width: Int) -> StyledText {
            StyledText(number.map { "\($0)\(unit)" } ?? "", .muted).padded(to: width, isRightAligned: true)
        }
    }
}

extension Array where Element == Int {
    /// The first index of an ascending array whose element meets a condition that all later ones meet.
    fileprivate func partitioningIndex(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
