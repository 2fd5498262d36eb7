import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel

/// A post of another source about the same story, as it is shown.
package struct ShownDuplicate: Hashable, Sendable {
    /// The ID to type.
    package let id: String
    /// The name of its source.
    package let source: String
    let score: Int?
    let commentCount: Int?

    init(_ duplicate: Duplicate, _ shortIDs: ShortIDs) {
        id = shortIDs.text(duplicate.id)
        source = shortIDs.name(of: duplicate.id.source)
        (score, commentCount) = (duplicate.score, duplicate.commentCount)
    }

    /// "hn (214 points, 53 comments)".
    var text: String {
        let counts = [
            score.map { Counted.of($0, "point") }, commentCount.flatMap { $0 > 0 ? Counted.comments($0) : nil },
        ]
        let facts = counts.compactMap(\.self).joined(separator: ", ")
        return Sanitizer.line(source) + (facts.isEmpty ? "" : " (\(facts))")
    }

    var json: JSONText { ["id": id, "source": source, "score": score, "commentCount": commentCount] }
}

/// A post to render: its metadata and everything else that may be shown.
package struct Record: Sendable {
    package private(set) var metadata: PostMetadata
    /// The name of the source.
    package private(set) var source: String?
    /// The title of the source, in a list of several sources.
    package var sourceTitle: String?
    /// The address of the source.
    private var address: String?
    /// The address of the web page with the discussion.
    package var discussionPage: String?
    package var body: String?
    /// The format of the body; nil if unspecified.
    package var bodyFormat: BodyFormat?
    /// The base address of links in the body; nil if unknown.
    package var site: URL?
    /// The article that the body was extracted from; nil if the body is the post's own.
    package var linkedArticle: Article?
    /// Whether the body is only a summary, because the post's own isn't available.
    private(set) var isSummary = false
    /// Whether comments follow.
    package var hasThread = false
    /// The group, in a grouped list.
    package var group: String?
    /// The position in the source's own order, in a list.
    package var rank: Int?
    /// The root post of its thread, in a list.
    package var story: Story?
    /// Whether it is read and saved, in a list.
    package var state: PostState?
    /// The date of the last detected change, in a list.
    package var changed: Timestamp?
    /// When it arrived, in a list, if it is dated later.
    private var arrival: Timestamp?
    /// The posts of other sources about the same story.
    package var duplicates: [ShownDuplicate] = []
    /// The matching excerpt, in a search.
    package var snippet: Snippet?

    package init(_ post: StoredPost) {
        metadata = post.metadata
        group = post.group
        rank = post.rank
        story = post.story
        state = post.state
        changed = post.changed
        arrival = post.arrival
        snippet = post.snippet
    }

    package init(_ post: Post) {
        metadata = post.metadata
        body = post.body
        bodyFormat = post.bodyFormat
    }

    /// Gives the record displayed IDs, and the name and address of its source.
    package mutating func show(of source: String, at address: String, _ text: (String) -> String) {
        self.source = source
        self.address = address
        metadata.mapIDs(text)
        if let story { self.story = Story(id: text(story.id), title: story.title) }
    }

    package var withSummaryAsBody: Record {
        var record = self
        (record.body, record.bodyFormat, record.isSummary) = (metadata.summary ?? "", .plain, true)
        return record
    }

    /// "also in hn (214 points), lobsters"; nil without duplicates.
    var alsoIn: String? {
        duplicates.isEmpty ? nil : "also in " + duplicates.map(\.text).joined(separator: ", ")
    }

    /// The date that a list is sorted by, and shows.
    var listDate: Timestamp { arrival ?? metadata.publishDate }

    /// The title of the source, unless it equals the author's name.
    var shownTitle: String? {
        sourceTitle.map { Sanitizer.line($0) }.flatMap { $0 == metadata.author.name ? nil : $0 }
    }

    /// The http or https address of the author's picture.
    package var authorImage: String? { metadata.author.picture(relativeTo: server)?.absoluteString }

    /// The base address of pictures; nil if unknown.
    var server: URL? { address.flatMap { URL(address: $0) } }

    package init(_ metadata: PostMetadata) {
        self.metadata = metadata
    }
}

extension PostMetadata {
    /// The link, if it is safe to follow.
    var safeLink: String? { link.flatMap { LinkTarget.safe($0) } }
}
