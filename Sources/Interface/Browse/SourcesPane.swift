import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// The saved searches, the labels, and the followed sources by folder, with their numbers of unread posts.
package struct SourcesPane: Movable, Sendable {
    private var all: [Line] = [.allPosts(unread: 0)]
    /// The lines that aren't folded or hidden.
    private var lines: [Line] = [.allPosts(unread: 0)]
    /// The folders whose sources aren't shown.
    private var folded: Set<String> = []
    /// Whether lines without unread posts are hidden.
    private var hidesRead = false
    /// The words that were searched for last, folded.
    private var search = ""
    /// What is known about the sources.
    private var states: [SourceState] = []
    private var cursor = 0
    private(set) var viewport = Viewport()

    private struct Line: Sendable {
        let scope: Scope
        let name: String
        let unread: Int
        /// Whether the last refresh of the source, or of one in the folder, failed.
        var hasProblem = false
        /// The index in ``states`` of the source; nil for a folder or a label.
        var index: Int?
        /// The folder that it is in; "" for none.
        var folder = ""

        var depth: Int { folder.isEmpty || isOfFolder ? 0 : 1 }
        var isOfFolder: Bool { if case .folder = scope { true } else { false } }
        var isOfLabel: Bool { if case .label = scope { true } else { false } }

        static func allPosts(unread: Int) -> Line { Line(scope: .everything, name: "All posts", unread: unread) }
    }

    /// The line with the cursor.
    package var current: (scope: Scope, name: String) { (lines[cursor].scope, lines[cursor].name) }

    /// The source with the cursor; nil for a folder.
    var currentSource: SourceState? { lines[cursor].index.map { states[$0] } }

    /// What is known about a source; nil for nothing.
    func source(_ id: SourceID) -> SourceState? { states.first { $0.id == id } }

    /// The names of sources that had others in an earlier list.
    func renamed(since earlier: SourcesPane) -> [SourceID: String] {
        if earlier.states.isEmpty { return [:] }
        let before = Dictionary(earlier.states.map { ($0.id, $0.displayName) }) { first, _ in first }
        return states.reduce(into: [:]) { names, source in
            let name = source.displayName
            if let old = before[source.id], old != name { names[source.id] = name }
        }
    }

    var folders: [String] {
        all.compactMap { if case .folder(let name) = $0.scope { name } else { nil } }
    }

    /// The labels as they are spelt in the store.
    var labels: [String] {
        all.compactMap { if case .label(let label) = $0.scope { label } else { nil } }
    }

    package var isEmpty: Bool { all.count < 2 }

    /// Knows a label that was just made.
    mutating func add(label: String) {
        guard !labels.contains(where: { Label.isSame($0, label) }) else { return }
        let line = Line(scope: .label(label), name: Sanitizer.line(label), unread: 0)
        all.insert(line, at: all.lastIndex { $0.isOfLabel }.map { $0 + 1 } ?? 1)
        showLines()
    }

    /// Whether it shows the default source, because none is followed.
    var isDefault: Bool { states.contains(where: \.isSubstitute) }

    package mutating func show(_ overview: SourceOverview, _ labels: [LabelCounts] = []) {
        let sources = overview.sources
        states = sources
        let searches = sources.indices.filter { sources[$0].id.listsOthers }
        let own = sources.indices.filter { !sources[$0].id.listsOthers }
        all = [.allPosts(unread: overview.unread)] + lines(of: searches, in: "")
        all += labels.map { Line(scope: .label($0.label), name: Sanitizer.line($0.label), unread: $0.unread) }
        let folders = Dictionary(grouping: own) { sources[$0].folder }
        for (folder, members) in folders.sorted(by: { $0.key < $1.key }) {
            let lines = lines(of: members, in: folder)
            if !folder.isEmpty {
                let unread = overview.unreadByFolder[folder] ?? 0
                all.append(
                    Line(
                        scope: .folder(folder), name: Sanitizer.line(folder), unread: unread,
                        hasProblem: lines.contains(where: \.hasProblem), folder: folder))
            }
            all += lines
        }
        showLines()
    }

    // MARK: Folding

    /// Shows the lines that aren't folded or hidden, with the cursor on the same one, or else its folder or what comes before.
    private mutating func showLines() {
        let selected = lines[cursor]
        lines = all.filter { line in
            if line.scope == .everything { return true }
            return !(hidesRead && line.unread == 0 && !line.hasProblem)
                && (line.isOfFolder || !folded.contains(line.folder))
        }
        let index =
            lines.firstIndex { $0.scope == selected.scope }
            ?? lines.firstIndex { $0.isOfFolder && $0.folder == selected.folder && !selected.folder.isEmpty }
        move(to: index ?? min(cursor, lines.count - 1))
    }

    /// Folds or unfolds the folder with the cursor; false if there is none.
    mutating func fold() -> Bool {
        let folder = lines[cursor].folder
        guard !folder.isEmpty else { return false }
        folded.formSymmetricDifference([folder])
        showLines()
        return true
    }

    /// Folds all folders, or unfolds them if all are folded.
    mutating func foldAll() {
        folded = folded.isSuperset(of: folders) ? [] : Set(folders)
        showLines()
    }

    /// Hides sources without unread posts, or shows them again.
    mutating func hideRead(_ hides: Bool) {
        hidesRead = hides
        showLines()
    }

    private func isFolded(_ line: Line) -> Bool { line.isOfFolder && folded.contains(line.folder) }

    /// Whether a line says that a refresh failed, as a folder does for sources that aren't shown.
    private func showsProblem(_ line: Line) -> Bool { line.hasProblem && (!line.isOfFolder || isFolded(line)) }

    var hasSearch: Bool { !search.isEmpty }

    /// Goes to the next line with a text in its title or name, also in a folded folder; false if there is none.
    mutating func find(_ text: String) -> Bool {
        search = Folding.searchable(text)
        return findNext(forward: true)
    }

    /// Goes to the next line with the text that was searched for last, or else with unread posts; false if there is none.
    mutating func findNext(forward: Bool) -> Bool {
        guard let here = all.firstIndex(where: { $0.scope == lines[cursor].scope }) else { return false }
        let order = Array(all[(here + 1)...]) + Array(all[...here])
        let found = (forward ? order : order.dropLast().reversed() + [all[here]]).first { line in
            guard hasSearch else {
                return line.unread > 0 && line.index != nil && line.scope != lines[cursor].scope
            }
            let names = [line.name, line.index.map { states[$0].name } ?? ""]
            return names.contains { Folding.searchable($0).contains(search) }
        }
        guard let found else { return false }
        if !found.isOfFolder { folded.remove(found.folder) }
        if hidesRead, found.unread == 0 { hidesRead = false }
        showLines()
        select(found.scope)
        return true
    }

    /// The lines of some sources or saved searches, by name.
    private func lines(of members: [Int], in folder: String) -> [Line] {
        let named = members.map { index in
            let name = Sanitizer.line(states[index].displayName)
            return (index: index, name: name, key: name.lowercased())
        }
        return named.sorted { ($0.key, $0.name) < ($1.key, $1.name) }.map { index, name, _ in
            let source = states[index]
            return Line(
                scope: .sources([source.id]), name: name, unread: source.unread,
                hasProblem: source.problem != nil || source.id.listsOthers && !source.isKnown, index: index,
                folder: folder
            )
        }
    }

    /// Moves the cursor to the line of a scope, if there is one.
    package mutating func select(_ scope: Scope) {
        if let index = lines.firstIndex(where: { $0.scope == scope }) { move(to: index) }
    }

    func name(of scope: Scope) -> String? { all.first { $0.scope == scope }?.name }

    /// The next source or folder with unread posts after a given one, or else the first; nil if there is none.
    ///
    /// The posts of saved searches and labels are those of sources.
    package func unread(after scope: Scope) -> (scope: Scope, name: String)? {
        guard let index = all.firstIndex(where: { $0.scope == scope }), index > 0 else { return nil }
        var rest = all[(index + 1)...]
        // The list of a folder includes its sources.
        if case .folder = scope { rest = rest.drop { $0.depth > 0 } }
        func isNext(_ line: Line) -> Bool {
            line.unread > 0 && !line.isOfLabel
                && line.index.map { !states[$0].id.listsOthers && !states[$0].id.isService } ?? true
        }
        let next = rest.first(where: isNext) ?? all[1..<index].first(where: isNext)
        return next.map { ($0.scope, $0.name) }
    }

    package mutating func resize(_ height: Int) {
        viewport.height = height
        move(to: cursor)
    }

    package mutating func move(to line: Int) {
        cursor = min(max(line, 0), lines.count - 1)
        viewport.reveal(cursor, of: lines.count)
    }

    package mutating func move(by count: Int) { move(to: cursor + count) }

    /// The lines as sentences, for the line dialogue.
    var spoken: [String] {
        lines.enumerated().map { number, line in
            "\(number + 1). \(line.isOfLabel ? "label " : "")\(line.name), \(line.unread) unread\(showsProblem(line) ? ", last refresh failed" : "")"
        }
    }

    func draw(in frame: inout Frame, _ area: Area, hasFocus: Bool) {
        guard !area.isEmpty else { return }
        for (screenLine, index) in viewport.visible(of: lines.count).enumerated() {
            let line = lines[index]
            let count = line.unread > 0 ? Counted.number(line.unread) : ""
            let name =
                StyledText(String(repeating: "  ", count: line.depth)) + (showsProblem(line) ? "! " : "")
                + StyledText(line.isOfLabel ? "# " : "", .saved)
                + (isFolded(line) ? "+ " : "")
                + StyledText(line.name, line.unread > 0 ? .title : .muted)
            let room = area.width - count.count - 1
            frame.write(name.truncated(to: max(room, 1)), line: screenLine, in: area)
            frame.write(
                StyledText(count, .unread), line: screenLine, in: area, margin: max(area.width - count.count, 0))
            if index == cursor {
                frame.mark(line: screenLine, in: area, upTo: area.end, hasFocus: hasFocus)
            }
        }
    }
}
