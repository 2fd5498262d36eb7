import BlogTerminal

/// What a key does; the raw value is its name in the settings, as in `key.save = S`.
package enum Action: String, CaseIterable, Sendable {
    case down, up, first, last
    case halfDown = "half-page-down"
    case halfUp = "half-page-up"
    case pageDown = "page-down"
    case pageUp = "page-up"
    case readOn = "read-on"
    case open
    case back
    case nextPost = "next-post"
    case previousPost = "previous-post"
    case next, previous
    case nextLinkOrPane = "forward"
    case previousLinkOrPane = "backward"
    case toggleRead = "mark"
    case markShown = "mark-shown"
    case markAbove = "mark-above"
    case markBelow = "mark-below"
    case undo
    case toggleSaved = "save"
    case label, rule
    case article, browser, discussion, copy, pipe
    case search, filter, sort
    case showAll = "all"
    case showUnread = "unread"
    case showSaved = "saved"
    case showHidden = "hidden"
    case fold
    case foldAll = "fold-all"
    case nextComment = "next-comment"
    case previousComment = "previous-comment"
    case refresh
    case refreshAll = "refresh-all"
    case sources
    case follow
    case editSource = "edit"
    case rename, folder, unfollow
    case split
    case command
    case help, redraw, suspend, quit

    /// Whether it is for posts, which must be on the screen.
    package var needsPosts: Bool {
        switch self {
        case .toggleRead, .toggleSaved, .label, .rule, .markShown, .markAbove, .markBelow, .browser, .discussion, .copy,
            .pipe, .article:
            true
        case .down, .up, .first, .last, .halfDown, .halfUp, .pageDown, .pageUp, .readOn, .open, .back, .nextPost,
            .previousPost, .next, .previous, .nextLinkOrPane, .previousLinkOrPane, .undo, .search, .filter, .sort,
            .showAll, .showUnread, .showSaved, .showHidden, .fold, .foldAll, .nextComment, .previousComment, .refresh,
            .refreshAll, .sources, .follow, .editSource, .rename, .folder, .unfollow, .split, .command, .help, .redraw,
            .suspend, .quit:
            false
        }
    }

    /// The default keys of each action and its line in the help, in the order of the help.
    private static let table: [(action: Action, keys: [Key], help: String)] = [
        (.down, [.character("j"), .down], "move down"),
        (.up, [.character("k"), .up], "move up"),
        (.first, [.character("g"), .home], "go to the beginning"),
        (.last, [.character("G"), .end], "go to the end"),
        (.halfDown, [.character("d"), .control("d")], "scroll down half a page"),
        (.halfUp, [.character("u"), .control("u")], "scroll up half a page"),
        (.pageDown, [.pageDown, .control("f")], "scroll down a page"),
        (.pageUp, [.pageUp, .character("b"), .control("b")], "scroll up a page"),
        (.readOn, [.character(" ")], "in a post: scroll down a page, then go to the next unread post; in a list: open"),
        (.open, [.enter, .character("l"), .right], "open"),
        (.back, [.character("q"), .character("h"), .left, .escape, .backspace], "go back; in the list, q quits"),
        (.nextPost, [.character("J")], "go to the next post"),
        (.previousPost, [.character("K")], "go to the previous post"),
        (.next, [.character("n")], "go to the next match in the post, or else the next unread post"),
        (.previous, [.character("N")], "go to the previous match, or else the previous unread post"),
        (.nextLinkOrPane, [.tab], "in a post: select the next link, which Enter shows; otherwise go to the next pane"),
        (.previousLinkOrPane, [.backTab], "go to the previous link or pane"),
        (.toggleRead, [.character("m")], "mark as read or unread"),
        (.markShown, [.character("A")], "mark all posts in the list as read, or those of the source under the cursor"),
        (.markAbove, [.character("[")], "mark the posts above the cursor as read"),
        (.markBelow, [.character("]")], "mark the posts below the cursor as read"),
        (.undo, [.character("U")], "undo the last mark, unfollowing or rule; repeat to undo earlier ones"),
        (.toggleSaved, [.character("s")], "save or unsave the post, or save the page behind the selected link"),
        (.label, [.character("t")], "give the post a label, or remove one; Tab completes it"),
        (.rule, [.character("M")], "make a rule that hides posts like this one: by its author, site or title"),
        (.article, [.character("x")], "show the linked article, or the post's own text again"),
        (.browser, [.character("o"), .character("v")], "open the selected link, or the post's page, in the browser"),
        (.discussion, [.character("c")], "open the post's discussion in the browser"),
        (.copy, [.character("y")], "copy the selected link, or the post's"),
        (.pipe, [.character("|")], "pipe the post to a command and show its output"),
        (.search, [.character("/")], "in a list: search its posts; in a post: find text"),
        (.filter, [.character("F")], "filter the list"),
        (.sort, [.character("S")], "sort and group the list"),
        (.showAll, [.character("1")], "show all posts"),
        (.showUnread, [.character("2")], "show unread posts"),
        (.showSaved, [.character("3")], "show saved posts"),
        (.showHidden, [.character("H")], "show the posts that rules hide"),
        (.fold, [.character("z")], "fold or unfold the replies to a comment"),
        (.foldAll, [.character("Z")], "fold or unfold all replies"),
        (.nextComment, [.character("}")], "go to the next top-level comment"),
        (.previousComment, [.character("{")], "go to the previous top-level comment"),
        (
            .refresh, [.character("r")],
            "show new posts; if there are none, refresh the list, or fetch the open post again"
        ),
        (.refreshAll, [.character("R")], "refresh all sources"),
        (.sources, [.character("\\")], "show or hide the sources"),
        (.follow, [.character("f")], "follow the feed or page at an address"),
        (.editSource, [.character("e")], "edit the settings of the source, such as its name, title and folder"),
        (.rename, [], "rename the source"),
        (.folder, [], "put the source into a folder"),
        (.unfollow, [], "unfollow the source"),
        (.split, [.character("w")], "show list and post side by side or one at a time"),
        (.command, [.character(":")], "type the name of an action, such as rename; Tab completes it"),
        (.help, [.character("?")], "show all keys"),
        (.redraw, [.control("l")], "redraw the screen"),
        (.suspend, [.control("z")], "suspend"),
        (.quit, [.character("Q"), .control("c")], "quit"),
    ]

    /// The default keys.
    package var defaultKeys: [Key] { Self.table.first { $0.action == self }?.keys ?? [] }

    package var help: String { Self.table.first { $0.action == self }?.help ?? "" }

    /// All actions, in the order of the help.
    package static var inOrder: [Action] { table.map(\.action) }
}

/// A shell command of the user's with a name, as in `command.play = mpv "$BLOG_ENCLOSURE"`.
package struct NamedCommand: Hashable, Sendable {
    package let name: String
    /// What the shell runs.
    package let text: String

    package init(name: String, text: String) {
        (self.name, self.text) = (name, text)
    }
}

/// The actions and the user's commands of all keys.
package struct KeyMap: Sendable {
    private var actions: [Key: Action] = [:]
    private var keysOfCommands: [Key: String] = [:]
    /// The user's commands by their names.
    package private(set) var commands: [String: NamedCommand] = [:]

    /// The default keys.
    package init() {
        for action in Action.allCases {
            for key in action.defaultKeys { actions[key] = action }
        }
    }

    package subscript(key: Key) -> Action? { actions[key] }

    /// The user's command with a key; nil for none.
    package func command(for key: Key) -> NamedCommand? { keysOfCommands[key].flatMap { commands[$0] } }

    package mutating func add(_ command: NamedCommand) { commands[command.name] = command }

    /// Replaces the keys of an action; other actions and commands lose these keys.
    package mutating func assign(_ keys: [Key], to action: Action) {
        actions = actions.filter { $0.value != action && !keys.contains($0.key) }
        keysOfCommands = keysOfCommands.filter { !keys.contains($0.key) }
        for key in keys { actions[key] = action }
    }

    /// The same for the keys of a command.
    package mutating func assign(_ keys: [Key], toCommandNamed name: String) {
        actions = actions.filter { !keys.contains($0.key) }
        keysOfCommands = keysOfCommands.filter { $0.value != name && !keys.contains($0.key) }
        for key in keys { keysOfCommands[key] = name }
    }

    /// The keys of a command.
    package func keys(ofCommandNamed name: String) -> [Key] {
        keysOfCommands.filter { $0.value == name }.keys.sorted { $0.name < $1.name }
    }

    /// The keys of an action, the default ones first.
    package func keys(of action: Action) -> [Key] {
        let keys = Set(actions.filter { $0.value == action }.keys)
        return action.defaultKeys.filter(keys.contains)
            + keys.subtracting(action.defaultKeys).sorted { $0.name < $1.name }
    }

    /// The name of an action's first key; "" if it has none.
    package func name(of action: Action) -> String { keys(of: action).first?.name ?? "" }
}
