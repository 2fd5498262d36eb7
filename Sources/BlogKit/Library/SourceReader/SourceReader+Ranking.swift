import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension SourceReader {
    /// The list of a source with its own ranking, whose posts are fetched one by one.
    ///
    /// In the order of the ranking and without filters, posts are listed as they arrive. Any other list waits for all
    /// of them, as the last to arrive may be the first to show.
    func rankedList(_ requested: Query, from source: any ItemFetching) async throws -> PostList {
        var query = requested
        if query.filter.isSaved { return try await savedList(query) }
        let section = query.section ?? source.capabilities.sections[0]
        query.section = section
        let ranking = try await ranking(of: section, isDefault: requested.section == nil, from: source)
        guard let (report, ids) = ranking else {
            // Without a stored ranking, as after an import, stored posts are shown like those of any list.
            return try await savedList(requested)
        }
        if source.capabilities.includesPosts { return try await stored(query, after: report) }
        let reader = report.outcome.isFailure ? offline : self
        let missing = MissingItems()
        let arrangement = query.arrangement
        let isPlain =
            query.filter.isEmpty && query.newFor == nil && arrangement.sorting == .rank && !arrangement.isReversed
        var order = RankOrder(ids, query, of: sourceID)
        if isPlain, arrangement == Arrangement(sorting: .rank) {
            return PostList(
                refresh: SourceRefresh(sourceID, report), arriving: reader.arriving(order, source, missing),
                missing: missing)
        }
        try await reader.gather(isPlain ? order.wanted : ids, from: source) { arrival in
            missing.note(arrival)
            return isPlain ? order.replacement(for: arrival) : []
        }
        return try await stored(query, after: report, missing: missing)
    }

    /// The ids of a section; nil if its order can't be fetched but posts are stored.
    private func ranking(
        of section: String, isDefault: Bool, from source: any ItemFetching
    ) async throws -> (report: RefreshReport, ids: [String])? {
        do {
            return try await refreshRanking(of: section, from: source)
        } catch let error as LibraryError {
            guard isDefault, try await store.source(sourceID)?.hasList == true else { throw error }
            return nil
        }
    }

    /// The ids of a section, requested again unless requests are off or they are fresh.
    ///
    /// Throws what ``list(_:)`` throws.
    func refreshRanking(
        of section: String, from source: any ItemFetching
    ) async throws -> (report: RefreshReport, ids: [String]) {
        let copy = try await store.ranking(of: section, sourceID)
        if freshness == .offline {
            guard let copy else { throw LibraryError.nothingStored(url) }
            return (RefreshReport(.offline(storedAt: copy.requestedAt)), copy.ids)
        }
        if let copy, isFresh(copy.requestedAt) {
            return (RefreshReport(.stillCurrent(storedAt: copy.requestedAt)), copy.ids)
        }
        var ids = copy?.ids ?? []
        let report = try await requested(hasCopy: copy != nil, storedAt: copy?.requestedAt) {
            guard case .ranking(let ranking) = try await source.refresh(section, since: nil) else {
                return RefreshReport(.unchanged)
            }
            let isStored = try await writeIfFree {
                let now = now()
                try await store.storeRanking(
                    ranking.ids, ranking.entries, of: section, sourceID, at: now, dueAt: Politeness.dueDate(after: now))
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
        let age = now().timeIntervalSince(requestedAt)
        return freshness == .normal && age >= 0 && age < source.capabilities.rankingLifetime
    }

    private static func changes(of before: [String], to ids: [String]) -> ListChanges {
        let before = Set(before)
        let new = ids.count { !before.contains($0) }
        return ListChanges(new: new, unchanged: ids.count - new, delisted: before.subtracting(ids).count)
    }

    private func savedList(_ query: Query) async throws -> PostList {
        let storedAt = try await store.source(sourceID)?.refreshedAt
        return try await stored(query, after: RefreshReport(.offline(storedAt: storedAt)))
    }

    private func arriving(
        _ order: RankOrder, _ source: any ItemFetching, _ missing: MissingItems
    ) -> AsyncThrowingStream<ListedPost, any Error> {
        AsyncThrowingStream { give in
            var order = order
            try await gather(order.wanted, from: source) { arrival in
                missing.note(arrival)
                let replacement = order.replacement(for: arrival)
                for post in order.note(arrival) { give(post) }
                return replacement
            }
        }
    }
}

/// A page of a ranking: its posts in the order of their ranks, whatever the order in which they arrive.
///
/// Deleted and dead posts are left out and replaced by the next in the ranking. So the previous pages are needed too;
/// usually they are stored.
private struct RankOrder {
    private let ids: [String]
    private let source: SourceID
    private var arrivals: [String: ItemArrival] = [:]
    /// The index of the next post to show.
    private var next = 0
    /// The index after the last post that is needed.
    private var end: Int
    /// How many posts of the previous pages are still to be skipped.
    private var before: Int

    init(_ ids: [String], _ query: Query, of source: SourceID) {
        self.ids = ids
        self.source = source
        before = query.offset
        end = query.limit.map { min($0, ids.count) + min(query.offset, ids.count) } ?? ids.count
        end = min(end, ids.count)
    }

    var wanted: [String] { Array(ids[..<end]) }

    /// The id to fetch in place of a deleted or dead post; empty for any other post, or at the end of the ranking.
    mutating func replacement(for arrival: ItemArrival) -> [String] {
        guard arrival.isRemoved, end < ids.count else { return [] }
        defer { end += 1 }
        return [ids[end]]
    }

    /// The posts that can be shown once this one has arrived, because all before them have.
    mutating func note(_ arrival: ItemArrival) -> [ListedPost] {
        arrivals[arrival.id] = arrival
        var ready: [ListedPost] = []
        while next < end, let arrival = arrivals.removeValue(forKey: ids[next]) {
            next += 1
            guard !arrival.isRemoved else { continue }
            guard before == 0 else {
                before -= 1
                continue
            }
            guard case .item(let item, _) = arrival else { continue }
            ready.append(ListedPost(metadata: item.metadata, source: source, group: nil, state: item.state, rank: next))
        }
        return ready
    }
}

extension ItemArrival {
    fileprivate var isRemoved: Bool {
        if case .item(let item, _) = self { item.metadata.discussion?.removal != nil } else { false }
    }
}

extension RefreshReport.Outcome {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
