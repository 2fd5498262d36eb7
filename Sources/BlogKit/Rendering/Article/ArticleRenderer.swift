import Foundation

/// A post to be read on a terminal: title, author and date, then the body wrapped to the width, then its comments.
package struct ArticleRenderer: Renderer {
    private let width: Int
    private let links: LinkMode
    private let codeWidth: Int?
    private let now: Date
    private var comments: CommentLines
    private var early = EarlyParts()
    private var document: DocumentRenderer
    private var isFirst = true

    /// - Parameters:
    ///   - codeWidth: how wide a line of code may be; nil for any width.
    ///   - now: from when ages are counted.
    package init(
        width: Int, codeWidth: Int?, isColored: Bool, links: LinkMode = .numbered, now: Date = Date()
    ) {
        self.links = links
        self.codeWidth = codeWidth.map { max($0, width, 20) }
        self.width = max(width, 20)
        self.now = now
        document = DocumentRenderer(
            isColored: isColored, mode: links, codeRoom: codeWidth.map { max($0, width, 20) - max(width, 20) })
        comments = CommentLines(
            width: self.width, codeRoom: self.codeWidth.map { $0 - max(width, 20) }, isColored: isColored, links: links,
            now: now)
    }

    package var takesParts: Bool { true }

    package mutating func beginning(_ text: String, of metadata: PostMetadata) -> StyledText? {
        let isStarted = early.given > 0
        guard let part = early.add(text) else { return nil }
        let body = document.lines(part: BodyText.document(part, format: early.format), width: width)
        return ((isStarted ? [] : head(metadata)) + [""] + body).lines
    }

    package mutating func record(_ record: Record) -> StyledText {
        let isStarted = early.given > 0
        let text = record.body.map { isStarted ? String(Substring($0.utf8.dropFirst(early.given))) : $0 } ?? early.rest
        let body =
            document.lines(
                part: BodyText.document(
                    of: record.metadata, body: text, format: early.format ?? record.bodyFormat), width: width)
            + document.targetLines()
        giveUp()
        return ((isStarted ? [] : head(record.metadata)) + (body.isEmpty ? [] : [""]) + body).lines
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

    package mutating func comment(_ comment: Comment) -> StyledText {
        ([""] + comments.lines(comment)).lines
    }

    private func facts(_ metadata: PostMetadata) -> [StyledText] {
        guard let facts = DiscussionFacts(metadata, now: now) else {
            let byline = Byline(metadata)
            return StyledText("\(byline.text) · \(byline.date)", .author).wrapped(to: width)
        }
        // Addresses are never wrapped, because a wrapped one can't be used.
        let link = metadata.link.flatMap { LinkTarget.safe($0) }.map { [StyledText($0, .link)] } ?? []
        let reply = metadata.discussion?.parent.map { ["reply to id \(Sanitizer.line($0))"] } ?? []
        return link
            + DiscussionFacts.lines(facts.parts + reply, width: width).map { StyledText($0, .author) }
    }

    /// What stands above a body: a rule after the post before it, the title, and who wrote it when.
    private mutating func head(_ metadata: PostMetadata) -> [StyledText] {
        let rule = StyledText(String(repeating: "─", count: min(width, Self.maxRuleWidth)), .muted)
        defer { isFirst = false }
        let title = StyledText(Sanitizer.line(metadata.title), .title).wrapped(to: width)
        return (isFirst ? [] : ["", rule, ""]) + title + facts(metadata)
    }

    /// In a pipe a line may be of any width, but not a rule.
    private static let maxRuleWidth = 80
}
