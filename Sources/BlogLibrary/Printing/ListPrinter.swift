import Model
import Rendering
import Store

/// Prints a list with its groups.
package struct ListPrinter {
    private let presentation: Presentation
    /// The pictures to embed in pages; nil for none.
    private let embedded: EmbeddedPictures?
    private let grouping: Grouping?
    private let output: any TextOutput
    /// The record of a post.
    private let record: (ListedPost) -> Record

    package init(
        _ presentation: Presentation, embedded: EmbeddedPictures?, by grouping: Grouping?,
        to output: any TextOutput, record: ((ListedPost) -> Record)? = nil
    ) {
        self.presentation = presentation
        self.embedded = embedded
        self.grouping = grouping
        self.output = output
        self.record = record ?? presentation.record
    }

    /// How many posts were printed.
    package struct Printed: Sendable {
        package var posts = 0
        package var unread = 0
    }

    /// Prints a list with its groups.
    ///
    /// - Parameter isCareful: whether the first pieces are small, so that a reader in a pipe who leaves early is noticed.
    package func print(
        _ list: PostList, with renderer: any Renderer, isCareful: Bool = false
    ) async throws -> Printed {
        var renderer = renderer
        let hasTitles =
            grouping == .source
            && (renderer is CardRenderer || renderer is TableRenderer || renderer is ListPageRenderer)
        var groups = list.groups[...]
        var leftInGroup = 0
        var printed = Printed()
        var text = renderer.start()
        var bytes = 0
        for try await post in list.posts {
            // Counted, and not compared: names that look the same to Swift may be two groups to the store.
            if leftInGroup == 0, let group = groups.popFirst() {
                text += renderer.group(hasTitles ? presentation.heading(group) : group)
                leftInGroup = group.count
            }
            leftInGroup -= 1
            let record = record(post)
            await embedded?.prepare(post.source) {
                var probe = renderer
                _ = probe.record(record)
                _ = probe.end()
            }
            text += renderer.record(record)
            printed.posts += 1
            if !post.state.isRead { printed.unread += 1 }
            // The crossing to the console is paid once for many records, but the first ones are shown at once.
            let chunk = isCareful ? min(Self.chunk, bytes / 8) : Self.chunk
            if list.isArriving || text.byteCount > chunk {
                bytes += text.byteCount
                try await output.print(text)
                if list.isArriving || isCareful { try await output.flush() }
                text = StyledText()
            }
        }
        try await output.print(text + renderer.end())
        return printed
    }

    private static let chunk = 65_536
}
