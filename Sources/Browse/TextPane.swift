import Model
import Rendering
import Terminal

/// Lines to read, such as the help or the output of a command.
package struct TextPane: Sendable {
    package let title: String
    private let lines: [StyledText]
    private var top = 0
    private var height = 1
    package var sought: String? { search?.text }
    private var search: SoughtText?

    package init(title: String, lines: [StyledText]) {
        self.title = title
        self.lines = lines
    }

    package var page: Int { max(height - 1, 1) }
    package var lineCount: Int { lines.count }
    /// The lines on the screen.
    var shown: Range<Int> { top..<min(top + height, lines.count) }
    func line(_ number: Int) -> StyledText { lines[number] }

    package mutating func resize(_ height: Int) {
        self.height = max(height, 1)
        scroll(by: 0)
    }

    package mutating func scroll(to line: Int) { top = min(max(line, 0), max(lines.count - height, 0)) }
    package mutating func scroll(by count: Int) { scroll(to: top + count) }

    /// Looks for a text from here on; whether it is there.
    package mutating func find(_ text: String) -> Bool {
        search = SoughtText(text)
        let (shown, count, pane) = (shown, lineCount, self)
        return search == nil || go(to: search?.first(shown: shown, of: count, line: pane.line))
    }

    /// Goes to the next line with the text that was looked for, around the end; false if there is none.
    package mutating func findNext(forward: Bool) -> Bool {
        let (shown, count, pane) = (shown, lineCount, self)
        return go(to: search?.next(forward: forward, shown: shown, of: count, line: pane.line))
    }

    private mutating func go(to line: Int?) -> Bool {
        if let line { scroll(to: line) }
        return line != nil
    }

    func draw(in frame: inout Frame, _ area: Area) {
        let marked = search?.marked ?? MarkedWords()
        for number in 0..<min(area.height, max(lines.count - top, 0)) {
            frame.write(marked.marking(lines[top + number]), line: number, in: area)
        }
    }
}

extension TextPane {
    /// All keys, those of a view first.
    static func help(_ keys: KeyMap, in focus: BrowseState.Focus, width: Int) -> TextPane {
        let rows = Action.inOrder.map { action in
            (action, names: keys.keys(of: action).map(\.name).joined(separator: " "))
        }.filter { !$0.names.isEmpty }
        let left = rows.map(\.names.count).max() ?? 0
        func lines(_ names: String, _ help: String) -> [StyledText] {
            TextLayout.wrap(help, width: max(width - left - 4, 20)).enumerated().map { number, text in
                let name = StyledText(number == 0 ? names : "", .strong).padded(to: left)
                return "  " + name + "  " + StyledText(text)
            }
        }
        func section(_ title: String, _ isIn: (Action) -> Bool) -> [StyledText] {
            [StyledText(title, .groupTitle)] + rows.filter { isIn($0.0) }.flatMap { lines($0.names, $0.0.help) }
        }
        let links = focus == .post ? lines("1…9", "open the link with that number") : []
        return TextPane(
            title: "Keys",
            lines: section(focus.helpTitle) { $0.isIn(focus) } + links + [""]
                + section("Elsewhere") { !$0.isIn(focus) })
    }
}

extension BrowseState.Focus {
    fileprivate var helpTitle: String {
        switch self {
        case .sources: "In the sources"
        case .list: "In a list"
        case .post: "In a post"
        }
    }
}

extension Action {
    /// Whether it does something in a view.
    fileprivate func isIn(_ focus: BrowseState.Focus) -> Bool {
        switch self {
        case .fold, .foldAll, .nextComment, .previousComment: focus == .post
        case .showAll, .showUnread, .showSaved: focus != .post
        case .nextPost, .previousPost, .next, .previous, .toggleRead, .markShown, .markAbove, .markBelow, .save,
            .browser, .discussion, .copy, .pipe, .search, .filter:
            focus != .sources
        default: true
        }
    }
}
