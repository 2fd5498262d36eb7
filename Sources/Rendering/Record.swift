import Foundation
import Markup
import Model
import Store

/// A post as renderers take it: its metadata, and what else is known where it comes from.
package struct Record: Sendable {
    package private(set) var metadata: PostMetadata
    /// The name of its source; nil if there is none to show.
    package private(set) var source: String?
    /// What its source is called, in a list of several; nil where that goes without saying.
    package var sourceTitle: String?
    /// The address of its source; nil where it isn't known.
    private var address: String?
    /// The page on the web where it is discussed.
    package var discussionPage: String?
    /// The file of its own page in a folder of pages, relative to that of the list.
    package var page: String?
    /// The body, where it was read.
    package var body: String?
    /// The format of the body; nil if its source doesn't specify it.
    package var bodyFormat: BodyFormat?
    /// The address that relative links of the body are of; nil where nothing says.
    package var site: URL?
    /// The group, in a grouped list.
    package var group: String?
    /// Its place in its source's own order, in a list.
    package var rank: Int?
    /// The root post of its thread, in a list.
    package var story: Story?
    /// What was recorded about it, in a list.
    package var state: PostState?
    /// When it was last found changed, in a list.
    package var changed: Timestamp?
    /// Where the search terms stand, in a search.
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

    /// The same with its ids in the form in which they are to be shown, and the name and the address of its source.
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

    /// The address of the author's picture, http or https; nil where there is none.
    package var authorImage: String? {
        guard let image = metadata.author.image, let link = LinkTarget.safe(image, base: server) else { return nil }
        return link.hasPrefix("http") ? link : nil
    }

    /// From where its pictures are taken that name no host; nil where that isn't known.
    var server: URL? { address.flatMap { URL(string: $0) } }

    package init(_ metadata: PostMetadata) {
        self.metadata = metadata
    }
}
