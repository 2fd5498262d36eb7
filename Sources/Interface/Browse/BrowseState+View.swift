import BlogMarkup
import BlogModel
import BlogCommandLine
import BlogEssentials
import BlogRendering
import BlogStore
import BlogTerminal

extension BrowseState {
    /// Adapts the panes to the layout.
    mutating func layOut() {
        // The sources may have disappeared with the space for them, or with the last source.
        if focus == .sources, layout.sources == nil { focus = focusWithoutSources }
        let layout = layout
        let height = max(size.rows - 1, 1)
        list.resize(layout.list?.height ?? height)
        post?.resize(layout.post?.height ?? height)
        sources.resize(layout.sources?.height ?? height)
        text?.resize(height)
    }

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

    /// The keys that a newcomer needs first, as many as fit; at least the one for help.
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

    /// The parts of the status line: what is shown, and what is in progress.
    private var status: [String] {
        var parts: [String] = []
        if let text {
            parts.append(text.title)
        } else if focus == .post, let post {
            parts += [post.isComplete ? "\(post.percent)%" : "loading", position, post.title]
            if let search = post.search { parts.insert("\(keys.name(of: .next)): next “\(search.text)”", at: 0) }
        } else {
            parts += [listTitle, countText]
        }
        if post?.replacement?.article == .always { parts.insert("loading the article", at: 0) }
        if let progress { parts.append("\(progress.done) of \(progress.count) refreshed") }
        if newPosts > 0 { parts.append("\(newPosts) new (\(keys.name(of: .refresh)) to show)") }
        return parts.filter { !$0.isEmpty }
    }

    var listTitle: String {
        if let search = list.request.search { return "Search: \(search)" }
        let show =
            switch list.request.show {
            case .asRequested, .all: ""
            case .unread: " (unread)"
            case .saved: " (saved)"
            }
        return listName + show + (list.request.filter.isEmpty ? "" : " (\(list.request.filter))")
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

    package var windowTitle: String { "\(layout.post == nil ? listName : post?.title ?? listName) – blog" }
}
