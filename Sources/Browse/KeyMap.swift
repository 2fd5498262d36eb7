import Terminal

/// What a key does; the settings call it by its raw value: `key.save = S`.
package enum Action: String, CaseIterable, Sendable {
    case down, up, first, last
    case halfDown = "half-page-down"
    case halfUp = "half-page-up"
    case pageDown = "page-down"
    case pageUp = "page-up"
    case readOn = "read-on"
    case open, back
    case nextPost = "next-post"
    case previousPost = "previous-post"
    case next, previous
    case forward, backward
    case toggleRead = "mark"
    case markShown = "mark-shown"
    case markAbove = "mark-above"
    case markBelow = "mark-below"
    case undo, save, browser, discussion, copy, pipe
    case search, filter
    case showAll = "all"
    case showUnread = "unread"
    case showSaved = "saved"
    case fold
    case foldAll = "fold-all"
    case nextComment = "next-comment"
    case previousComment = "previous-comment"
    case refresh
    case refreshAll = "refresh-all"
    case sources, split, help, redraw, suspend, quit

    /// The keys it has unless the settings say otherwise, and its line in the help.
    private static let table: [(action: Action, keys: [Key], help: String)] = [
        (.down, [.character("j"), .down], "down"),
        (.up, [.character("k"), .up], "up"),
        (.first, [.character("g"), .home], "to the beginning"),
        (.last, [.character("G"), .end], "to the end"),
        (.halfDown, [.character("d"), .control("d")], "half a page down"),
        (.halfUp, [.character("u"), .control("u")], "half a page up"),
        (.pageDown, [.pageDown, .control("f")], "a page down"),
        (.pageUp, [.pageUp, .character("b"), .control("b")], "a page up"),
        (.readOn, [.character(" ")], "in a post: a page down, at its end the next unread post; in a list: open"),
        (.open, [.enter, .character("l"), .right], "open"),
        (.back, [.character("q"), .character("h"), .left, .escape, .backspace], "back; in the list: quit"),
        (.nextPost, [.character("J")], "the next post"),
        (.previousPost, [.character("K")], "the previous post"),
        (.next, [.character("n")], "the next match of a search, else the next unread post, leaving this one unmarked"),
        (.previous, [.character("N")], "the previous match, else the previous unread post"),
        (.forward, [.tab], "in a post: the next link, which Enter opens; else the next pane"),
        (.backward, [.backTab], "the previous link or pane"),
        (.toggleRead, [.character("m")], "mark as read or unread"),
        (.markShown, [.character("A")], "mark everything in the list as read"),
        (.markAbove, [.character("[")], "mark the posts above as read"),
        (.markBelow, [.character("]")], "mark the posts below as read"),
        (.undo, [.character("U")], "undo the last mark, any number of times"),
        (.save, [.character("s")], "save, or no longer save"),
        (.browser, [.character("o"), .character("v")], "open the post's page in the browser"),
        (.discussion, [.character("c")], "open its discussion in the browser"),
        (.copy, [.character("y")], "copy the link"),
        (.pipe, [.character("|")], "send the post to a command, and show its output"),
        (.search, [.character("/")], "in a list: search all stored posts; in a post: find text"),
        (.filter, [.character("F")], "filter the list"),
        (.showAll, [.character("1")], "all posts; in a post, 1 to 9 open links"),
        (.showUnread, [.character("2")], "unread posts"),
        (.showSaved, [.character("3")], "saved posts"),
        (.fold, [.character("z")], "fold or unfold the replies to a comment"),
        (.foldAll, [.character("Z")], "fold or unfold all replies"),
        (.nextComment, [.character("}")], "the next comment on the post itself"),
        (.previousComment, [.character("{")], "the previous one"),
        (.refresh, [.character("r")], "show new posts, or refresh this source"),
        (.refreshAll, [.character("R")], "refresh all sources"),
        (.sources, [.character("\\")], "show or hide the sources"),
        (.split, [.character("w")], "show list and post side by side, or one at a time"),
        (.help, [.character("?")], "all keys"),
        (.redraw, [.control("l")], "redraw the screen"),
        (.suspend, [.control("z")], "suspend"),
        (.quit, [.character("Q"), .control("c")], "quit"),
    ]

    /// The keys it has unless the settings say otherwise.
    package var usualKeys: [Key] { Self.table.first { $0.action == self }?.keys ?? [] }

    /// Its line in the help.
    package var help: String { Self.table.first { $0.action == self }?.help ?? "" }

    /// All actions in the order of the help.
    package static var inOrder: [Action] { table.map(\.action) }
}

/// Which action each key has.
package struct KeyMap: Sendable {
    private var actions: [Key: Action] = [:]

    /// The usual keys.
    package init() {
        for action in Action.allCases {
            for key in action.usualKeys { actions[key] = action }
        }
    }

    package subscript(key: Key) -> Action? { actions[key] }

    /// Gives an action these keys in place of its own, and takes them from others.
    package mutating func assign(_ keys: [Key], to action: Action) {
        actions = actions.filter { $0.value != action }
        for key in keys { actions[key] = action }
    }

    /// The keys of an action, the usual ones first.
    package func keys(of action: Action) -> [Key] {
        let keys = Set(actions.filter { $0.value == action }.keys)
        return action.usualKeys.filter(keys.contains)
            + keys.subtracting(action.usualKeys).sorted { $0.name < $1.name }
    }

    /// The name of an action's first key, for a hint; "" if it has none.
    package func name(of action: Action) -> String { keys(of: action).first?.name ?? "" }
}
