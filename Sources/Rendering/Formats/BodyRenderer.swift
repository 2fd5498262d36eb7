import Markup
import Model

/// Bodies for the next program, several separated by a form feed.
///
/// HTML is written as text, other formats as published but for control characters, perhaps below the title, and with a
/// line feed at the end. Raw bodies are written byte for byte.
package struct BodyRenderer: LineRenderer {
    private let isRaw: Bool
    /// Whether title, author and date are written above a body.
    private let hasHead: Bool
    /// The format of the bodies of the posts' source; nil if each body has its own.
    private let format: BodyFormat?
    private var isFirst = true
    /// How many bytes of the body were written before it was complete.
    private var given = 0
    /// Text that has arrived and waits for the rest, because it may be HTML.
    private var held = ""
    /// The renderer of an HTML body, of which a part is written; nil for other bodies.
    private var lines: DocumentRenderer?

    /// - Parameter format: the format of all bodies; nil if each has its own.
    package init(isRaw: Bool, hasHead: Bool = false, format: BodyFormat? = nil) {
        self.isRaw = isRaw
        self.hasHead = hasHead && !isRaw
        self.format = format
    }

    package var takesParts: Bool { isRaw || format != .html }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        held += text
        guard !isRaw, format == nil, lines != nil || given == 0 && mayBeHTML else {
            return StyledText(start(record) + (isRaw ? takeHeld() : Sanitizer.block(takeHeld())))
        }
        // Bodies too long for memory are written in parts.
        guard held.utf8.count >= StreamedBody.maxBytes else { return nil }
        let end = held.utf8.lastIndex(of: UInt8(ascii: "<")).flatMap { $0 > held.startIndex ? $0 : nil }
        var text = StyledText(start(record))
        write(html: takeHeld(to: end), of: record) { text += $0 }
        return text
    }

    package mutating func giveUp() { (given, held, lines) = (0, "", nil) }

    package mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows {
        let start = start(record)
        let rest = record.body.map { String(Substring($0.utf8.dropFirst(given))) } ?? held
        let isHTML =
            lines != nil || given == 0 && (record.bodyFormat ?? format ?? BodyText.format(of: rest)) == .html
        defer { giveUp() }
        try give(StyledText(start))
        guard !isRaw, isHTML else {
            return try give(StyledText(isRaw ? rest : Sanitizer.block(rest) + "\n"))
        }
        var isEmpty = lines == nil
        try write(html: rest, of: record) { line in
            isEmpty = false
            try give(line)
        }
        try give(StyledText(isEmpty ? "\n" : lines?.targetLines().lines.plain ?? ""))
    }

    package mutating func summary(_ record: Record) -> StyledText { self.record(record.withSummaryAsBody) }

    /// Whether the body may be HTML; a short beginning can end inside the first tag.
    private var mayBeHTML: Bool {
        held.utf8.count < Self.enough ? HTML.mayBegin(held) : HTML.isBeginning(of: held)
    }

    private mutating func write(
        html: String, of record: Record, _ give: (StyledText) throws -> Void
    ) rethrows {
        if lines != nil { try give("\n") }
        var lines = lines ?? DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
        (lines.site, lines.server) = (record.site, record.server)
        try lines.write(part: HTML.document(html), bytes: html.utf8.count, width: 1_000_000) {
            try give(StyledText(Sanitizer.block($0.plain) + "\n"))
        }
        self.lines = lines
    }

    private mutating func takeHeld(to end: String.Index? = nil) -> String {
        let text = String(held[..<(end ?? held.endIndex)])
        held.removeSubrange(..<(end ?? held.endIndex))
        given += text.utf8.count
        return text
    }

    private static let enough = 4096

    /// The text above a body; "" inside one.
    private mutating func start(_ record: Record) -> String {
        defer { isFirst = false }
        guard given == 0 else { return "" }
        return (isFirst ? "" : "\u{0C}") + (hasHead ? Self.head(record) : "")
    }

    /// The underlined title, the author and the date.
    private static func head(_ record: Record) -> String {
        let metadata = record.metadata
        let title = Sanitizer.line(metadata.title)
        let line = String(repeating: "=", count: min(DisplayWidth.of(title), 80))
        let facts = LinkedArticleFacts(record) { $0.utc }
        let article = facts.map { "Article: \($0.texts.joined(separator: " · "))\n" } ?? ""
        return "\(title)\n\(line)\n\(Byline.text(metadata.author)) · \(metadata.publishDate.utc)\n\(article)\n"
    }
}
