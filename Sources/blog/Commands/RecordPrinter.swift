import BlogKit

/// Takes records to the console one after the other.
struct RecordPrinter {
    let console: Console

    /// Prints a list with its groups and gives how many posts it had.
    func print(_ list: PostList, with renderer: any Renderer) async throws -> Int {
        var renderer = renderer
        var groups = list.groups[...]
        var count = 0
        var text = renderer.start()
        for try await post in list.posts {
            if let group = groups.first, count == 0 || post.group != currentGroup(list.groups, groups) {
                text += renderer.group(group)
                groups.removeFirst()
            }
            text += renderer.record(Record(post))
            count += 1
            // The crossing to the console is paid once for many records, but the first ones are shown at once.
            if text.utf8.count > Self.chunk {
                try await console.print(text)
                text = ""
            }
        }
        try await console.print(text + renderer.end())
        return count
    }

    private func currentGroup(_ all: [PostGroup], _ rest: ArraySlice<PostGroup>) -> String? {
        rest.startIndex > all.startIndex ? all[rest.startIndex - 1].name : nil
    }

    private static let chunk = 16_384
}
