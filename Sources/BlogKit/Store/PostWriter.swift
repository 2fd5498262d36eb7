import Foundation

/// Writes the posts of one blog inside a transaction.
struct PostWriter {
    private let database: Database
    private let blog: Int64
    private let now: Int64
    private let index: SearchIndex

    /// A writer; `now` is when what it writes was learnt.
    init(database: Database, blog: Int64, now: Date) {
        self.database = database
        self.blog = blog
        self.now = now.millisecondsSince1970
        index = SearchIndex(database: database)
    }

    /// Makes the blog list these posts and no others, but keeps those on the list whose records could not be read.
    ///
    /// - Parameter unread: their ids, nil for one that can't be read either; then none leaves the list.
    func replaceList(with list: [PostMetadata], unread: [String?] = []) throws -> ListChanges {
        var changes = ListChanges()
        var seen: Set<Int64> = []
        guard try hasPosts() else {
            // Of a blog that is new, nothing need be compared.
            try PostIndexes(database: database).whileFilling(blog, with: list.count) {
                for start in stride(from: 0, to: list.count, by: Self.batch) {
                    let some = list[start..<min(start + Self.batch, list.count)]
                    for (metadata, key) in zip(some, SortKey.each(of: some)) {
                        try insert(metadata, key, isListed: true)
                    }
                }
            }
            changes.new = list.count
            return changes
        }
        for metadata in list {
            let (key, outcome) = try save(metadata, isListed: true)
            seen.insert(key)
            switch outcome {
            case .new: changes.new += 1
            case .updated: changes.updated += 1
            case .unchanged: changes.unchanged += 1
            }
        }
        guard !unread.contains(nil) else { return changes }
        for case let id? in unread {
            if let key = try find(id)?.key { seen.insert(key) }
        }
        changes.delisted = try delist(allBut: seen)
        return changes
    }

    /// How many posts' keys are in memory at a time.
    private static let batch = 8192

    enum Outcome {
        case new
        case updated
        case unchanged
    }

    /// Stores one post; its sort keys are computed here and nowhere else.
    ///
    /// - Parameter isListed: whether it is on the list from now on; if not, it stays where it is.
    @discardableResult
    func save(_ metadata: PostMetadata, isListed: Bool) throws -> (key: Int64, outcome: Outcome) {
        guard let (key, stored, wasListed) = try find(metadata.id) else {
            try insert(metadata, SortKey(metadata), isListed: isListed)
            return (database.lastInsertedKey, .new)
        }
        if isListed && !wasListed { try list(key, true) }
        if stored != metadata {
            // Points and answers change all the time, words hardly ever.
            if !stored.hasSameWords(as: metadata) { try index.noteChange(of: key) }
            let update = try database.prepared(PostRow.update)
            let next = try PostRow.bind(metadata, SortKey(metadata), to: update, from: 1)
            try update.bind(now, at: next)
            try update.bind(key, at: next + 1)
            try update.run()
            // Another address has validators of its own.
            if stored.postId != metadata.postId {
                try database.run("UPDATE bodies SET etag = NULL, last_modified = NULL WHERE post = ?", [.integer(key)])
            }
            return (key, .updated)
        }
        return (key, .unchanged)
    }

    /// Puts a post on the list or takes it off.
    func list(_ key: Int64, _ isListed: Bool) throws {
        try database.run(
            "UPDATE posts SET listed = ?, changed_at = ? WHERE key = ?",
            [.integer(isListed ? 1 : 0), .integer(now), .integer(key)])
    }

    private func insert(_ metadata: PostMetadata, _ key: SortKey, isListed: Bool) throws {
        let insert = try database.prepared(PostRow.insert)
        try insert.bind(blog, at: 1)
        let next = try PostRow.bind(metadata, key, to: insert, from: 2)
        try insert.bind(now, at: next)
        try insert.bind(isListed ? 1 : 0, at: next + 1)
        try insert.run()
    }

    private func hasPosts() throws -> Bool {
        try database.first("SELECT 1 FROM posts WHERE blog = ? LIMIT 1", [.integer(blog)]) { _ in true } ?? false
    }

    private func find(_ id: String) throws -> (key: Int64, metadata: PostMetadata, isListed: Bool)? {
        let sql = "SELECT \(PostRow.columns), key, listed FROM posts WHERE blog = ? AND id = ?"
        return try database.first(sql, [.integer(blog), .text(id)]) { row in
            Result {
                (
                    row.integer(PostRow.columnCount), try PostRow.metadata(of: row),
                    row.integer(PostRow.columnCount + 1) == 1
                )
            }
        }?.get()
    }

    private func delist(allBut seen: Set<Int64>) throws -> Int {
        let rows = try database.statement("SELECT key FROM posts WHERE blog = ? AND listed = 1", [.integer(blog)])
        var gone: [Int64] = []
        while try rows.step() {
            if !seen.contains(rows.integer(0)) { gone.append(rows.integer(0)) }
        }
        rows.reset()
        for key in gone { try list(key, false) }
        return gone.count
    }
}

extension PostMetadata {
    fileprivate func hasSameWords(as other: PostMetadata) -> Bool {
        (title, summary, author.name) == (other.title, other.summary, other.author.name)
            && (discussion == nil, discussion?.parent == nil) == (
                other.discussion == nil, other.discussion?.parent == nil
            )
    }
}
