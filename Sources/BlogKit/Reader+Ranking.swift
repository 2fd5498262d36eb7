import Foundation

extension Reader {
    /// A list of a source in its own order, its posts asked for one by one.
    ///
    /// In that order and without a condition the posts come as they arrive; any other list waits until all are there, as
    /// the last to come may be the first to show.
    func rankedList(_ asked: Query) async throws -> PostList {
        guard case .items(let source) = source else { throw ReaderError.nothingStored(url) }
        var query = asked
        if query.filter.isSaved { return try await savedList(query) }
        let section = query.section ?? type(of: source).sections[0]
        query.section = section
        guard let (report, ids) = try await ranking(of: section, from: source) else {
            // Without an order of the source's own, as after an import, what is stored is shown as any list is.
            return try await savedList(asked)
        }
        let reader = report.outcome.isFailure ? offline : self
        let missing = MissingItems()
        let arrangement = query.arrangement
        if arrangement == Arrangement(sorting: .rank), query.filter.isEmpty, query.newFor == nil {
            let wanted = Array(ids.prefix(query.limit ?? .max))
            return PostList(refresh: report, arriving: reader.arriving(wanted, source, missing), missing: missing)
        }
        let isWhole =
            !query.filter.isEmpty || query.newFor != nil || arrangement.sorting != .rank || arrangement.isReversed
        try await reader.gather(isWhole ? ids : Array(ids.prefix(query.limit ?? .max)), from: source) { arrival in
            if case .missing(_, let error) = arrival { missing.add(error) }
            return []
        }
        guard let blog = try await store.blog(address) else { throw ReaderError.nothingStored(url) }
        return PostList(
            refresh: report, list: try await store.openList(query, of: blog), store: store, missing: missing)
    }

    /// The ids of a section; nil where its order can't be had and posts are stored all the same.
    private func ranking(
        of section: String, from source: any ItemSource
    ) async throws -> (report: RefreshReport, ids: [String])? {
        do {
            return try await refreshRanking(of: section, from: source)
        } catch let error as ReaderError {
            guard try await store.blog(address)?.hasList == true else { throw error }
            return nil
        }
    }

    /// The ids of a section, asked for anew unless nobody is to be asked.
    ///
    /// Throws what ``list(_:)`` throws.
    func refreshRanking(
        of section: String, from source: any ItemSource
    ) async throws -> (report: RefreshReport, ids: [String]) {
        let known = try await store.ranking(of: section, address)
        if freshness == .offline {
            guard let known else { throw ReaderError.nothingStored(url) }
            return (RefreshReport(.notAsked(storedAt: known.askedAt)), known.ids)
        }
        do {
            let ids = try await source.ranking(of: section)
            try await keep { try await store.storeRanking(ids, of: section, address, at: now()) }
            let before = Set(known?.ids ?? [])
            let new = ids.count { !before.contains($0) }
            let outcome = RefreshReport.Outcome.stored(
                new: new, updated: 0, unchanged: ids.count - new, delisted: before.subtracting(ids).count)
            return (RefreshReport(known?.ids == ids ? .unchanged : outcome), ids)
        } catch let error where error is HTTPError || error is SourceError {
            let isUnreachable = (error as? HTTPError)?.isUnreachable == true
            try await store.note(isUnreachable ? .unreachable : .failed, of: address, at: now())
            guard let known else { throw unreachable(error) }
            return (RefreshReport(.failed(error, storedAt: known.askedAt)), known.ids)
        }
    }

    /// The same reader, but one that asks nobody.
    var offline: Reader {
        Reader(source: source, name: address.source, store: store, freshness: .offline, now: now)
    }

    /// A list of what is stored.
    private func savedList(_ query: Query) async throws -> PostList {
        guard let blog = try await store.blog(address) else { throw ReaderError.nothingStored(url) }
        let report = RefreshReport(.notAsked(storedAt: blog.refreshedAt))
        return PostList(refresh: report, list: try await store.openList(query, of: blog), store: store)
    }

    private func arriving(
        _ ids: [String], _ source: any ItemSource, _ missing: MissingItems
    ) -> AsyncThrowingStream<ListedPost, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    var places = RankOrder(ids)
                    try await gather(ids, from: source) { arrival in
                        if case .missing(_, let error) = arrival { missing.add(error) }
                        for post in places.note(arrival) { continuation.yield(post) }
                        return []
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Posts in the order of their ranks, whatever the order in which they arrive.
private struct RankOrder {
    private let ids: [String]
    private var arrivals: [String: ItemArrival] = [:]
    private var next = 0

    init(_ ids: [String]) { self.ids = ids }

    /// The posts that can be shown once this one has come: all before them are there.
    mutating func note(_ arrival: ItemArrival) -> [ListedPost] {
        arrivals[arrival.id] = arrival
        var ready: [ListedPost] = []
        while next < ids.count, let arrival = arrivals.removeValue(forKey: ids[next]) {
            next += 1
            guard case .item(let item, _) = arrival else { continue }
            ready.append(ListedPost(metadata: item.metadata, group: nil, state: item.state, rank: next))
        }
        return ready
    }
}

extension RefreshReport.Outcome {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
