import BlogEssentials
import BlogMarkup
import BlogModel

/// A post of a ranked list: rank and title, then its counts in columns.
struct RankedCard {
    let record: Record
    let screen: Screen

    var lines: [StyledText] {
        let rank = StyledText(record.rank.map { "\($0)." } ?? "", .muted).padded(
            to: Self.rankWidth, isRightAligned: true)
        let margin = Self.rankWidth + PostMarks.width + 2
        let width = max(screen.width - margin, Screen.minWidth / 2)
        let lines =
            CardTitle.lines(record, screen, width: width) + facts(width)
            + PostMarks.labels(record.state, width: width) + snippet(width)
        return lines.hanging(from: rank + " " + PostMarks.text(record.state) + " ", indent: margin)
    }

    /// Points and comments, or rating and views, in columns if they fit, then the other facts.
    private func facts(_ width: Int) -> [StyledText] {
        let metadata = record.metadata
        let name = StyledText(Sanitizer.line(metadata.author.name), .muted)
        let others =
            screen.dates.shortIfKnown(record.listDate) + DiscussionFacts.kind(metadata)
            + [Sanitizer.line(metadata.id)]
        guard width >= Self.widthWithColumns else {
            let facts = DiscussionFacts.counts(metadata) + [name.plain] + others
            return TextLayout.wrap(facts: facts, width: width).map { StyledText($0, .muted) }
        }
        let counts = metadata.photo.map(counts) ?? counts(metadata)
        let rest = StyledText(" · " + others.joined(separator: " · "), .muted)
        // The name is cut rather than the ID, which must be complete to be typed.
        let room = width - counts.width - 2 - rest.width
        return [counts + "  " + name.truncated(to: max(room, 1)) + rest]
    }

    private func counts(_ metadata: PostMetadata) -> StyledText {
        let points = column(metadata.score, "point", width: 11)
        let comments = column(metadata.commentCount, "comment", width: 14)
        return Self.bright(points, score: metadata.score ?? 0) + StyledText(comments, .muted)
    }

    private func counts(_ photo: Photo) -> StyledText {
        let rating = StyledText(PhotoFacts.text(rating: photo.rating).map { "rated " + $0 } ?? "")
        return rating.padded(to: 11, isRightAligned: true) + StyledText(column(photo.views, "view", width: 14), .muted)
    }

    /// A number, aligned right, and its unit, aligned left.
    private func column(_ number: Int?, _ unit: String, width: Int) -> String {
        guard let number else { return String(repeating: " ", count: width) }
        let digits = String(number)
        let space = max(width - unit.count - 2 - digits.count, 0)
        return String(repeating: " ", count: space) + "\(digits) \(unit)\(number == 1 ? " " : "s")"
    }

    /// The higher the score, the brighter the text.
    static func bright(_ text: String, score: Int) -> StyledText {
        score >= highScore
            ? StyledText(text, .strong) : score >= Self.score ? StyledText(text) : StyledText(text, .muted)
    }

    private func snippet(_ width: Int) -> [StyledText] {
        record.snippet.map { SnippetText.lines($0, width: width, isColored: screen.isColored) } ?? []
    }

    /// Ranks have up to three digits and a dot.
    private static let rankWidth = 4
    private static let widthWithColumns = 48
    /// The median score on a front page, and that of a day's best posts.
    private static let (score, highScore) = (100, 300)
}

/// The facts about a post with points, comments or ratings.
package enum DiscussionFacts {
    /// "120 points", "45 comments", "dead"; "3 karma" for a user.
    static func counts(_ metadata: PostMetadata) -> [String] {
        guard !metadata.isUser else { return metadata.score.map { ["\($0) karma"] } ?? [] }
        var parts: [String] = []
        if let rating = PhotoFacts.text(rating: metadata.photo?.rating) { parts.append("rated " + rating) }
        if let views = metadata.photo?.views { parts.append(Counted.of(views, "view")) }
        if let score = metadata.score { parts.append(Counted.of(score, "point")) }
        if let count = metadata.commentCount { parts.append(Counted.comments(count)) }
        if let removal = metadata.discussion?.removal { parts.append(removal.rawValue) }
        return parts
    }

    /// "job", "poll", "poll option", "ask", "show", or "nsfw" for a photo; empty for stories and comments.
    static func kind(_ metadata: PostMetadata) -> [String] {
        if metadata.photo?.isAdult == true { return ["nsfw"] }
        guard let type = metadata.discussion?.type, ![.story, .comment].contains(type) else { return [] }
        return [type == .pollOption ? "poll option" : type.rawValue]
    }

    /// The host of the link without "www."; nil without a link to the web.
    package static func site(_ metadata: PostMetadata) -> String? {
        guard metadata.safeLink != nil, let host = metadata.link.flatMap({ URL(address: $0) })?.host else { return nil }
        return Sanitizer.line(HostName.shown(host.withoutWWW))
    }
}
