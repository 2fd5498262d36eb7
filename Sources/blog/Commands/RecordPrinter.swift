import BlogLibrary
import Model
import Rendering
import Store
import Terminal

/// Takes records one after the other to where they are shown.
struct RecordPrinter {
    let session: Session
    /// The record of a post.
    private let record: (ListedPost) -> Record
    /// Takes text; nil for the console.
    private let write: ((StyledText) -> Void)?

    /// Whether each group is a source.
    private let isBySource: Bool

    /// Prints on the console.
    init(session: Session, grouping: Grouping?) {
        self.init(session: session, grouping, record: { session.shown(Record($0), of: $0.source) }, write: nil)
    }

    /// Gives the text to `write`.
    init(
        session: Session, _ grouping: Grouping?, record: @escaping (ListedPost) -> Record,
        write: ((StyledText) -> Void)?
    ) {
        isBySource = grouping == .source
        self.session = session
        self.record = record
        self.write = write
    }

    /// How many posts were printed.
    struct Shown {
        var posts = 0
        var unread = 0
    }

    /// Prints a list with its groups.
    ///
    /// - Parameter isCareful: whether little is printed at once at first, so that a reader in a pipe who wants no more
    ///   can be noticed.
    func print(_ list: PostList, with renderer: any Renderer, isCareful: Bool = false) async throws -> Shown {
        var renderer = renderer
        let isForPeople = renderer is CardRenderer || renderer is TableRenderer || renderer is ListPageRenderer
        var groups = list.groups[...]
        var leftInGroup = 0
        var shown = Shown()
        var text = renderer.start()
        var printed = 0
        for try await post in list.posts {
            // Counted, and not compared: names that look the same to Swift may be two groups to the store.
            if leftInGroup == 0, let group = groups.popFirst() {
                text += renderer.group(isForPeople && isBySource ? session.heading(group) : group)
                leftInGroup = group.count
            }
            leftInGroup -= 1
            let shownRecord = record(post)
            await session.embedded?.prepare(post.source) {
                var probe = renderer
                _ = probe.record(shownRecord)
                _ = probe.end()
            }
            text += renderer.record(shownRecord)
            shown.posts += 1
            if !post.state.isRead { shown.unread += 1 }
            // The crossing to the console is paid once for many records, but the first ones are shown at once.
            let chunk = isCareful ? min(Self.chunk, printed / 8) : Self.chunk
            if list.isArriving || text.byteCount > chunk {
                printed += text.byteCount
                try await put(text, isUrgent: list.isArriving || isCareful)
                text = StyledText()
            }
        }
        try await put(text + renderer.end())
        return shown
    }

    private func put(_ text: StyledText, isUrgent: Bool = false) async throws {
        if let write { return write(text) }
        try await session.console.print(text)
        if isUrgent { try await session.console.flush() }
    }

    private static let chunk = 65_536
}
