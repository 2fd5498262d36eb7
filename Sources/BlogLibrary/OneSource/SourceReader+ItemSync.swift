import Model
import Store

extension SourceReader {
    /// Fetches the posts at the front of a list and, on request, all their comments.
    func sync(
        from source: any ItemFetching, _ options: SyncOptions,
        observe: @escaping @Sendable (SyncEvent) async -> Void
    ) async throws -> SyncReport {
        let hasReplies = options.withComments && !source.capabilities.commentsComeAlong
        let section = options.section ?? source.capabilities.sections[0]
        let (refresh, ids) = try await refreshRanking(of: section, from: source)
        var report = SyncReport(refresh: refresh)
        if case .failed = refresh.outcome { return report }
        let wanted = Array(ids.prefix(options.limit ?? Self.frontPage))
        let posts = Set(wanted)
        await observe(.planned(wanted.count))
        try await gather(wanted, from: source) { arrival in
            guard let done = SyncedPost(arrival, of: sourceID) else {
                // A server may list what it has removed meanwhile.
                guard case .missing(let id, let error?) = arrival else { return [] }
                report.failed += 1
                if !posts.contains(id) { report.comments += 1 }
                report.firstError = report.firstError ?? error
                return []
            }
            report.count(done)
            if done.metadata.discussion?.parent != nil { report.comments += 1 }
            let replies = hasReplies ? done.metadata.replies : []
            await observe(.planned(replies.count))
            await observe(.done(done))
            return replies
        }
        return report
    }
}

extension SyncedPost {
    /// What a sync did about an item; nil for one that could not be fetched.
    fileprivate init?(_ arrival: ItemArrival, of source: SourceID) {
        guard case .item(let item, let news) = arrival else { return nil }
        switch news {
        case .first: self.init(source: source, metadata: item.metadata, outcome: .new)
        case .changed: self.init(source: source, metadata: item.metadata, outcome: .updated)
        case .stored, .same: self.init(source: source, metadata: item.metadata, outcome: .unchanged)
        }
    }
}
