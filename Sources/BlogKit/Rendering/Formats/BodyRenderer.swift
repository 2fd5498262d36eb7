/// Bodies for the next program, several separated by a form feed.
///
/// As published without control characters, then a newline; or raw: every byte as published and nothing else.
package struct BodyRenderer: Renderer {
    private let isRaw: Bool
    private var isFirst = true
    /// How many bytes of the body were written before it was complete.
    private var given = 0

    package init(isRaw: Bool) {
        self.isRaw = isRaw
    }

    package var takesParts: Bool { true }

    package mutating func beginning(_ text: String, of metadata: PostMetadata) -> StyledText? {
        defer { given += text.utf8.count }
        return StyledText(separator() + (isRaw ? text : Sanitizer.block(text)))
    }

    package mutating func giveUp() { given = 0 }

    package mutating func record(_ record: Record) -> StyledText {
        var body = record.body ?? ""
        if !isRaw, record.bodyFormat == .html {
            var lines = DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
            body = lines.lines(HTML.document(body), width: 1_000_000).joined(separator: "\n").plain
        }
        let separator = separator()
        if given > 0 { body = String(Substring(body.utf8.dropFirst(given))) }
        given = 0
        return StyledText(separator + (isRaw ? body : Sanitizer.block(body) + "\n"))
    }

    /// What stands between this body and the one before it; nothing inside one.
    private mutating func separator() -> String {
        defer { isFirst = false }
        return isFirst || given > 0 ? "" : "\u{0C}"
    }
}
