import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Fetches the comments on posts.
struct CommentFetching: Sendable {
    let connection: SourceConnection
    let source: any ItemFetching

    /// The comments on a post.
    ///
    /// Replies are fetched level by level, each level concurrently, so the time grows with the depth of the thread.
    func comments(on read: ReadResult, _ selection: CommentSelection) -> CommentStream {
        let missing = MissingItems()
        // If the post couldn't be fetched, don't try its comments.
        let isStored = read.origin.isUnreachable || source.capabilities.includesComments
        let reader = isStored ? CommentFetching(connection: connection.offline, source: source) : self
        let comments = AsyncThrowingStream<Comment, any Error> { give in
            try await reader.comments(on: read.post, selection, missing, give: give)
        }
        return CommentStream(comments: comments, missing: missing)
    }

    private func comments(
        on post: Post, _ selection: CommentSelection, _ missing: MissingItems,
        give: (Comment) -> Void
    ) async throws {
        let replies = post.metadata.replies
        // The first time that a discussion is read, none of its comments count as new.
        let stored = try await connection.store.read { try Items($0).find(replies, of: connection.sourceID) }
        let hasSeen = stored.values.contains { $0.state.isRead }
        var order = CommentOrder(replies, selection, marksNew: hasSeen)
        do {
            try await ItemGathering(connection: connection, source: source).gather(replies) { arrival in
                missing.note(arrival)
                let more = order.note(arrival)
                order.ready().forEach(give)
                missing.noteRemoved(order.removed)
                if order.isComplete { throw EnoughComments() }
                return more
            }
        } catch is EnoughComments {}
    }
}

/// Ends the collection of comments when enough have arrived.
private struct EnoughComments: Error {}

extension ReadResult.Origin {
    fileprivate var isUnreachable: Bool {
        guard case .outdated(_, let error as HTTPError) = self else { return false }
        return error.isUnreachable
    }
}
