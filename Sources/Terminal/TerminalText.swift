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
        return "\(escape)[\(run.styles.map(parameters).joined(separator: ";"))m\(text)\(escape)[0m"
    }

    /// Blue, green, yellow, magenta, cyan and red: neighbours that are far apart.
    private static let branchColors = [34, 32, 33, 35, 36, 31]

    private static let escape = "\u{1B}"

    /// What selects a style in "Select Graphic Rendition" (ECMA-48, 8.3.117).
    private static func parameters(_ style: Style) -> String {
        switch style {
        case .title: "1"
        case .groupTitle: "1;34"
        case .author: "36"
        case .muted: "2"
        case .unread: "34"
        case .saved: "33"
        case .hit: "1;31"
        case .heading(level: 1): "1;4;35"
        case .heading(level: 2): "1;35"
        case .heading(level: 3): "1"
        case .heading: "1;3"
        case .link: "4"
        case .image: "2"
        case .strong: "1"
        case .emphasis: "3"
        case .code: "32"
        case .strike: "9"
        case .mapMark: "1;31"
        case .branch(let depth): String(branchColors[depth % branchColors.count])
        }
    }
}
