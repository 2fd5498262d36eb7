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
    /// All keys, those of the focused pane first.
    static func help(_ keys: KeyMap, in focus: BrowseState.Focus, width: Int) -> TextPane {
        let rows = Action.inOrder.map { action in
            (action, names: keys.keys(of: action).map(\.name).joined(separator: " "))
        }.filter { !$0.names.isEmpty }
        let namesWidth = rows.map(\.names.count).max() ?? 0
        func lines(_ names: String, _ help: String) -> [StyledText] {
            TextLayout.wrap(help, width: max(width - namesWidth - 4, 20)).enumerated().map { number, text in
                let name = StyledText(number == 0 ? names : "", .strong).padded(to: namesWidth)
                return "  " + name + "  " + StyledText(text)
            }
        }
        func section(_ title: String, _ isIncluded: (Action) -> Bool) -> [StyledText] {
            [StyledText(title, .groupTitle)] + rows.filter { isIncluded($0.0) }.flatMap { lines($0.names, $0.0.help) }
        }
        let links = focus == .post ? lines("1…9", "open the link with that number") : []
        return TextPane(
            title: "Keys",
            lines: section(focus.helpTitle) { $0.works(in: focus) } + links + [""]
                + section("Elsewhere") { !$0.works(in: focus) })
    }
}

extension BrowseState.Focus {
    fileprivate var helpTitle: String {
        switch self {
        case .sources: "In the list of sources"
        case .list: "In a list"
        case .post: "In a post"
        }
    }
}

extension Action {
    fileprivate func works(in focus: BrowseState.Focus) -> Bool {
        switch self {
        case .fold, .foldAll, .nextComment, .previousComment: focus == .post
        case .showAll, .showUnread, .showSaved: focus != .post
        case .nextPost, .previousPost, .next, .previous, .toggleRead, .markShown, .markAbove, .markBelow, .toggleSaved,
            .browser, .discussion, .copy, .pipe, .search, .filter:
            focus != .sources
        default: true
        }
    }
}
