import BlogLibrary
import Markup
import Model
import Rendering
import Terminal

/// The sources that are followed, by folder, with what is unread.
package struct SourcesPane: Sendable {
    private var lines: [Line] = [Line(scope: .everything, name: "All posts", depth: 0, unread: 0, hasProblem: false)]
    private var scrolled = ScrolledList()

    private struct Line: Sendable {
        let scope: Scope
        let name: String
        let depth: Int
        var unread: Int
        let hasProblem: Bool
    }

    package init() {}

    /// The posts of the line with the cursor, and its name.
    package var current: (scope: Scope, name: String) {
        let line = lines[min(scrolled.cursor, lines.count - 1)]
        return (line.scope, line.name)
    }

    package var isEmpty: Bool { lines.count < 2 }
    package var page: Int { max(scrolled.height - 1, 1) }

    package mutating func show(_ sources: [SourceState]) {
        let unread = sources.reduce(0) { $0 + $1.unread }
        var lines = [Line(scope: .everything, name: "All posts", depth: 0, unread: unread, hasProblem: false)]
        let folders = Dictionary(grouping: sources, by: \.folder)
        for folder in folders.keys.sorted() {
            let members = folders[folder] ?? []
            if !folder.isEmpty {
                let unread = members.reduce(0) { $0 + $1.unread }
                lines.append(
                    Line(
                        scope: .folder(folder), name: Sanitizer.line(folder), depth: 0, unread: unread,
                        hasProblem: false))
            }
            let named = members.map { ($0, Sanitizer.line($0.title ?? $0.name)) }
            for (source, name) in named.sorted(by: { ($0.1.lowercased(), $0.1) < ($1.1.lowercased(), $1.1) }) {
                lines.append(
                    Line(
                        scope: .sources([source.id]), name: name, depth: folder.isEmpty ? 0 : 1, unread: source.unread,
                        hasProblem: source.problem != nil))
            }
        }
        let selected = current.scope
        self.lines = lines
        scrolled.move(to: lines.firstIndex { $0.scope == selected } ?? 0, of: lines.count)
    }

    /// Puts the cursor on the line of a scope, if there is one.
    package mutating func select(_ scope: Scope) {
        if let index = lines.firstIndex(where: { $0.scope == scope }) { scrolled.move(to: index, of: lines.count) }
    }

    /// The next line with unread posts of its own behind that of a scope; nil for none.
    package func unread(after scope: Scope) -> (scope: Scope, name: String)? {
        guard let index = lines.firstIndex(where: { $0.scope == scope }), index > 0 else { return nil }
        var rest = lines[(index + 1)...]
        // A folder is read with all that is in it.
        if case .folder = scope { rest = rest.drop { $0.depth > 0 } }
        return rest.first { $0.unread > 0 }.map { ($0.scope, $0.name) }
    }

    /// The name of a scope; nil if no line has it.
    package func name(of scope: Scope) -> String? { lines.first { $0.scope == scope }?.name }

    package mutating func resize(_ height: Int) {
        scrolled.height = max(height, 1)
        scrolled.fit(lines.count)
    }

    package mutating func move(to line: Int) { scrolled.move(to: line, of: lines.count) }
    package mutating func move(by count: Int) { scrolled.move(by: count, of: lines.count) }
    package mutating func moveToEnd() { move(to: lines.count - 1) }

    /// The lines in words.
    var spoken: [String] {
        lines.enumerated().map { number, line in
            "\(number + 1). \(line.name), \(line.unread) unread\(line.hasProblem ? ", last refresh failed" : "")"
        }
    }

    func draw(in frame: inout Frame, _ area: Area, hasFocus: Bool) {
        guard !area.isEmpty else { return }
        for (number, index) in scrolled.shown(of: lines.count).enumerated() {
            let line = lines[index]
            let count = line.unread > 0 ? Counted.number(line.unread) : ""
            let name =
                StyledText(String(repeating: "  ", count: line.depth)) + (line.hasProblem ? "! " : "")
                + StyledText(line.name, line.unread > 0 ? .title : .muted)
            let room = area.width - count.count - 1
            frame.write(name.truncated(to: max(room, 1)), line: number, in: area)
            frame.write(
                StyledText(count, .unread), line: number, in: area, margin: max(area.width - count.count, 0))
            if index == scrolled.cursor {
                frame.mark(line: number, in: area, upTo: area.end, hasFocus: hasFocus)
            }
        }
    }
}
