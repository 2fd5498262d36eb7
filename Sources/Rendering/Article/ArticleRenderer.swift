import Model

/// A post to be read on a terminal: title, author and date, then the body wrapped to the width, then its comments.
package struct ArticleRenderer: Renderer {
    private let screen: Screen
    /// How many columns code may be wider than text; nil for any number.
    private let codeRoom: Int?
    private let marked: MarkedWords
    private var comments: CommentLines
    private var early = EarlyParts()
    private var document: DocumentRenderer
    private var isFirst = true

    /// - Parameters:
    ///   - codeWidth: how wide a line of code may be; nil for any width.
    ///   - marked: the words to mark in the text.
    package init(_ screen: Screen, codeWidth: Int?, marked: MarkedWords = MarkedWords()) {
        self.screen = screen
        self.marked = marked
        codeRoom = codeWidth.map { max($0 - screen.width, 0) }
        document = DocumentRenderer(screen, codeRoom: codeRoom, hasPictures: true)
        comments = CommentLines(screen: screen, codeRoom: codeRoom)
    }

    package var takesParts: Bool { true }

    package mutating func beginning(_ text: String, of record: Record) -> StyledText? {
        let isStarted = early.given > 0
        guard let part = early.add(text) else { return nil }
        (document.site, document.server) = (record.site, record.server)
        var text = shown((isStarted ? [] : head(record.metadata)) + [""])
        document.write(
            part: BodyText.document(part, format: early.format), bytes: part.utf8.count, width: screen.width
        ) { text += marked.marking($0) + "\n" }
        return text
    }

    package mutating func record(_ record: Record) -> StyledText {
        var text = StyledText()
        self.record(record) { text += $0 }
        return text
    }

    package mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows {
        let isStarted = early.given > 0
        let text = record.body.map { isStarted ? String(Substring($0.utf8.dropFirst(early.given))) : $0 } ?? early.rest
        let format = early.format ?? record.bodyFormat
        (document.site, document.server) = (record.site, record.server)
        let author = screen.hasPictures ? ArticlePictures.author(record.authorImage) : nil
        if !isStarted { try give(shown(head(record.metadata, author: author))) }
        var hasBody = false
        try document.write(
            part: BodyText.document(of: record.metadata, body: text, format: format), bytes: text.utf8.count,
            width: screen.width
        ) { line in
            if !hasBody { try give("\n") }
            hasBody = true
            try give(marked.marking(line) + "\n")
        }
        try give(shown(document.targetLines()))
        giveUp()
        try give(shown(PhotoLines(screen: screen, author: author).lines(record.metadata)))
    }

    package mutating func summary(_ record: Record) -> StyledText {
        var record = record
        (record.body, record.bodyFormat) = (record.metadata.summary ?? "", .plain)
        return self.record(record)
    }

    package mutating func giveUp() {
        early = EarlyParts()
        document = document.forNext
    }

    package mutating func thread(_ record: Record) -> StyledText {
        comments.begin(on: record.metadata)
        return self.record(record)
    }

    package mutating func comment(_ comment: Comment) -> StyledText { shown(comments.lines(comment)) }

    private func shown(_ lines: [StyledText]) -> StyledText { lines.map(marked.marking).lines }

    /// A rule after the post before it, and what stands above a body.
    private mutating func head(_ metadata: PostMetadata, author: PicturePlace? = nil) -> [StyledText] {
        defer { isFirst = false }
        let rule = StyledText(String(repeating: "─", count: min(screen.width, Self.maxRuleWidth)), .muted)
        return (isFirst ? [] : ["", rule, ""]) + ArticleHead(screen: screen, author: author).lines(metadata)
            + ArticlePictures.lines(metadata, screen)
    }

    /// In a pipe a line may be of any width, but not a rule.
    private static let maxRuleWidth = 80
}
