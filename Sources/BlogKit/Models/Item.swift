/// What a source has under an id that gives its posts and comments one by one.
package struct Item: Hashable, Sendable {
    package let metadata: PostMetadata
    /// The text as published; "" where there is none.
    package let body: String

    package init(metadata: PostMetadata, body: String) {
        self.metadata = metadata
        self.body = body
    }
}
