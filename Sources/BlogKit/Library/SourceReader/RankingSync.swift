import BlogHTTP
import BlogModel
import BlogStore

/// Fetches the posts and comments of a ranking, for reading offline.
struct RankingSync: Sendable {
    let connection: SourceConnection
    let source: any ItemFetching

    /// Fetches the posts on the front page of a ranking and, optionally, all their comments.
    func sync(_ options: SyncOptions, observe: @escaping SyncObserver) async throws -> SyncReport {
        let hasReplies = options.withComments && !source.capabilities.includesComments
        let section = options.section ?? source.capabilities.sections[0]
        let (refresh, ids) = try await RankingRefresh(connection: connection, source: source).refresh(section)
        var report = SyncReport(refresh: refresh)
        if refresh.failure != nil { return report }
        let wanted = Array(ids.prefix(options.limit ?? Ranking.frontPageCount))
        let posts = Set(wanted)
        await observe(.planned(wanted.count))
        try await ItemGathering(connection: connection, source: source).gather(wanted) { arrival in
            guard case .item(let item, let outcome) = arrival else {
                // A server may list items that it has removed.
                guard let error = arrival.error else { return [] }
                report.failed += 1
                if !posts.contains(arrival.id) { report.comments += 1 }
                report.firstError = report.firstError ?? error
                return hasReplies ? arrival.item?.entry.metadata.replies ?? [] : []
            }
            let metadata = item.entry.metadata
            report.count(outcome ?? .unchanged, of: metadata.id)
            if metadata.discussion?.parent != nil { report.comments += 1 }
            let replies = hasReplies ? metadata.replies : []
            await observe(.planned(replies.count))
            await observe(.done(metadata, of: connection.sourceID, outcome ?? .unchanged))
            return replies
        }
        return report
    }
}
