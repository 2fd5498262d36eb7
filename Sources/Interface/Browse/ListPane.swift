import BlogCommandLine
import BlogEssentials
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// A list of posts on the screen.
package struct ListPane: Movable, Sendable {
    package private(set) var request: ListRequest
    /// The number of the request, which tells its rows from those of an earlier one.
    package private(set) var number: Int
    package private(set) var rows: [ListRow] = []
    /// Whether all rows have been loaded.
    package private(set) var isComplete = false
    /// Whether the rows are still those of the previous request.
    package private(set) var isStale = true
    /// Why the list could not be read; nil if it could.
    package private(set) var failure: Message?
    /// The numbers of matching and of unread posts; nil until counted.
    package var counts: ListCounts?

    /// The same of the rows, as of a search, which isn't counted by itself; nil if there are none, or not all have arrived.
    var countsOfRows: ListCounts? {
        guard isComplete, !rows.isEmpty else { return nil }
        return ListCounts(posts: rows.count, unread: rows.count { !$0.isRead })
    }

    /// The row with the cursor.
    package private(set) var cursor = 0
    /// How many rows have been requested.
    private var requested = 0
    /// The lines of the list: rows, and the headings of groups.
    private var lines: [Line] = []
    /// The index in ``lines`` of each row.
    private var linesOfRows: [Int] = []
    private(set) var viewport = Viewport()
    /// Whether ranks, points and comments are shown.
    private var isRanked = false
    private var hasSources = false
    /// The posts to put the cursor on as soon as their rows are loaded, the best with the lowest number: the one that had it,
    /// or else its neighbours.
    private var postsToRestore: [PostID: Int] = [:]
    /// The number of the best one that was loaded.
    private var restored = Int.max
    /// How many posts match the search outside the list; nil until counted.
    package var elsewhere: Int?
    /// The words of the search, which are highlighted in titles.
    private let marked: MarkedWords

    private enum Line: Sendable {
        case heading(String)
        case row(Int)
    }

    package init(_ request: ListRequest, number: Int) {
        self.request = request
        self.number = number
        marked = request.search.map { MarkedWords(search: $0) } ?? MarkedWords()
    }

    // MARK: Rows

    /// The post with the cursor; nil in an empty list.
    package var current: ListRow? { rows.indices.contains(cursor) ? rows[cursor] : nil }

    package mutating func append(_ more: [ListRow], isEnd: Bool) {
        if isStale {
            (rows, lines, linesOfRows, cursor, isStale) = ([], [], [], 0, false)
            (isRanked, hasSources) = (false, false)
        }
        for row in more {
            if let group = row.group, group != rows.last?.group { lines.append(.heading(group)) }
            linesOfRows.append(lines.count)
            lines.append(.row(rows.count))
            if let rank = postsToRestore[row.id], rank < restored { (cursor, restored) = (rows.count, rank) }
            isRanked = isRanked || row.rank != nil
            hasSources = hasSources || row.source != nil
            rows.append(row)
        }
        isComplete = isEnd
        // If the list has none of them, as few are saved, the next list may.
        if isEnd, restored < .max { postsToRestore = [:] }
        show(cursor)
    }

    /// Whether it is a ranking with posts that were never fetched.
    var lacksPosts: Bool {
        isComplete && isRanked && !isStale && request.isUnrestricted && rows.count < counts?.posts ?? 0
    }

    /// Whether it has posts that it wouldn't include if it were loaded again, such as read ones among the unread.
    var hasOutdatedRows: Bool {
        switch request.show {
        case .unread: rows.contains(where: \.isRead)
        case .saved: rows.contains { !$0.isSaved }
        case .hidden: false
        case .all, .asRequested: false
        }
    }

    package mutating func fail(_ message: Message) {
        append([], isEnd: true)
        failure = message
    }

    /// Starts again with another request.
    ///
    /// The old rows stay until new ones arrive, so that the screen doesn't flicker.
    ///
    /// - Parameter keepsPost: whether the cursor returns to the same post if it is still listed, or else to the next one.
    package mutating func restart(_ request: ListRequest, number: Int, keepsPost: Bool) {
        let old = self
        self = ListPane(request, number: number)
        (rows, lines, linesOfRows, viewport) = (old.rows, old.lines, old.linesOfRows, old.viewport)
        (cursor, isRanked, hasSources) = (old.cursor, old.isRanked, old.hasSources)
        postsToRestore = !keepsPost ? [:] : old.isRestoring ? old.postsToRestore : old.nearest
    }

    /// Whether it lacks the posts that the cursor was on, until the user moves it.
    var isRestoring: Bool { !postsToRestore.isEmpty }

    /// The post with the cursor and its neighbours, those after it first.
    private var nearest: [PostID: Int] {
        let nearest = rows[cursor...].prefix(Self.reserve) + rows[..<cursor].suffix(Self.reserve).reversed()
        return Dictionary(nearest.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Records that `count` rows are needed, or by default as many as moving the cursor needs without a delay.
    ///
    /// - Returns: how many rows to load in all; nil if enough are loaded or requested.
    mutating func requestRows(_ count: Int? = nil) -> Int? {
        // The cursor of a stale list is among rows that are about to go.
        guard count != nil || !isStale else { return nil }
        let count = count ?? cursor + Self.reserve
        guard !isComplete, isStale || count > rows.count, count > requested else { return nil }
        // A reserve spares a request for each step of the cursor.
        requested = count == .max ? count : max(count, requested + Self.reserve)
        return requested
    }

    private static let reserve = 500

    /// Whether an action needs rows that have not arrived.
    func lacksRows(for action: Action) -> Bool {
        let step = action == .nextPost ? 1 : action.distance(page: viewport.page)
        guard !isComplete, let step, step > 0 else { return false }
        return cursor + step >= rows.count
    }

    // MARK: Moving

    var visibleRows: Range<Int> {
        let visible = viewport.visible(of: lines.count)
        let first = linesOfRows.partitioningIndex { $0 >= visible.lowerBound }
        return first..<max(linesOfRows.partitioningIndex { $0 >= visible.upperBound }, first)
    }

    package mutating func resize(_ height: Int) {
        viewport.height = height
        show(cursor)
    }

    package mutating func move(to row: Int) {
        postsToRestore = [:]
        show(row)
    }

    package mutating func move(by count: Int) { move(to: cursor + count) }

    private mutating func show(_ row: Int) {
        cursor = min(max(row, 0), max(rows.count - 1, 0))
        guard linesOfRows.indices.contains(cursor) else { return }
        let line = linesOfRows[cursor]
        // The heading of a group is shown with its first post.
        if line > 0, case .heading = lines[line - 1] { viewport.reveal(line - 1, of: lines.count) }
        viewport.reveal(line, of: lines.count)
    }

    /// The next unread post after a row, or the first one of the list for nil; nil if none is loaded.
    package func unread(after row: Int?) -> Int? {
        rows[min(row.map { $0 + 1 } ?? 0, rows.count)...].firstIndex { !$0.isRead }
    }

    package func unread(before row: Int) -> Int? { rows[..<min(row, rows.count)].lastIndex { !$0.isRead } }

    /// Shows sources under their new names.
    mutating func rename(_ names: [SourceID: String]) {
        guard !names.isEmpty else { return }
        for index in rows.indices where rows[index].source != nil {
            if let name = names[rows[index].id.source] { rows[index].source = Sanitizer.line(name) }
        }
    }

    // MARK: Marks

    /// Marks the rows of some posts, and returns the posts that changed.
    package mutating func apply(_ mark: Mark, to ids: Set<PostID>) -> [PostID] {
        var changed: [PostID] = []
        // Usually it is the post with the cursor, which needs no search.
        let isCurrent = ids.count == 1 && current.map { ids.contains($0.id) } == true
        for index in isCurrent ? cursor..<cursor + 1 : rows.indices where ids.contains(rows[index].id) {
            if rows[index].apply(mark) { changed.append(rows[index].id) }
        }
        if let counts, mark == .read || mark == .unread {
            let unread = counts.unread + (mark == .read ? -changed.count : changed.count)
            self.counts = ListCounts(posts: counts.posts, unread: min(max(unread, 0), counts.posts))
        }
        return changed
    }

    // MARK: View

    func draw(in frame: inout Frame, _ area: Area, dates: DateText, hasFocus: Bool) {
        guard !area.isEmpty else { return }
        let columns = Columns(width: area.width, isRanked: isRanked, hasSources: hasSources, dates: dates)
        for (screenLine, index) in viewport.visible(of: lines.count).enumerated() {
            switch lines[index] {
            case .heading(let name):
                frame.write(StyledText(name, .groupTitle), line: screenLine, in: area)
            case .row(let index):
                let text = columns.text(rows[index], marked: marked).truncated(to: area.width)
                let end = frame.write(text, line: screenLine, in: area)
                // What a line has room for besides isn't highlighted, so that few bytes are written for a step.
                let more = columns.more(rows[index], width: area.end - end)
                if !more.isEmpty { frame.write(more, row: area.row + screenLine, column: end, end: area.end) }
                if index == cursor { frame.mark(line: screenLine, in: area, upTo: end, hasFocus: hasFocus) }
            }
        }
    }

    /// A row as a sentence, for the line dialogue.
    func spoken(_ index: Int, _ dates: DateText) -> String {
        let row = rows[index]
        let counts = [
            row.points.map { Counted.of(Int($0), "point") }, row.rating.map { "rated " + $0 },
            row.commentCount.map { Counted.comments(Int($0)) },
        ]
        let parts =
            [row.title, row.source, row.date.map(dates.short)] + counts
            + [row.isRead ? nil : "unread", row.isSaved ? "saved" : nil]
            + row.labels.map { "labelled " + Sanitizer.line($0) }
        return "\(index + 1). \(parts.compactMap(\.self).joined(separator: ", "))"
    }

    /// The layout of a row, with aligned columns first, so that no right-to-left title can shift them.
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
                text +=
                    row.rating.map { StyledText($0, .muted).padded(to: 6, isRightAligned: true) }
                    ?? number(row.points, "p", width: 6)
                text += number(row.commentCount, "c", width: 6) + "  "
            }
            let age = row.date.map { dates.column($0, isWide: isWide) } ?? ""
            let width = dates.columnWidth(isWide: isWide)
            text += StyledText(age, .muted).padded(to: width, isRightAligned: true) + "  "
            if sourceWidth > 0 {
                let source = StyledText(row.source ?? row.author, row.isRead ? .muted : .author)
                text += source.truncated(to: sourceWidth - 2).padded(to: sourceWidth)
            }
            text += marked.marking(StyledText(row.title, row.isRead ? .muted : .title))
            if let site = row.site { text += StyledText(" (\(site))", .muted) }
            if !row.labels.isEmpty {
                text += StyledText(" · " + Sanitizer.line(row.labels.joined(separator: ", ")), .saved)
            }
            if let changed = row.changed { text += StyledText(" · changed \(dates.short(changed))", .muted) }
            return text
        }

        /// The author and the summary, as far as there is room for them after the title.
        func more(_ row: ListRow, width: Int) -> StyledText {
            guard width > 4 else { return "" }
            let isAuthorShown = row.author.isEmpty || sourceWidth > 0 && row.source == nil || row.source == row.author
            var summary = row.summary
            // A post without a title is shown by the beginning of its text.
            if summary == row.title || row.title.last == "…" && summary.hasPrefix(row.title.dropLast()) { summary = "" }
            let parts = (isAuthorShown ? [] : [row.author]) + (summary.isEmpty ? [] : [summary])
            let text = StyledText(parts.map { " · " + $0 }.joined(), .muted)
            let fitting = text.truncated(to: width)
            return fitting == text || width >= Self.leastMore ? fitting : ""
        }

        /// A shorter beginning says nothing.
        private static let leastMore = 20

        /// A number with its unit, such as "412p" for points or "12c" for comments.
        private func number(_ number: Int32?, _ unit: String, width: Int) -> StyledText {
            StyledText(number.map { "\($0)\(unit)" } ?? "", .muted).padded(to: width, isRightAligned: true)
        }
    }
}
