import Markup
import Model

/// What stands above a body: the title and a line under it, who wrote it and when, and what is known besides.
struct ArticleHead {
    let screen: Screen
    /// The author's picture, small; nil for none.
    var author: PicturePlace?

    func lines(_ metadata: PostMetadata) -> [StyledText] {
        let title = StyledText(Sanitizer.line(metadata.title), .title).wrapped(to: screen.width)
        let line = String(repeating: "━", count: title.map(\.width).max() ?? 0)
        let head = title + [StyledText(line, .title)]
        // Who took a photo, and what else is known of it, stands below what is said about it.
        guard metadata.photo == nil else { return head + kind(metadata) }
        var facts = facts(metadata)
        if let author, !facts.isEmpty { facts[0] = StyledText(author) + facts[0] }
        return head + facts + link(metadata)
    }

    /// A word of warning about a photo, and its id.
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

    /// What the post is about; never wrapped, because an address in two pieces can't be used.
    private func link(_ metadata: PostMetadata) -> [StyledText] {
        guard let link = metadata.link.flatMap({ LinkTarget.safe($0) }) else { return [] }
        let text = StyledText(link, .link)
        return [screen.hasHyperlinks ? text.linked(to: link) : text]
    }
}
