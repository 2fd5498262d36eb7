import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// The saved searches, the labels, and the followed sources by folder, with their numbers of unread posts.
package struct SourcesPane: Movable, Sendable {
    private var lines: [Line] = [.allPosts(unread: 0)]
    /// What is known about the sources.
    private var states: [SourceState] = []
    private var cursor = 0
    private(set) var viewport = Viewport()

    private struct Line: Sendable {
        let scope: Scope
        let name: String
        var depth = 0
        let unread: Int
        var hasProblem = false
        /// The index in ``states`` of the source; nil for a folder or a label.
        var index: Int?

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
        lines.compactMap { if case .folder(let name) = $0.scope { name } else { nil } }
    }

    /// The labels as they are spelt in the store.
    var labels: [String] {
        lines.compactMap { if case .label(let label) = $0.scope { label } else { nil } }
    }

    package var isEmpty: Bool { lines.count < 2 }

    /// Whether it shows the default source, because none is followed.
    var isDefault: Bool { states.contains(where: \.isSubstitute) }

    package mutating func show(_ overview: SourceOverview, _ labels: [LabelCounts] = []) {
        let (selected, sources) = (current.scope, overview.sources)
        states = sources
        let searches = sources.indices.filter { sources[$0].id.isSearch }
        let own = sources.indices.filter { !sources[$0].id.isSearch }
        lines = [.allPosts(unread: overview.unread)] + self.lines(of: searches, depth: 0)
        lines += labels.map { Line(scope: .label($0.label), name: Sanitizer.line($0.label), unread: $0.unread) }
        let folders = Dictionary(grouping: own) { sources[$0].folder }
        for (folder, members) in folders.sorted(by: { $0.key < $1.key }) {
            if !folder.isEmpty {
                let unread = overview.unreadByFolder[folder] ?? 0
                lines.append(Line(scope: .folder(folder), name: Sanitizer.line(folder), unread: unread))
            }
            lines += self.lines(of: members, depth: folder.isEmpty ? 0 : 1)
        }
        move(to: lines.firstIndex { $0.scope == selected } ?? 0)
    }

    /// The lines of some sources or saved searches, by name.
    private func lines(of members: [Int], depth: Int) -> [Line] {
        let named = members.map { index in
            let name = Sanitizer.line(states[index].displayName)
            return (index: index, name: name, key: name.lowercased())
        }
        return named.sorted { ($0.key, $0.name) < ($1.key, $1.name) }.map { index, name, _ in
            let source = states[index]
            return Line(
                scope: .sources([source.id]), name: name, depth: depth, unread: source.unread,
                hasProblem: source.problem != nil || source.id.isSearch && !source.isKnown, index: index)
        }
    }

    /// Moves the cursor to the line of a scope, if there is one.
    package mutating func select(_ scope: Scope) {
        if let index = lines.firstIndex(where: { $0.scope == scope }) { move(to: index) }
    }

    func name(of scope: Scope) -> String? { lines.first { $0.scope == scope }?.name }

    /// The next source or folder with unread posts after a given one, or else the first; nil if there is none.
    ///
    /// The posts of saved searches and labels are those of sources.
    package func unread(after scope: Scope) -> (scope: Scope, name: String)? {
        guard let index = lines.firstIndex(where: { $0.scope == scope }), index > 0 else { return nil }
        var rest = lines[(index + 1)...]
        // The list of a folder includes its sources.
        if case .folder = scope { rest = rest.drop { $0.depth > 0 } }
        func isNext(_ line: Line) -> Bool {
            line.unread > 0 && !line.isOfLabel
                && line.index.map { !states[$0].id.isSearch && !states[$0].id.isService } ?? true
        }
        let next = rest.first(where: isNext) ?? lines[1..<index].first(where: isNext)
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
            "\(number + 1). \(line.isOfLabel ? "label " : "")\(line.name), \(line.unread) unread\(line.hasProblem ? ", last refresh failed" : "")"
        }
    }

    func draw(in frame: inout Frame, _ area: Area, hasFocus: Bool) {
        guard !area.isEmpty else { return }
        for (screenLine, index) in viewport.visible(of: lines.count).enumerated() {
            let line = lines[index]
            let count = line.unread > 0 ? Counted.number(line.unread) : ""
            let name =
                StyledText(String(repeating: "  ", count: line.depth)) + (line.hasProblem ? "! " : "")
                + StyledText(line.isOfLabel ? "# " : "", .saved)
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
