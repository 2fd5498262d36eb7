import BlogCommandLine
import BlogEssentials
import BlogMarkup
import BlogRendering
import BlogTerminal

/// The reader as a dialogue in lines, for screen readers and plain terminals.
///
/// Each line typed is a command. Output is appended, without boxes, colours or cursor movements.
package struct LineDialogue: Sendable {
    private var controls: BrowseControls
    private let columns: Int
    /// The view that was written last.
    private var written: View?
    /// Whether to write the view again even if it is the same.
    private var isRepeated = false
    /// The result that the last command waits for.
    private var expectedResult: Result?
    /// Whether the introduction to the commands has been written.
    private var hasGreeted = false

    /// The visible lines of the pane that has the focus.
    private struct View: Equatable {
        let pane: Pane
        let lines: Range<Int>
    }

    private enum Pane: Equatable {
        case list(number: Int)
        case post(number: Int)
        case sources
        case text(String)
    }

    /// The results that the next prompt waits for.
    private enum Result {
        case refresh, article, other

        init?(_ effect: BrowseEffect) {
            switch effect {
            case .undo, .open, .readLink, .saveLink, .copy, .pipe, .run, .lookUp, .follow, .unfollow,
                .testRule, .addRule:
                self = .other
            case .refresh(_, isForced: true): self = .refresh
            case .loadPost(let request) where request.replacesText: self = .article
            default: return nil
            }
        }

        func arrives(with event: BrowseEvent) -> Bool {
            switch event {
            case .refreshed: self == .refresh
            case .lines, .articleFailed: self == .article
            case .notice, .output, .undone, .tookBack, .allMarked, .linked, .found, .followFailed, .unfollowed,
                .ruleTested, .rulesChanged:
                true
            default: false
            }
        }
    }

    package init(_ state: BrowseState) {
        controls = BrowseControls(state)
        columns = state.size.columns
        fit()
    }

    package private(set) var state: BrowseState {
        get { controls.state }
        set { controls.state = newValue }
    }

    // MARK: Input

    /// Runs a command, and returns the work to do.
    package mutating func run(_ command: String) -> [BrowseEffect] {
        let effects = effects(of: command.trimmed)
        expectedResult = effects.lazy.compactMap(Result.init).first
        fit()
        return effects
    }

    package mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
        if expectedResult?.arrives(with: event) == true { expectedResult = nil }
        let effects = controls.handle(event)
        fit()
        return effects
    }

    private mutating func effects(of typed: String) -> [BrowseEffect] {
        state.notice = nil
        if let prompt = state.prompt { return answer(prompt, typed) }
        guard let first = typed.first else { return showMore() }
        if first == ":" { return submit(Prompt(.command, text: String(typed.dropFirst()))) }
        if let prompt = Self.prompts[first], typed.count > 1 || prompt == .filter {
            let purpose = prompt == .search && (state.focus == .post || state.text != nil) ? .find : prompt
            return submit(Prompt(purpose, text: String(typed.dropFirst()).trimmed))
        }
        let words = typed.split(separator: " ")
        if words.count > 1, action(String(words[0])) == .label, Int(words[1]) == nil || words.count > 2 {
            return label(words.dropFirst())
        }
        if words.count > 1, words.count > 2 || Int(words[1]) == nil, let action = Action(rawValue: String(words[0])),
            [.follow, .rename, .folder, .sort, .rule].contains(action)
        {
            return submit(Prompt(.command, text: typed))
        }
        guard words.count <= 2, let number = words.last.map({ Int($0) }) else { return unknown(typed) }
        if words.count == 1, let number { return open(number) }
        guard words.count == 1 || number != nil else { return unknown(typed) }
        if words[0] == "link" { return readLink(number) }
        if typed == "more" { return showMore() }
        if let command = command(String(words[0])) { return at(number, stays: true) { $0.controls.start(command) } }
        guard let action = action(String(words[0])) else { return unknown(typed) }
        return perform(action, number)
    }

    /// Labels the post with a number before the label, or without one the current post.
    private mutating func label(_ words: ArraySlice<Substring>) -> [BrowseEffect] {
        let number = words.count > 1 ? words.first.flatMap { Int($0) } : nil
        let label = words.dropFirst(number == nil ? 0 : 1).joined(separator: " ")
        return at(number, stays: true) { $0.submit(Prompt(.label, text: label)) }
    }

    /// Answers a prompt: an empty line accepts its text, and the key for going back cancels it.
    private mutating func answer(_ prompt: Prompt, _ typed: String) -> [BrowseEffect] {
        state.prompt = nil
        guard action(typed) != .back else {
            isRepeated = true
            return []
        }
        return submit(typed.isEmpty ? prompt : Prompt(prompt.purpose, text: typed))
    }

    /// The user's command with a name or a key.
    private func command(_ word: String) -> NamedCommand? {
        state.keys.commands[word]
            ?? (word.count == 1 ? word.first.flatMap { state.keys.command(for: .character($0)) } : nil)
    }

    /// Shows the next page.
    private mutating func showMore() -> [BrowseEffect] {
        guard state.focus == .list, state.text == nil else { return perform(.readOn, nil) }
        let (next, count) = (state.list.visibleRows.upperBound, state.list.rows.count)
        guard next < count else {
            if state.list.isComplete { state.notice = "No more posts" }
            return state.list.isComplete ? [] : perform(.pageDown, nil)
        }
        // The next post becomes the first one of the page.
        state.list.move(to: min(next + Self.listRows - 1, count - 1))
        state.list.move(to: next)
        return controls.state.neededRows()
    }

    private static let prompts: [Character: Prompt.Purpose] = ["/": .search, "F": .filter, "|": .pipe]

    /// The action with a key or a name.
    private func action(_ word: String) -> Action? {
        // Half a page up makes no sense here.
        if word == "u" { return .undo }
        if word.count == 1, let key = word.first { return state.keys[.character(key)] }
        return Action(rawValue: word.lowercased())
    }

    private mutating func readLink(_ number: Int?) -> [BrowseEffect] {
        guard let number, let post = state.post else {
            state.notice = "Open a post first, then type “link” and the number of a link, as in: link 1"
            return []
        }
        isRepeated = true
        return state.requestLinked(.link(post.post, number, article: post.shownArticle))
    }

    private mutating func perform(_ action: Action, _ number: Int?) -> [BrowseEffect] {
        if [.search, .filter, .pipe].contains(action) {
            state.notice = "Type the words or the command on the same line, as in: /swift, F author:kerri or | wc -w"
            return []
        }
        return at(number, stays: ![.open, .label, .rule].contains(action)) {
            $0.perform(action, isNumbered: number != nil)
        }
    }

    /// Does something with the post with a number, or without one with the current post.
    ///
    /// - Parameter stays: whether the cursor stays where it is.
    private mutating func at(
        _ number: Int?, stays: Bool, _ work: (inout LineDialogue) -> [BrowseEffect]
    ) -> [BrowseEffect] {
        let (focus, cursor) = (state.focus, state.list.cursor)
        if let number {
            guard move(to: number) else { return [] }
            if state.focus == .post { state.focus = .list }
        }
        defer {
            if number != nil, stays {
                state.list.move(to: cursor)
                if focus == .post, state.post != nil { state.focus = .post }
            }
        }
        return work(&self)
    }

    private mutating func perform(_ action: Action, isNumbered: Bool) -> [BrowseEffect] {
        isRepeated = [.help, .redraw].contains(action) || !isNumbered && Self.moves.contains(action)
        if action == .suspend { return [] }
        if action == .help {
            state.text = LineHelp.text(state.keys, columns: columns)
            return []
        }
        return controls.perform(action, quits: action == .back) + controls.state.neededRows()
    }

    /// Actions after which the view is written even if it is the same.
    private static let moves: Set<Action> = [.first, .last, .back, .open, .sources]

    private mutating func open(_ number: Int) -> [BrowseEffect] {
        if state.focus == .sources {
            state.sources.move(to: number - 1)
        } else {
            state.text = nil
            guard move(to: number) else { return [] }
            state.focus = .list
        }
        isRepeated = true
        return controls.perform(.open, quits: false)
    }

    /// Moves the cursor to a numbered post; false if there is none.
    private mutating func move(to number: Int) -> Bool {
        guard state.list.rows.indices.contains(number - 1) else {
            state.notice = "No post \(number) in this list"
            return false
        }
        state.list.move(to: number - 1)
        return true
    }

    private mutating func submit(_ prompt: Prompt) -> [BrowseEffect] {
        isRepeated = [.search, .filter, .find].contains(prompt.purpose)
        return controls.submit(prompt)
    }

    private mutating func unknown(_ typed: String) -> [BrowseEffect] {
        state.notice = "“\(typed)” isn't a command. To see all commands: ?"
        return []
    }

    /// Sets the height for ten posts, or about a screen of text.
    private mutating func fit() {
        let rows = state.focus == .list && state.text == nil ? Self.listRows : Self.textRows
        guard state.size.rows != rows + 1 else { return }
        _ = controls.handle(.resized(ScreenSize(columns: columns, rows: rows + 1)))
    }

    private static let listRows = 10
    private static let textRows = 24

    // MARK: Output

    /// Whether to wait for results before writing anything.
    package var isWaiting: Bool {
        if state.pending != nil || expectedResult != nil { return true }
        if state.text != nil || state.focus == .sources { return false }
        // The next page must be complete, too.
        if state.focus == .post, let post = state.post {
            return !post.isComplete && post.lineCount < post.visibleLines.upperBound + Self.textRows
        }
        // After the first source was followed, nothing is stored yet.
        return state.list.isStale || state.list.rows.isEmpty && state.arrivals.isStarting
    }

    /// The lines to write since the last call.
    package mutating func output() -> [String] {
        var lines: [String] = []
        let view = view
        if view != written || isRepeated {
            lines += text(of: view)
            if case .list = view.pane, !hasGreeted {
                hasGreeted = true
                lines.append("Type a number to read that post, more for the next ten, or ? for all commands.")
            }
        }
        (written, isRepeated) = (view, false)
        // The output of a command is written once, and closes by itself.
        if state.text?.title.hasPrefix("| ") == true {
            state.text = nil
            written = self.view
        }
        if let prompt = state.prompt { lines.append("\(prompt.question) (\(Self.howToAnswer))") }
        if let notice = state.notice { lines += notice.text.split(separator: "\n").map(String.init) }
        state.notice = nil
        return lines
    }

    private static let howToAnswer = "an empty line to accept, q to cancel, or type something else"

    private var view: View {
        if let text = state.text { return View(pane: .text(text.title), lines: text.visibleLines) }
        switch state.focus {
        case .sources: return View(pane: .sources, lines: 0..<0)
        case .post:
            guard let post = state.post else { fallthrough }
            return View(pane: .post(number: post.number), lines: post.visibleLines)
        case .list: return View(pane: .list(number: state.list.number), lines: state.list.visibleRows)
        }
    }

    private func text(of view: View) -> [String] {
        switch view.pane {
        case .text:
            guard let text = state.text else { return [] }
            return newLines(of: view).map { text.line($0).plain } + rest(view.lines, of: text.lineCount)
        case .sources: return state.sources.spoken
        case .post:
            guard let post = state.post else { return [] }
            let lines = newLines(of: view).compactMap { number in
                Self.spoken(post.line(number).plain).map { Self.level(post.depth(ofCommentAt: number)) + $0 }
            }
            let failure = post.failure.map { $0.text.split(separator: "\n").map(String.init) } ?? []
            let end = post.isAtEnd ? ["End of the post."] : rest(view.lines, of: post.lineCount)
            return lines + failure + end
        case .list:
            guard !state.list.rows.isEmpty else { return state.list.isComplete ? [BrowseView(state).emptyText] : [] }
            let head = [BrowseView(state).listTitle, BrowseView(state).countText].filter { !$0.isEmpty }.joined(
                separator: ", ")
            return ["\(head):"] + newLines(of: view).map { state.list.spoken($0, state.dates) }
        }
    }

    /// The lines of a view that weren't in the previous output.
    private func newLines(of view: View) -> Range<Int> {
        guard let written, written.pane == view.pane, written != view, written.lines.contains(view.lines.lowerBound)
        else { return view.lines }
        return min(written.lines.upperBound, view.lines.upperBound)..<view.lines.upperBound
    }

    private func rest(_ range: Range<Int>, of count: Int) -> [String] {
        range.upperBound < count ? ["(\(Counted.of(count - range.upperBound, "more line")))"] : []
    }

    /// The depth of a comment in its thread, in place of bars.
    private static func level(_ depth: Int?) -> String { depth.map { $0 > 0 ? "Level \($0 + 1): " : "" } ?? "" }

    /// A line without box-drawing characters; nil if nothing else is in it.
    private static func spoken(_ line: String) -> String? {
        guard line.contains(where: { boxDrawing.contains($0) }) else { return line }
        let text = line.filter { !boxDrawing.contains($0) }.trimmed
        return text.isEmpty ? line.contains("│") ? "" : nil : text
    }

    private static let boxDrawing: Set<Character> = ["─", "━", "│", "▏"]
}
