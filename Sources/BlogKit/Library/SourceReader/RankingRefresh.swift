import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Refreshes the rankings of a source whose posts are fetched one by one.
struct RankingRefresh: Sendable {
    let connection: SourceConnection
    let source: any ItemFetching

    private var store: PostStore { connection.store }

    /// Refreshes the default section and the posts on its front page.
    func refreshFrontPage() async throws -> RefreshReport {
        let (report, ids) = try await refresh(source.capabilities.sections[0])
        if report.failure != nil { return report }
        if source.capabilities.includesPosts { return report }
        let front = Array(ids.prefix(Ranking.frontPageCount))
        try await ItemGathering(connection: connection, source: source).gather(front) { _ in [] }
        return report
    }

    /// The ids of a section, requested again unless requests are off or they are fresh.
    func refresh(_ section: String) async throws -> (report: RefreshReport, ids: [String]) {
        let copy = try await store.read { try Rankings($0).find(section, of: connection.sourceID) }
        if connection.freshness == .offline {
            guard let copy else { throw LibraryError.nothingStored(connection.url) }
            return (RefreshReport(.offline(storedAt: copy.requestedAt)), copy.ids)
        }
        if let copy, isFresh(copy.requestedAt) {
            return (RefreshReport(.stillCurrent(storedAt: copy.requestedAt)), copy.ids)
        }
        var ids = copy?.ids ?? []
        let report = try await connection.recording(
            hasCopy: copy != nil, storedAt: copy?.requestedAt
        ) {
            guard case .ranking(let ranking) = try await source.refresh(section, since: nil) else {
                return RefreshReport(.unchanged)
            }
            let every = try await store.read { try Sources($0).find(connection.sourceID) }?.every
            let now = connection.now()
            let isStored = try await store.writeUnlessLocked {
                try Rankings($0).save(
                    ranking.ids, ranking.entries, of: section, connection.sourceID, at: now,
                    dueAt: connection.dueDate(after: now, every: every))
            }
            // Posts that came with the ranking are read from the store.
            if !isStored, !ranking.entries.isEmpty { throw StoreError(path: store.path, reason: .busy) }
            ids = ranking.ids
            return RefreshReport(
                copy?.ids == ids ? .unchanged : .stored(Self.changes(of: copy?.ids ?? [], to: ids)),
                ListFlaws(ranking.rejected))
        }
        return (report, ids)
    }

    /// Whether a ranking requested at a time is still fresh.
    private func isFresh(_ requestedAt: Date) -> Bool {
        let age = connection.now().timeIntervalSince(requestedAt)
        return connection.freshness == .normal && age >= 0 && age < source.capabilities.rankingLifetime
    }

    private static func changes(of before: [String], to ids: [String]) -> ListChanges {
        let before = Set(before)
        let new = ids.count { !before.contains($0) }
        return ListChanges(new: new, unchanged: ids.count - new, delisted: before.subtracting(ids).count)
    }
}
