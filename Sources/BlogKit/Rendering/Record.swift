/// A post as the renderers take it: its metadata, and what else is known where it comes from.
package struct Record: Sendable {
    package private(set) var metadata: PostMetadata
    /// The body, where it was read.
    package var body: String?
    /// What the body is written in; nil where its source doesn't say.
    package var bodyFormat: BodyFormat?
    /// The group, in a grouped list.
    package var group: String?
    /// Its place in its source's own order, in a list.
    package var rank: Int?
    /// What began the discussion that it is a comment in, in a list.
    package var story: Story?
    /// What was noted about it, in a list.
    package var state: PostState?
    /// Where the words that were searched for stand, in a search.
    package var snippet: Snippet?
    /// What a sync did about it, and why it failed where it did.
    package var sync: (status: String, reason: String?)?

    package init(_ post: ListedPost) {
        metadata = post.metadata
        group = post.group
        rank = post.rank
        story = post.story
        state = post.state
        snippet = post.snippet
    }

    package init(_ post: Post) {
        metadata = post.metadata
        body = post.body
        bodyFormat = post.bodyFormat
    }

    /// The same with the id in the form in which it is to be shown.
    package func withID(_ id: String) -> Record {
        guard id != metadata.id else { return self }
        var record = self
        record.metadata = metadata.withID(id)
        return record
    }

    package init(_ metadata: PostMetadata) {
        self.metadata = metadata
    }

    package init(_ metadata: PostMetadata, status: String, reason: String?) {
        self.metadata = metadata
        sync = (status, reason)
    }
}
