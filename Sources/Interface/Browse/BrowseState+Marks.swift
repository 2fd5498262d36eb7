import BlogMarkup
import BlogCommandLine
import BlogEssentials
import BlogModel
import BlogRendering
import BlogStore

extension BrowseState {
    /// The post to mark: the open one, or the one with the cursor.
    var markedRow: ListRow? {
        if focus == .post, let open = post, list.current?.id != open.post {
            return list.rows.first { $0.id == open.post } ?? list.current
        }
        return list.current
    }

    mutating func toggleRead() -> [BrowseEffect] {
        guard let row = markedRow else { return [] }
        let effects = mark(row.isRead ? .unread : .read, [row.id])
        notice = row.isRead ? "Marked as unread" : "Marked as read"
        return effects
    }

    mutating func toggleSaved() -> [BrowseEffect] {
        guard let row = markedRow else { return [] }
        let effects = mark(row.isSaved ? .unsaved : .saved, [row.id])
        notice = row.isSaved ? "No longer saved" : "Saved"
        return effects
    }

    mutating func markShown() -> [BrowseEffect] { withAllRows { $0.markRead($0.list.rows[...]) } }

    mutating func markAbove() -> [BrowseEffect] { markRead(list.rows[..<min(list.cursor, list.rows.count)]) }

    mutating func markBelow() -> [BrowseEffect] {
        withAllRows { $0.markRead($0.list.rows[min($0.list.cursor + 1, $0.list.rows.count)...]) }
    }

    private mutating func markRead(_ rows: ArraySlice<ListRow>) -> [BrowseEffect] {
        let unread = rows.filter { !$0.isRead }.map(\.id)
        guard !unread.isEmpty else {
            notice = "No unread posts to mark"
            return []
        }
        let effects = mark(.read, unread)
        notice = "\(Counted.grouped(posts: unread.count)) marked as read (\(keys.name(of: .undo)) to undo)"
        return effects
    }

    private mutating func mark(_ mark: Mark, _ posts: [PostID]) -> [BrowseEffect] {
        let changed = apply(mark, to: Set(posts))
        guard !changed.isEmpty else { return [] }
        marks.append(UndoableMark(mark: mark, posts: Set(changed)))
        return [.mark(mark, changed)] + sourcesIfShown
    }

    /// Marks posts in the lists, and returns those that changed in the current one.
    mutating func apply(_ mark: Mark, to posts: Set<PostID>) -> [PostID] {
        _ = listBeforeSearch?.apply(mark, to: posts)
        return list.apply(mark, to: posts)
    }

    mutating func showUndone(_ report: MarkingReport?) -> [BrowseEffect] {
        guard let report else {
            marks = []
            notice = "Nothing to undo"
            return []
        }
        let title = report.titles.first.map { ": “\(TextLayout.truncate($0, width: 40))”" } ?? ""
        let more = report.changed > 1 && !title.isEmpty ? " and \(report.changed - 1) more" : ""
        notice = "\(Counted.grouped(posts: report.changed)) marked as \(report.mark.rawValue) again\(title)\(more)"
        if let last = marks.popLast(), last.posts.count == report.changed, last.mark.opposite == report.mark {
            _ = apply(report.mark, to: last.posts)
            return sourcesIfShown
        }
        // The mark was made elsewhere, so its posts aren't known here.
        marks = []
        return load(list.request, keepsPost: true) + sourcesIfShown
    }
}
