import Markup
import Model

/// A snippet for a terminal, its hits in colour, or between `**` if there is none.
enum SnippetText {
    static func lines(_ snippet: Snippet, width: Int, isColored: Bool) -> [StyledText] {
        let mark = isColored ? "" : "**"
        return snippet.pieces.map { piece -> StyledText in
            let text = Sanitizer.line(piece.text)
            return piece.isHit ? StyledText(mark + text + mark, .hit) : StyledText(text)
        }.joined().wrapped(to: width)
    }
}
