import BlogLibrary
import BlogMarkup
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
        var chunk = ListChunk(isData: renderer.form == .data)
        chunk.append(renderer.start())
        var bytes = 0
        var posts = list.posts.makeAsyncIterator()
        var batch = try await posts.nextBatch()
        while let post = batch.popFirst() {
            // By count, because names that are equal in Swift may be different groups in the store.
            if leftInGroup == 0, let group = groups.popFirst() {
                let name = hasTitles ? presentation.heading(group.name, of: post.source) : group.name
                chunk.append(renderer.group(PostGroup(name: name, count: group.count)))
                leftInGroup = group.count
            }
            leftInGroup -= 1
            let record = record(post)
            await embedded?.fetch(record.picturesOfCard, of: post.source)
            chunk.append(record, by: &renderer)
            printed.posts += 1
            if !post.state.isRead { printed.unread += 1 }
            // Records are sent to the console in chunks; those that arrive, or that a reader may not take, at once.
            let size = isCareful ? min(Self.chunk, bytes / 8) : Self.chunk
            if list.isArriving || chunk.byteCount > size {
                bytes += chunk.byteCount
                try await chunk.print(to: output)
                if list.isArriving || isCareful { try await output.flush() }
            }
            if batch.isEmpty { batch = try await posts.nextBatch() }
        }
        chunk.append(renderer.end())
        try await chunk.print(to: output)
        return printed
    }

    private static let chunk = 65_536
}

/// Text of a list that is printed together: styled, or data.
private struct ListChunk {
    private let isData: Bool
    private var text = StyledText()
    private var data: [UInt8] = []

    init(isData: Bool) { self.isData = isData }

    var byteCount: Int { isData ? data.count : text.byteCount }

    mutating func append(_ added: StyledText) {
        if isData { data.append(text: added.plain) } else { text += added }
    }

    mutating func append(_ record: Record, by renderer: inout any ListRenderer) {
        if isData { renderer.write(record, to: &data) } else { text += renderer.record(record) }
    }

    /// Prints and removes the text.
    mutating func print(to output: any TextOutput) async throws {
        if isData {
            let printed = data
            data = []
            try await output.print(data: printed)
        } else {
            let printed = text
            text = StyledText()
            try await output.print(printed)
        }
    }
}

/// A destination for the text of posts and lists.
package protocol TextOutput: Actor {
    func print(_ text: StyledText) throws
    /// Prints text without styles, in valid UTF-8.
    func print(data: [UInt8]) throws
    /// Shows everything printed so far.
    func flush() throws
}

extension TextOutput {
    package func print(data: [UInt8]) throws { try print(StyledText(data.text)) }

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
