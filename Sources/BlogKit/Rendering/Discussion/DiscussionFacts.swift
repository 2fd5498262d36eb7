import Foundation

/// The facts about a post with a discussion: points, author, age, and number of comments.
struct DiscussionFacts {
    private let metadata: PostMetadata
    private let now: Date

    /// The facts; nil for a post of a source without points and comments.
    init?(_ metadata: PostMetadata, now: Date) {
        guard metadata.score != nil || metadata.commentCount != nil || metadata.discussion != nil else { return nil }
        self.metadata = metadata
        self.now = now
    }

    /// "120 points", "kerri", "3 hours ago", "45 comments".
    var parts: [String] {
        guard !isPerson else {
            let karma = metadata.score.map { ["\($0) karma"] } ?? []
            return karma + ["since \(Byline.day(metadata.publishDate))"]
        }
        var parts: [String] = []
        if let score = metadata.score { parts.append(score == 1 ? "1 point" : "\(score) points") }
        parts.append(Sanitizer.line(metadata.author.name))
        parts.append(Age.text(metadata.publishDate, now: now))
        if let count = metadata.commentCount { parts.append(count == 1 ? "1 comment" : "\(count) comments") }
        if let removal = metadata.discussion?.removal { parts.append(removal.rawValue) }
        return parts
    }

    /// Whether it is no post but somebody who writes them.
    private var isPerson: Bool { metadata.discussion == nil && metadata.title == metadata.author.name }

    /// Facts with dots between them as lines, broken between two of them rather than inside one.
    static func lines(_ parts: [String], width: Int) -> [String] {
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(part) + 3 <= width {
                lines[lines.count - 1] = last + " · " + part
            } else {
                lines += TextLayout.wrap(part, width: width)
            }
        }
        return lines
    }

    /// The host that a link leads to, without the "www." that says nothing; nil if there is no link to the web.
    var site: String? {
        guard let link = metadata.link, LinkTarget.safe(link) != nil, let host = URL(string: link)?.host else {
            return nil
        }
        return Sanitizer.line(host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
    }
}
