import BlogCore

/// Takes records to the console one after the other.
struct RecordPrinter {
    let session: Session

    /// Prints a list with its groups and returns how many posts it had.
    func print(_ list: PostList, with renderer: any Renderer) async throws -> Int {
        let console = session.console
        var renderer = renderer
        var groups = list.groups[...]
        var leftInGroup = 0
        var count = 0
        var text = renderer.start()
        for try await post in list.posts {
            // Counted, and not compared: names that look the same to Swift may be two groups to the store.
            if leftInGroup == 0, let group = groups.popFirst() {
                text += renderer.group(group)
                leftInGroup = group.count
            }
            text += renderer.record(session.shown(Record(post), of: post.source))
            leftInGroup -= 1
            count += 1
            // The crossing to the console is paid once for many records, but the first ones are shown at once.
            if list.isArriving || text.byteCount > Self.chunk {
                try await console.print(text)
                if list.isArriving { try await console.flush() }
                text = StyledText()
            }
        }
        try await console.print(text + renderer.end())
        return count
    }

    private static let chunk = 65_536
}
