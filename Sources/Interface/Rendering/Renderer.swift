import BlogModel

/// Turns records into styled text, one at a time, so that a long list needs no more memory than a short one.
package protocol Renderer: Sendable {
    /// The text before the first record.
    mutating func start() -> StyledText
    /// The heading of a group.
    mutating func group(_ group: PostGroup) -> StyledText
    mutating func record(_ record: Record) -> StyledText
    /// Renders a record chunk by chunk.
    mutating func record(_ record: Record, _ emit: (StyledText) throws -> Void) rethrows
    /// Whether ``beginning(_:of:)`` can render an incomplete body.
    var takesParts: Bool { get }
    /// Whether parts of a body are written only once all of it has been fetched, because a truncated record is useless.
    var isCompleteOnly: Bool { get }
    /// Renders the next part of a body that is still being fetched; nil if nothing can be shown yet.
    ///
    /// ``record(_:)`` then renders the rest: of its record's body, or if that is nil, of the parts so far.
    mutating func beginning(_ text: String, of record: Record) -> StyledText?
    /// Discards a body that couldn't be fetched completely.
    mutating func giveUp()
    /// Renders a post whose body couldn't be fetched.
    mutating func summary(_ record: Record) -> StyledText
    /// Renders a record whose comments follow.
    mutating func thread(_ record: Record) -> StyledText
    /// Renders a comment on the last record; comments come in depth-first order.
    mutating func comment(_ comment: Comment) -> StyledText
    /// The text after the last comment.
    mutating func endThread() -> StyledText
    /// The text after the last record.
    mutating func end() -> StyledText
}

extension Renderer {
    package mutating func start() -> StyledText { "" }
    package mutating func summary(_ record: Record) -> StyledText { self.record(record) }
    package mutating func group(_ group: PostGroup) -> StyledText { "" }
    package mutating func record(_ record: Record, _ emit: (StyledText) throws -> Void) rethrows {
        try emit(self.record(record))
    }
    package var takesParts: Bool { false }
    package var isCompleteOnly: Bool { false }
    package mutating func beginning(_ text: String, of record: Record) -> StyledText? { nil }
    package mutating func giveUp() {}
    package mutating func thread(_ record: Record) -> StyledText { self.record(record) }
    package mutating func comment(_ comment: Comment) -> StyledText { "" }
    package mutating func endThread() -> StyledText { "" }
    package mutating func end() -> StyledText { "" }
}

/// A renderer that writes a post line by line, because the styled text of a long post takes many times its memory.
package protocol LineRenderer: Renderer {}

extension LineRenderer {
    package mutating func record(_ record: Record) -> StyledText {
        var text = StyledText()
        self.record(record) { text += $0 }
        return text
    }

    package mutating func summary(_ record: Record) -> StyledText { self.record(record.withSummaryAsBody) }
}

/// The terminal that text is laid out for.
package struct Screen: Sendable {
    /// The width in columns.
    package let width: Int
    /// Whether styles are visible; otherwise some of them are written as marks.
    package let isColored: Bool
    /// Whether the terminal supports hyperlinks.
    package let hasHyperlinks: Bool
    package let dates: DateText
    package let hasPictures: Bool
    package let hasMaps: Bool

    package init(
        width: Int, isColored: Bool, hasHyperlinks: Bool = false, hasPictures: Bool = false, hasMaps: Bool = false,
        dates: DateText
    ) {
        self.hasPictures = hasPictures
        self.hasMaps = hasMaps
        self.width = max(width, Self.minWidth)
        self.isColored = isColored
        self.hasHyperlinks = hasHyperlinks
        self.dates = dates
    }

    package static let minWidth = 20

    /// An address, never wrapped, because a broken address can't be used.
    func link(_ address: String) -> StyledText {
        let text = StyledText(address, .link)
        return hasHyperlinks ? text.linked(to: address) : text
    }
}
