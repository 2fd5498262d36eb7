import BlogModel

/// Marks posts in batches, so that other processes can write in between, as one step that can be undone.
///
/// If it is interrupted, what was marked until then can be undone.
struct GradualMarking {
    let connection: StoreConnection

    func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        let keys = try connection.read { database in try ids.map { try PostRow.key(of: $0, in: database) } }
        let known = keys.compactMap(\.self)
        return MarkingReport(
            mark: mark, known: known.count, changed: try await apply([mark], to: known, duplicates: .all).changed,
            unknownIDs: zip(ids, keys).filter { $1 == nil }.map(\.0))
    }

    func mark(
        _ mark: Mark, all query: Query, in scope: SourceScope, _ settled: SettledRules
    ) async throws -> MarkingReport {
        var query = query
        // As a list of unread posts has them: a post that was read may stand for one that wasn't.
        if mark == .read { query.filter.isUnread = true }
        guard let keys = try keys(of: query, in: scope, lacking: mark, settled) else {
            return MarkingReport(mark: mark, known: 0, changed: 0, unknownIDs: [])
        }
        let changed = try await apply(
            [mark], to: keys, duplicates: .ofStories, behind: behind(keys, mark, query, scope, settled)
        ).changed
        return MarkingReport(mark: mark, known: changed, changed: changed, unknownIDs: [])
    }

    /// The posts for which those of a list stand: once these are read, they would be listed.
    private func behind(
        _ listed: [Int64], _ mark: Mark, _ query: Query, _ scope: SourceScope, _ settled: SettledRules
    ) throws -> [Int64] {
        guard mark == .read || mark == .unread, ListStatement.hasDuplicates(query, scope) else { return [] }
        var query = query
        query.hidesDuplicates = false
        let listed = Set(listed)
        let all = try keys(of: query, in: scope, lacking: mark, settled, "posts.twin & 1") ?? []
        return all.filter { !listed.contains($0) }
    }

    /// The posts that match a query, and don't have a mark; nil for a search that finds nothing.
    private func keys(
        of query: Query, in scope: SourceScope, lacking mark: Mark, _ settled: SettledRules, _ further: String...
    ) throws -> [Int64]? {
        guard let (conditions, values) = ListStatement.allConditions(query, scope, settled) else { return nil }
        let (lacks, lacksValues) = Marking.lacks(mark)
        return try keys((further + [lacks] + conditions).joined(separator: " AND "), lacksValues + values)
    }

    /// Gives all posts with a label other marks; the report is about the first.
    func mark(_ marks: [Mark], allLabelled label: String) async throws -> MarkingReport {
        let (condition, values) = TagLines.condition("posts.labels", have: label)
        let keys = try keys(condition, values)
        try await apply(marks, to: keys, duplicates: .none)
        return MarkingReport(mark: marks[0], known: keys.count, changed: keys.count, unknownIDs: [])
    }

    private func keys(_ condition: String, _ values: [DatabaseValue]) throws -> [Int64] {
        try connection.read { try $0.all("SELECT posts.key FROM posts WHERE \(condition)", values) { $0.integer(0) } }
    }

    /// Gives posts marks, one after the other, and returns how many posts the first one changed, and the step in which all can be
    /// undone; nil if nothing changed.
    ///
    /// - Parameters:
    ///   - duplicates: which posts' duplicates are marked as read or unread, too.
    ///   - behind: further posts to mark as duplicates.
    @discardableResult
    func apply(
        _ marks: [Mark], to keys: [Int64], duplicates: Duplicates, behind: [Int64] = []
    ) async throws -> (changed: Int, step: Int64?) {
        let isOfStory = duplicates != .none && marks.contains { $0 == .read || $0 == .unread }
        let all = isOfStory ? marks + marks : marks
        var markings: [Marking] = []
        var changed = all.map { _ in 0 }
        if marks.isEmpty { return (0, nil) }
        try await inBatches(keys + behind) { database, batch, isLast in
            let own = batch.prefix(max(keys.count - batch.startIndex, 0))
            if markings.isEmpty {
                for mark in all { markings.append(try Marking(mark, with: markings.first?.step, in: database)) }
            }
            // Before their own marks change what their duplicates are.
            let twins = isOfStory ? try twins(of: own, duplicates, in: database) + batch.dropFirst(own.count) : []
            for (index, marking) in markings.enumerated() {
                let posts = index < marks.count ? Array(own) : twins
                changed[index] += try marking.add(posts, in: database)
                if isLast { try marking.finish(changed: changed[index], in: database) }
            }
        }
        return (changed[0], changed.contains { $0 > 0 } ? markings.first?.step : nil)
    }

    enum Duplicates {
        case none
        /// Those of posts that are the story itself: who is done with all the links of a source hasn't seen what they lead
        /// to.
        case ofStories
        /// Those of each post: who marks a post has seen the story.
        case all
    }

    private func twins(
        of posts: ArraySlice<Int64>, _ duplicates: Duplicates, in database: Database
    ) throws -> [Int64] {
        let stories = Stories(database)
        return try duplicates == .all ? stories.twins(of: posts) : posts.flatMap(stories.readTwins)
    }

    /// Undoes the last step, and reports on its first marking; nil if there is none.
    func undo() async throws -> MarkingReport? {
        let last = try connection.read { database in
            try Marking.last(in: database).map { marking in
                (
                    marking, try Marking.titles(of: marking.key, in: database),
                    try database.all("SELECT post FROM marked_posts WHERE marking = ?", [.integer(marking.key)]) {
                        $0.integer(0)
                    }
                )
            }
        }
        var report: MarkingReport?
        for (marking, titles, keys) in last.reversed() {
            var changed = 0
            try await inBatches(keys) { database, batch, isLast in
                changed += try marking.undo(batch, in: database)
                if isLast { try marking.remove(in: database) }
            }
            report = MarkingReport(
                mark: marking.mark.opposite, known: changed, changed: changed, unknownIDs: [], titles: titles)
        }
        return report
    }

    /// Does some work for each batch in a transaction of its own, at least once.
    func inBatches(_ keys: [Int64], _ work: (Database, ArraySlice<Int64>, _ isLast: Bool) throws -> Void) async throws {
        var rest = keys[...]
        repeat {
            try Task.checkCancellation()
            let batch = rest.prefix(Self.batchSize)
            rest = rest.dropFirst(batch.count)
            try await connection.writeToDisk { try work($0, batch, rest.isEmpty) }
            if !rest.isEmpty { try await Task.sleep(for: GradualPruning.pause) }
        } while !rest.isEmpty
    }

    /// Marking so many posts takes less than a tenth of a second.
    private static let batchSize = 5000
}

extension PostStore {
    /// Marks posts, with their duplicates.
    package func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        try await GradualMarking(connection: connection).mark(mark, ids: ids)
    }

    /// Marks all posts that match a query once the rules have looked at them, with their duplicates.
    package func mark(_ mark: Mark, all query: Query, in scope: SourceScope) async throws -> MarkingReport {
        let settled = try await rules.settle()
        return try await GradualMarking(connection: connection).mark(mark, all: query, in: scope, settled)
    }

    /// Gives all posts with a label other marks; the report is about the first.
    package func mark(_ marks: [Mark], allLabelled label: String) async throws -> MarkingReport {
        try await GradualMarking(connection: connection).mark(marks, allLabelled: label)
    }

    /// Gives a label its new name, also in rules and saved searches.
    package func rename(label: String, to name: String) async throws -> MarkingReport {
        let report = try await mark([.unlabelled(label), .labelled(name)], allLabelled: label)
        try await renameInRulesAndSearches(label, to: name)
        return report
    }

    private func renameInRulesAndSearches(_ label: String, to name: String) async throws {
        try await writeToDisk { database in
            try Rules(database).rename(label: label, to: name)
            try Sources(database).renameInSearches(.label(label), to: .label(name))
        }
    }

    /// Undoes the last marking, and reports on it; nil if there is none.
    package func undoMarking() async throws -> MarkingReport? {
        // Before the marks, so that the step is still there if this is interrupted.
        if let (former, name) = try read({ try Marking.lastRename(in: $0) }) {
            try await renameInRulesAndSearches(name, to: former)
        }
        return try await GradualMarking(connection: connection).undo()
    }
}
