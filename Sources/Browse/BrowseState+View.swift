import BlogLibrary
import Model
import Rendering
import Store
import Terminal

/// Where the panes are on the screen; nil for those that aren't shown.
struct Layout: Sendable, Equatable {
    var sources: Area?
    var list: Area?
    var post: Area?
    /// Whether list and post are side by side.
    var isSplit = false
    /// Whether the sources are shown beside the list.
    var isSourcesBeside = false
    /// The columns of a post's text.
    var textWidth = 80
    /// The columns between panes.
    var rules: [Int] = []

    /// Longer lines are hard to read.
    static let maxTextWidth = 80
    static let listWidth = 56
    static let sourcesWidth = 28
    /// From so many columns on, list and post are side by side unless somebody chose otherwise.
    static let splitColumns = 140
    static let sourcesColumns = 180
    /// With fewer columns, one pane at a time is shown.
    static let columnsForTwo = 70
}

extension BrowseState {
    /// Where the panes are.
    var layout: Layout {
        var layout = Layout()
        let height = max(size.rows - 1, 0)
        var rest = Area(row: 0, column: 0, width: size.columns, height: height)
        let areTwoPossible = size.columns >= Layout.columnsForTwo
        layout.isSplit = areTwoPossible && (isSplit ?? (size.columns >= Layout.splitColumns))
        let wantsSources = showsSources ?? (size.columns >= Layout.sourcesColumns && !sources.isEmpty)
        layout.isSourcesBeside = wantsSources && areTwoPossible
        if layout.isSourcesBeside {
            layout.sources = take(Layout.sourcesWidth, from: &rest, &layout)
        } else if wantsSources, focus == .sources {
            layout.sources = rest
            return layout
        }
        guard post != nil else {
            layout.list = rest
            layout.textWidth = textWidth(layout.isSplit ? rest.width - Layout.listWidth - 1 : rest.width)
            return layout
        }
        if layout.isSplit {
            layout.list = take(min(Layout.listWidth, rest.width / 2), from: &rest, &layout)
            layout.post = rest
        } else if focus == .list {
            layout.list = rest
        } else {
            layout.post = rest
        }
        layout.textWidth = textWidth(rest.width)
        return layout
    }

    private func textWidth(_ width: Int) -> Int {
        // A mark stands before the current comment.
        min(max(width - 2, Screen.minWidth), Layout.maxTextWidth)
    }

    private func take(_ width: Int, from rest: inout Area, _ layout: inout Layout) -> Area {
        let area = Area(row: rest.row, column: rest.column, width: width, height: rest.height)
        layout.rules.append(area.end)
        rest.column += width + 1
        rest.width -= width + 1
        return area
    }

    /// Gives the panes their heights.
    mutating func layOut() {
        // They may be gone with the room for them, or with the last source.
        if focus == .sources, layout.sources == nil { focus = focusWithoutSources }
        let layout = layout
        let height = max(size.rows - 1, 1)
        list.resize(layout.list?.height ?? height)
        post?.resize(layout.post?.height ?? height)
        sources.resize(layout.sources?.height ?? height)
        text?.resize(height)
    }

    /// The screen.
    package func frame() -> Frame {
        var frame = Frame(size)
        let layout = layout
        if let text {
            text.draw(in: &frame, Area(row: 0, column: 0, width: size.columns, height: max(size.rows - 1, 0)))
        } else {
            if let area = layout.sources { sources.draw(in: &frame, area, hasFocus: focus == .sources) }
            if let area = layout.list {
                list.draw(in: &frame, area, dates: dates, hasFocus: focus == .list)
                if list.rows.isEmpty { drawEmptyList(in: &frame, area) }
            }
            if let area = layout.post { post?.draw(in: &frame, area) }
            for column in layout.rules {
                for row in 0..<max(size.rows - 1, 0) { frame.write(StyledText("│", .muted), row: row, column: column) }
            }
        }
        drawStatus(in: &frame)
        return frame
    }

    private func drawEmptyList(in frame: inout Frame, _ area: Area) {
        let text = !list.isComplete ? "Loading…" : (list.failure ?? notice)?.text ?? emptyText
        let lines = text.split(separator: "\n").flatMap {
            StyledText(String($0), .muted).wrapped(to: max(area.width, 1))
        }
        for (number, line) in lines.enumerated() { frame.write(line, line: number, in: area) }
    }

    var emptyText: String {
        if progress != nil { return "No stored posts yet. Refreshing…" }
        if list.request.search != nil { return "No matching stored posts." }
        if !list.request.filter.isEmpty { return "No matching posts." }
        switch list.request.show {
        case .unread: return "No unread posts. \(keys.name(of: .showAll)) shows all posts."
        case .saved: return "No saved posts. \(keys.name(of: .save)) saves a post."
        case .all, .asRequested: return "No posts."
        }
    }

    // MARK: Status

    private func drawStatus(in frame: inout Frame) {
        guard size.rows > 0 else { return }
        let row = size.rows - 1
        if let prompt { return prompt.draw(in: &frame, row: row) }
        let left = notice.map { $0.text.replacing("\n", with: " ") } ?? status.joined(separator: " · ")
        let right = notice == nil && size.columns >= 40 ? hints(room: size.columns - DisplayWidth.of(left) - 2) : ""
        let room = max(size.columns - (right.isEmpty ? 0 : right.count + 2), 0)
        frame.write(StyledText(left).truncated(to: max(room, 1)), row: row, end: max(room, 1))
        frame.write(StyledText(right), row: row, column: max(size.columns - right.count, 0))
        frame.reverse(row: row, columns: 0..<size.columns)
    }

    /// The keys that a newcomer needs first, as many as there is room for; at least how to see all of them.
    private func hints(room: Int) -> String {
        let all: [(Action, String)] =
            switch focus {
            case _ where text != nil || size.columns < Layout.columnsForTwo: []
            case .list: [(.readOn, "read"), (.save, "save"), (.browser, "browser"), (.search, "search")]
            case .post:
                [(.readOn, "continue"), (.back, "back"), (.save, "save"), (.article, "article"), (.browser, "browser")]
            case .sources: [(.open, "list")]
            }
        let texts = (all + [(.help, "keys")]).map { "\(keys.name(of: $0.0)): \($0.1)" }
        for count in (0..<texts.count).reversed() {
            let line = (texts.prefix(count) + texts.suffix(1)).joined(separator: "  ")
            if line.count <= room { return line }
        }
        return texts[texts.count - 1]
    }

    /// What is shown, and what is going on.
    private var status: [String] {
        var parts: [String] = []
        if let text {
            parts.append(text.title)
        } else if focus == .post, let post {
            parts += [post.isComplete ? "\(post.percent)%" : "loading", position, post.title]
            if let sought = post.sought { parts.insert("\(keys.name(of: .next)): next “\(sought)”", at: 0) }
        } else {
            parts += [placeText, countText]
        }
        if post?.awaited?.article == .always { parts.insert("loading the article", at: 0) }
        if let progress { parts.append("\(progress.done) of \(progress.count) refreshed") }
        if newPosts > 0 { parts.append("\(newPosts) new (\(keys.name(of: .refresh)) to show)") }
        return parts.filter { !$0.isEmpty }
    }

    var placeText: String {
        if let search = list.request.search { return "Search: \(search)" }
        let show =
            switch list.request.show {
            case .asRequested, .all: ""
            case .unread: " (unread)"
            case .saved: " (saved)"
            }
        return place + show + (list.request.filter.isEmpty ? "" : " (\(list.request.filter))")
    }

    var countText: String {
        guard let counts = list.counts else {
            return list.isComplete && !list.rows.isEmpty ? Counted.grouped(posts: list.rows.count) : ""
        }
        let more = counts.posts == ListCounts.limit ? "+" : ""
        return "\(Counted.number(counts.unread)) unread of \(Counted.number(counts.posts))\(more)"
    }

    private var position: String {
        let count = list.isComplete ? "\(list.rows.count)" : list.counts.map { "\($0.posts)" } ?? "…"
        return list.rows.isEmpty ? "" : "\(list.cursor + 1)/\(count)"
    }

    /// The title of the terminal's window.
    package var windowTitle: String { "\(layout.post == nil ? place : post?.title ?? place) – blog" }
}
