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
        var body = record.body ?? ""
        if !isRaw, record.bodyFormat == .html {
            var lines = DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
            let text = lines.text(part: HTML.document(body), width: 1_000_000) + lines.targetLines().lines
            body = String(text.plain.dropLast())
        }
        let start = start(record.metadata)
        if given > 0 { body = String(Substring(body.utf8.dropFirst(given))) }
        given = 0
        return StyledText(start + (isRaw ? body : Sanitizer.block(body) + "\n"))
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
