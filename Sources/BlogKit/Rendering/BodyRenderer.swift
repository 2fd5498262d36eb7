/// Bodies for the next program, several separated by a form feed.
///
/// As published less control characters, then a newline; or raw: every byte as published and nothing else.
package struct BodyRenderer: Renderer {
    private let isRaw: Bool
    private var isFirst = true

    package init(isRaw: Bool) {
        self.isRaw = isRaw
    }

    package mutating func record(_ record: Record) -> String {
        var body = record.body ?? ""
        if !isRaw, record.bodyFormat == .html {
            var lines = DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
            body = lines.lines(HTML.document(body), width: 1_000_000).joined(separator: "\n")
        }
        defer { isFirst = false }
        return (isFirst ? "" : "\u{0C}") + (isRaw ? body : Sanitizer.block(body) + "\n")
    }
}
