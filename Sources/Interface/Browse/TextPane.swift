import BlogCommandLine
import BlogRendering
import BlogTerminal

/// Text on top of the panes: the help, or the output of a command.
package struct TextPane: TextScrolling, Sendable {
    package let title: String
    let lines: [StyledText]
    var viewport = Viewport()
    var search: LineSearch?

    var lineCount: Int { lines.count }
    func line(_ number: Int) -> StyledText { lines[number] }

    mutating func resize(_ height: Int) {
        viewport.height = height
        move(by: 0)
    }

    mutating func move(to line: Int) { viewport.top = min(max(line, 0), viewport.lastTop(of: lines.count)) }
    mutating func move(by count: Int) { move(to: viewport.top + count) }

    func draw(in frame: inout Frame, _ area: Area) {
        let marked = search?.marked ?? MarkedWords()
        for (row, line) in lines[visibleLines].prefix(area.height).enumerated() {
            frame.write(marked.marking(line), line: row, in: area)
        }
    }
}

extension TextPane {
    /// All keys: first those that everybody needs, then those of the focused pane.
    static func help(_ keys: KeyMap, in focus: BrowseState.Focus, width: Int) -> TextPane {
        let actions = Action.inOrder.map { action in
            let names = keys.keys(of: action).map(\.name).joined(separator: " ")
            // What has no key can be typed.
            return (action: action, names: names.isEmpty ? ":\(action.rawValue)" : names, help: action.help)
        }
        let commands = keys.commands.values.sorted { $0.name < $1.name }.map { command in
            let names = keys.keys(ofCommandNamed: command.name).map(\.name).joined(separator: " ")
            return (names: names.isEmpty ? ":\(command.name)" : names, help: command.text)
        }
        let namesWidth = (actions.map(\.names.count) + commands.map(\.names.count)).max() ?? 0
        func lines(_ names: String, _ help: String) -> [StyledText] {
            TextLayout.wrap(help, width: max(width - namesWidth - 4, 20)).enumerated().map { number, text in
                let name = StyledText(number == 0 ? names : "", .strong).padded(to: namesWidth)
                return "  " + name + "  " + StyledText(text)
            }
        }
        func section(_ title: String, _ isIncluded: (Action) -> Bool) -> [StyledText] {
            [StyledText(title, .groupTitle)]
                + actions.filter { isIncluded($0.action) }.flatMap { lines($0.names, $0.help) }
        }
        let links = focus == .post ? lines("1…9", "select the link with that number, which may have more digits") : []
        let own = commands.isEmpty ? [] : ["", StyledText("Your commands", .groupTitle)]
        return TextPane(
            title: "Keys",
            lines: section("The keys to begin with") { basics.contains($0) } + [""]
                + section("More \(focus.helpTitle)") { !basics.contains($0) && $0.works(in: focus) } + links + [""]
                + section("Elsewhere") { !basics.contains($0) && !$0.works(in: focus) } + own
                + commands.flatMap { lines($0.names, $0.help) })
    }

    /// The actions that are enough to read with.
    private static let basics: Set<Action> = [
        .down, .up, .readOn, .open, .back, .next, .toggleRead, .markShown, .undo, .toggleSaved, .browser, .sources,
    ]
}

extension BrowseState.Focus {
    fileprivate var helpTitle: String {
        switch self {
        case .sources: "in the list of sources"
        case .list: "in a list"
        case .post: "in a post"
        }
    }
}

extension Action {
    fileprivate func works(in focus: BrowseState.Focus) -> Bool {
        switch self {
        case .fold, .foldAll, .nextComment, .previousComment: focus == .post
        case .showAll, .showUnread, .showSaved, .showHidden: focus != .post
        case .nextPost, .previousPost, .next, .previous, .toggleRead, .markShown, .markAbove, .markBelow, .toggleSaved,
            .browser, .discussion, .copy, .pipe, .search, .filter:
            focus != .sources
        default: true
        }
    }
}
