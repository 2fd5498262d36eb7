import BlogMarkup
import BlogModel

/// Renders bodies for other programs, separated by form feeds.
///
/// HTML becomes text; other formats stay as published except for control characters. Bodies may have a head, and end in
/// a line feed. Raw bodies are written byte for byte.
package struct BodyRenderer: PostRenderer {
    private let isRaw: Bool
    private let hasHead: Bool
    private var isFirst = true

    /// - Parameter hasHead: whether title, author and date are written above a body that isn't raw.
    package init(isRaw: Bool, hasHead: Bool = false) {
        self.isRaw = isRaw
        self.hasHead = hasHead && !isRaw
    }

    package mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws {
        try emit(StyledText(start(record)))
        guard !isRaw else { return try emit(StyledText(record.body ?? "")) }
        var chunks = BodyChunks(record)
        guard chunks.format == .html else {
            while let text = chunks.next(.lines) { try emit(StyledText(Sanitizer.block(text))) }
            return try emit("\n")
        }
        var document = DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
        document.resolveLinks(of: record)
        var isEmpty = true
        while let html = chunks.next(.blocks) {
            if !isEmpty { try emit("\n") }
            try document.write(part: HTML.document(html), bytes: html.utf8.count, width: 1_000_000) {
                isEmpty = false
                try emit(StyledText(Sanitizer.block($0.plain) + "\n"))
            }
        }
        try emit(StyledText(isEmpty ? "\n" : document.targetLines().lines.plain))
    }

    /// The separator and head above a body.
    private mutating func start(_ record: Record) -> String {
        defer { isFirst = false }
        // A head needs a blank line above it to be seen as one.
        return (isFirst ? "" : hasHead ? "\n\u{0C}" : "\u{0C}") + (hasHead ? Self.head(record) : "")
    }

    /// The underlined title, the author and the date.
    private static func head(_ record: Record) -> String {
        let metadata = record.metadata
        let title = Sanitizer.line(metadata.title)
        let line = String(repeating: "=", count: min(DisplayWidth.of(title), 80))
        let facts = LinkedArticleFacts(record) { $0.utc }
        let article = facts.map { "Article: \($0.texts.joined(separator: " · "))\n" } ?? ""
        let date = metadata.publishDate.isKnown ? " · \(metadata.publishDate.utc)" : ""
        return "\(title)\n\(line)\n\(metadata.author.byline)\(date)\n\(article)\n"
    }
}
