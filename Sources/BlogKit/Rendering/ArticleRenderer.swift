import Foundation

/// A post to be read on a terminal: title, author and date, then the body wrapped to the width, then its comments.
package struct ArticleRenderer: Renderer {
    private let width: Int
    private let isColored: Bool
    private let links: LinkMode
    private let codeWidth: Int?
    private let now: Date
    private var comments: CommentLines
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
        self.isColored = isColored
        self.now = now
        comments = CommentLines(
            width: self.width, codeRoom: self.codeWidth.map { $0 - max(width, 20) }, isColored: isColored, links: links,
            now: now)
    }

    package mutating func record(_ record: Record) -> String {
        let title = TextLayout.wrap(Sanitizer.line(record.metadata.title), width: width)
        let rule = Style.muted(String(repeating: "─", count: min(width, Self.longestRule)), isColored: isColored)
        defer { isFirst = false }
        var lines = isFirst ? [] : ["", rule, ""]
        lines += title.map { Style.title($0, isColored: isColored) }
        lines += facts(record.metadata)
        let body = body(record)
        return (lines + (body.isEmpty ? [] : [""]) + body).joined(separator: "\n") + "\n"
    }

    package mutating func comment(_ comment: Comment) -> String {
        "\n" + comments.lines(comment).joined(separator: "\n") + "\n"
    }

    private func facts(_ metadata: PostMetadata) -> [String] {
        guard let facts = DiscussionFacts(metadata, now: now) else {
            let byline = Byline(metadata)
            return TextLayout.wrap("\(byline.text) · \(byline.date)", width: width)
                .map { Style.author($0, isColored: isColored) }
        }
        // An address that is broken can't be used; it stays whole, however long.
        let link = metadata.link.flatMap { LinkTarget.safe($0) }.map { [Style.link($0, isColored: isColored)] } ?? []
        let answered = metadata.discussion?.parent.map { ["answers id \(Sanitizer.line($0))"] } ?? []
        return link
            + DiscussionFacts.lines(facts.parts + answered, width: width).map { Style.author($0, isColored: isColored) }
    }

    private func body(_ record: Record) -> [String] {
        var document = DocumentRenderer(
            isColored: isColored, mode: links, codeRoom: codeWidth.map { $0 - width })
        return document.lines(BodyText.document(record.body ?? "", format: record.bodyFormat), width: width)
    }

    /// In a pipe a line may be of any width, but not a rule.
    private static let longestRule = 80
}
