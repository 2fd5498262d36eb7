import BlogLibrary
import BlogModel

/// Prints a list with its groups.
package struct ListPrinter {
    private let presentation: Presentation
    /// The pictures to embed in pages; nil for none.
    private let embedded: EmbeddedPictures?
    private let grouping: Grouping?
    private let output: any TextOutput
    private let record: (StoredPost) -> Record

    package init(
        _ presentation: Presentation, embedded: EmbeddedPictures?, by grouping: Grouping?,
        to output: any TextOutput, record: ((StoredPost) -> Record)? = nil
    ) {
        self.presentation = presentation
        self.embedded = embedded
        self.grouping = grouping
        self.output = output
        self.record = record ?? presentation.records()
    }

    package struct Printed: Sendable {
        package var posts = 0
        package var unread = 0
    }

    /// Prints a list.
    ///
    /// - Parameter isCareful: whether the first chunks are small, to notice early if the reader of a pipe stops.
    package func print(
        _ list: PostList, with renderer: any ListRenderer, isCareful: Bool = false
    ) async throws -> Printed {
        var renderer = renderer
        // Programs get the names that can be typed.
        let hasTitles = grouping == .source && renderer.form != .data
        var groups = list.groups[...]
        var leftInGroup = 0
        var printed = Printed()
        var text = renderer.start()
        var bytes = 0
        var posts = list.posts.makeAsyncIterator()
        var batch = try await posts.nextBatch()
        while let post = batch.popFirst() {
            // By count, because names that are equal in Swift may be different groups in the store.
            if leftInGroup == 0, let group = groups.popFirst() {
                let name = hasTitles ? presentation.heading(group.name, of: post.source) : group.name
                text += renderer.group(PostGroup(name: name, count: group.count))
                leftInGroup = group.count
            }
            leftInGroup -= 1
            let record = record(post)
            await embedded?.fetch(record.picturesOfCard, of: post.source)
            text += renderer.record(record)
            printed.posts += 1
            if !post.state.isRead { printed.unread += 1 }
            // Records are sent to the console in chunks, but the first ones are shown at once.
            let chunk = isCareful ? min(Self.chunk, bytes / 8) : Self.chunk
            if list.isArriving || text.byteCount > chunk {
                bytes += text.byteCount
                try await output.print(text)
                if list.isArriving || isCareful { try await output.flush() }
                text = StyledText()
            }
            if batch.isEmpty { batch = try await posts.nextBatch() }
        }
        try await output.print(text + renderer.end())
        return printed
    }

    private static let chunk = 65_536
}

/// A destination for the text of posts and lists.
package protocol TextOutput: Actor {
    func print(_ text: StyledText) throws
    /// Shows everything printed so far.
    func flush() throws
}

extension TextOutput {
    /// Prints a post piece by piece; returns the renderer with its new state.
    ///
    /// Throws what printing throws, or a ``StoreError`` if the body can't be read.
    package func print(_ record: Record, with renderer: any PostRenderer) throws -> any PostRenderer {
        var renderer = renderer
        try renderer.post(record) { try self.print($0) }
        return renderer
    }
}

/// Collects text in memory.
package actor TextBuffer: TextOutput {
    package private(set) var text = ""

    package init() {}

    package func print(_ text: StyledText) { self.text += text.plain }

    package func flush() {}
}
