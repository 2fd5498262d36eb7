import BlogEssentials
import BlogModel
import BlogStore

/// The result of reading a post: where its body came from, and its article.
public struct ReadResult: Sendable {
    /// The post.
    public let post: Post
    /// Where its body came from.
    public let origin: Origin
    /// The linked article, whose text is the body of ``post``; nil if it was read without one.
    public private(set) var article: Article?
    /// Why the article is missing or outdated; nil if it is neither.
    public private(set) var articleError: (any Error)?
    /// The user's selector for article bodies, if it matched nothing in the page that was just fetched.
    package private(set) var unmatchedRule: String?

    /// This result with an article as the body.
    func with(
        _ article: Article, because error: (any Error)? = nil, unmatchedRule: String? = nil
    ) -> ReadResult {
        let metadata = post.metadata
        var read = ReadResult(metadata, article.body, article.format, origin)
        (read.article, read.articleError, read.unmatchedRule) = (article, error, unmatchedRule)
        return read
    }

    /// This result without the article.
    func without(articleBecause error: any Error) -> ReadResult {
        var read = self
        read.articleError = error
        return read
    }

    /// Where a body came from.
    public enum Origin: Sendable {
        /// The server, just now.
        case server
        /// The server, just now, but the store was too busy to keep it.
        case serverNotStored
        /// The store, which has a current copy.
        case store(fetchedAt: Date)
        /// The store, although the server may have a newer copy, because requests are off (nil) or the request failed.
        case outdated(fetchedAt: Date, because: (any Error)?)
    }
}

extension ReadResult {
    init(_ metadata: PostMetadata, _ body: String, _ format: BodyFormat?, _ origin: Origin) {
        let post = Post(id: metadata.postId, metadata: metadata, body: body, bodyFormat: format)
        self.init(post: post, origin: origin)
    }
}
