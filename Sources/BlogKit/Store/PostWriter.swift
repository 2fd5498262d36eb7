/// Writes the posts of one blog inside a transaction.
struct PostWriter {
    let database: Database
    let blog: Int64

    /// Makes the blog list these posts and no others.
    func replaceList(with list: [PostMetadata]) throws -> ListChanges {
        var changes = ListChanges()
        var seen: Set<Int64> = []
        for metadata in list {
            let (key, outcome) = try save(metadata)
            seen.insert(key)
            switch outcome {
            case .new: changes.new += 1
            case .updated: changes.updated += 1
            case .unchanged: changes.unchanged += 1
            }
        }
        changes.delisted = try delist(allBut: seen)
        return changes
    }

    enum Outcome {
        case new
        case updated
        case unchanged
    }

    /// Stores one post as listed; its sort keys are computed here and nowhere else.
    @discardableResult
    func save(_ metadata: PostMetadata) throws -> (key: Int64, outcome: Outcome) {
        guard let (key, stored, isListed) = try find(metadata.id) else {
            try database.run(PostRow.insert, [.integer(blog)] + PostRow.values(metadata))
            return (database.lastInsertedKey, .new)
        }
        if stored != metadata {
            try database.run(PostRow.update, PostRow.values(metadata) + [.integer(key)])
            return (key, .updated)
        }
        if !isListed { try database.run("UPDATE posts SET listed = 1 WHERE key = ?", [.integer(key)]) }
        return (key, .unchanged)
    }

    private func find(_ id: String) throws -> (key: Int64, metadata: PostMetadata, isListed: Bool)? {
        let sql = "SELECT key, listed, \(PostRow.columns) FROM posts WHERE blog = ? AND id = ?"
        return try database.first(sql, [.integer(blog), .text(id)]) { row in
            Result { (row.integer(0), try PostRow.metadata(of: row, from: 2), row.integer(1) == 1) }
        }?.get()
    }

    private func delist(allBut seen: Set<Int64>) throws -> Int {
        let rows = try database.statement("SELECT key FROM posts WHERE blog = ? AND listed = 1", [.integer(blog)])
        var gone: [Int64] = []
        while try rows.step() {
            if !seen.contains(rows.integer(0)) { gone.append(rows.integer(0)) }
        }
        rows.reset()
        for key in gone { try database.run("UPDATE posts SET listed = 0 WHERE key = ?", [.integer(key)]) }
        return gone.count
    }
}
