import BlogEssentials
import BlogModel
import BlogStore

/// Lists the pages that followed sources link to, as posts.
struct LinkedListing: Sendable {
    let store: PostStore
    let clock: WallClock

    /// The posts that are the pages, which are stored if none is.
    ///
    /// - Parameters:
    ///   - scope: the sources whose posts link to them, and the one of the posts that are only stored for this.
    ///   - cursor: the name of a cursor, to get only pages that have come since it was moved; nil for all of them.
    func posts(in scope: SourceScope, newFor cursor: String?) async throws -> RankedPosts {
        let settled = try await store.settleRules()
        let scope = SourceScope(scope.sources.filter { !$0.id.isLinked })
        let (pages, last) = try await store.read { [clock] database in
            (
                try LinkedPages(database, in: scope, settled).find(at: clock.now()),
                try cursor.map { try Cursors(database).lastPost($0, of: LinkedSource.sourceID) } ?? 0
            )
        }
        let new = pages.filter { $0.arrival > last }
        var known = try await stored(new, in: scope, settled)
        let missing = new.indices.filter { known[$0] == nil }.map { new[$0] }
        if !missing.isEmpty {
            try await store.writeUnlessLocked { [clock] database in
                for page in missing {
                    _ = try Posts(database).addNumbered(
                        LinkedSource.entry(for: page), to: LinkedSource.sourceID, at: clock.now())
                }
            }
            known = try await stored(new, in: scope, settled)
        }
        var (keys, linking): ([Int64], [Int64: [Duplicate]]) = ([], [:])
        for (index, page) in new.enumerated() {
            // Two addresses may lead to one post, whose page has named another.
            guard let post = known[index], linking[post] == nil else { continue }
            keys.append(post)
            linking[post] = page.linking
        }
        return RankedPosts(keys: keys, duplicates: linking)
    }

    private func stored(
        _ pages: [LinkedPage], in scope: SourceScope, _ settled: SettledRules
    ) async throws -> [Int: Int64] {
        try await store.read {
            try LinkedPages($0, in: scope, settled).posts(
                of: pages, or: [LinkedSource.sourceID, PageSource.sourceID])
        }
    }
}
