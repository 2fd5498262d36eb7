import BlogModel

/// A recorded change of marks, which can be undone.
struct Marking {
    let key: Int64
    let mark: Mark
    /// The key of the first of the markings that are undone together.
    let step: Int64

    private init(key: Int64, mark: Mark, step: Int64) {
        self.key = key
        self.mark = mark
        self.step = step
    }

    /// - Parameter step: the marking that is undone together with this one; nil for none.
    init(_ mark: Mark, with step: Int64?, in database: Database) throws {
        try database.run(
            "INSERT INTO markings (key, mark) VALUES (?, ?)",
            [.integer(try ChangeHistory.nextKey(in: database)), .text(mark.text)])
        let key = database.lastInsertedKey
        self.init(key: key, mark: mark, step: step ?? key)
        try database.run("UPDATE markings SET step = ? WHERE key = ?", [.integer(self.step), .integer(key)])
    }

    /// Those of the latest step, in order; none if there is none.
    static func last(in database: Database) throws -> [Marking] {
        try all("step = (SELECT max(step) FROM markings)", in: database)
    }

    /// The former and the new name of a label if the last step was its renaming, to a name that no other posts have.
    static func lastRename(in database: Database) throws -> (former: String, name: String)? {
        let step = try last(in: database)
        guard step.count == 2, case .unlabelled(let former) = step[0].mark, case .labelled(let name) = step[1].mark
        else { return nil }
        let (isLabelled, values) = TagLines.condition("posts.labels", have: name)
        let isMarked = "SELECT 1 FROM marked_posts WHERE marking = ? AND post = posts.key"
        let others = "SELECT 1 FROM posts WHERE \(isLabelled) AND NOT EXISTS (\(isMarked))"
        return try database.exists(others, values + [.integer(step[1].key)]) ? nil : (former, name)
    }

    /// The markings of a step, in order.
    static func all(_ condition: String, in database: Database) throws -> [Marking] {
        try database.all("SELECT key, mark, step FROM markings WHERE \(condition) ORDER BY key") { row in
            row.text(1).flatMap { Mark(text: $0) }.map {
                Marking(key: row.integer(0), mark: $0, step: row.integer(2))
            }
        }.compactMap(\.self)
    }

    /// Marks posts, and returns how many didn't have the mark.
    func add(_ posts: some Sequence<Int64>, in database: Database) throws -> Int {
        try Self.set(mark, posts, in: database) {
            try database.run(
                "INSERT OR IGNORE INTO marked_posts (marking, post) VALUES (?, ?)", [.integer(key), .integer($0)])
        }
    }

    /// Undoes the change of posts, and returns how many had the mark.
    func undo(_ posts: some Sequence<Int64>, in database: Database) throws -> Int {
        let isQueued = try MarkQueue.isNeeded(in: database)
        let changed = try Self.set(mark.opposite, posts, in: database, isQueued: false) { post in
            if isQueued { try MarkQueue.takeBack(mark, of: post, in: database) }
        }
        for post in posts {
            try database.run(
                "DELETE FROM marked_posts WHERE marking = ? AND post = ?", [.integer(key), .integer(post)])
        }
        return changed
    }

    /// Marks posts, notes each that didn't have the mark, and returns how many these are.
    ///
    /// - Parameter isQueued: whether the server of a post is told of the mark.
    @discardableResult
    static func set(
        _ mark: Mark, _ posts: some Sequence<Int64>, in database: Database, isQueued: Bool = true,
        _ note: (Int64) throws -> Void
    ) throws -> Int {
        let (change, changeValues) = change(to: mark)
        let (lacks, lacksValues) = lacks(mark)
        let sql = "UPDATE posts SET \(change)\(Self.noteReader(of: mark)) WHERE key = ? AND \(lacks)"
        let isQueued = try isQueued && MarkQueue.isNeeded(in: database)
        return try posts.reduce(0) { changed, post in
            try database.run(sql, changeValues + [.integer(post)] + lacksValues)
            guard database.changes > 0 else { return changed }
            if isQueued { try MarkQueue.add(mark, to: post, in: database) }
            try note(post)
            return changed + 1
        }
    }

    /// Marks posts as their server has them marked, so that it needn't be told.
    static func setUnqueued(_ mark: Mark, _ posts: some Sequence<Int64>, in database: Database) throws {
        try set(mark, posts, in: database, isQueued: false) { _ in }
    }

    /// Ends a marking; one without changes can't be undone, and only the latest ones are kept.
    func finish(changed: Int, in database: Database) throws {
        if changed == 0 { try remove(in: database) }
        try database.run("DELETE FROM markings WHERE step <= ?", [.integer(step - Self.maxCount)])
    }

    func remove(in database: Database) throws {
        try database.run("DELETE FROM markings WHERE key = ?", [.integer(key)])
    }

    static func titles(of marking: Int64, in database: Database) throws -> [String] {
        try database.texts(
            """
            SELECT title FROM marked_posts JOIN posts ON posts.key = post WHERE marking = ?
            ORDER BY date_key DESC LIMIT \(MarkingReport.maxTitles)
            """, [.integer(marking)])
    }

    /// Of a post that came with the archive of its blog, that somebody has set whether it is read: see `is_archived`.
    private static func noteReader(of mark: Mark) -> String {
        switch mark {
        case .read, .unread: ", is_archived = iif(is_archived, 2, 0)"
        case .saved, .unsaved, .labelled, .unlabelled: ""
        }
    }

    private static func change(to mark: Mark) -> (String, [DatabaseValue]) {
        switch mark {
        case .read: ("is_read = 1", [])
        case .unread: ("is_read = 0", [])
        case .saved: ("is_saved = 1", [])
        case .unsaved: ("is_saved = 0", [])
        case .labelled(let label): ("labels = with_label(ifnull(labels, ''), ?)", [.text(label)])
        case .unlabelled(let label): ("labels = nullif(without_label(labels, ?), '')", [.text(label)])
        }
    }

    /// The condition for posts that a mark would change.
    static func lacks(_ mark: Mark) -> (String, [DatabaseValue]) {
        switch mark {
        case .labelled(let label):
            let (condition, values) = TagLines.condition("posts.labels", have: label)
            return ("NOT \(condition)", values)
        case .unlabelled(let label): return TagLines.condition("posts.labels", have: label)
        default: return change(to: mark.opposite)
        }
    }

    /// The number of markings that can be undone.
    static let maxCount: Int64 = 100
}

extension MarkingReport {
    /// What a marking did.
    init(_ marking: Marking, in database: Database) throws {
        let count = try database.integer(
            "SELECT count(*) FROM marked_posts WHERE marking = ?", [.integer(marking.key)])
        self.init(
            mark: marking.mark, known: Int(count ?? 0), changed: Int(count ?? 0), unknownIDs: [],
            titles: try Marking.titles(of: marking.key, in: database))
    }
}
