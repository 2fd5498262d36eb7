import Essentials
import Markup
import Model
import Rendering
import Store

/// A post of a list on the screen: as little of it as is shown, as there may be a million.
package struct ListRow: Sendable {
    package let id: PostID
    /// Its title, on one line.
    package let title: String
    /// The title of its source; nil where a single one is shown.
    package let source: String?
    package let author: String
    /// When it was published; nil if that is unknown.
    package let date: Date?
    package internal(set) var isRead: Bool
    package internal(set) var isSaved: Bool
    /// The heading of its group; nil in a list without groups.
    package let group: String?
    package let rank: Int32?
    /// Its points, or the rating of a photo.
    package let points: Int32?
    package let commentCount: Int32?
    /// Whether it belongs to a discussion, which is shown with points and comments.
    package let isDiscussed: Bool

    package init(_ post: ListedPost, source: String?, group: String?) {
        let metadata = post.metadata
        id = post.id
        let line = Sanitizer.line(metadata.title)
        title = line.isEmpty ? Sanitizer.line(metadata.summary ?? metadata.id) : line
        author = Sanitizer.line(metadata.author.name)
        // Photos of one site are told apart by who took them.
        self.source = source ?? (metadata.photo == nil ? nil : author)
        date = metadata.publishDate.date
        (isRead, isSaved) = (post.state.isRead, post.state.isSaved)
        self.group = group
        rank = post.rank.map { Int32(clamping: $0) }
        points = metadata.score.map { Int32(clamping: $0) } ?? Self.rating(metadata)
        commentCount = metadata.commentCount.map { Int32(clamping: $0) }
        isDiscussed = metadata.isDiscussed
    }

    /// A photo's rating as a whole number; nil for no photo, or none.
    private static func rating(_ metadata: PostMetadata) -> Int32? {
        guard let rating = metadata.photo?.rating, rating.isFinite else { return nil }
        return Int32(min(max(rating, 0), 1_000_000))
    }

    /// A post that is named, and may not be stored yet.
    package init(_ id: PostID, _ metadata: PostMetadata?, typedID: String, source: String?, state: PostState?) {
        self.id = id
        let line = Sanitizer.line(metadata?.title ?? "")
        title = line.isEmpty ? Sanitizer.line(typedID) : line
        self.source = source
        author = Sanitizer.line(metadata?.author.name ?? "")
        date = metadata?.publishDate.date
        (isRead, isSaved) = (state?.isRead ?? false, state?.isSaved ?? false)
        (group, rank) = (nil, nil)
        points = metadata?.score.map { Int32(clamping: $0) }
        commentCount = metadata?.commentCount.map { Int32(clamping: $0) }
        isDiscussed = metadata?.isDiscussed ?? false
    }
}
