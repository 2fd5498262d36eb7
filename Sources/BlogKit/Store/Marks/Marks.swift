import BlogEssentials
import BlogModel

/// The marks that the user sets on posts, and what was read and shown.
package struct Marks {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// Marks posts as read, with their duplicates if the story itself was read, and records the last one.
    func noteReading(of ids: [PostID], withArticles: Set<PostID>) throws {
        let stories = Stories(database)
        var keys: [Int64] = []
        for id in ids {
            guard let key = try PostRow.key(of: id, in: database) else { continue }
            keys += try withArticles.contains(id) ? stories.twins(of: [key]) : stories.readTwins(of: key)
            keys.append(key)
        }
        let marking = try Marking(.read, with: nil, in: database)
        try marking.finish(changed: try marking.add(keys, in: database), in: database)
        if let last = keys.last { try database.run("UPDATE last_read SET post = ?", [.integer(last)]) }
    }

    /// The post that was read last; nil if none was, or it was deleted.
    package func lastRead() throws -> PostID? {
        let sql = """
            SELECT kind, address, id FROM last_read JOIN posts ON posts.key = last_read.post
            JOIN sources ON sources.key = posts.source
            """
        return try database.first(sql) { $0.postID(0) }
    }

    /// How many letters of a post's text were above the screen when it was left; nil for none, or if it was left at its end.
    package func lettersRead(of post: PostID) throws -> Int? {
        guard let key = try PostRow.key(of: post, in: database) else { return nil }
        let sql = "SELECT letters_read FROM posts WHERE key = ? AND letters_read IS NOT NULL"
        return try database.integer(sql, [.integer(key)]).map { Int($0) }
    }

    /// Records where a post was left; nil for its beginning or end.
    package func note(lettersRead letters: Int?, of post: PostID) throws {
        guard let key = try PostRow.key(of: post, in: database) else { return }
        try database.run(
            "UPDATE posts SET letters_read = ?1 WHERE key = ?2 AND letters_read IS NOT ?1",
            [DatabaseValue(letters.map { Int64($0) }), .integer(key)])
    }

    /// The step of the last markings that can be undone; nil if there are none.
    package func lastStep() throws -> Int64? { try Marking.last(in: database).first?.step }

    /// Whether any post has a label.
    package var haveLabels: Bool {
        get throws { try database.exists("SELECT 1 FROM posts WHERE labels IS NOT NULL LIMIT 1") }
    }

    /// The labels in alphabetical order, with the numbers of their posts in a scope; those that a rule hides don't count.
    func labels(in scope: SourceScope, _: SettledRules) throws -> [LabelCounts] {
        let isCounted = "\(scope.condition(onPosts: "posts", isIndexed: false)) AND NOT is_hidden"
        let sql = """
            SELECT labels, sum(\(isCounted)), sum(\(isCounted) AND NOT is_read) FROM posts
            WHERE labels IS NOT NULL GROUP BY labels
            """
        var counts: [String: LabelCounts] = [:]
        let rows = try database.all(sql) { row in
            (row.text(0).map(TagLines.tags) ?? [], Int(row.integer(1)), Int(row.integer(2)))
        }
        for (labels, posts, unread) in rows {
            for label in labels {
                let key = Folding.searchable(label)
                let before = counts[key]
                counts[key] = LabelCounts(
                    label: before?.label ?? label, posts: (before?.posts ?? 0) + posts,
                    unread: (before?.unread ?? 0) + unread)
            }
        }
        return counts.sorted { ($0.key, $0.value.label) < ($1.key, $1.value.label) }.map(\.value)
    }

    /// All labels, also those that only rules have.
    package func labelNames() throws -> [String] {
        let lines = try database.texts("SELECT DISTINCT labels FROM posts WHERE labels IS NOT NULL")
        let spelt = Dictionary(lines.flatMap(TagLines.tags).map { (Folding.searchable($0), $0) }) { first, _ in first }
        let ofPosts = spelt.sorted { $0.key < $1.key }.map(\.value)
        return try Rules(database).all().flatMap(\.rule.marks).reduce(into: ofPosts) { labels, mark in
            guard case .labelled(let label) = mark, !labels.contains(where: { Label.isSame($0, label) }) else {
                return
            }
            labels.append(label)
        }
    }

    /// A mark whose label is spelt as in the store, if it is there.
    package func spelt(_ mark: Mark) throws -> Mark {
        guard case .labelled(let label) = mark else { return mark }
        return .labelled(try labelNames().first { Label.isSame($0, label) } ?? label)
    }

    /// Whether a hint is shown for the first time; records that it was.
    func takeHint(_ name: String) throws -> Bool {
        try database.run("INSERT OR IGNORE INTO hints (name) VALUES (?)", [.text(name)])
        return database.changes > 0
    }
}

extension PostStore {
    /// The labels with the numbers of their posts once the rules have looked at them: ``Marks/labels(in:_:)``.
    package func labels(in scope: SourceScope) async throws -> [LabelCounts] {
        let settled = try await rules.settle()
        return try read { try Marks($0).labels(in: scope, settled) }
    }

    /// Marks posts as read: ``Marks/noteReading(of:withArticles:)``.
    package func noteReading(of ids: [PostID], withArticles: Set<PostID> = []) async throws {
        guard notice == nil, !ids.isEmpty else { return }
        try await write { try Marks($0).noteReading(of: ids, withArticles: withArticles) }
    }

    /// Whether a hint is shown for the first time; false if changes aren't saved or another process is writing.
    package func takeHint(_ name: String) async throws -> Bool {
        guard notice == nil else { return false }
        var isFirst = false
        try await connection.writeIfFree { isFirst = try Marks($0).takeHint(name) }
        return isFirst
    }
}
