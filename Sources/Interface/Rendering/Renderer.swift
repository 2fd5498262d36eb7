import BlogEssentials
import BlogMarkup
import BlogModel

/// Turns records into styled text, one at a time.
package protocol Renderer: Sendable {
    /// The text before the first record.
    mutating func start() -> StyledText
    /// The text after the last record.
    mutating func end() -> StyledText
}

extension Renderer {
    package mutating func start() -> StyledText { "" }
    package mutating func end() -> StyledText { "" }
}

/// Renders the posts of a list, which needs no more memory if it is long.
package protocol ListRenderer: Renderer {
    var form: ListForm { get }
    /// The heading of a group.
    mutating func group(_ group: PostGroup) -> StyledText
    mutating func record(_ record: Record) -> StyledText
    /// Appends a record in UTF-8, in a format for programs.
    mutating func write(_ record: Record, to data: inout [UInt8])
}

extension ListRenderer {
    package var form: ListForm { .data }
    package mutating func group(_ group: PostGroup) -> StyledText { "" }
    package mutating func write(_ record: Record, to data: inout [UInt8]) {
        data.append(text: self.record(record).plain)
    }
}

/// Renders a list for programs without a string for each record: see "as JSON" in Benchmarks/counts.tsv.
///
/// It must have its own ``ListRenderer/write(_:to:)``.
package protocol DataRenderer: ListRenderer {}

extension DataRenderer {
    package mutating func record(_ record: Record) -> StyledText {
        var data: [UInt8] = []
        write(record, to: &data)
        return StyledText(data.text)
    }
}

/// What a list looks like.
package enum ListForm: Sendable {
    /// Several lines a post.
    case cards
    /// One line a post.
    case rows
    case page
    /// A format for programs.
    case data
}

/// Renders whole posts with their comments.
package protocol PostRenderer: Renderer {
    /// Renders a post piece by piece, because the styled text of a long post takes many times its memory.
    ///
    /// Throws what `emit` throws.
    mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws
    /// Renders a comment on the last post; comments come in depth-first order.
    mutating func comment(_ comment: Comment) -> StyledText
    /// The text after the last comment.
    mutating func endThread() -> StyledText
}

extension PostRenderer {
    package mutating func comment(_ comment: Comment) -> StyledText { "" }
    package mutating func endThread() -> StyledText { "" }

    /// A post in one piece.
    package mutating func post(_ record: Record) throws -> StyledText {
        var text = StyledText()
        try post(record) { text += $0 }
        return text
    }
}

extension PostRenderer where Self: ListRenderer {
    package mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws {
        try emit(self.record(record))
    }
}

/// The terminal that text is laid out for.
package struct Screen: Sendable {
    /// The width in columns.
    package let width: Int
    /// Whether styles are visible; otherwise some of them are written as marks.
    package let isColored: Bool
    /// How links in bodies are shown.
    package let links: LinkMode
    package let dates: DateText
    package let hasPictures: Bool
    package let hasMaps: Bool

    package init(
        width: Int, isColored: Bool, links: LinkMode = .numbered, hasPictures: Bool = false, hasMaps: Bool = false,
        dates: DateText
    ) {
        self.hasPictures = hasPictures
        self.hasMaps = hasMaps
        self.width = max(width, Self.minWidth)
        self.isColored = isColored
        self.links = links
        self.dates = dates
    }

    package static let minWidth = 20

    /// An address, never wrapped, because a broken address can't be used.
    func link(_ address: String) -> StyledText {
        let text = StyledText(HostName.shown(in: address), .link)
        return links == .hyperlinks ? text.linked(to: address) : text
    }
}
