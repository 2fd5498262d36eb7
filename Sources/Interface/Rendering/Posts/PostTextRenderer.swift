import BlogEssentials
import BlogMarkup
import BlogModel

/// Renders a post for a terminal: title, author and date, then the wrapped body, then the comments.
package struct PostTextRenderer: PostRenderer {
    private let screen: Screen
    private let marked: MarkedWords
    private var comments: CommentLines
    private let emptyDocument: DocumentRenderer
    private var isFirst = true

    /// - Parameters:
    ///   - codeWidth: the maximum width of code; nil for any.
    ///   - marked: the words to mark in the text.
    package init(_ screen: Screen, codeWidth: Int?, marked: MarkedWords = MarkedWords()) {
        self.screen = screen
        self.marked = marked
        let codeRoom = codeWidth.map { max($0 - screen.width, 0) }
        emptyDocument = DocumentRenderer(screen, codeRoom: codeRoom, hasPictures: true)
        comments = CommentLines(screen: screen, codeRoom: codeRoom)
    }

    package mutating func post(_ record: Record, _ emit: (StyledText) throws -> Void) throws {
        if record.hasThread { comments.begin(on: record.metadata) }
        let author = screen.hasPictures ? PostPictures.author(record.authorImage) : nil
        try emit(shown(head(record, author: author)))
        var document = emptyDocument
        document.resolveLinks(of: record)
        var chunks = BodyChunks(record)
        while let text = chunks.next(.blocks) {
            let format = chunks.format
            let part =
                chunks.isAtEnd
                ? BodyText.document(of: record.metadata, body: text, format: format)
                : BodyText.document(text, format: format)
            var isFirstLine = true
            try document.write(part: part, bytes: text.utf8.count, width: screen.width) { line in
                if isFirstLine { try emit("\n") }
                isFirstLine = false
                try emit(marked.marking(line) + "\n")
            }
        }
        try emit(shown(document.targetLines()))
        try emit(shown(PhotoLines(screen: screen, author: author).lines(record.metadata)))
    }

    package mutating func comment(_ comment: Comment) -> StyledText { shown(comments.lines(comment)) }

    private func shown(_ lines: [StyledText]) -> StyledText { lines.map(marked.marking).lines }

    /// The text above a body, and a rule between posts.
    private mutating func head(_ record: Record, author: PicturePlace? = nil) -> [StyledText] {
        defer { isFirst = false }
        let rule = StyledText(String(repeating: "─", count: min(screen.width, Self.maxRuleWidth)), .muted)
        return (isFirst ? [] : ["", rule, ""]) + PostHead(screen: screen, author: author).lines(record)
            + (record.linkedArticle == nil ? PostPictures.lines(record.metadata, screen) : [])
    }

    /// In a pipe, lines may have any width.
    private static let maxRuleWidth = 80
}

/// The text above a body: the underlined title, the author, the date and other facts.
struct PostHead {
    let screen: Screen
    /// The author's picture, small.
    var author: PicturePlace?

    func lines(_ record: Record) -> [StyledText] {
        let metadata = record.metadata
        let title = StyledText(Sanitizer.line(metadata.title), .title).wrapped(to: screen.width)
        let line = String(repeating: "━", count: title.map(\.width).max() ?? 0)
        let head = title + [StyledText(line, .title)]
        // The facts about a photo are below its description.
        guard metadata.photo == nil else {
            let facts = DiscussionFacts.kind(metadata) + [Sanitizer.line(metadata.id)]
            return head + [StyledText(facts.joined(separator: " · "), .muted)]
        }
        var facts = facts(metadata)
        if let author, !facts.isEmpty { facts[0] = StyledText(author) + facts[0] }
        let duplicates = record.alsoIn.map { StyledText($0, .muted).wrapped(to: screen.width) } ?? []
        let labels = PostMarks.labels(record.state, width: screen.width)
        return head + facts + link(metadata.link.flatMap { LinkTarget.shown($0) }) + labels + duplicates
            + article(record)
    }

    private func facts(_ metadata: PostMetadata) -> [StyledText] {
        let byline = metadata.author.byline
        let name = metadata.isUser || byline.isEmpty ? [] : [StyledText(byline, .author)]
        let parent = metadata.discussion?.parent.map { ["reply to \(Sanitizer.line($0))"] } ?? []
        let facts =
            date(metadata) + DiscussionFacts.counts(metadata) + DiscussionFacts.kind(metadata) + parent
            + [Sanitizer.line(metadata.id)]
        let texts = name + facts.map { StyledText($0, .muted) }
        return texts.joined(separator: StyledText(" · ", .muted)).wrapped(to: screen.width)
    }

    /// The date; empty if it is unknown.
    private func date(_ metadata: PostMetadata) -> [String] {
        let date = metadata.publishDate
        guard date.isKnown else { return [] }
        if metadata.isUser { return ["since \(screen.dates.long(date))"] }
        return [metadata.discussion == nil ? screen.dates.long(date) : screen.dates.short(date)]
    }

    private func link(_ address: String?) -> [StyledText] { address.map { [screen.link($0)] } ?? [] }

    /// The source of the article behind the post's link.
    private func article(_ record: Record) -> [StyledText] {
        guard let facts = LinkedArticleFacts(record, date: screen.dates.long) else { return [] }
        let line = StyledText("Article: " + facts.texts.joined(separator: " · "), .muted)
        return line.wrapped(to: screen.width) + link(facts.address)
    }
}

extension Author {
    /// The name and role: "Kerri Miller, iOS Engineer".
    var byline: String {
        let role = Sanitizer.line(title ?? "")
        let name = Sanitizer.line(name)
        // Some roles are whole sentences, which would distract from the name.
        return role.isEmpty || role.count > Self.maxRoleLength ? name : "\(name), \(role)"
    }

    private static let maxRoleLength = 60
}

/// The facts about the article behind a post's link that differ from those of the post.
struct LinkedArticleFacts {
    /// The title, author, site and date, each on one line, and whether it may be incomplete.
    let texts: [String]
    /// The address of its page, unless it equals the post's link.
    let address: String?

    /// Returns nil for a post with its own text.
    init?(_ record: Record, date: (Timestamp) -> String) {
        guard let article = record.linkedArticle else { return nil }
        let metadata = record.metadata
        let title = article.title.map { Sanitizer.line($0) }
        let author = article.author.map { Sanitizer.line($0) }
        let published = article.publishDate.map(date)
        var texts: [String] = []
        if let title, !title.isEmpty, Folding.fold(title) != Folding.fold(Sanitizer.line(metadata.title)) {
            texts.append("“\(title)”")
        }
        if let author, !author.isEmpty, author != Sanitizer.line(metadata.author.name) { texts.append(author) }
        let host = URL(address: article.address)?.host().map { HostName.shown($0) }
        texts.append(Sanitizer.line(article.site ?? host ?? article.address))
        if let published, published != date(metadata.publishDate) { texts.append(published) }
        if !article.isComplete { texts.append("may be incomplete") }
        self.texts = texts
        address = article.address == metadata.link ? nil : LinkTarget.safe(article.address)
    }
}
