import Essentials
import Markup

/// The control sequences of the full screen (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
///
/// Rows and columns count from 0 here, and from 1 in the sequences.
enum ScreenSequences {
    // MARK: Enter and leave

    /// Takes the terminal over: the alternate screen with its own stack of key modes, pasted text in brackets, the mouse
    /// wheel as arrow keys, no wrapping at the end of a row, so that an error of width stays in its row, no cursor, and a
    /// title of our own.
    ///
    /// The Linux console has none of that but rows and a cursor, and shows parts of what it doesn't know.
    static func enter(_ capabilities: ScreenCapabilities) -> [UInt8] {
        if capabilities.isConsole { return controls("?7l", "?25l") }
        return controls("?1049h", ">1u", "?2004h", "?1007s", "?1007h", "?7l", "?25l", "22;2t")
    }

    /// Gives it back, also in the middle of a frame, and even of a link's address; the Linux console is left empty.
    static func leave(_ capabilities: ScreenCapabilities) -> [UInt8] {
        if capabilities.isConsole { return controls("?7h", "r", "0m", "H", "J", "?25h") }
        let strings = Array("\(escape)\\".utf8) + (capabilities.hasHyperlinks ? link(nil) : [])
        let modes = controls(
            "?2026l", "<u", "?2004l", "?1007r", "?1006l", "?1002l", "?7h", "r", "0m", "?25h", "23;2t", "?1049l")
        return strings + modes
    }

    /// Asks for modes 2026 and 2027 and the kitty protocol, and last for what every terminal answers (DA1).
    static func query(_ capabilities: ScreenCapabilities) -> [UInt8] {
        capabilities.isConsole ? [] : controls("?2026$p", "?2027$p", "?u", "c")
    }

    // MARK: Frames

    static let beginFrame = controls("?2026h")
    static let endFrame = controls("?2026l")
    static let hideCursor = controls("?25l")
    static let showCursor = controls("?25h")
    static let eraseRestOfRow = controls("K")
    /// Goes to the start of the next row.
    static let nextRow = controls("E")

    static func position(row: Int, column: Int) -> [UInt8] {
        if column == 0 { return controls(row == 0 ? "H" : "\(row + 1)H") }
        return controls("\(row + 1);\(column + 1)H")
    }

    /// Goes to a column of the same row.
    static func column(_ column: Int) -> [UInt8] { controls(column == 0 ? "G" : "\(column + 1)G") }

    /// Scrolls rows, up if the distance is positive, within margins that are taken away again.
    static func scroll(_ rows: ClosedRange<Int>, by distance: Int) -> [UInt8] {
        let count = abs(distance) == 1 ? "" : "\(abs(distance))"
        return controls(
            "\(rows.lowerBound + 1);\(rows.upperBound + 1)r", "\(count)\(distance > 0 ? "S" : "T")", "r")
    }

    /// Selects a look, given the one that is selected.
    static func look(_ look: Look, after last: Look) -> [UInt8] {
        let parameters = look.parameters
        if parameters.isEmpty { return controls("m") }
        return controls("\(last == Look() ? "" : "0;")\(parameters)m")
    }

    /// Begins a link, or ends it (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    ///
    /// - Parameter target: a safe address; nil for none.
    static func link(_ target: String?) -> [UInt8] { command("8;;\(target ?? "")") }

    // MARK: Around the screen

    /// Sets the window's title.
    static func title(_ text: String) -> [UInt8] {
        command("2;\(Sanitizer.line(text).prefix(maxTitle))")
    }

    /// Copies a text to the clipboard; nothing for one that terminals would cut off.
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
    /// What xterm takes.
    private static let maxCopy = 74_994
}
