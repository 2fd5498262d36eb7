import BlogCore

/// Takes records to the console one after the other.
struct RecordPrinter {
    let session: Session

    /// How many posts were printed.
    struct Shown {
        var posts = 0
        var unread = 0
        /// Deleted and dead posts, which are left out.
        var removed = 0
    }

    /// Prints a list with its groups.
    func print(_ list: PostList, with renderer: any Renderer) async throws -> Shown {
        let console = session.console
        var renderer = renderer
        var groups = list.groups[...]
        var leftInGroup = 0
        var shown = Shown()
        var text = renderer.start()
        for try await post in list.posts {
            // Counted, and not compared: names that look the same to Swift may be two groups to the store.
            if leftInGroup == 0, let group = groups.popFirst() {
                text += renderer.group(group)
                leftInGroup = group.count
            }
            leftInGroup -= 1
            if let discussion = post.metadata.discussion, discussion.removal != nil, discussion.parent == nil {
                shown.removed += 1
                continue
            }
            text += renderer.record(session.shown(Record(post), of: post.source))
            shown.posts += 1
            if !post.state.isRead { shown.unread += 1 }
            // The crossing to the console is paid once for many records, but the first ones are shown at once.
            if list.isArriving || text.byteCount > Self.chunk {
                try await console.print(text)
                if list.isArriving { try await console.flush() }
                text = StyledText()
            }
        }
        try await console.print(text + renderer.end())
        return shown
    }

    private static let chunk = 65_536
}
