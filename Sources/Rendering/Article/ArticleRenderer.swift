import Markup
import Model

/// A post for a terminal: title, author and date, then the wrapped body, then the comments.
package struct ArticleRenderer: LineRenderer {
    private let screen: Screen
    /// How many columns code may be wider than text; nil for any number.
    private let codeRoom: Int?
    private let marked: MarkedWords
    private var comments: CommentLines
    /// The body that is arriving.
    private var streamed = StreamedBody()
    private var document: DocumentRenderer
    private var isFirst = true

    /// - Parameters:
    ///   - codeWidth: the maximum width of code; nil for any.
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
        let isStarted = streamed.byteCount > 0
        guard let chunk = streamed.append(text) else { return nil }
        (document.site, document.server) = (record.site, record.server)
        var text = shown((isStarted ? [] : head(record)) + [""])
        document.write(
            part: BodyText.document(chunk, format: streamed.format), bytes: chunk.utf8.count, width: screen.width
        ) { text += marked.marking($0) + "\n" }
        return text
    }

    package mutating func record(_ record: Record, _ give: (StyledText) throws -> Void) rethrows {
        let count = streamed.byteCount
        let isStarted = count > 0
        let text = record.body.map { isStarted ? String(Substring($0.utf8.dropFirst(count))) : $0 } ?? streamed.rest
        let format = streamed.format ?? record.bodyFormat
        (document.site, document.server) = (record.site, record.server)
        let author = screen.hasPictures ? ArticlePictures.author(record.authorImage) : nil
        if !isStarted { try give(shown(head(record, author: author))) }
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

    package mutating func summary(_ record: Record) -> StyledText { self.record(record.withSummaryAsBody) }

    package mutating func giveUp() {
        streamed = StreamedBody()
        document = document.forNext
    }

    package mutating func thread(_ record: Record) -> StyledText {
        comments.begin(on: record.metadata)
        return self.record(record)
    }

    package mutating func comment(_ comment: Comment) -> StyledText { shown(comments.lines(comment)) }

    private func shown(_ lines: [StyledText]) -> StyledText { lines.map(marked.marking).lines }

    /// The text above a body, after a rule if another post is above it.
    private mutating func head(_ record: Record, author: PicturePlace? = nil) -> [StyledText] {
        defer { isFirst = false }
        let rule = StyledText(String(repeating: "─", count: min(screen.width, Self.maxRuleWidth)), .muted)
        return (isFirst ? [] : ["", rule, ""]) + ArticleHead(screen: screen, author: author).lines(record)
            + (record.linkedArticle == nil ? ArticlePictures.lines(record.metadata, screen) : [])
    }

    /// In a pipe, lines have any width, but a rule doesn't.
    private static let maxRuleWidth = 80
}

/// The text above a body: the underlined title, the author, the date and other facts.
struct ArticleHead {
    let screen: Screen
    /// The author's picture, small; nil for none.
    var author: PicturePlace?

    func lines(_ record: Record) -> [StyledText] {
        let metadata = record.metadata
        let title = StyledText(Sanitizer.line(metadata.title), .title).wrapped(to: screen.width)
        let line = String(repeating: "━", count: title.map(\.width).max() ?? 0)
        let head = title + [StyledText(line, .title)]
        // The facts of a photo are written below its description.
        guard metadata.photo == nil else { return head + kind(metadata) }
        var facts = facts(metadata)
        if let author, !facts.isEmpty { facts[0] = StyledText(author) + facts[0] }
        return head + facts + link(metadata.link) + article(record)
    }

    /// "nsfw" for some photos, and the id.
    private func kind(_ metadata: PostMetadata) -> [StyledText] {
        let facts = DiscussionFacts.kind(metadata) + [Sanitizer.line(metadata.id)]
        return [StyledText(facts.joined(separator: " · "), .muted)]
    }

    private func facts(_ metadata: PostMetadata) -> [StyledText] {
        let isPerson = DiscussionFacts.isPerson(metadata)
        let name = isPerson ? [] : [StyledText(Byline.text(metadata.author), .author)]
        let parent = metadata.discussion?.parent.map { ["reply to \(Sanitizer.line($0))"] } ?? []
        let facts =
            [date(metadata)] + DiscussionFacts.counts(metadata) + DiscussionFacts.kind(metadata) + parent
            + [Sanitizer.line(metadata.id)]
        let texts = name + facts.map { StyledText($0, .muted) }
        return texts.joined(separator: StyledText(" · ", .muted)).wrapped(to: screen.width)
    }

    private func date(_ metadata: PostMetadata) -> String {
        if DiscussionFacts.isPerson(metadata) { return "since \(screen.dates.long(metadata.publishDate))" }
        return metadata.discussion == nil
            ? screen.dates.long(metadata.publishDate) : screen.dates.short(metadata.publishDate)
    }

    /// The link of the post; never wrapped, because a broken address can't be used.
    private func link(_ address: String?) -> [StyledText] {
        guard let link = address.flatMap({ LinkTarget.safe($0) }) else { return [] }
        let text = StyledText(link, .link)
        return [screen.hasHyperlinks ? text.linked(to: link) : text]
    }

    /// Where the article behind the link is from.
    private func article(_ record: Record) -> [StyledText] {
        guard let facts = LinkedArticleFacts(record, date: screen.dates.long) else { return [] }
        let line = StyledText("Article: " + facts.texts.joined(separator: " · "), .muted)
        return line.wrapped(to: screen.width) + link(facts.address)
    }
}

/// The author of a post in words.
package enum Byline {
    /// The author's name and role: "Kerri Miller, iOS Engineer".
    package static func text(_ author: Author) -> String {
        let role = Sanitizer.line(author.title ?? "")
        let name = Sanitizer.line(author.name)
        // Some roles are whole sentences, which would distract from the name.
        return role.isEmpty || role.count > maxRoleLength ? name : "\(name), \(role)"
    }

    private static let maxRoleLength = 60
}
