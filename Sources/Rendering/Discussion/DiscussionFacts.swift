import Foundation
import Markup
import Model

/// The facts about a post that people discuss or rate.
package enum DiscussionFacts {
    /// "120 points", "45 comments", "dead"; "3 karma" of a person.
    static func counts(_ metadata: PostMetadata) -> [String] {
        guard !isPerson(metadata) else { return metadata.score.map { ["\($0) karma"] } ?? [] }
        var parts: [String] = []
        if let rating = PhotoFacts.text(rating: metadata.photo?.rating) { parts.append("rated " + rating) }
        if let views = metadata.photo?.views { parts.append(views == 1 ? "1 view" : "\(views) views") }
        if let score = metadata.score { parts.append(score == 1 ? "1 point" : "\(score) points") }
        if let count = metadata.commentCount { parts.append(count == 1 ? "1 comment" : "\(count) comments") }
        if let removal = metadata.discussion?.removal { parts.append(removal.rawValue) }
        return parts
    }

    /// "job", "poll", "ask", "show", or "nsfw" of a photo; none for a story, which most posts are, or a comment.
    static func kind(_ metadata: PostMetadata) -> [String] {
        if metadata.photo?.isAdult == true { return ["nsfw"] }
        guard let type = metadata.discussion?.type, ![.story, .comment].contains(type) else { return [] }
        return [type.rawValue]
    }

    /// Whether it is no post but somebody who writes them.
    static func isPerson(_ metadata: PostMetadata) -> Bool {
        metadata.discussion == nil && metadata.score != nil && metadata.title == metadata.author.name
    }

    /// Facts with dots between them as lines, broken between two of them rather than inside one.
    package static func lines(_ parts: [String], width: Int) -> [String] {
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
    static func site(_ metadata: PostMetadata) -> String? {
        guard let link = metadata.link, LinkTarget.safe(link) != nil, let host = URL(string: link)?.host else {
            return nil
        }
        return Sanitizer.line(host.hasPrefix("www.") ? String(host.dropFirst(4)) : host)
    }
}
