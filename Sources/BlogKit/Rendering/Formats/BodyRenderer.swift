/// Bodies for the next program, several separated by a form feed.
///
/// As published without control characters, then a newline, perhaps below its title; or raw: every byte as published and
/// nothing else.
package struct BodyRenderer: Renderer {
    private let isRaw: Bool
    /// Whether title, author and date stand above a body.
    private let hasHead: Bool
    /// Whether bodies are HTML, which is text only when all of it is there.
    private let isHTML: Bool
    private var isFirst = true
    /// How many bytes of the body were written before it was complete.
    private var given = 0

    /// - Parameter format: what the bodies of the posts' source are written in, where it says.
    package init(isRaw: Bool, hasHead: Bool = false, format: BodyFormat? = nil) {
        self.isRaw = isRaw
        self.hasHead = hasHead && !isRaw
        isHTML = format == .html
    }

    package var takesParts: Bool { isRaw || !isHTML }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        defer { given += text.utf8.count }
        return StyledText(start(record.metadata) + (isRaw ? text : Sanitizer.block(text)))
    }

    package mutating func giveUp() { given = 0 }

    package mutating func record(_ record: Record) -> StyledText {
        var text = StyledText()
        self.record(record) { text += $0 }
        return text
    }

    package mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows {
        let body = record.body ?? ""
        let start = start(record.metadata)
        let rest = given > 0 ? String(Substring(body.utf8.dropFirst(given))) : body
        given = 0
        try give(StyledText(start))
        guard !isRaw, record.bodyFormat == .html else {
            return try give(StyledText(isRaw ? rest : Sanitizer.block(rest) + "\n"))
        }
        var lines = DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
        var isEmpty = true
        try lines.write(part: HTML.document(rest), width: 1_000_000) { line in
            isEmpty = false
            try give(StyledText(Sanitizer.block(line.plain)))
        }
        try give(StyledText(isEmpty ? "\n" : lines.targetLines().lines.plain))
    }

    package mutating func summary(_ record: Record) -> StyledText {
        var record = record
        (record.body, record.bodyFormat) = (record.metadata.summary ?? "", .plain)
        return self.record(record)
    }

    /// What stands above a body; nothing inside one.
    private mutating func start(_ metadata: PostMetadata) -> String {
        defer { isFirst = false }
        guard given == 0 else { return "" }
        return (isFirst ? "" : "\u{0C}") + (hasHead ? Self.head(metadata) : "")
    }

    /// The title underlined, and who wrote it when.
    private static func head(_ metadata: PostMetadata) -> String {
        let title = Sanitizer.line(metadata.title)
        let line = String(repeating: "=", count: min(DisplayWidth.of(title), 80))
        return "\(title)\n\(line)\n\(Byline.text(metadata.author)) · \(metadata.publishDate.utc)\n\n"
    }
}
