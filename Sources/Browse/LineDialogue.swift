import BlogLibrary
import Essentials
import Model
import Rendering
import Store
import Terminal

/// The full-screen reader in lines, for screen readers and plain terminals: what is typed is a command, and what the
/// screen would show is written below what was there, without boxes, colours or movements of the cursor.
package struct LineDialogue: Sendable {
    package private(set) var state: BrowseState
    private let columns: Int
    /// What was written last.
    private var written: View?
    /// Whether the view is written again although it is the same.
    private var isRepeated = false
    /// The result of a command that is still to come; nil for none.
    private var awaited: Result?
    /// Whether a sentence about the commands was written.
    private var hasGreeted = false

    /// A part of the list, a post, or the rest.
    private enum View: Equatable {
        case list(number: Int, Range<Int>)
        case post(number: Int, Range<Int>)
        case sources
        case text(String, Range<Int>)
    }

    /// The results that are worth waiting for.
    private enum Result {
        case refresh, article, other

        init?(_ effect: BrowseEffect) {
            switch effect {
            case .undo, .openPage, .openLink, .openAddress, .openDiscussion, .copyLink, .pipe: self = .other
            case .refresh(_, isForced: true): self = .refresh
            case .read(let request) where request.replacesText: self = .article
            default: return nil
            }
        }

        func comes(with event: BrowseEvent) -> Bool {
            switch event {
            case .refreshed: self == .refresh
            case .lines, .articleFailed: self == .article
            case .notice, .output, .undone: true
            default: false
            }
        }
    }

    package init(_ state: BrowseState) {
        self.state = state
        columns = state.size.columns
        fit()
    }

    // MARK: Input

    /// Takes a command, and returns the work that is wanted.
    package mutating func take(_ typed: String) -> [BrowseEffect] {
        let effects = effects(of: typed.trimmed)
        awaited = effects.lazy.compactMap(Result.init).first
        fit()
        return effects
    }

    package mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
        if awaited?.comes(with: event) == true { awaited = nil }
        let effects = state.handle(event)
        fit()
        return effects
    }

    private mutating func effects(of typed: String) -> [BrowseEffect] {
        state.notice = nil
        guard let first = typed.first else { return perform(more, nil) }
        if let prompt = Self.prompts[first], typed.count > 1 || prompt == .filter {
            let purpose = prompt == .search && (state.focus == .post || state.text != nil) ? .find : prompt
            return submit(Prompt(purpose, text: String(typed.dropFirst()).trimmed))
        }
        let words = typed.split(separator: " ")
        guard words.count <= 2, let number = words.last.map({ Int($0) }) else { return unknown(typed) }
        if words.count == 1, let number { return open(number) }
        guard words.count == 1 || number != nil else { return unknown(typed) }
        if words[0] == "link" { return openLink(number) }
        if typed == "more" { return perform(more, nil) }
        guard let action = action(String(words[0])) else { return unknown(typed) }
        return perform(action, number)
    }

    /// A page further.
    private var more: Action { state.focus == .list && state.text == nil ? .pageDown : .readOn }

    private static let prompts: [Character: Prompt.Purpose] = ["/": .search, "F": .filter, "|": .pipe]

    /// The action of a key or a word.
    private func action(_ word: String) -> Action? {
        // There are no half pages here.
        if word == "u" { return .undo }
        if word.count == 1, let key = word.first { return state.keys[.character(key)] }
        return Action(rawValue: word.lowercased())
    }

    private mutating func openLink(_ number: Int?) -> [BrowseEffect] {
        guard let number, let post = state.post else {
            state.notice = "Open a post first, then type link and its number, as in: link 1"
            return []
        }
        return [.openLink(post.post, number, article: post.shownArticle)]
    }

    private mutating func perform(_ action: Action, _ number: Int?) -> [BrowseEffect] {
        if [.search, .filter, .pipe].contains(action) {
            state.notice = "Type it on one line, as in: /swift, F author:kerri or | wc -w"
            return []
        }
        let (focus, cursor) = (state.focus, state.list.cursor)
        if let number {
            guard move(to: number) else { return [] }
            if state.focus == .post { state.focus = .list }
        }
        // Whatever is done to another post, this one stays the place to go on from.
        defer {
            if number != nil, action != .open {
                state.list.move(to: cursor)
                if focus == .post, state.post != nil { state.focus = .post }
            }
        }
        isRepeated = [.help, .redraw].contains(action) || number == nil && Self.moves.contains(action)
        if action == .suspend { return [] }
        if action == .help {
            state.text = LineHelp.text(state.keys, columns: columns)
            return []
        }
        return state.perform(action, isLeaving: action == .back) + state.wantedRows()
    }

    /// Actions after which the view is written, even if it is the same.
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
        return state.perform(.open, isLeaving: false)
    }

    /// Puts the cursor on a numbered post; false if there is none.
    private mutating func move(to number: Int) -> Bool {
        guard state.list.rows.indices.contains(number - 1) else {
            state.notice = "No post \(number) in this list"
            return false
        }
        state.list.move(to: number - 1)
        return true
    }

    private mutating func submit(_ prompt: Prompt) -> [BrowseEffect] {
        isRepeated = prompt.purpose != .pipe
        return state.take(prompt)
    }

    private mutating func unknown(_ typed: String) -> [BrowseEffect] {
        state.notice = "“\(typed)” isn't a command. To see all commands: ?"
        return []
    }

    /// Ten posts at a time, or about a screen of text.
    private mutating func fit() {
        let rows = state.focus == .list && state.text == nil ? Self.listRows : Self.textRows
        guard state.size.rows != rows + 1 else { return }
        _ = state.handle(.resized(ScreenSize(columns: columns, rows: rows + 1)))
    }

    private static let listRows = 10
    private static let textRows = 24

    // MARK: Output

    /// Whether results are still to come before anything is written.
    package var isWaiting: Bool {
        if state.pending != nil || awaited != nil { return true }
        if state.text != nil || state.focus == .sources { return false }
        // So that the next page never is a part of one.
        if state.focus == .post, let post = state.post {
            return !post.isComplete && post.lineCount < post.shown.upperBound + Self.textRows
        }
        // Somebody who has just begun to follow has nothing stored yet.
        return state.list.isStale || state.list.rows.isEmpty && state.isStarting
    }

    /// What has to be written since the last time.
    package mutating func output() -> [String] {
        var lines: [String] = []
        let view = view
        if view != written || isRepeated {
            lines += text(of: view)
            if case .list = view, !hasGreeted {
                hasGreeted = true
                lines.append("Type a number to read that post, more for the next ten, or ? for all commands.")
            }
        }
        (written, isRepeated) = (view, false)
        // The output of a command is read at once, and nobody has to leave it.
        if state.text?.title.hasPrefix("| ") == true {
            state.text = nil
            written = self.view
        }
        if let notice = state.notice { lines += notice.text.split(separator: "\n").map(String.init) }
        state.notice = nil
        return lines
    }

    private var view: View {
        if let text = state.text { return .text(text.title, text.shown) }
        switch state.focus {
        case .sources: return .sources
        case .post:
            guard let post = state.post else { fallthrough }
            return .post(number: post.number, post.shown)
        case .list: return .list(number: state.list.number, state.list.shownRows)
        }
    }

    private func text(of view: View) -> [String] {
        switch view {
        case .text(_, let range):
            guard let text = state.text else { return [] }
            return (firstNew(of: view)..<range.upperBound).map { text.line($0).plain } + rest(range, of: text.lineCount)
        case .sources: return state.sources.spoken
        case .post(_, let range):
            guard let post = state.post else { return [] }
            let lines = (firstNew(of: view)..<range.upperBound).compactMap { number in
                Self.spoken(post.line(number).plain).map { Self.level(post.depth(ofCommentAt: number)) + $0 }
            }
            let failure = post.failure.map { $0.text.split(separator: "\n").map(String.init) } ?? []
            let end = post.isAtEnd ? ["End of the post."] : rest(range, of: post.lineCount)
            return lines + failure + end
        case .list(_, let range):
            guard !state.list.rows.isEmpty else { return state.list.isComplete ? [state.emptyText] : [] }
            let head = [state.placeText, state.countText].filter { !$0.isEmpty }.joined(separator: ", ")
            return ["\(head):"] + range.map { state.list.spoken($0, state.dates) }
        }
    }

    /// The first line of a post or text that was not written just before.
    private func firstNew(of view: View) -> Int {
        switch (view, written) {
        case (.post(let number, let range), .post(let last, let lines)) where number == last:
            return firstLine(of: range, after: lines)
        case (.text(let title, let range), .text(let last, let lines)) where title == last:
            return firstLine(of: range, after: lines)
        case (.post(_, let range), _), (.text(_, let range), _): return range.lowerBound
        case (.list, _), (.sources, _): return 0
        }
    }

    private func firstLine(of range: Range<Int>, after last: Range<Int>) -> Int {
        guard last.contains(range.lowerBound), last != range else { return range.lowerBound }
        return min(max(last.upperBound, range.lowerBound), range.upperBound)
    }

    private func rest(_ range: Range<Int>, of count: Int) -> [String] {
        range.upperBound < count ? ["(\(Counted.of(count - range.upperBound, "more line")))"] : []
    }

    /// How deep in a thread a comment is, where bars would show it.
    private static func level(_ depth: Int?) -> String { depth.map { $0 > 0 ? "Level \($0 + 1): " : "" } ?? "" }

    /// A line without lines that are drawn; nil for nothing else.
    private static func spoken(_ line: String) -> String? {
        guard line.contains(where: { drawn.contains($0) }) else { return line }
        let text = line.filter { !drawn.contains($0) }.trimmed
        return text.isEmpty ? line.contains("│") ? "" : nil : text
    }

    private static let drawn: Set<Character> = ["─", "━", "│", "▏"]
}
