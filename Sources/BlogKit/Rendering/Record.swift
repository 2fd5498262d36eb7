/// A post as the renderers take it: its metadata, its body where it was read, and its group in a grouped list.
package struct Record: Sendable {
    package let metadata: PostMetadata
    package let body: String?
    package let group: String?

    package init(_ post: ListedPost) {
        metadata = post.metadata
        body = nil
        group = post.group
    }

    package init(_ post: Post) {
        metadata = post.metadata
        body = post.body
        group = nil
    }
}
