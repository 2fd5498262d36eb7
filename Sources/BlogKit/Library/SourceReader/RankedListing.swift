import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Lists the posts of a source with rankings of its own.
struct RankedListing: Sendable {
    let connection: SourceConnection
    let source: any ItemFetching

    /// The list of a source with its own ranking, whose posts are fetched one by one.
    ///
    /// In the order of the ranking and without filters, posts are listed as they arrive. Any other list waits for all
    /// of them, as the last to arrive may be the first to show.
    func list(_ requested: Query) async throws -> PostList {
        var query = requested
        if query.isOfKept { return try await savedList(query) }
        let section = query.section ?? source.capabilities.sections[0]
        query.section = section
        let ranking = try await ranking(of: section, isDefault: requested.section == nil)
        guard let (report, ids) = ranking else {
            // Without a stored ranking, as after an import, stored posts are shown like those of any list.
            return try await savedList(requested)
        }
        if source.capabilities.includesPosts { return try await self.connection.list(query, after: report) }
        let connection = report.failure != nil ? self.connection.offline : self.connection
        let gathering = ItemGathering(connection: connection, source: source)
        let missing = MissingItems()
        let arrangement = query.arrangement
        let isPlain =
            query.filter.isEmpty && query.newFor == nil && arrangement.sorting == .rank && !arrangement.isReversed
        var order = RankOrder(ids, query, of: connection.sourceID)
        // Only the store knows which posts are hidden.
        if isPlain, arrangement == Arrangement(sorting: .rank),
            try await !connection.store.read({ try Rules($0).areHiding })
        {
            return PostList(
                refresh: SourceRefresh(connection.sourceID, report), arriving: Self.arriving(order, gathering, missing),
                missing: missing)
        }
        try await gathering.gather(isPlain ? order.wanted : ids) { arrival in
            missing.note(arrival)
            return isPlain ? order.replacement(for: arrival) : []
        }
        return try await connection.list(query, after: report, missing: missing)
    }

    /// The ids of a section; nil if its order can't be fetched but posts are stored.
    private func ranking(of section: String, isDefault: Bool) async throws -> (report: RefreshReport, ids: [String])? {
        do {
            return try await RankingRefresh(connection: connection, source: source).refresh(section)
        } catch let error as LibraryError {
            guard isDefault,
                try await connection.store.read({ try Sources($0).find(connection.sourceID) })?.hasList == true
            else {
                throw error
            }
            return nil
        }
    }

    private func savedList(_ query: Query) async throws -> PostList {
        let storedAt = try await connection.store.read { try Sources($0).find(connection.sourceID) }?.refreshedAt
        return try await connection.list(query, after: RefreshReport(.offline(storedAt: storedAt)))
    }

    private static func arriving(
        _ order: RankOrder, _ gathering: ItemGathering, _ missing: MissingItems
    ) -> AsyncThrowingStream<StoredPost, any Error> {
        AsyncThrowingStream { give in
            var order = order
            try await gathering.gather(order.wanted, isShown: true) { arrival in
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
    private var arrivals: [String: ItemGathering.Arrival] = [:]
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
    mutating func replacement(for arrival: ItemGathering.Arrival) -> [String] {
        guard arrival.isRemoved, end < ids.count else { return [] }
        defer { end += 1 }
        return [ids[end]]
    }

    /// The posts that can be shown once this one has arrived, because all before them have.
    mutating func note(_ arrival: ItemGathering.Arrival) -> [StoredPost] {
        arrivals[arrival.id] = arrival
        var ready: [StoredPost] = []
        while next < end, let arrival = arrivals.removeValue(forKey: ids[next]) {
            next += 1
            guard !arrival.isRemoved else { continue }
            guard before == 0 else {
                before -= 1
                continue
            }
            guard let item = arrival.item else { continue }
            ready.append(
                StoredPost(
                    metadata: item.entry.metadata, source: source, group: nil, state: item.state, rank: next))
        }
        return ready
    }
}

extension ItemGathering.Arrival {
    fileprivate var isRemoved: Bool { item?.entry.metadata.discussion?.removal != nil }
}
