/// What a piece of output means; how that looks is the console's to say.
package enum Style: Hashable, Sendable {
    case title
    case groupTitle
    case author
    case muted
    case unread
    case saved
    case hit
    case heading(level: Int)
    case link
    case image
    case strong
    case emphasis
    case code
    case strike
    /// A place on a map.
    case mapMark
    /// A branch of a thread.
    case branch(depth: Int)

    /// What stands around text of a body that is so styled where there is no colour.
    var plainMarks: (String, String) {
        switch self {
        case .strong: ("**", "**")
        case .emphasis: ("*", "*")
        case .code: ("`", "`")
        case .strike: ("~~", "~~")
        case .image: ("[", "]")
        default: ("", "")
        }
    }
}
