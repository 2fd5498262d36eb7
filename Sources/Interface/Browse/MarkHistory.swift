import BlogModel

/// The marks of a session that undo can take back.
///
/// The store keeps its own history, in which other programs may have undone or added marks.
struct MarkHistory: Sendable {
    /// Most recent last.
    private var marks: [(mark: Mark, posts: Set<PostID>)] = []

    /// The number of marks so far, also of those that were taken back.
    private(set) var total = 0

    /// Adds a mark, unless it changed no post.
    mutating func record(_ mark: Mark, _ changed: [PostID]) {
        guard !changed.isEmpty else { return }
        marks.append((mark, Set(changed)))
        total += 1
    }

    /// Removes the last mark, and returns its posts, if it is the one that the store has undone.
    ///
    /// Nil if that mark was made elsewhere, so that its posts aren't known here; then nothing more can be taken back.
    mutating func takeBack(_ report: MarkingReport) -> Set<PostID>? {
        total += 1
        guard let last = marks.popLast(), last.posts.count == report.changed, last.mark.opposite == report.mark else {
            forget()
            return nil
        }
        return last.posts
    }

    mutating func forget() { marks = [] }
}
