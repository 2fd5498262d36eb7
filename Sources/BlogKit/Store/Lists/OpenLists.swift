import BlogModel

/// The lists that are being read.
final class OpenLists {
    private let connection: StoreConnection
    private var readers: [Int: ListReader] = [:]
    /// The last number given to a list.
    private var lastNumber = 0
    /// The maximum number of matches that a search with a limit ranks.
    var maxRanked = 4000

    init(connection: StoreConnection) {
        self.connection = connection
    }

    var count: Int { readers.count }

    /// Opens a list and returns its groups, in order; ``nextBatch(_:)`` returns its posts.
    ///
    /// Groups and posts are a snapshot: later writes, by this or another process, don't change the list. A search
    /// without words is an empty list.
    func open(_ query: Query, in scope: SourceScope, _ settled: SettledRules) throws -> OpenedList {
        let expression = SearchExpression(query)
        if query.isSearch, expression == nil {
            return OpenedList(number: 0, groups: [], lastSeen: LastSeen(post: 0, change: 0))
        }
        let firstHit = try expression.flatMap { expression in
            try connection.read {
                try RankedHits(database: $0, maxCount: maxRanked).first(query, expression, in: scope, settled)
            }
        }
        let statement = ListStatement(query, in: scope, expression: expression, firstHit: firstHit, settled: settled)
        // Without the index, the list is only slower.
        try? connection.writeIfWritable { try PostIndexes(database: $0).make(for: query, in: scope) }
        return try connection.read { _ in
            let snapshot = try connection.openSnapshot()
            let grouping = query.arrangement.grouping
            let list = ListReader(
                try snapshot.cursor(statement.posts, statement.values), of: query, in: scope, snapshot,
                search: query.hasSnippets && query.hasTypedWords ? expression : nil)
            list.first = try nextPost(list)
            lastNumber += 1
            readers[lastNumber] = list.first == nil ? nil : list
            return OpenedList(
                number: lastNumber, groups: try Self.groups(statement, grouping, query.parts, in: snapshot),
                lastSeen: try LastSeen(in: snapshot))
        }
    }

    /// The next posts of a list; empty at its end.
    func nextBatch(_ number: Int) throws -> [StoredPost] {
        guard let list = readers[number] else { return [] }
        return try connection.read { _ in
            var batch = list.first.map { [$0] } ?? []
            list.first = nil
            var bytes = 0
            while batch.count < list.batchSize, bytes < Self.maxBatchBytes {
                guard let post = try nextPost(list) else {
                    readers[number] = nil
                    return batch
                }
                bytes += post.metadata.title.utf8.count + (post.metadata.summary?.utf8.count ?? 0)
                batch.append(post)
            }
            list.batchSize = min(list.batchSize * 2, Self.maxBatchSize)
            return batch
        }
    }

    func close(_ number: Int) { readers[number] = nil }

    /// The next readable post of a list; nil at its end.
    private func nextPost(_ list: ListReader) throws -> StoredPost? {
        while try list.rows.step() {
            do {
                return try list.post()
            } catch StoreError.Reason.damaged {
                connection.note(unreadable: [list.rows.integer(PostRow.listColumnCount + 3)])
            }
        }
        return nil
    }

    private static func groups(
        _ list: ListStatement, _ grouping: Grouping?, _ parts: Query.Parts, in database: Database
    ) throws -> [PostGroup] {
        guard let grouping, let sql = list.groups else { return [] }
        return try database.all(sql, list.values) { row in
            PostGroup(name: grouping.name(ofStored: row.text(0) ?? "", parts), count: Int(row.integer(1)))
        }
    }

    /// Large enough to make the actor hop per batch cheap.
    private static let maxBatchSize = 512
    /// Bounds the memory of a batch, because summaries may be of any length.
    private static let maxBatchBytes = 1 << 20
}

private final class ListReader {
    let rows: Statement
    private let snapshot: Database
    private let scope: SourceScope
    private let parts: Query.Parts
    private let grouping: Grouping?
    /// Whether posts come with their duplicates.
    private let hasDuplicates: Bool
    /// The posts that are shown as duplicates in a list with an order of its own.
    private let ranked: RankedPosts?
    /// The search expression, if each post comes with a snippet.
    private let search: SearchExpression?
    /// The stories above comments, by the keys of their sources: each comment of a long thread has many above it.
    private var stories: [Int64: [String: Story?]] = [:]
    /// The author and the group of the last post.
    private var (author, group) = ("", "")
    /// The post that was read when the list was opened and has yet to be returned.
    var first: StoredPost?
    /// The size of the next batch: small at first, so that the first posts are shown quickly.
    var batchSize = 128

    init(
        _ rows: Statement, of query: Query, in scope: SourceScope, _ snapshot: Database, search: SearchExpression?
    ) {
        self.rows = rows
        self.snapshot = snapshot
        self.scope = scope
        parts = query.parts
        ranked = query.ranked
        hasDuplicates = ListStatement.hasDuplicates(query, scope) && parts.contains(.duplicates)
        grouping = query.arrangement.grouping
        self.search = search
    }

    /// The post of the current row.
    ///
    /// Throws ``StoreError/Reason/damaged`` if it can't be read.
    func post() throws -> StoredPost {
        let (row, last) = (rows, PostRow.listColumnCount)
        let metadata = try PostRow.metadata(of: row, parts, &author)
        guard let source = scope.id(of: row.integer(last + 2)) else { throw StoreError.Reason.damaged }
        return StoredPost(
            metadata: metadata, source: source, position: ListPosition(post: row.integer(last + 3)),
            group: grouping.map { $0.name(ofStored: row.text(last, last: &group) ?? "", parts) },
            state: PostRow.state(of: row),
            changed: PostRow.changedAt(of: row).map { Timestamp(secondsSince1970: Int($0 / 1000)) },
            arrival: PostRow.arrival(of: row, dated: metadata.publishDate),
            rank: row.optionalInteger(last + 1).map { Int($0) },
            story: try PostRow.parent(of: row).flatMap {
                let key = row.integer(last + 2)
                return try Posts(snapshot).story(above: $0, key, known: &stories[key, default: [:]])
            },
            snippet: try search.flatMap {
                try Snippets(database: snapshot, search: $0).find(ofPost: row.integer(last + 3))
            },
            duplicates: try duplicates(of: row.integer(last + 3)))
    }

    private func duplicates(of post: Int64) throws -> [Duplicate] {
        if let ranked { return ranked.duplicates[post] ?? [] }
        return hasDuplicates && PostRow.hasTwin(of: rows) ? try Stories(snapshot).duplicates(of: post, in: scope) : []
    }
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
    /// Opens a list once the rules have looked at its posts: ``OpenLists/open(_:in:_:)``.
    package func openList(_ query: Query, in scope: SourceScope) async throws -> OpenedList {
        try await lists.open(query, in: scope, rules.settle())
    }

    /// The next posts of a list; empty at its end.
    package func nextBatch(_ number: Int) throws -> [StoredPost] { try lists.nextBatch(number) }

    /// Forgets a list that isn't read to its end.
    package func closeList(_ number: Int) { lists.close(number) }

    var openListCount: Int { lists.count }

    /// Sets the maximum number of matches that a search with a limit ranks.
    func setMaxRanked(_ count: Int) { lists.maxRanked = count }
}
