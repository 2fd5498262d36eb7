import BlogModel

extension PostStore {
    /// Opens a list and returns its groups, in order; ``nextBatch(_:)`` returns its posts.
    ///
    /// Groups and posts are a snapshot: later writes, by this or another process, don't change the list. A search
    /// without words is an empty list.
    package func openList(_ query: Query, in scope: SourceScope) async throws -> OpenedList {
        let expression = query.words.flatMap { SearchExpression($0, in: query.searchField) }
        if query.words != nil, expression == nil {
            return OpenedList(number: 0, groups: [], lastSeen: LastSeen(post: 0, change: 0))
        }
        let isSelective = try isSelective(scope)
        let statement = ListStatement(
            query, in: scope, expression: expression,
            firstHit: try expression.flatMap { try firstRanked(query, $0, in: scope) }, isSelective: isSelective)
        let grouping = query.arrangement.grouping
        // Without the index, the list is only slower.
        try? await writeIfWritable {
            try PostIndexes(database: $0).make(for: query, in: scope, isSelective: isSelective)
        }
        await waitForList()
        return try read { database in
            let snapshot = try openSnapshot(of: database)
            let rows = try snapshot.cursor(statement.posts, statement.values)
            var list = ListReader(
                rows: rows, snapshot: snapshot, scope: scope, grouping: grouping,
                search: query.hasSnippets ? expression : nil)
            list.first = try nextPost(list)
            lastNumber += 1
            openLists[lastNumber] = list.first == nil ? nil : list
            return OpenedList(
                number: lastNumber, groups: try Self.groups(statement, grouping, in: snapshot),
                lastSeen: try LastSeen(in: snapshot))
        }
    }

    /// The next posts of a list; empty at its end.
    package func nextBatch(_ number: Int) throws -> [ListedPost] {
        guard var list = openLists[number] else { return [] }
        return try read { _ in
            var batch = list.first.map { [$0] } ?? []
            list.first = nil
            var bytes = 0
            while batch.count < list.batchSize, bytes < Self.maxBatchBytes {
                guard let post = try nextPost(list) else {
                    openLists[number] = nil
                    return batch
                }
                bytes += post.metadata.title.utf8.count + (post.metadata.summary?.utf8.count ?? 0)
                batch.append(post)
            }
            list.batchSize = min(list.batchSize * 2, Self.maxBatchSize)
            openLists[number] = list
            return batch
        }
    }

    package var openListCount: Int { openLists.count }

    package func closeList(_ number: Int) {
        openLists[number] = nil
    }

    package func authors(in scope: SourceScope) throws -> [String] {
        try read { database in
            try database.texts(
                "SELECT DISTINCT author_name FROM posts WHERE \(scope.condition(on: "source")) AND listed = 1")
        }
    }

    /// The tags of the newest listed posts.
    package func tags(in scope: SourceScope) throws -> [String] {
        try read { database in
            let stored = try database.texts(
                """
                SELECT DISTINCT tags FROM (
                    SELECT tags FROM posts WHERE \(scope.condition(on: "source")) AND listed = 1 AND tags IS NOT NULL
                    ORDER BY key DESC LIMIT \(Self.maxTaggedPosts)
                )
                """)
            return Set(stored.flatMap(TagLines.tags)).sorted()
        }
    }

    private static let maxTaggedPosts = 10_000

    /// SQLite's query plan for a list, for tests.
    package func plan(_ query: Query, in scope: SourceScope) throws -> String {
        let list = ListStatement(query, in: scope, isSelective: try isSelective(scope))
        return try read { database in
            try database.all("EXPLAIN QUERY PLAN " + list.posts, list.values) { $0.text(3) ?? "" }
                .joined(separator: "\n")
        }
    }

    /// Whether a scope has so few of all posts that sorting them is faster than reading all posts in order.
    func isSelective(_ scope: SourceScope) throws -> Bool {
        guard scope.only == nil else { return true }
        let all = try read { try $0.integer("SELECT sum(post_count) FROM sources") } ?? 0
        return scope.posts < all / 8
    }

    /// The next readable post of a list; nil at its end.
    private func nextPost(_ list: ListReader) throws -> ListedPost? {
        while try list.rows.step() {
            do {
                return try listedPost(list)
            } catch StoreError.Reason.damaged {
                note(unreadable: [list.rows.integer(PostRow.listColumnCount + 3)])
            }
        }
        return nil
    }

    private func listedPost(_ list: ListReader) throws -> ListedPost {
        let (row, last) = (list.rows, PostRow.listColumnCount)
        let group = list.grouping.map { $0.name(ofStored: row.text(last) ?? "") }
        let metadata = try PostRow.metadata(of: row)
        guard let source = list.scope[row.integer(last + 2)] else { throw StoreError.Reason.damaged }
        return ListedPost(
            metadata: metadata, source: source.id, position: ListPosition(post: row.integer(last + 3)), group: group,
            state: PostRow.state(of: row),
            changed: PostRow.changedAt(of: row).map { Timestamp(secondsSince1970: Int($0 / 1000)) },
            rank: row.optionalInteger(last + 1).map { Int($0) },
            story: try metadata.discussion?.parent.flatMap {
                try Self.story(above: $0, row.integer(last + 2), in: list.snapshot)
            },
            snippet: try list.search.flatMap {
                try Self.snippet(
                    ofPost: row.integer(last + 3), by: metadata.author.name, $0, cut: row.text(last + 4),
                    in: list.snapshot)
            })
    }

    private static func groups(
        _ list: ListStatement, _ grouping: Grouping?, in database: Database
    ) throws -> [PostGroup] {
        guard let grouping, let sql = list.groups else { return [] }
        return try database.all(sql, list.values) { row in
            PostGroup(name: grouping.name(ofStored: row.text(0) ?? ""), count: Int(row.integer(1)))
        }
    }

    /// Large enough to make the actor hop per batch cheap.
    private static let maxBatchSize = 512
    /// Bounds the memory of a batch, because summaries may be of any length.
    private static let maxBatchBytes = 1 << 20
}

struct ListReader {
    let rows: Statement
    let snapshot: Database
    let scope: SourceScope
    let grouping: Grouping?
    /// The search expression, if each post comes with a snippet.
    let search: SearchExpression?
    /// The post that was read when the list was opened and has yet to be returned.
    var first: ListedPost?
    /// The size of the next batch: small at first, so that the first posts are shown quickly.
    var batchSize = 128
}

package struct OpenedList: Sendable {
    /// Identifies the list in ``PostStore/nextBatch(_:)``.
    package let number: Int
    /// The groups in order; empty for a list without groups.
    package let groups: [PostGroup]
    /// The last post and change when the list was opened; later ones are new.
    package let lastSeen: LastSeen
}

extension PostStore {
    /// Stores a source's list while it arrives, all of it or nothing.
    ///
    /// Throws ``StoreMoved`` if the disk can't be written any more and the store has continued in memory: the list must
    /// be requested again. Rethrows the errors of `nextBatch`.
    ///
    /// - Parameter nextBatch: returns the next records, nil at the end. It runs while the previous batch is being
    ///   stored.
    package func storeList(
        of source: SourceID, _ coverage: Coverage = .complete, mark: RefreshMark,
        nextBatch: @escaping @Sendable () async throws -> PreparedBatch?
    ) async throws -> StoredList {
        await beginList()
        defer { endList() }
        do {
            return try await write(
                nextBatch, with: ListWriter(source, coverage, in: database, now: mark.refreshedAt), mark)
        } catch let error as DatabaseError {
            try StoreError.mapped(path) { try moveToMemory(after: error) }
            throw StoreMoved()
        } catch let reason as StoreError.Reason {
            throw StoreError(path: path, reason: reason)
        }
    }

    private func write(
        _ nextBatch: @escaping @Sendable () async throws -> PreparedBatch?, with writer: ListWriter, _ mark: RefreshMark
    ) async throws -> StoredList {
        var writer = writer
        do {
            var next = try await nextBatch()
            while let batch = next {
                async let following = nextBatch()
                try writer.add(batch)
                next = try await following
            }
            return try writer.finish(mark)
        } catch {
            writer.rollBack()
            throw error
        }
    }
}

/// The store continued in memory while a list was being stored; the part that had arrived is lost.
package struct StoreMoved: Error {}

/// Entries of a list with their sort keys, which are computed in parallel before the entries are stored.
package struct PreparedBatch: Sendable {
    let entries: [Entry]
    /// The sort key of each entry; nil to compute it only if the entry is new or changed.
    let keys: [SortKey?]
    let rejected: [RejectedRecord]

    /// - Parameter isNew: whether nothing of the source is stored yet.
    package init(_ entries: [Entry], rejected: [RejectedRecord] = [], isNew: Bool = false) {
        self.entries = entries
        self.rejected = rejected
        keys = isNew ? entries.map { SortKey($0.metadata) } : Array(repeating: nil, count: entries.count)
    }
}

extension PostStore {
    /// How many posts match a query, ignoring its limit; counted up to ``ListCounts/limit``.
    ///
    /// Nil for a search: SQLite would have to find all matches again.
    package func counts(of query: Query, in scope: SourceScope) throws -> ListCounts? {
        guard query.words == nil else { return nil }
        let isRanked = ListStatement.isRanked(query)
        if isRanked, query.filter.isEmpty { return try countsOfRanking(query, in: scope) }
        let (conditions, values) = ListStatement.conditions(query, scope, isIndexed: try isSelective(scope))
        let table = isRanked ? ListStatement.rankedPosts : "posts"
        let matching = "\(table) WHERE \((conditions + [ListStatement.isShown]).joined(separator: " AND "))"
        return try read { database in
            try database.first(
                """
                SELECT count(*), count(*) FILTER (WHERE is_read = 0)
                FROM (SELECT posts.is_read FROM \(matching) LIMIT \(ListCounts.limit))
                """, values
            ) { ListCounts(posts: Int($0.integer(0)), unread: Int($0.integer(1))) }
        }
    }

    /// Counts ranked posts that were never fetched, too, as unread.
    private func countsOfRanking(_ query: Query, in scope: SourceScope) throws -> ListCounts? {
        try read { database in
            try database.first(
                """
                SELECT count(*), count(*) FILTER (WHERE posts.is_read IS NOT 1)
                FROM ranks LEFT JOIN posts ON posts.source = ranks.source AND posts.id = ranks.id
                WHERE \(scope.condition(on: "ranks.source")) AND ranks.section = ? AND \(ListStatement.isShown)
                """, [.text(query.section ?? "")]
            ) { ListCounts(posts: Int($0.integer(0)), unread: Int($0.integer(1))) }
        }
    }
}

/// How many posts match a query.
public struct ListCounts: Hashable, Sendable {
    /// The number of posts, at most ``limit``.
    public let posts: Int
    /// How many of ``posts`` are unread.
    public let unread: Int

    /// The maximum that is counted, which bounds the time it takes.
    public static let limit = 10_000

    package init(posts: Int, unread: Int) {
        self.posts = posts
        self.unread = unread
    }
}
