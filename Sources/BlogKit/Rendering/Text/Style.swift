/// What a piece of output means; colours are chosen in this one place.
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

    private var code: String {
        switch self {
        case .title: "1"
        case .groupTitle: "1;34"
        case .author: "36"
        case .link: "4"
        case .muted: "2"
        case .unread: "34"
        case .saved: "33"
        case .hit: "1;31"
        }
    }

    /// The text in this style, or as it is where there is no colour or no text.
    package func callAsFunction(_ text: String, isColored: Bool) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
