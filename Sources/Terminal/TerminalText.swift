import Markup
import Rendering

/// Styled text as a terminal takes it; the only place with escape sequences.
///
/// Only the terminal's own 16 colours are used, so the user's theme decides how they look.
enum TerminalText {
    /// A run of a text, sanitized, with its styles and link as escape sequences if it is coloured.
    static func encoded(_ run: StyledText.Run, isColored: Bool) -> String {
        isColored ? encoded(run) : Sanitizer.output(run.text)
    }

    /// Moves the cursor to the start of the line and erases the line.
    static let eraseLine = "\r\(escape)[K"

    private static func encoded(_ run: StyledText.Run) -> String {
        var text = Sanitizer.output(run.text)
        if let link = run.link.flatMap({ LinkTarget.safe($0) }) {
            // https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
            text = "\(escape)]8;;\(link)\(escape)\\\(text)\(escape)]8;;\(escape)\\"
        }
        guard !run.styles.isEmpty else { return text }
        return "\(escape)[\(run.styles.map { Look([$0]).parameters }.joined(separator: ";"))m\(text)\(escape)[0m"
    }

    private static let escape = "\u{1B}"
}
