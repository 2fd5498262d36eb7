import Model

/// Turns records into styled text, one at a time, so that a long list needs no more memory than a short one.
package protocol Renderer: Sendable {
    /// The text before the first record.
    mutating func start() -> StyledText
    /// The text before the first record of a group.
    mutating func group(_ group: PostGroup) -> StyledText
    /// One record.
    mutating func record(_ record: Record) -> StyledText
    /// One record in pieces.
    mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows
    /// Whether ``beginning(_:of:)`` can show an incomplete body.
    var takesParts: Bool { get }
    /// Whether a body must be complete before parts of it are written, because a truncated record would be useless.
    var isCompleteOnly: Bool { get }
    /// More text of a body that is still arriving; nil if nothing can be shown yet.
    ///
    /// ``record(_:)`` then gives the rest. If all of the body has arrived in this way, its record has none.
    mutating func beginning(_ text: String, of record: Record) -> StyledText?
    /// Forgets a body that never became complete.
    mutating func giveUp()
    /// A post whose body can't be fetched.
    mutating func summary(_ record: Record) -> StyledText
    /// One record whose comments follow.
    mutating func thread(_ record: Record) -> StyledText
    /// A comment on the last record, in depth-first order.
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
    package mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows {
        try give(self.record(record))
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

/// A renderer that writes a post line by line, as all of a long one would take many times its memory.
package protocol LineRenderer: Renderer {
    mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows
}

extension LineRenderer {
    package mutating func record(_ record: Record) -> StyledText {
        var text = StyledText()
        self.record(record) { text += $0 }
        return text
    }
}

/// The screen that renderers for people write to.
package struct Screen: Sendable {
    /// The columns to fill.
    package let width: Int
    /// Whether styles can be seen; otherwise marks stand for some of them.
    package let isColored: Bool
    /// Whether the terminal follows links.
    package let hasHyperlinks: Bool
    package let dates: DateText
    /// Whether pictures are shown.
    package let hasPictures: Bool
    /// Whether maps are drawn.
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

    /// A post needs at least as many columns.
    package static let minWidth = 20
}
