import Model

/// Turns records into styled text, one at a time, so that a long list needs no more memory than a short one.
package protocol Renderer: Sendable {
    /// What comes before the first record.
    mutating func start() -> StyledText
    /// What comes before the first record of a group.
    mutating func group(_ group: PostGroup) -> StyledText
    /// One record.
    mutating func record(_ record: Record) -> StyledText
    /// One record piece by piece: a long text with its styles takes many times its memory.
    mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows
    /// Whether ``beginning(_:of:)`` can show an incomplete body.
    var takesParts: Bool { get }
    /// Whether it takes parts only of a complete body, because a truncated record would be useless.
    var isCompleteOnly: Bool { get }
    /// The first lines of a body whose rest is still arriving; nil if it can only be shown whole.
    ///
    /// ``record(_:)`` then gives what is left of it; where all of it came in this way, of a record without a body.
    mutating func beginning(_ text: String, of record: Record) -> StyledText?
    /// Forgets a body whose rest did not come.
    mutating func giveUp()
    /// What is known of a post whose body can't be fetched.
    mutating func summary(_ record: Record) -> StyledText
    /// One record whose comments follow.
    mutating func thread(_ record: Record) -> StyledText
    /// A comment on the last record: each before its replies, those before its siblings.
    mutating func comment(_ comment: Comment) -> StyledText
    /// What comes after the last comment.
    mutating func endThread() -> StyledText
    /// What comes after the last record.
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

/// What renderers for people need to know of where they write.
package struct Screen: Sendable {
    /// The columns to fill.
    package let width: Int
    /// Whether styles can be seen; if not, marks stand for some of them.
    package let isColored: Bool
    /// Whether the terminal follows links.
    package let hasHyperlinks: Bool
    package let dates: DateText
    /// Whether the places of pictures are wanted.
    package let hasPictures: Bool
    /// Whether a map can be drawn with characters.
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

    /// Fewer columns hold no post.
    package static let minWidth = 20
}
