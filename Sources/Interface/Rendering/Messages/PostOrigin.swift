import BlogEssentials
import BlogMarkup
import BlogModel

/// Sentences that say where a post came from, and why it is in lists or not.
package enum PostOrigin {
    /// - Parameter name: how a post's ID is written.
    package static func sentences(
        _ post: PostID, _ record: PostRecord, isRead: Bool, source: String, name: (PostID) -> String
    ) -> [Message] {
        let id = name(post)
        let archive: Message = record.isArchived ? ", with the archive of its blog" : ""
        let stored = "\(id) came from \(source) (\(Sanitizer.line(post.source.address)))"
        var sentences: [Message] = ["\(stored)\(archive.text); stored or changed \(record.changedAt.minuteText)."]
        for found in record.rules {
            sentences.append(
                "Rule \(found.number) finds it: \(Sanitizer.line(found.rule.words)) (\(found.rule.actions)).")
        }
        if let shown = record.story.first {
            let others = record.story.filter { $0 != post }.map(name)
            sentences.append(
                shown == post
                    ? "It stands for \(Counted.list(others)), of the same story."
                    : "\(name(shown)) stands for it, of the same story.")
        }
        return sentences + absence(post, record, isRead: isRead)
    }

    /// Why lists don't have it.
    private static func absence(_ post: PostID, _ record: PostRecord, isRead: Bool) -> [Message] {
        let hiding = record.rules.filter(\.rule.isHiding).map { "rule \($0.number)" }
        let reasons = [
            record.isHidden ? "\(hiding.isEmpty ? "a rule" : Counted.list(hiding)) hides it (blog list --hidden)" : nil,
            record.isRemoved ? "it was removed at its source" : nil,
            record.isFollowed ? nil : "you don't follow its source",
            record.isListed ? nil : "its source doesn't list it any more",
            record.story.first.map { $0 != post } == true ? "another post of its story stands for it" : nil,
        ].compactMap(\.self)
        if !reasons.isEmpty { return ["It isn't in blog list, because \(Counted.list(reasons))."] }
        return isRead ? ["It isn't in blog list --unread, because it is read."] : []
    }
}
