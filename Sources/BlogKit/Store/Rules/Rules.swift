import BlogEssentials
import BlogModel

/// The rules, and what they do with posts.
///
/// A rule is its search, asked of the search index: when the index takes in posts that have arrived or changed, each rule
/// looks at them, and when a rule is added, it looks at all posts. So both have the same meaning, and the posts that a
/// rule has found (`rule_hits`) are always those that its search finds.
struct Rules {
    let database: Database

    /// A rule with what the store has to know of it.
    struct Row {
        let stored: StoredRule
        let pending: Pending?

        var key: Int64 { Int64(stored.number) }
        var rule: Rule { stored.rule }
    }

    /// Why a rule has to be applied to all posts.
    enum Pending: Int64 {
        /// It is new, or may find other posts than before.
        case whole = 1
        /// It was imported, with posts that have had their marks.
        case withoutMarks = 2
    }

    func all() throws -> [Row] {
        try database.all("SELECT key, words, hides, marks, expires_at, is_expired, pending FROM rules ORDER BY key") {
            row in
            let marks = TagLines.tags(row.text(3) ?? "").compactMap { Mark(text: $0) }
            let rule = Rule(
                words: row.text(1) ?? "", isHiding: row.bool(2), marks: marks,
                expires: row.optionalInteger(4).map { Date(millisecondsSince1970: $0) })
            let stored = StoredRule(number: Int(row.integer(0)), rule: rule, isExpired: row.bool(5))
            return Row(stored: stored, pending: Pending(rawValue: row.integer(6)))
        }
    }

    /// Whether there are rules, and posts or rules that have yet to be looked at.
    var areUnsettled: Bool {
        get throws {
            guard try database.exists("SELECT 1 FROM rules WHERE NOT is_expired") else { return false }
            return try database.exists("SELECT 1 FROM rules WHERE pending <> 0 AND NOT is_expired")
                || SearchIndex(database: database).hasPending
        }
    }

    /// Adds a rule that has yet to be applied; returns its number, nil if there is the same one.
    func add(_ rule: Rule, _ pending: Pending) throws -> Int64? {
        guard try !all().contains(where: { $0.rule == rule && !$0.stored.isExpired }) else { return nil }
        try database.run(
            "INSERT INTO rules (words, hides, marks, expires_at, pending) VALUES (?, ?, ?, ?, ?)",
            [
                .text(rule.words), .bool(rule.isHiding), .text(TagLines(rule.marks.map(\.text))?.text ?? ""),
                DatabaseValue(rule.expires), .integer(pending.rawValue),
            ])
        return database.lastInsertedKey
    }

    func delete(_ rule: Int64) throws { try database.run("DELETE FROM rules WHERE key = ?", [.integer(rule)]) }

    func setApplied(_ rule: Int64) throws {
        try database.run("UPDATE rules SET pending = 0 WHERE key = ?", [.integer(rule)])
    }

    /// Applies the rules whose search has a folder to all posts again, because a source is in another one.
    func noteMovedSource() throws {
        for row in try all() where Search(row.rule.words).places.contains(where: \.condition.isOfFolder) {
            try database.run("UPDATE rules SET pending = max(pending, 1) WHERE key = ?", [.integer(row.key)])
        }
    }

    /// Gives a source in rules its new name.
    func rename(_ source: String, to name: String) throws {
        for row in try all() {
            let words = Search(row.rule.words).renaming { $0 == source ? name : nil }
            guard words != row.rule.words else { continue }
            try database.run("UPDATE rules SET words = ? WHERE key = ?", [.text(words), .integer(row.key)])
        }
    }

    // MARK: Posts

    /// The posts that a rule finds, by their keys; none if its search can't be understood.
    ///
    /// - Parameter keys: looks only at posts with keys in this range.
    func found(by rule: Rule, among keys: ClosedRange<Int64> = 0...Int64.max) throws -> Set<Int64> {
        let search = Search(rule.words)
        var query = Query()
        guard Rule.problem(in: search) == nil, (try? search.add(to: &query, now: .distantPast)) != nil,
            let expression = SearchExpression(query)
        else { return [] }
        var conditions = ["posts.parent IS NULL", "posts.key BETWEEN ? AND ?"]
        var values: [DatabaseValue] = [.integer(keys.lowerBound), .integer(keys.upperBound)]
        for (condition, bound) in expression.conditions(among: keys) {
            conditions.append(condition)
            values += bound
        }
        for (sign, date) in [(">=", query.filter.since), ("<", query.filter.before)] {
            guard let date else { continue }
            conditions.append("posts.date_key \(sign) ?")
            values.append(.integer(date.millisecondsSince1970))
        }
        let sql = "SELECT posts.key FROM posts WHERE \(conditions.joined(separator: " AND "))"
        return Set(try database.all(sql, values) { $0.integer(0) })
    }

    func hits(of rule: Int64) throws -> Set<Int64> {
        Set(try database.all("SELECT post FROM rule_hits WHERE rule = ?", [.integer(rule)]) { $0.integer(0) })
    }

    /// Lets the rules look at posts that the index has just taken in.
    func apply(to posts: [Int64]) throws {
        guard let first = posts.min(), let last = posts.max() else { return }
        let rows = try all().filter { !$0.stored.isExpired && $0.pending == nil }
        guard !rows.isEmpty else { return }
        let batch = Set(posts)
        // The posts of a batch are neighbours, unless old ones have changed.
        let ranges = last - first < 4 * Int64(posts.count) ? [first...last] : posts.map { $0...$0 }
        for row in rows {
            let found = try ranges.reduce(into: Set()) { $0.formUnion(try self.found(by: row.rule, among: $1)) }
                .intersection(batch)
            let before = Set(try batch.filter { try isHit($0, of: row.key) })
            try setHits(of: row.key, found.subtracting(before), true)
            try setHits(of: row.key, before.subtracting(found), false)
            for mark in row.rule.marks { try Marking.set(mark, found.subtracting(before), in: database) { _ in } }
        }
        try hide(batch)
    }

    private func isHit(_ post: Int64, of rule: Int64) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM rule_hits WHERE rule = ? AND post = ?", [.integer(rule), .integer(post)])
    }

    func setHits(of rule: Int64, _ posts: some Sequence<Int64>, _ isHit: Bool) throws {
        let sql =
            isHit
            ? "INSERT OR IGNORE INTO rule_hits (rule, post) SELECT ?1, key FROM posts WHERE key = ?2"
            : "DELETE FROM rule_hits WHERE rule = ? AND post = ?"
        for post in posts { try database.run(sql, [.integer(rule), .integer(post)]) }
    }

    /// Hides posts that a rule hides, and shows the others.
    func hide(_ posts: some Sequence<Int64>) throws {
        let sql = """
            UPDATE posts SET is_hidden = NOT is_hidden WHERE key = ? AND is_hidden <> EXISTS (
                SELECT 1 FROM rule_hits JOIN rules ON rules.key = rule
                WHERE post = posts.key AND hides AND NOT is_expired
            )
            """
        for post in posts { try database.run(sql, [.integer(post)]) }
    }
}

extension SearchCondition {
    fileprivate var isOfFolder: Bool { if case .folder = self { true } else { false } }
}

extension StoreError.Reason {
    fileprivate var isNotStored: Bool { if case .notStored = self { true } else { false } }
}

/// Applies rules to all posts in batches, so that other processes can write in between.
struct RuleKeeping {
    let connection: StoreConnection

    /// Lets the rules look at posts that have arrived or changed, and applies rules that have yet to be, unless another
    /// process is writing.
    func settle(isolation: isolated (any Actor)? = #isolation) async throws {
        guard connection.notice == nil, try connection.read({ try Rules(database: $0).areUnsettled }) else { return }
        let indexing = Indexing(connection: connection)
        while try await indexing.ifFree(SearchBatch.size, waitsForBodies: false) > 0 {}
        do {
            for row in try connection.read({ try Rules(database: $0).all() }) where !row.stored.isExpired {
                guard let pending = row.pending else { continue }
                _ = try await apply(row, marks: pending == .whole ? row.rule.marks : [])
            }
        } catch let error as StoreError where error.reason == .busy || error.reason.isNotStored {}
    }

    /// Adds a rule and applies it to all posts; the marks can be undone.
    ///
    /// - Returns: the rule, and how many posts it has found; nil if there is the same one.
    func add(_ rule: Rule, isolation: isolated (any Actor)? = #isolation) async throws -> (StoredRule, posts: Int)? {
        while try await Indexing(connection: connection).more() > 0 {}
        guard let key = try await connection.writeToDisk({ try Rules(database: $0).add(rule, .whole) }) else {
            return nil
        }
        let stored = StoredRule(number: Int(key), rule: rule, isExpired: false)
        return (stored, try await apply(Rules.Row(stored: stored, pending: .whole), marks: rule.marks))
    }

    /// Removes a rule, whose posts are shown again.
    func remove(_ rule: Int64, isolation: isolated (any Actor)? = #isolation) async throws {
        try await forgetHits(of: rule)
        try await connection.writeToDisk { try Rules(database: $0).delete(rule) }
    }

    /// Ends the rules that are past their dates.
    func expire(at now: Date, isolation: isolated (any Actor)? = #isolation) async throws {
        guard connection.notice == nil else { return }
        let isDue = "NOT is_expired AND expires_at <= ?"
        let due = try connection.read {
            try $0.all("SELECT key FROM rules WHERE \(isDue)", [DatabaseValue(now)]) { $0.integer(0) }
        }
        for rule in due {
            try await connection.writeToDisk {
                try $0.run("UPDATE rules SET is_expired = 1 WHERE key = ?", [.integer(rule)])
            }
            try await forgetHits(of: rule)
        }
    }

    private func forgetHits(of rule: Int64, isolation: isolated (any Actor)? = #isolation) async throws {
        let posts = try connection.read { try Rules(database: $0).hits(of: rule) }
        try await inBatches(Array(posts)) { database, batch, _ in
            try Rules(database: database).setHits(of: rule, batch, false)
            try Rules(database: database).hide(batch)
        }
    }

    /// Applies a rule to all posts, and returns how many it finds.
    private func apply(
        _ row: Rules.Row, marks: [Mark], isolation: isolated (any Actor)? = #isolation
    ) async throws -> Int {
        let (found, before) = try connection.read { database in
            (try Rules(database: database).found(by: row.rule), try Rules(database: database).hits(of: row.key))
        }
        let new = found.subtracting(before).sorted()
        _ = try await GradualMarking(connection: connection).apply(marks, to: new)
        try await inBatches(Array(before.subtracting(found))) { database, batch, _ in
            try Rules(database: database).setHits(of: row.key, batch, false)
            try Rules(database: database).hide(batch)
        }
        try await inBatches(new) { database, batch, isLast in
            try Rules(database: database).setHits(of: row.key, batch, true)
            try Rules(database: database).hide(batch)
            if isLast { try Rules(database: database).setApplied(row.key) }
        }
        return found.count
    }

    private func inBatches(
        _ keys: [Int64], isolation: isolated (any Actor)? = #isolation,
        _ work: (Database, ArraySlice<Int64>, _ isLast: Bool) throws -> Void
    ) async throws {
        try await GradualMarking(connection: connection).inBatches(keys, work)
    }
}
