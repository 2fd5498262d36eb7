import Foundation

/// A post as renderers take it: its metadata, and what else is known where it comes from.
package struct Record: Sendable {
    package private(set) var metadata: PostMetadata
    /// The name of its source; nil if there is none to show.
    package private(set) var source: String?
    /// The address of its source, from which its pictures are taken; nil if it is unknown.
    package var address: URL?
    /// The page on the web where it is discussed.
    package var discussionPage: String?
    /// The file of its own page in a folder of pages, relative to that of the list.
    package var page: String?
    /// The body, where it was read.
    package var body: String?
    /// The format of the body; nil if its source doesn't specify it.
    package var bodyFormat: BodyFormat?
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

    /// The same with its ids in the form in which they are to be shown, and the name of its source.
    package func shown(of source: String, _ text: (String) -> String) -> Record {
        var record = self
        record.source = source
        record.metadata = metadata.mappingIDs(text)
        record.story = story.map { Story(id: text($0.id), title: $0.title) }
        return record
    }

    package init(_ metadata: PostMetadata) {
        self.metadata = metadata
    }
}
