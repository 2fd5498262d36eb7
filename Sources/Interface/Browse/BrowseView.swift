import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// How a state looks: the panes in their places, the status line and the window's title.
package struct BrowseView {
    private let state: BrowseState
    private let layout: Layout

    package init(_ state: BrowseState) {
        self.state = state
        layout = state.layout
    }

    /// The screen.
    package func frame() -> Frame {
        var frame = Frame(state.size)
        if let text = state.text {
            text.draw(
                in: &frame, Area(row: 0, column: 0, width: state.size.columns, height: max(state.size.rows - 1, 0)))
        } else {
            if let area = layout.sources { state.sources.draw(in: &frame, area, hasFocus: state.focus == .sources) }
            if let area = layout.listTitle { frame.write(titleLine(width: area.width), line: 0, in: area) }
            if let area = layout.list {
                state.list.draw(in: &frame, area, dates: state.dates, hasFocus: state.focus == .list)
                if state.list.rows.isEmpty { drawEmptyList(in: &frame, area) }
            }
            if let area = layout.post { state.post?.draw(in: &frame, area) }
            for column in layout.rules {
                for row in 0..<max(state.size.rows - 1, 0) {
                    frame.write(StyledText("│", .muted), row: row, column: column)
                }
            }
        }
        drawStatus(in: &frame)
        return frame
    }

    private func drawEmptyList(in frame: inout Frame, _ area: Area) {
        let problem = state.list.failure ?? (state.list.request.isUnrestricted ? state.notice : nil)
        let text = !state.list.isComplete ? "Loading…" : problem?.text ?? emptyText
        let lines = text.split(separator: "\n").flatMap {
            StyledText(String($0), .muted).wrapped(to: max(area.width, 1))
        }
        for (number, line) in lines.enumerated() { frame.write(line, line: number, in: area) }
    }

    /// What an empty list says.
    var emptyText: String {
        if state.arrivals.progress != nil { return "No stored posts yet. Refreshing…" }
        if state.list.request.search != nil {
            guard let place = searchedPlace else { return "No matching stored posts." }
            let others = state.list.elsewhere.map { count in
                count == 0
                    ? " No other stored post matches."
                    : " \(Counted.posts(count)) elsewhere (\(state.keys.name(of: .showAll)) to show)."
            }
            return "No matching posts in \(place).\(others ?? "")"
        }
        if !state.list.request.filter.isEmpty { return "No matching posts." }
        switch state.list.request.show {
        case .unread: return "No unread posts. \(state.keys.name(of: .showAll)) shows all posts."
        case .saved: return "No saved posts. \(state.keys.name(of: .toggleSaved)) saves a post."
        case .hidden: return "No hidden posts. \(state.keys.name(of: .rule)) makes a rule that hides posts."
        case .all, .asRequested:
            guard !state.list.request.scope.listsOthers else { return "This list has no posts now." }
            if case .sources(let ids) = state.list.request.scope, ids.count == 1,
                let reason = state.sources.source(ids[0])?.reason
            {
                return "No posts: \(Sanitizer.line(reason))."
            }
            return "No posts. \(state.keys.name(of: .follow)) follows a feed or page."
        }
    }

    // MARK: Status

    private func drawStatus(in frame: inout Frame) {
        guard state.size.rows > 0 else { return }
        let row = state.size.rows - 1
        if let prompt = state.prompt { return prompt.draw(in: &frame, row: row) }
        let notice = state.notice.map { $0.text.replacing("\n", with: " ") }
        if let notice, DisplayWidth.of(notice) > state.size.columns { return frame.cover(notice, endingAt: row) }
        let left =
            notice.map { message in
                let both = ([message] + news).joined(separator: " · ")
                return DisplayWidth.of(both) <= state.size.columns ? both : message
            } ?? status.joined(separator: " · ")
        let right =
            state.notice == nil && state.size.columns >= 40
            ? hints(room: state.size.columns - DisplayWidth.of(left) - 2) : ""
        let room = max(state.size.columns - (right.isEmpty ? 0 : right.count + 2), 0)
        frame.write(StyledText(left).truncated(to: max(room, 1)), row: row, end: max(room, 1))
        frame.write(StyledText(right), row: row, column: max(state.size.columns - right.count, 0))
        frame.reverse(row: row, columns: 0..<state.size.columns)
    }

    /// The keys that a newcomer needs first, as many as fit; at least the one for help.
    private func hints(room: Int) -> String {
        let all: [(Action, String)] =
            switch state.focus {
            case _ where state.text != nil || state.size.columns < Layout.columnsForTwo: []
            case .post where state.post?.link != nil:
                [(.open, "read the link"), (.browser, "browser"), (.toggleSaved, "save it"), (.copy, "copy it")]
            case .list: [(.readOn, "read"), (.toggleSaved, "save"), (.browser, "browser"), (.search, "search")]
            case .post:
                [
                    (.readOn, "continue"), (.back, "back"), (.toggleSaved, "save"), (.article, "article"),
                    (.browser, "browser"),
                ]
            case .sources: [(.open, "list"), (.markShown, "mark as read"), (.editSource, "edit"), (.follow, "follow")]
            }
        let last: (Action, String) = state.text == nil ? (.help, "keys") : (.back, "back")
        let texts = (all + [last]).map { "\(state.keys.name(of: $0.0)): \($0.1)" }
        for count in (0..<texts.count).reversed() {
            let line = (texts.prefix(count) + texts.suffix(1)).joined(separator: "  ")
            if line.count <= room { return line }
        }
        return texts[texts.count - 1]
    }

    /// The parts of the status line: what is shown, and what is in progress.
    private var status: [String] {
        var parts: [String] = []
        if let text = state.text {
            parts.append(text.title)
        } else if state.focus == .post, let post = state.post {
            let change = post.row.changed.map { "changed \(state.dates.short($0))" } ?? ""
            parts += [post.isComplete ? "\(post.percent)%" : "loading", position, change, post.title]
            if let link = post.link { parts.insert("link \(link.number)", at: 0) }
            if let search = post.search { parts.insert("\(state.keys.name(of: .next)): next “\(search.text)”", at: 0) }
        } else if state.focus == .sources, let source = state.sources.currentSource, let problem = source.problem {
            let reason = source.reason.map(Sanitizer.line) ?? "refresh failed (\(problem.rawValue))"
            parts += ["\(source.name): \(reason)", source.failedAt.map { "failed \(state.dates.short($0))" } ?? ""]
        } else {
            // Above the list, it is only missing on a low screen.
            parts += (layout.listTitle == nil ? [listTitle] : []) + [countText]
        }
        if state.post?.replacement?.article == .always { parts.insert("loading the article", at: 0) }
        if let progress = state.arrivals.progress { parts.append("\(progress.done) of \(progress.count) refreshed") }
        return (parts + news).filter { !$0.isEmpty }
    }

    /// What `r` brings into the list.
    private var news: [String] {
        let key = state.keys.name(of: .refresh)
        if state.arrivals.new > 0 { return ["\(state.arrivals.new) new (\(key) to show)"] }
        return state.arrivals.hasLost ? ["changed (\(key) to show)"] : []
    }

    /// The list and what restricts it.
    var listTitle: String {
        if let search = state.list.request.search {
            return "Search\(searchedPlace.map { " in " + $0 } ?? ""): \(search)"
        }
        return restrictedName
    }

    /// The list that a search is in; nil for all stored posts.
    private var searchedPlace: String? { state.list.request.searchElsewhere == nil ? nil : restrictedName }

    private var restrictedName: String {
        let show =
            switch state.list.request.show {
            case .asRequested, .all: ""
            case .unread: " (unread)"
            case .saved: " (saved)"
            case .hidden: " (hidden)"
            }
        return state.listName + show + (state.list.request.filter.isEmpty ? "" : " (\(state.list.request.filter))")
    }

    /// The list, what restricts it and how it is sorted, in that order of importance.
    private func titleLine(width: Int) -> StyledText {
        let title = StyledText(listTitle, .groupTitle).truncated(to: max(width, 1))
        let order = " · " + state.list.request.order
        return title.width + DisplayWidth.of(order) <= width ? title + StyledText(order, .muted) : title
    }

    /// "x unread of y".
    var countText: String {
        guard let counts = state.list.counts ?? state.list.countsOfRows else { return "" }
        let more = counts.posts == ListCounts.limit ? "+" : ""
        return "\(Counted.number(counts.unread)) unread of \(Counted.number(counts.posts))\(more)"
    }

    private var position: String {
        // A post opened by a link has none.
        guard state.focus != .post || state.post?.post == state.list.current?.id else { return "" }
        // Of a ranking, more posts are known than were fetched.
        let known = state.list.counts.map { max($0.posts, state.list.isComplete ? state.list.rows.count : 0) }
        let count = (known ?? (state.list.isComplete ? state.list.rows.count : nil)).map { "\($0)" } ?? "…"
        return state.list.rows.isEmpty ? "" : "\(state.list.cursor + 1)/\(count)"
    }

    /// The title of the terminal's window.
    package var windowTitle: String {
        "\(layout.post == nil ? state.listName : state.post?.title ?? state.listName) – blog"
    }
}
