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
    package let date: Timestamp
    package internal(set) var isRead: Bool
    package internal(set) var isSaved: Bool
    /// The heading of its group; nil in a list without groups.
    package let group: String?
    package let rank: Int?
    package let points: Int?
    package let commentCount: Int?
    /// Whether it belongs to a discussion, which is shown with points and comments.
    package let isDiscussed: Bool
    /// The words of a search in it; nil if nothing was searched for.
    package let snippet: Snippet?

    package init(_ post: ListedPost, source: String?, group: String?) {
        let metadata = post.metadata
        id = post.id
        let line = Sanitizer.line(metadata.title)
        title = line.isEmpty ? Sanitizer.line(metadata.summary ?? metadata.id) : line
        author = Sanitizer.line(metadata.author.name)
        // Photos of one site are told apart by who took them.
        self.source = source ?? (metadata.photo == nil ? nil : author)
        date = metadata.publishDate
        (isRead, isSaved) = (post.state.isRead, post.state.isSaved)
        self.group = group
        rank = post.rank
        points = metadata.score ?? metadata.photo?.rating.map { Int($0) }
        commentCount = metadata.commentCount
        isDiscussed = metadata.isDiscussed
        snippet = post.snippet
    }

    /// A post that is named, and may not be stored yet.
    package init(_ id: PostID, _ metadata: PostMetadata?, typedID: String, source: String?, state: PostState?) {
        self.id = id
        let line = Sanitizer.line(metadata?.title ?? "")
        title = line.isEmpty ? Sanitizer.line(typedID) : line
        self.source = source
        author = Sanitizer.line(metadata?.author.name ?? "")
        date = metadata?.publishDate ?? Timestamp(secondsSince1970: 0)
        (isRead, isSaved) = (state?.isRead ?? false, state?.isSaved ?? false)
        (group, rank, snippet) = (nil, nil, nil)
        (points, commentCount) = (metadata?.score, metadata?.commentCount)
        isDiscussed = metadata?.isDiscussed ?? false
    }
}
