import BlogEssentials
import BlogModel

/// The rules, and what they do with posts.
///
/// A rule is its search, asked of the search index: when the index takes in posts that have arrived or changed, each rule
/// looks at them, and when a rule is added, it looks at all posts. So both have the same meaning.
///
/// `rule_hits` has the posts that a rule has found; those that it no longer finds stay there with `is_found` 0, so that
/// they aren't marked again.
package struct Rules {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// A rule with what the store has to know of it.
    struct Row {
        let stored: StoredRule
        let pending: Pending?

        var key: Int64 { Int64(stored.number) }
        var rule: Rule { stored.rule }
    }

    /// The value of `is_expired` of a rule that was removed, and whose posts aren't all shown again yet.
    fileprivate static let isBeingRemoved: Int64 = 2

    /// Why a rule has to be applied to all posts.
    enum Pending: Int64 {
        /// It is new, or may find other posts than before.
        case whole = 1
        /// It was imported, or posts were: these have had their marks.
        case withoutMarks = 2
    }

    func all() throws -> [Row] {
        let sql = """
            SELECT key, words, hides, marks, expires_at, is_expired, pending FROM rules
            WHERE is_expired <> \(Self.isBeingRemoved) ORDER BY key
            """
        return try database.all(sql) { row in
            let marks = TagLines.tags(row.text(3) ?? "").compactMap { Mark(text: $0) }
            let rule = Rule(
                words: row.text(1) ?? "", isHiding: row.bool(2), marks: marks,
                expires: row.optionalInteger(4).map { Date(millisecondsSince1970: $0) })
            let stored = StoredRule(number: Int(row.integer(0)), rule: rule, isExpired: row.bool(5))
            return Row(stored: stored, pending: Pending(rawValue: row.integer(6)))
        }
    }

    /// The rules with their numbers.
    package func stored() throws -> [StoredRule] { try all().map(\.stored) }

    /// Whether there are rules that hide posts.
    package var areHiding: Bool {
        get throws { try database.exists("SELECT 1 FROM rules WHERE hides AND NOT is_expired") }
    }

    /// Whether there are rules, and posts or rules that have yet to be looked at.
    var areUnsettled: Bool {
        get throws {
            guard try database.exists("SELECT 1 FROM rules WHERE NOT is_expired") else { return false }
            return try database.exists("SELECT 1 FROM rules WHERE pending <> 0 AND NOT is_expired")
                || SearchIndex(database).hasPending
        }
    }

    /// Adds a rule that has yet to be applied; returns its number, nil if there is the same one.
    ///
    /// - Parameter isImported: whether one that has ended counts, too.
    func add(_ rule: Rule, _ pending: Pending, isImported: Bool = false) throws -> Int64? {
        let known = try all()
        guard known.count < Rule.maxCount,
            !known.contains(where: { $0.rule == rule && (isImported || !$0.stored.isExpired) })
        else { return nil }
        try database.run(
            "INSERT INTO rules (words, hides, marks, expires_at, pending) VALUES (?, ?, ?, ?, ?)",
            [
                .text(rule.words), .bool(rule.isHiding), .text(TagLines(rule.marks.map(\.text))?.text ?? ""),
                DatabaseValue(rule.expires), .integer(pending.rawValue),
            ])
        return database.lastInsertedKey
    }

    /// Adds a rule of another store, unless there is the same one; false if there are too many rules.
    package func merge(_ rule: Rule) throws -> Bool {
        try add(rule, .withoutMarks, isImported: true) != nil || all().contains { $0.rule == rule }
    }

    func setApplied(_ rule: Int64) throws {
        try database.run("UPDATE rules SET pending = 0 WHERE key = ?", [.integer(rule)])
    }

    /// Applies the rules whose search has sources or folders to all posts again, because these are others now.
    func noteChangedSources() throws {
        for row in try all() where Search(row.rule.words).places.contains(where: \.condition.isOfSources) {
            try database.run("UPDATE rules SET pending = 1 WHERE key = ? AND pending = 0", [.integer(row.key)])
        }
    }

    /// Applies all rules to posts that are imported, which keep their marks.
    func noteImport() throws { try database.run("UPDATE rules SET pending = 2 WHERE pending = 0") }

    /// Gives a source in rules its new name.
    func rename(_ source: String, to name: String) throws {
        for row in try all() {
            let words = Search(row.rule.words).renaming([source: name])
            guard words != row.rule.words else { continue }
            try database.run("UPDATE rules SET words = ? WHERE key = ?", [.text(words), .integer(row.key)])
        }
    }

    /// Gives a label that rules set its new name.
    func rename(label: String, to name: String) throws {
        for row in try all() {
            let marks = row.rule.marks.map { mark in
                guard case .labelled(let own) = mark, Label.isSame(own, label) else { return mark }
                return Mark.labelled(name)
            }
            guard marks != row.rule.marks else { continue }
            try database.run(
                "UPDATE rules SET marks = ? WHERE key = ?",
                [.text(TagLines(marks.map(\.text))?.text ?? ""), .integer(row.key)])
        }
    }

    /// Deletes a rule that was being removed, and what it has found since.
    fileprivate func deleteRemoved(_ rule: Int64) throws {
        let isRemoved = "SELECT 1 FROM rules WHERE key = ? AND is_expired = \(Self.isBeingRemoved)"
        guard try database.exists(isRemoved, [.integer(rule)]) else { return }
        try forgetHits(of: rule, hits(of: rule).keys)
        try database.run("DELETE FROM rules WHERE key = ?", [.integer(rule)])
    }

    // MARK: Posts

    /// The posts that a rule finds, by their keys; none if its search can't be understood, or names a source or folder that
    /// doesn't exist.
    ///
    /// - Parameters:
    ///   - keys: looks only at posts with keys in this range.
    ///   - start: looks only at posts from this date on; nil for any.
    func found(
        by words: String, among keys: ClosedRange<Int64> = 0...Int64.max, since start: Date? = nil
    ) throws -> Set<Int64> {
        let search = Search(words)
        var query = Query()
        guard Rule.problem(in: search) == nil, (try? search.add(to: &query, now: .distantPast)) != nil,
            let expression = SearchExpression(query), try search.places.allSatisfy({ try exists($0.condition) })
        else { return [] }
        var conditions = ["posts.parent IS NULL", "posts.key BETWEEN ? AND ?"]
        var values: [DatabaseValue] = [.integer(keys.lowerBound), .integer(keys.upperBound)]
        for (condition, bound) in expression.conditions(among: keys) {
            conditions.append(condition)
            values += bound
        }
        for (sign, date) in [(">=", query.filter.since), ("<", query.filter.before), (">=", start)] {
            guard let date else { continue }
            conditions.append("posts.date_key \(sign) ?")
            values.append(.integer(date.millisecondsSince1970))
        }
        let sql = "SELECT posts.key FROM posts WHERE \(conditions.joined(separator: " AND "))"
        return Set(try database.all(sql, values) { $0.integer(0) })
    }

    /// Whether there is the source or the folder of a condition.
    private func exists(_ condition: SearchCondition) throws -> Bool {
        switch condition {
        case .source(let name): return try database.exists("SELECT 1 FROM sources WHERE name = ?", [.text(name)])
        case .folder(let folder):
            let (condition, values) = Sources.isFollowed(in: FolderPath(folder).text)
            return try database.exists("SELECT 1 FROM sources WHERE \(condition)", values)
        default: return true
        }
    }

    /// How many posts from a date on a search finds, of how many.
    package func counts(by words: String, since start: Date) throws -> (posts: Int, all: Int) {
        (try found(by: words, since: start).count, try count(since: start))
    }

    /// How many posts there are from a date on, besides comments.
    private func count(since start: Date) throws -> Int {
        let sql = "SELECT count(*) FROM posts WHERE parent IS NULL AND date_key >= ?"
        return Int(try database.integer(sql, [DatabaseValue(start)]) ?? 0)
    }

    /// The posts that a rule has found, and whether it still does.
    func hits(of rule: Int64) throws -> [Int64: Bool] {
        let hits = try database.all("SELECT post, is_found FROM rule_hits WHERE rule = ?", [.integer(rule)]) {
            ($0.integer(0), $0.bool(1))
        }
        return Dictionary(hits) { first, _ in first }
    }

    /// Lets the rules look at posts that the index has just taken in.
    func apply(to posts: [Int64]) throws {
        let rows = try all().filter { !$0.stored.isExpired }
        guard !posts.isEmpty, !rows.isEmpty else { return }
        let batch = Set(posts)
        let runs = Self.runs(of: batch)
        for row in rows {
            let found = try runs.reduce(into: Set()) { $0.formUnion(try self.found(by: row.rule.words, among: $1)) }
                .intersection(batch)
            var known: [Int64: Bool] = [:]
            for post in batch { known[post] = try isFound(post, by: row.key) }
            try setHits(of: row.key, found, true)
            try setHits(of: row.key, known.keys.filter { !found.contains($0) }, false)
            guard row.pending != .withoutMarks else { continue }
            let new = try found.filter { try known[$0] == nil && !isArchived($0) }
            for mark in row.rule.marks { try Marking.set(mark, new, in: database) { _ in } }
        }
        try hide(batch)
    }

    /// Whether a post came with an archive: rules mark it only when they are added.
    private func isArchived(_ post: Int64) throws -> Bool {
        try database.exists("SELECT 1 FROM posts WHERE key = ? AND is_archived", [.integer(post)])
    }

    /// Ranges of keys without long gaps, so that the index isn't searched for many posts between.
    private static func runs(of posts: Set<Int64>) -> [ClosedRange<Int64>] {
        posts.sorted().reduce(into: []) { runs, post in
            if let last = runs.last, post - last.upperBound < maxGap {
                runs[runs.count - 1] = last.lowerBound...post
            } else {
                runs.append(post...post)
            }
        }
    }

    private static let maxGap: Int64 = 1000

    /// Whether a post is found by a rule; nil if it never was.
    private func isFound(_ post: Int64, by rule: Int64) throws -> Bool? {
        try database.first(
            "SELECT is_found FROM rule_hits WHERE rule = ? AND post = ?", [.integer(rule), .integer(post)]
        ) { $0.bool(0) }
    }

    /// Notes posts that a rule finds, or no longer finds.
    func setHits(of rule: Int64, _ posts: some Sequence<Int64>, _ isFound: Bool) throws {
        let sql =
            isFound
            ? """
            INSERT INTO rule_hits (rule, post) SELECT ?1, key FROM posts WHERE key = ?2
            ON CONFLICT DO UPDATE SET is_found = 1
            """ : "UPDATE rule_hits SET is_found = 0 WHERE rule = ? AND post = ?"
        for post in posts { try database.run(sql, [.integer(rule), .integer(post)]) }
    }

    /// Hides posts that a rule hides, and shows the others.
    func hide(_ posts: some Sequence<Int64>) throws {
        let sql = """
            UPDATE posts SET is_hidden = NOT is_hidden WHERE key = ? AND is_hidden <> EXISTS (
                SELECT 1 FROM rule_hits JOIN rules ON rules.key = rule
                WHERE post = posts.key AND is_found AND hides AND NOT is_expired
            )
            """
        for post in posts { try database.run(sql, [.integer(post)]) }
    }

    /// Forgets what a rule has found, which isn't in force any more.
    func forgetHits(of rule: Int64, _ posts: some Sequence<Int64>) throws {
        for post in posts {
            try database.run(
                "DELETE FROM rule_hits WHERE rule = ? AND post = ?", [.integer(rule), .integer(post)])
        }
        try hide(posts)
    }
}

extension SearchCondition {
    fileprivate var isOfSources: Bool {
        switch self {
        case .source, .folder: true
        default: false
        }
    }
}

/// Shows that the rules have looked at all posts: what depends on their marks, or on what they hide, can't be read without it.
///
/// Only ``PostStore/settleRules()`` makes it. They may be unsettled for a moment if another process stores posts then, or is
/// writing.
package struct SettledRules: Sendable {
    fileprivate init() {}
}

/// Applies rules to all posts in batches, so that other processes can write in between.
struct RuleKeeping {
    let connection: StoreConnection

    /// Lets the rules look at posts that have arrived or changed, and applies rules that have yet to be, unless another
    /// process is writing.
    @discardableResult
    func settle() async throws -> SettledRules {
        let isInMemory = connection.database.isInMemory
        guard connection.notice == nil || isInMemory,
            try connection.read({ try Rules($0).areUnsettled })
        else { return SettledRules() }
        let indexing = Indexing(connection: connection)
        if isInMemory {
            while try await indexing.more() > 0 {}
        } else {
            while try await indexing.ifFree(SearchBatch.size, waitsForBodies: false) > 0 {}
        }
        try await unlessBusy {
            for row in try connection.read({ try Rules($0).all() }) where !row.stored.isExpired {
                guard let pending = row.pending else { continue }
                _ = try await apply(row, marks: pending == .whole ? row.rule.marks : [], canBeUndone: false)
            }
        }
        return SettledRules()
    }

    /// Adds a rule and applies it to all posts, which can be undone, with its marks.
    ///
    /// - Returns: the rule, and how many posts it has found; nil if there is the same one.
    func add(_ rule: Rule) async throws -> (StoredRule, posts: Int)? {
        while try await Indexing(connection: connection).more() > 0 {}
        guard let key = try await connection.writeToDisk({ try Rules($0).add(rule, .whole) }) else {
            return nil
        }
        let stored = StoredRule(number: Int(key), rule: rule, isExpired: false)
        let row = Rules.Row(stored: stored, pending: .whole)
        let (posts, step) = try await apply(row, marks: rule.marks, canBeUndone: true)
        _ = try await connection.write {
            try ChangeHistory($0).note(.addedRule(number: stored.number, words: rule.words, markings: step))
        }
        return (stored, posts)
    }

    /// Removes a rule, whose posts are shown again.
    func remove(_ rule: Int64) async throws {
        // If this is interrupted, ``expire(at:)`` does the rest.
        try await end(rule, Rules.isBeingRemoved)
    }

    /// Ends the rules that are past their dates, and those that were being removed, unless another process is writing.
    func expire(at now: Date) async throws {
        guard connection.notice == nil else { return }
        let due = try connection.read {
            try $0.all(
                """
                SELECT key FROM rules WHERE expires_at <= ? AND NOT is_expired
                    OR is_expired AND EXISTS (SELECT 1 FROM rule_hits WHERE rule = rules.key)
                    OR is_expired = \(Rules.isBeingRemoved)
                """, [DatabaseValue(now)]
            ) { $0.integer(0) }
        }
        guard !due.isEmpty else { return }
        try await unlessBusy { for rule in due { try await end(rule, 1) } }
    }

    private func end(_ rule: Int64, _ state: Int64) async throws {
        try await connection.writeToDisk {
            try $0.run(
                "UPDATE rules SET is_expired = max(is_expired, ?) WHERE key = ?", [.integer(state), .integer(rule)])
        }
        let posts = try connection.read { try Rules($0).hits(of: rule) }.keys
        try await GradualMarking(connection: connection).inBatches(Array(posts)) { database, batch, isLast in
            let rules = Rules(database)
            try rules.forgetHits(of: rule, batch)
            if isLast { try rules.deleteRemoved(rule) }
        }
    }

    /// Applies a rule to all posts, and returns how many it finds, and the step in which its marks can be undone.
    private func apply(
        _ row: Rules.Row, marks: [Mark], canBeUndone: Bool
    ) async throws -> (found: Int, step: Int64?) {
        let (found, known) = try connection.read { database in
            (
                try Rules(database).found(by: row.rule.words), try Rules(database).hits(of: row.key)
            )
        }
        let marking = GradualMarking(connection: connection)
        let new = found.filter { known[$0] == nil }.sorted()
        let step = canBeUndone ? try await marking.apply(marks, to: new, duplicates: .none).step : nil
        let lost = known.filter { $0.value && !found.contains($0.key) }.keys
        try await marking.inBatches(Array(lost)) { database, batch, _ in
            try Rules(database).setHits(of: row.key, batch, false)
            try Rules(database).hide(batch)
        }
        let again = found.filter { known[$0] == false }
        try await marking.inBatches(new + again) { database, batch, isLast in
            if !canBeUndone {
                let fresh = batch.filter { known[$0] == nil }
                for mark in marks { try Marking.set(mark, fresh, in: database) { _ in } }
            }
            try Rules(database).setHits(of: row.key, batch, true)
            try Rules(database).hide(batch)
            if isLast { try Rules(database).setApplied(row.key) }
        }
        return (found.count, step)
    }

    /// Does some work that can be done later, too.
    private func unlessBusy(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let error as StoreError {
            switch error.reason {
            case .busy, .notStored: return
            default: throw error
            }
        }
    }
}

extension PostStore {
    var rules: RuleKeeping { RuleKeeping(connection: connection) }

    /// Adds a rule and applies it to all posts; the marks can be undone.
    ///
    /// - Returns: the rule, and how many posts it has found; nil if there is the same one.
    package func add(_ rule: Rule) async throws -> (StoredRule, posts: Int)? { try await rules.add(rule) }

    /// Removes a rule, whose posts are shown again.
    package func removeRule(_ number: Int) async throws { try await rules.remove(Int64(number)) }

    /// Ends the rules that are past their dates, unless another process is writing.
    package func expireRules(at now: Date) async throws { try await rules.expire(at: now) }

    /// Lets the rules look at posts that have arrived or changed.
    @discardableResult
    package func settleRules() async throws -> SettledRules { try await rules.settle() }

    /// Lets the rules look at all posts that are stored, before others are imported, which keep their marks.
    package func prepareForImport() async throws -> ImportProgress {
        try await rules.settle()
        return try await writeToDisk {
            try Rules($0).noteImport()
            try ChangeHistory($0).note(.other("The import"))
            return ImportProgress(after: try Importing($0).lastPost())
        }
    }
}
