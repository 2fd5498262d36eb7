import Essentials
import Markup
import Model
import Store

/// A post for renderers: its metadata and everything else that may be shown.
package struct Record: Sendable {
    package private(set) var metadata: PostMetadata
    /// The name of its source; nil if there is none to show.
    package private(set) var source: String?
    /// The title of its source, in a list of several sources.
    package var sourceTitle: String?
    /// The address of its source; nil if unknown.
    private var address: String?
    /// The page on the web where it is discussed.
    package var discussionPage: String?
    /// The file of its page in an exported folder, relative to the list.
    package var page: String?
    /// The body, if it was read.
    package var body: String?
    /// The format of the body; nil if its source doesn't specify it.
    package var bodyFormat: BodyFormat?
    /// The address that links in the body are relative to; nil if unknown.
    package var site: URL?
    /// The article that the body is, from the page behind the post's link; nil for the post's own text.
    package var linkedArticle: LinkedArticle?
    /// The group, in a grouped list.
    package var group: String?
    /// Its place in its source's own order, in a list.
    package var rank: Int?
    /// The root post of its thread, in a list.
    package var story: Story?
    /// Whether it is read and saved, in a list.
    package var state: PostState?
    /// When it was last found changed, in a list.
    package var changed: Timestamp?
    /// The matching part of its text, in a search.
    package var snippet: Snippet?

    package init(_ post: ListedPost) {
        metadata = post.metadata
        group = post.group
        rank = post.rank
        story = post.story
        state = post.state
        changed = post.changed
        snippet = post.snippet
    }

    package init(_ post: Post) {
        metadata = post.metadata
        body = post.body
        bodyFormat = post.bodyFormat
    }

    /// The same with displayed ids, and with the name and address of its source.
    package func shown(of source: String, at address: String, _ text: (String) -> String) -> Record {
        var record = self
        record.source = source
        record.address = address
        record.metadata = metadata.mappingIDs(text)
        record.story = story.map { Story(id: text($0.id), title: $0.title) }
        return record
    }

    /// The same with the summary in place of the body.
    var withSummaryAsBody: Record {
        var record = self
        (record.body, record.bodyFormat) = (metadata.summary ?? "", .plain)
        return record
    }

    /// The title of its source, unless that is the author's name.
    var shownTitle: String? {
        sourceTitle.map { Sanitizer.line($0) }.flatMap { $0 == metadata.author.name ? nil : $0 }
    }

    /// The http or https address of the author's picture; nil if there is none.
    package var authorImage: String? {
        guard let image = metadata.author.image, let link = LinkTarget.safe(image, base: server) else { return nil }
        return link.hasPrefix("http") ? link : nil
    }

    /// The address that pictures are relative to; nil if unknown.
    var server: URL? { address.flatMap { URL(address: $0) } }

    package init(_ metadata: PostMetadata) {
        self.metadata = metadata
    }
}
