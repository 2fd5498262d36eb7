import Model

/// The comments on a post, each as soon as it and all before it have arrived.
///
/// It can be iterated once; iterating throws a ``StoreError``.
public struct CommentStream: AsyncSequence, Sendable {
    private let comments: AsyncThrowingStream<Comment, any Error>
    /// Comments that could not be fetched; complete once the stream has ended.
    public let missing: MissingItems

    init(_ comments: AsyncThrowingStream<Comment, any Error>, missing: MissingItems) {
        self.comments = comments
        self.missing = missing
    }

    /// An iterator over the comments in the source's order: each before its replies, those before its siblings.
    public func makeAsyncIterator() -> AsyncThrowingStream<Comment, any Error>.Iterator {
        comments.makeAsyncIterator()
    }
}
