/// A piece of a post around search terms.
public struct Snippet: Hashable, Sendable {
    /// The text in pieces, as published, "…" where it was cut.
    public let pieces: [Piece]

    /// A run of text that is a hit or isn't.
    public struct Piece: Hashable, Sendable {
        /// The text.
        public let text: String
        /// Whether it is what was searched for.
        public let isHit: Bool

        package init(text: String, isHit: Bool) {
            self.text = text
            self.isHit = isHit
        }
    }

    package init(pieces: [Piece]) {
        self.pieces = pieces
    }

    /// The text with each hit between two marks.
    public func marked(_ start: String, _ end: String) -> String {
        pieces.map { $0.isHit ? start + $0.text + end : $0.text }.joined()
    }
}
