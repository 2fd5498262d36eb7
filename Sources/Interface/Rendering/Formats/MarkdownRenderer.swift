import BlogEssentials
import BlogMarkup
import BlogModel

/// Renders Markdown: a list as a table, or if grouped, as lists; a post as its title and body.
package struct MarkdownRenderer: ListRenderer, PostRenderer {
    private let isGrouped: Bool
    private var isFirst = true

    package init(isGrouped: Bool) {
        self.isGrouped = isGrouped
    }

    package mutating func group(_ group: PostGroup) -> StyledText {
        defer { isFirst = false }
        return StyledText((isFirst ? "" : "\n") + "## \(escaped(group.name)) (\(group.count))\n\n")
    }

    package mutating func record(_ record: Record) -> StyledText {
        defer { isFirst = false }
        return StyledText(record.body.map { article(record, $0) } ?? item(record))
    }

    /// A post in a list: a table row, or in a grouped list an item.
    private func item(_ record: Record) -> String {
        let (metadata, day) = (record.metadata, record.listDate.day)
        guard !isGrouped else {
            let facts = [escaped(metadata.author.name), day].filter { !$0.isEmpty }.joined(separator: ", ")
            return "- \(MarkdownEscape.strong(title(metadata))), \(facts) (\(escaped(metadata.id)))\n"
        }
        let head = isFirst ? "| id | date | author | title |\n| --- | --- | --- | --- |\n" : ""
        let texts = [metadata.id, day, metadata.author.name].map(escaped) + [title(metadata)]
        let cells = texts.map(MarkdownEscape.cell)
        return head + "| " + cells.joined(separator: " | ") + " |\n"
    }

    /// A comment as an item; replies are nested.
    package mutating func comment(_ comment: Comment) -> StyledText {
        let depth = min(comment.depth, Self.maxDepth)
        let margin = String(repeating: "  ", count: depth)
        let level = comment.depth > depth ? "↳\(comment.depth + 1) " : ""
        let removal = comment.removal.map { " [\($0.rawValue)]" } ?? ""
        let date = comment.publishDate.isKnown ? ", \(comment.publishDate.utc)" : ""
        let head = "\(MarkdownEscape.strong(escaped(comment.author.name)))\(removal)\(date) (\(escaped(comment.id)))"
        let body = MarkdownPrinter().text(BodyText.document(of: comment)).split(
            separator: "\n", omittingEmptySubsequences: false)
        let lines = body.map { $0.isEmpty ? "" : margin + "  " + $0 }
        let text = comment.body.isEmpty ? "" : "\n" + lines.joined(separator: "\n") + "\n"
        return StyledText("\n\(margin)- \(level)\(head)\n" + text)
    }

    /// Deeper comments aren't indented any further, but say how deep they are.
    private static let maxDepth = 32

    /// A post with its body, unchanged if it is Markdown.
    private func article(_ record: Record, _ body: String) -> String {
        let metadata = record.metadata
        let byline = [escaped(metadata.author.byline), metadata.publishDate.day].filter { !$0.isEmpty }
        var facts = MarkdownEscape.emphasis(byline.joined(separator: ", "))
        if let score = metadata.score { facts += ", \(Counted.of(score, "point"))" }
        if let count = metadata.commentCount { facts += ", \(Counted.comments(count))" }
        if let article = LinkedArticleFacts(record, date: \.day) {
            facts += "\n\n*Article: \(article.texts.map(escaped).joined(separator: " · "))*"
        }
        let head = "# \(MarkdownEscape.heading(title(metadata)))\n\n\(facts)\n\n"
        let text = BodyText.markdown(of: metadata, body: body, format: record.bodyFormat)
        let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
        return (isFirst ? "" : "\n---\n\n") + head + text + end + photo(metadata, isFirst: text.isEmpty)
    }

    /// The facts about a photo as a list; "" for other posts.
    ///
    /// - Parameter isFirst: whether it already follows a blank line.
    private func photo(_ metadata: PostMetadata, isFirst: Bool) -> String {
        guard let facts = PhotoFacts(metadata, date: \.day) else { return "" }
        let all = facts.photographer + facts.camera + facts.place + facts.others
        return (isFirst ? "" : "\n") + all.map(item).joined()
    }

    private func item(_ fact: PhotoFacts.Fact) -> String {
        let text = escaped(fact.text)
        let link = fact.isLink ? "[\(text)](\(MarkdownEscape.target(fact.text, inBrackets: true)))" : text
        return "- **\(fact.name):** \(link)\n"
    }

    /// The title, as a link if the post has one.
    private func title(_ metadata: PostMetadata) -> String {
        guard let link = metadata.safeLink else { return escaped(metadata.title) }
        return "[\(escaped(metadata.title))](\(MarkdownEscape.target(link, inBrackets: true)))"
    }

    private func escaped(_ text: String) -> String {
        MarkdownEscape.text(text).trimmed
    }
}

extension Timestamp {
    /// The day in UTC; "" if it is unknown.
    fileprivate var day: String { isKnown ? String(utc.prefix(10)) : "" }
}
