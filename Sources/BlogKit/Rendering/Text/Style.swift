/// What a piece of output means; this is the only file with colours and escape sequences.
///
/// Only the terminal's own 16 colours are used, so the user's theme decides how they look.
package enum Style: Sendable {
    case title
    case groupTitle
    case author
    case link
    case muted
    case unread
    case saved
    case hit
    case strong
    case emphasis
    case code
    case strike
    case heading
    case mainHeading

    private var parameters: String {
        switch self {
        case .title: "1"
        case .groupTitle: "1;34"
        case .author: "36"
        case .link: "4"
        case .muted: "2"
        case .unread: "34"
        case .saved: "33"
        case .hit: "1;31"
        case .strong: "1"
        case .emphasis: "3"
        case .code: "36"
        case .strike: "9"
        case .heading: "1"
        case .mainHeading: "1;35"
        }
    }

    /// The text in this style; unchanged if it is empty or `isColored` is false.
    package func callAsFunction(_ text: String, isColored: Bool) -> String {
        isColored && !text.isEmpty ? Self.start([self]) + text + Self.reset : text
    }

    /// The sequence that switches on all of some styles; "" for none.
    static func start(_ styles: [Style]) -> String {
        styles.isEmpty ? "" : "\u{1B}[\(styles.map(\.parameters).joined(separator: ";"))m"
    }

    /// The sequence that switches off all styles.
    static let reset = "\u{1B}[0m"

    /// The start of an OSC 8 hyperlink (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
    static func linkStart(_ target: String) -> String { "\u{1B}]8;;\(target)\u{1B}\\" }

    /// The end of an OSC 8 hyperlink.
    static let linkEnd = linkStart("")

    /// Moves the cursor to the start of the line and erases the line.
    package static let eraseLine = "\r\u{1B}[K"

    /// The text without the sequences of styles and hyperlinks.
    static func removed(from text: String) -> String {
        guard text.utf8.contains(0x1B) else { return text }
        let sequence = #/\u{1B}\[[0-9;]*m|\u{1B}\]8;;[^\u{1B}]*\u{1B}\\/#
        // Matched by scalars: as a Character, the last letter of a sequence would include a combining mark after it.
        return text.replacing(sequence.matchingSemantics(.unicodeScalar), with: "")
    }
}
