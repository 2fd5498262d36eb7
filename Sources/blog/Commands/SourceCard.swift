import BlogCore

/// A source as people see it on a terminal.
enum SourceCard {
    static func text(_ source: SourceState, _ appearance: Appearance) -> String {
        let isColored = appearance.isColored
        let counts = "\(Counted.posts(source.posts)) · \(source.bodies) with body · \(source.unread) unread"
        let refreshed = source.refreshedAt.map { "refreshed \(CopyDate.text($0))" } ?? "never refreshed"
        let failed = source.failedAt.map { " · \(status(source)) \(CopyDate.text($0))" } ?? ""
        func lines(_ text: String, indent: Int) -> [String] {
            TextLayout.wrap(text, width: max(appearance.width - indent, 20))
                .map { String(repeating: " ", count: indent) + $0 }
        }
        let folder = source.folder.isEmpty ? "" : " · \(Sanitizer.line(source.folder))"
        let title = lines("\(source.name) · \(Sanitizer.line(source.id.address))\(folder)", indent: 0)
        let facts = lines(counts, indent: 2) + lines(refreshed + failed, indent: 2)
        return (title.map { Style.title($0, isColored: isColored) } + facts).joined(separator: "\n") + "\n"
    }

    /// How the last refresh ended, in a word.
    static func status(_ source: SourceState) -> String {
        source.problem?.rawValue ?? (source.refreshedAt == nil ? "never" : "ok")
    }
}
