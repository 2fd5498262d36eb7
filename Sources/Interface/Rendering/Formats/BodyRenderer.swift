import BlogMarkup
import BlogModel

/// Renders bodies for other programs, separated by form feeds.
///
/// HTML becomes text; other formats stay as published except for control characters. Bodies may have a head, and end in
/// a line feed. Raw bodies are written byte for byte.
package struct BodyRenderer: LineRenderer {
    private let isRaw: Bool
    private let hasHead: Bool
    private let format: BodyFormat?
    private var isFirst = true
    /// How many bytes of the body have been rendered before it is complete.
    private var renderedCount = 0
    /// Text that has arrived but isn't rendered yet, because it may be HTML.
    private var buffer = ""
    /// The renderer of an HTML body that is partly rendered.
    private var document: DocumentRenderer?

    /// - Parameters:
    ///   - hasHead: whether title, author and date are written above a body that isn't raw.
    ///   - format: the format of all bodies; nil if each has its own.
    package init(isRaw: Bool, hasHead: Bool = false, format: BodyFormat? = nil) {
        self.isRaw = isRaw
        self.hasHead = hasHead && !isRaw
        self.format = format
    }

    package var takesParts: Bool { isRaw || format != .html }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        buffer += text
        guard !isRaw, format == nil, document != nil || renderedCount == 0 && mayBeHTML else {
            return StyledText(start(record) + (isRaw ? takeBuffer() : Sanitizer.block(takeBuffer())))
        }
        // Bodies too long for memory are written in parts.
        guard buffer.utf8.count >= StreamedBody.maxBytes else { return nil }
        let end = buffer.utf8.lastIndex(of: UInt8(ascii: "<")).flatMap { $0 > buffer.startIndex ? $0 : nil }
        var text = StyledText(start(record))
        write(html: takeBuffer(to: end), of: record) { text += $0 }
        return text
    }

    package mutating func giveUp() { (renderedCount, buffer, document) = (0, "", nil) }

    package mutating func record(_ record: Record, _ emit: (StyledText) throws -> Void) rethrows {
        let start = start(record)
        let rest = record.body(after: renderedCount) ?? buffer
        let isHTML =
            document != nil || renderedCount == 0 && (record.bodyFormat ?? format ?? BodyText.format(of: rest)) == .html
        defer { giveUp() }
        try emit(StyledText(start))
        guard !isRaw, isHTML else {
            return try emit(StyledText(isRaw ? rest : Sanitizer.block(rest) + "\n"))
        }
        var isEmpty = document == nil
        try write(html: rest, of: record) { line in
            isEmpty = false
            try emit(line)
        }
        try emit(StyledText(isEmpty ? "\n" : document?.targetLines().lines.plain ?? ""))
    }

    /// Whether the body may be HTML; the buffer may end inside the first tag.
    private var mayBeHTML: Bool {
        buffer.utf8.count < Self.detectionBytes ? HTML.mayBegin(buffer) : HTML.isBeginning(of: buffer)
    }

    private mutating func write(html: String, of record: Record, _ emit: (StyledText) throws -> Void) rethrows {
        if document != nil { try emit("\n") }
        var document = document ?? DocumentRenderer(isColored: false, mode: .numbered, codeRoom: nil)
        document.resolveLinks(of: record)
        try document.write(part: HTML.document(html), bytes: html.utf8.count, width: 1_000_000) {
            try emit(StyledText(Sanitizer.block($0.plain) + "\n"))
        }
        self.document = document
    }

    private mutating func takeBuffer(to end: String.Index? = nil) -> String {
        let text = String(buffer[..<(end ?? buffer.endIndex)])
        buffer.removeSubrange(..<(end ?? buffer.endIndex))
        renderedCount += text.utf8.count
        return text
    }

    private static let detectionBytes = 4096

    /// The separator and head above a body; "" if it is partly rendered.
    private mutating func start(_ record: Record) -> String {
        defer { isFirst = false }
        guard renderedCount == 0 else { return "" }
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
        return "\(title)\n\(line)\n\(metadata.author.byline) · \(metadata.publishDate.utc)\n\(article)\n"
    }
}
