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
