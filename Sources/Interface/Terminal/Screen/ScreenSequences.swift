import BlogEssentials
import BlogMarkup

/// The control sequences of the full screen (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
///
/// Rows and columns count from 0 here, and from 1 in the sequences.
enum ScreenSequences {
    // MARK: Enter and leave

    /// Enters the alternate screen, and sets modes: the kitty keyboard protocol, bracketed paste, arrow keys for the mouse
    /// wheel, no wrapping (so that an error of width doesn't affect other rows), and no cursor; saves the title.
    ///
    /// The Linux console supports only two of these, and shows parts of unknown sequences.
    static func enter(_ capabilities: ScreenCapabilities) -> [UInt8] {
        if capabilities.isConsole { return controls("?7l", "?25l") }
        return controls("?1049h", ">1u", "?2004h", "?1007s", "?1007h", "?7l", "?25l", "22;2t")
    }

    /// Reverses ``enter(_:)``, even in the middle of a frame or of a link's address; clears the Linux console.
    static func leave(_ capabilities: ScreenCapabilities) -> [UInt8] {
        if capabilities.isConsole { return controls("?7h", "r", "0m", "H", "J", "?25h") }
        let strings = Array("\(escape)\\".utf8) + (capabilities.hasHyperlinks ? link(nil) : [])
        let modes = controls(
            "?2026l", "<u", "?2004l", "?1007r", "?1006l", "?1002l", "?7h", "r", "0m", "?25h", "23;2t", "?1049l")
        return strings + modes
    }

    /// Queries the colours if they are used, modes 2026 and 2027, the kitty keyboard protocol, and last what all terminals
    /// respond to (DA1).
    static func query(_ capabilities: ScreenCapabilities) -> [UInt8] {
        guard !capabilities.isConsole else { return [] }
        let colors =
            capabilities.isColored ? command(TerminalColors.query) + command(TerminalColors.backgroundQuery) : []
        return colors + controls("?2026$p", "?2027$p", "?u", "c")
    }

    // MARK: Frames

    static let beginFrame = controls("?2026h")
    static let endFrame = controls("?2026l")
    static let hideCursor = controls("?25l")
    static let showCursor = controls("?25h")
    static let eraseRestOfRow = controls("K")
    static let nextRow = controls("E")

    static func position(row: Int, column: Int) -> [UInt8] {
        if column == 0 { return controls(row == 0 ? "H" : "\(row + 1)H") }
        return controls("\(row + 1);\(column + 1)H")
    }

    static func column(_ column: Int) -> [UInt8] { controls(column == 0 ? "G" : "\(column + 1)G") }

    /// Scrolls rows, up if the distance is positive, within margins that are reset again.
    static func scroll(_ rows: ClosedRange<Int>, by distance: Int) -> [UInt8] {
        let count = abs(distance) == 1 ? "" : "\(abs(distance))"
        return controls(
            "\(rows.lowerBound + 1);\(rows.upperBound + 1)r", "\(count)\(distance > 0 ? "S" : "T")", "r")
    }

    /// Selects a look, given the current one.
    static func look(_ look: Look, after last: Look) -> [UInt8] {
        let parameters = look.parameters
        if parameters.isEmpty { return controls("m") }
        return controls("\(last == Look() ? "" : "0;")\(parameters)m")
    }

    /// Begins or ends a hyperlink (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    ///
    /// - Parameter target: a safe address; nil to end the link.
    static func link(_ target: String?) -> [UInt8] { command("8;;\(target ?? "")") }

    // MARK: Window

    static func title(_ text: String) -> [UInt8] {
        command("2;\(Sanitizer.line(text).prefix(maxTitle))")
    }

    /// Copies a text to the clipboard; empty for one that xterm would truncate.
    static func copy(_ text: String) -> [UInt8] {
        guard text.utf8.count <= maxCopy else { return [] }
        return command("52;c;\(Data(text.utf8).base64EncodedString())")
    }

    private static func controls(_ sequences: String...) -> [UInt8] {
        sequences.flatMap { Array("\(escape)[\($0)".utf8) }
    }

    private static func command(_ text: String) -> [UInt8] { Array("\(escape)]\(text)\(escape)\\".utf8) }

    private static let escape = "\u{1B}"
    private static let maxTitle = 200
    private static let maxCopy = 74_994
}
