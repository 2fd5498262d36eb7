import Foundation

/// Everything that has been seen, in one SQLite database of which this actor is the only owner.
///
/// Where the database can't be written, the store goes on in memory and says so in ``notice``. Every function throws a
/// ``StoreError``.
package actor PostStore {
    /// Why nothing more is kept; nil as long as it is.
    package private(set) var notice: StoreNotice?
    private let path: String
    private var database: Database
    private var cursors: [Int: Cursor] = [:]
    private var nextCursor = 0

    private struct Cursor {
        let rows: Statement
        let grouping: Grouping?
        /// The row that was read when the list was opened and is still to be given.
        var first: ListedPost?
    }

    /// The store at a path, made where there is none, in a folder that only its owner can read.
    package init(path: String) throws {
        self.path = path
        (database, notice) = try StoreError.mapped(path) { try StoreFile(path: path).open() }
    }

    /// A store in memory, gone with the actor.
    package init() throws {
        path = ""
        (database, notice) = try StoreError.mapped(path) { (try StoreFile.memory(), nil) }
    }

    // MARK: Blogs

    /// What is known of a blog, or nil where nothing of it was ever stored.
    package func blog(_ address: BlogAddress) throws -> BlogRecord? {
        try StoreError.mapped(path) { try BlogRow.find(address, in: database) }
    }

    /// Stores what a source lists, all of it or nothing.
    ///
    /// Posts that aren't in it leave the list but stay readable.
    package func store(_ list: [PostMetadata], of address: BlogAddress, mark: RefreshMark) throws -> ListChanges {
        try write { database in
            let blog = try BlogRow.key(of: address, in: database)
            try BlogRow.save(mark, of: blog, in: database)
            return try PostWriter(database: database, blog: blog).replaceList(with: list)
        }
    }

    /// Notes that a blog still lists what it listed.
    package func confirm(_ address: BlogAddress, mark: RefreshMark) throws {
        try write { database in
            try BlogRow.save(mark, of: try BlogRow.key(of: address, in: database), in: database)
        }
    }

    // MARK: Lists

    /// Begins to read a list and gives its groups in their order; ``nextBatch(_:)`` gives its posts.
    ///
    /// Groups and posts are those of this moment, whatever other processes write before the list is read to its end.
    package func openList(_ query: Query, of blog: BlogRecord) throws -> (cursor: Int, groups: [PostGroup]) {
        let list = ListStatement(query, blog: blog.key)
        let grouping = query.arrangement.grouping
        return try StoreError.mapped(path) {
            // The first row opens a view of the database that lasts as long as its statement is being read, so the
            // groups, counted in between, are of the same view.
            try database.execute("BEGIN")
            defer { try? database.execute("COMMIT") }
            let rows = try database.cursor(list.posts, list.values)
            let first = try rows.step() ? try listedPost(rows, grouping) : nil
            nextCursor += 1
            cursors[nextCursor] = first.map { Cursor(rows: rows, grouping: grouping, first: $0) }
            return (nextCursor, try groups(list, grouping))
        }
    }

    /// The next posts of a list, none at its end.
    package func nextBatch(_ number: Int) throws -> [ListedPost] {
        guard var cursor = cursors[number] else { return [] }
        return try StoreError.mapped(path) {
            var batch = cursor.first.map { [$0] } ?? []
            cursor.first = nil
            while batch.count < Self.batchSize, try cursor.rows.step() {
                batch.append(try listedPost(cursor.rows, cursor.grouping))
            }
            cursors[number] = batch.count < Self.batchSize ? nil : cursor
            return batch
        }
    }

    private func listedPost(_ row: Statement, _ grouping: Grouping?) throws -> ListedPost {
        let group = grouping.map { $0.name(ofStored: row.text(PostRow.columnCount) ?? "") }
        return ListedPost(metadata: try PostRow.metadata(of: row), group: group)
    }

    private func groups(_ list: ListStatement, _ grouping: Grouping?) throws -> [PostGroup] {
        guard let grouping, let sql = list.groups else { return [] }
        let rows = try database.statement(sql, list.values)
        defer { rows.reset() }
        var groups: [PostGroup] = []
        while try rows.step() {
            groups.append(PostGroup(name: grouping.name(ofStored: rows.text(0) ?? ""), count: Int(rows.integer(1))))
        }
        return groups
    }

    /// The names of all authors whose posts a blog lists.
    package func authors(of blog: BlogRecord) throws -> [String] {
        try StoreError.mapped(path) {
            let rows = try database.statement(
                "SELECT DISTINCT author_name FROM posts WHERE blog = ? AND listed = 1", [.integer(blog.key)])
            defer { rows.reset() }
            var names: [String] = []
            while try rows.step() { names.append(rows.text(0) ?? "") }
            return names
        }
    }

    // MARK: Posts

    /// A post's metadata, listed or not.
    package func metadata(id: String, of address: BlogAddress) throws -> PostMetadata? {
        try StoreError.mapped(path) {
            guard let blog = try BlogRow.find(address, in: database) else { return nil }
            let sql = "SELECT \(PostRow.columns) FROM posts WHERE blog = ? AND id = ?"
            return try database.first(sql, [.integer(blog.key), .text(id)]) { row in
                Result { try PostRow.metadata(of: row) }
            }?.get()
        }
    }

    /// A post's body, or nil where it was never fetched.
    package func body(id: String, of address: BlogAddress) throws -> StoredBody? {
        try StoreError.mapped(path) {
            guard let blog = try BlogRow.find(address, in: database) else { return nil }
            let sql = """
                SELECT body, fetched_at, bodies.revision = posts.revision
                FROM bodies JOIN posts ON posts.key = bodies.post WHERE blog = ? AND id = ?
                """
            return try database.first(sql, [.integer(blog.key), .text(id)]) { row in
                StoredBody(
                    text: row.text(0) ?? "", fetchedAt: Date(millisecondsSince1970: row.integer(1)),
                    isCurrent: row.integer(2) == 1)
            }
        }
    }

    /// Stores one post's metadata beside the list, without changing the list otherwise.
    package func store(_ metadata: PostMetadata, of address: BlogAddress) throws {
        try write { database in
            let blog = try BlogRow.key(of: address, in: database)
            try PostWriter(database: database, blog: blog).save(metadata)
        }
    }

    /// Stores the body of a post whose metadata is stored.
    package func store(_ body: String, ofPost id: String, of address: BlogAddress, fetchedAt: Date) throws {
        try write { database in
            let blog = try BlogRow.key(of: address, in: database)
            try database.run(
                """
                INSERT INTO bodies (post, revision, fetched_at, body)
                SELECT key, revision, ?, ? FROM posts WHERE blog = ? AND id = ?
                ON CONFLICT (post) DO UPDATE SET (revision, fetched_at, body)
                    = (excluded.revision, excluded.fetched_at, excluded.body)
                """,
                [.integer(fetchedAt.millisecondsSince1970), .text(body), .integer(blog), .text(id)])
        }
    }

    /// How SQLite would go about a list, in its own words.
    package func plan(_ query: Query) throws -> String {
        let list = ListStatement(query, blog: 1)
        return try StoreError.mapped(path) {
            let rows = try database.cursor("EXPLAIN QUERY PLAN " + list.posts, list.values)
            var plan: [String] = []
            while try rows.step() { plan.append(rows.text(3) ?? "") }
            return plan.joined(separator: "\n")
        }
    }

    /// Runs a change as one transaction; where the disk doesn't take it, goes on in memory and runs it there.
    private func write<Result>(_ change: (Database) throws -> Result) throws -> Result {
        try StoreError.mapped(path) {
            do {
                return try database.transaction { try change(database) }
            } catch let error as DatabaseError {
                guard notice == nil, let notice = StoreNotice(error) else { throw error }
                database = try StoreFile.memory(copying: database)
                self.notice = notice
                return try database.transaction { try change(database) }
            }
        }
    }

    /// Rows that cross from the store to the renderer at once: enough to make the crossing cheap, few enough that
    /// the first is shown at once.
    private static let batchSize = 256
}
