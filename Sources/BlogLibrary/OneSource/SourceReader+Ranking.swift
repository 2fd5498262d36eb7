import Essentials
import HTTP
import Model
import Store

extension SourceReader {
    /// The list of a source with an order of its own, whose posts are fetched one by one.
    ///
    /// In that order and without filters, the posts come as they arrive; any other list waits until all are there, as
    /// the last to arrive may be the first to show.
    func rankedList(_ requested: Query, from source: any ItemFetching) async throws -> PostList {
        var query = requested
        if query.filter.isSaved { return try await savedList(query) }
        let section = query.section ?? source.capabilities.sections[0]
        query.section = section
        guard let (report, ids) = try await ranking(of: section, isUsual: requested.section == nil, from: source) else {
            // Without a stored ranking, as after an import, the stored posts are shown like any list.
            return try await savedList(requested)
        }
        if source.capabilities.postsComeAlong { return try await stored(query, after: report) }
        let reader = report.outcome.isFailure ? offline : self
        let missing = MissingItems()
        let arrangement = query.arrangement
        var order = RankOrder(ids, query, of: sourceID)
        if arrangement == Arrangement(sorting: .rank), query.filter.isEmpty, query.newFor == nil {
            return PostList(
                refresh: SourceRefresh(sourceID, report), arriving: reader.arriving(order, source, missing),
                missing: missing)
        }
        let isWhole =
            !query.filter.isEmpty || query.newFor != nil || arrangement.sorting != .rank || arrangement.isReversed
        try await reader.gather(isWhole ? ids : order.wanted, from: source) { arrival in
            missing.note(arrival)
            return isWhole ? [] : order.replacement(for: arrival)
        }
        return try await stored(query, after: report, missing: missing)
    }

    /// The ids of a section; nil if its order can't be fetched but posts are stored.
    private func ranking(
        of section: String, isUsual: Bool, from source: any ItemFetching
    ) async throws -> (report: RefreshReport, ids: [String])? {
        do {
            return try await refreshRanking(of: section, from: source)
        } catch let error as LibraryError {
            guard isUsual, try await store.source(sourceID)?.hasList == true else { throw error }
            return nil
        }
    }

    /// The ids of a section, fetched again unless requests are off or they are fresh.
    ///
    /// Throws what ``list(_:)`` throws.
    func refreshRanking(
        of section: String, from source: any ItemFetching
    ) async throws -> (report: RefreshReport, ids: [String]) {
        let known = try await store.ranking(of: section, sourceID)
        if freshness == .offline {
            guard let known else { throw LibraryError.nothingStored(url) }
            return (RefreshReport(.offline(storedAt: known.requestedAt)), known.ids)
        }
        if let known, isFresh(known.requestedAt) {
            return (RefreshReport(.stillCurrent(storedAt: known.requestedAt)), known.ids)
        }
        var ids = known?.ids ?? []
        let report = try await requested(hasCopy: known != nil, storedAt: known?.requestedAt) {
            guard case .ranking(let ranking) = try await source.refresh(section, since: nil) else {
                return RefreshReport(.unchanged)
            }
            let isKept = try await storeUnlessBusy {
                try await store.storeRanking(ranking.ids, ranking.entries, of: section, sourceID, at: now())
            }
            // Posts that came along are read from the store.
            if !isKept, !ranking.entries.isEmpty { throw StoreError(path: store.path, reason: .busy) }
            ids = ranking.ids
            return RefreshReport(
                known?.ids == ids ? .unchanged : .stored(Self.changes(of: known?.ids ?? [], to: ids)),
                ListFlaws(ranking.rejected))
        }
        return (report, ids)
    }

    /// Whether a ranking that was requested then can be shown as it is.
    private func isFresh(_ requestedAt: Date) -> Bool {
        let age = now().timeIntervalSince(requestedAt)
        return freshness == .normal && age >= 0 && age < source.capabilities.rankingLifetime
    }

    private static func changes(of before: [String], to ids: [String]) -> ListChanges {
        let before = Set(before)
        let new = ids.count { !before.contains($0) }
        return ListChanges(new: new, unchanged: ids.count - new, delisted: before.subtracting(ids).count)
    }

    /// A list of the stored posts.
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
/// Deleted and dead posts are left out, and the next in the ranking takes the place of each. So the previous pages have
/// to be known, too; usually they are stored.
private struct RankOrder {
    private let ids: [String]
    private let source: SourceID
    private var arrivals: [String: ItemArrival] = [:]
    /// The first place that hasn't been looked at yet.
    private var next = 0
    /// The place after the last that is wanted.
    private var end: Int
    /// How many posts of the pages before are still to come.
    private var before: Int

    init(_ ids: [String], _ query: Query, of source: SourceID) {
        self.ids = ids
        self.source = source
        before = query.offset
        end = query.limit.map { min($0, ids.count) + min(query.offset, ids.count) } ?? ids.count
        end = min(end, ids.count)
    }

    /// The ids to begin with.
    var wanted: [String] { Array(ids[..<end]) }

    /// The id to fetch in place of a deleted or dead post; none for any other post, or at the end of the ranking.
    mutating func replacement(for arrival: ItemArrival) -> [String] {
        guard arrival.isWithheld, end < ids.count else { return [] }
        defer { end += 1 }
        return [ids[end]]
    }

    /// The posts that can be shown once this one has come: all before them are there.
    mutating func note(_ arrival: ItemArrival) -> [ListedPost] {
        arrivals[arrival.id] = arrival
        var ready: [ListedPost] = []
        while next < end, let arrival = arrivals.removeValue(forKey: ids[next]) {
            next += 1
            guard !arrival.isWithheld else { continue }
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
    fileprivate var isWithheld: Bool {
        if case .item(let item, _) = self { item.metadata.discussion?.removal != nil } else { false }
    }
}

extension RefreshReport.Outcome {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
