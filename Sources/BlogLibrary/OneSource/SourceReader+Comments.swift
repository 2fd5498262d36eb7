import HTTP
import Model
import Store

extension SourceReader {
    /// The comments on a post that was just read, in the source's order; none if the source has no discussions.
    ///
    /// Replies are fetched level by level, all of a level concurrently, so the time grows with the depth of the thread.
    func comments(on read: ReadPost, _ selection: CommentSelection = CommentSelection()) -> CommentStream {
        let missing = MissingItems()
        guard let source = itemSource, source.capabilities.hasComments else {
            return CommentStream(AsyncThrowingStream { $0.finish() }, missing: missing)
        }
        // If the post could not be fetched, its comments are not tried.
        let isStored = read.origin.isUnreachable || source.capabilities.commentsComeAlong
        let reader = isStored ? offline : self
        let comments = AsyncThrowingStream<Comment, any Error> { continuation in
            let task = Task {
                do {
                    try await reader.comments(on: read.post, source, selection, missing) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        return CommentStream(comments, missing: missing)
    }

    private func comments(
        on post: Post, _ source: any ItemFetching, _ selection: CommentSelection, _ missing: MissingItems,
        give: (Comment) -> Void
    ) async throws {
        let replies = post.metadata.replies
        // On the first reading no comment counts as new.
        let hasSeen = try await store.items(replies, of: sourceID).values.contains { $0.state.isRead }
        var order = CommentOrder(replies, selection, marksNew: hasSeen)
        do {
            try await gather(replies, from: source) { arrival in
                if case .missing(_, let error) = arrival { missing.add(error) }
                let more = order.note(arrival)
                order.ready().forEach(give)
                missing.noteRemoved(order.removed)
                if order.isComplete { throw EnoughComments() }
                return more
            }
        } catch is EnoughComments {}
    }

    /// Records that these comments were seen, so that the next reading can tell which are new.
    func noteSeen(comments ids: [String]) async throws {
        try await store.noteSeen(ids, of: sourceID)
    }
}

/// Ends the collection of comments when enough have arrived.
private struct EnoughComments: Error {}

extension ReadPost.Origin {
    fileprivate var isUnreachable: Bool {
        guard case .outdated(_, let error as HTTPError) = self else { return false }
        return error.isUnreachable
    }
}
