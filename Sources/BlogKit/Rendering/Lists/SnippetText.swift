/// A snippet as lines for a terminal, its hits in colour, or between `**` if there is none.
enum SnippetText {
    static func lines(_ snippet: Snippet, width: Int, isColored: Bool) -> [String] {
        let pieces = snippet.pieces.map { Snippet.Piece(text: Sanitizer.line($0.text), isHit: $0.isHit) }
        let clean = Snippet(pieces: pieces)
        guard isColored else { return TextLayout.wrap(clean.marked("**", "**"), width: width) }
        // Wrapped with marks that take no column, as colours take none; a hit that is broken is coloured on both lines.
        var isInHit = false
        return TextLayout.wrap(clean.marked(String(start), String(end)), width: width).map { line in
            var result = ""
            var run = ""
            func endRun() {
                result += isInHit ? Style.hit(run, isColored: true) : run
                run = ""
            }
            for character in line {
                guard character == start || character == end else {
                    run.append(character)
                    continue
                }
                endRun()
                isInHit = character == start
            }
            endRun()
            return result
        }
    }

    /// Interlinear annotation marks: invisible, of no width, and in no text for people.
    private static let start: Character = "\u{FFF9}"
    private static let end: Character = "\u{FFFB}"
}
