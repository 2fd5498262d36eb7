import BlogCommandLine
import BlogRendering
import BlogTerminal

/// The help of the line dialogue.
enum LineHelp {
    static func text(_ keys: KeyMap, columns: Int) -> TextPane {
        let rows = typed + actions.map { (words(for: $0, keys), ownHelp[$0] ?? $0.help) }
        let lines = rows.flatMap { command, help in
            TextLayout.wrap("\(command): \(help)", width: columns).map { StyledText($0) }
        }
        return TextPane(title: "Commands", lines: lines)
    }

    /// Commands other than actions.
    private static let typed = [
        ("3", "read post 3 of the list, or list source 3"),
        ("more, or an empty line", "the next ten posts; in a post, the next part, then the next unread post"),
        ("link 2", "read the page behind link 2 of the post"),
        ("s 3", "save post 3; other commands on posts take a number, too"),
        ("/WORDS", "in a list: search its posts; in a post: find text"),
        ("label 3 LABEL", "give post 3 a label, or remove it; without a number, the current post"),
        ("F WORDS", "filter the list; F alone shows all posts again"),
        ("| COMMAND", "pipe the post to a command and show its output"),
    ]

    /// The actions that make sense without a screen.
    private static let actions: [Action] = [
        .nextPost, .previousPost, .next, .previous, .first, .last, .back, .toggleRead, .markShown, .markAbove,
        .markBelow, .undo, .toggleSaved, .label, .rule, .article, .browser, .discussion, .copy, .sort, .showAll,
        .showUnread,
        .showSaved, .showHidden, .fold, .foldAll, .nextComment, .previousComment, .refresh, .refreshAll, .sources,
        .follow,
        .editSource, .rename, .folder, .unfollow, .help, .quit,
    ]

    private static let ownHelp: [Action: String] = [
        .copy: "show the post's link", .sources: "list the sources", .help: "show all commands",
        .markAbove: "mark the posts above a post as read, as in mark-above 5",
        .markBelow: "mark the posts below a post as read, as in mark-below 5",
    ]

    /// The first letter for an action, and its name; digits are numbers of posts.
    private static func words(for action: Action, _ keys: KeyMap) -> String {
        let letters = keys.keys(of: action).compactMap { key in
            if case .character(let letter) = key, !letter.isNumber, letter != " " { String(letter) } else { nil }
        }
        return (letters.prefix(1) + [action.rawValue]).joined(separator: " or ")
    }
}
