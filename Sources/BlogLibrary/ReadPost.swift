import Foundation
import HTTP
import Model

/// A post that was read, and where its body came from.
public struct ReadPost: Sendable {
    /// The complete post.
    public let post: Post
    /// Where its body came from.
    public let origin: Origin
    /// Whether the body is so long that it was only delivered in chunks; the body of ``post`` is empty then.
    public let wasGiven: Bool

    /// Where a body came from.
    public enum Origin: Sendable {
        /// The server, just now.
        case server
        /// The server, just now, but it was not stored because the store was busy.
        case serverUnkept
        /// The store, where it is current.
        case store(fetchedAt: Date)
        /// The store, though the server may have a newer one, because requests are off (nil) or the request failed.
        case outdated(fetchedAt: Date, because: (any Error)?)
    }
}

extension ReadPost {
    init(
        _ metadata: PostMetadata, body: String, _ format: BodyFormat?, _ origin: Origin, wasGiven: Bool = false
    ) {
        let post = Post(id: metadata.postId, metadata: metadata, body: body, bodyFormat: format)
        self.init(post: post, origin: origin, wasGiven: wasGiven)
    }
}
