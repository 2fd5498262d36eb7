import BlogEssentials
import BlogModel

/// What `blog undo` takes back besides marks, in one order with the markings.
package struct ChangeHistory {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// Records a change, which is the last one now; only the latest are kept.
    ///
    /// - Parameter former: a change that it takes the place of, as one command's; nil for none.
    @discardableResult
    package func note(_ change: Change, replacing former: RecordedChange? = nil) throws -> RecordedChange {
        if let former { try remove(former) }
        let key = try Self.nextKey(in: database)
        try database.run(
            "INSERT INTO changes (key, change) VALUES (?, ?)",
            [.integer(key), .text(String(decoding: try JSONEncoder().encode(change), as: UTF8.self))])
        try database.run("DELETE FROM changes WHERE key <= ?", [.integer(key - Marking.maxCount)])
        return RecordedChange(key: key, change: change)
    }

    /// The last change, if no posts were marked after it; nil if there is none.
    package func last() throws -> RecordedChange? {
        let marking = try database.integer("SELECT ifnull(max(key), 0) FROM markings") ?? 0
        return try changes(1).first { $0.key > marking }
    }

    private func changes(_ limit: Int) throws -> [RecordedChange] {
        try database.all("SELECT key, change FROM changes ORDER BY key DESC LIMIT \(limit)") { row in
            let change = try? JSONDecoder().decode(Change.self, from: Data((row.text(1) ?? "").utf8))
            return RecordedChange(key: row.integer(0), change: change ?? .other("A change of another version"))
        }
    }

    /// What can be undone, latest first: changes, and the first marking of each step, but for those of a rule.
    package func steps(_ limit: Int) throws -> [RecordedStep] {
        // A store of an older version has none, if it can't be written.
        let changes = (try? changes(limit)) ?? []
        let ofRules = changes.compactMap { if case .addedRule(_, _, let step?) = $0.change { step } else { nil } }
        let markings = try Marking.all(
            "key IN (SELECT min(key) FROM markings GROUP BY step ORDER BY step DESC LIMIT \(limit))", in: database
        ).filter { !ofRules.contains($0.step) }
        let steps =
            try changes.map { ($0.key, RecordedStep.change($0.change)) }
            + markings.map { ($0.key, .marks(try MarkingReport($0, in: database))) }
        return steps.sorted { $0.0 > $1.0 }.prefix(limit).map(\.1)
    }

    /// Forgets a change that was taken back, or can't be.
    package func remove(_ change: RecordedChange) throws {
        try database.run("DELETE FROM changes WHERE key = ?", [.integer(change.key)])
    }

    /// A key after those of all markings and changes.
    static func nextKey(in database: Database) throws -> Int64 {
        try database.integer(
            """
            SELECT 1 + max((SELECT ifnull(max(key), 0) FROM markings), (SELECT ifnull(max(key), 0) FROM changes))
            """) ?? 1
    }
}

extension PostStore {
    /// Records a change for `undo`: ``ChangeHistory/note(_:replacing:)``.
    @discardableResult
    package func note(_ change: Change, replacing former: RecordedChange? = nil) async throws -> RecordedChange {
        try await write { try ChangeHistory($0).note(change, replacing: former) }
    }
}

/// A change that `blog undo` takes back, or says that it can't.
package enum Change: Codable, Hashable, Sendable {
    case followed([SourceID])
    case unfollowed([UnfollowedSource])
    /// A number may be that of another rule later. `markings` is the step of the marks that it set; nil for none.
    case addedRule(number: Int, words: String, markings: Int64?)
    /// What can't be taken back, as the beginning of "… can't be undone": "The import".
    case other(String)
}

/// What it takes to follow a source again, or to keep a saved search again, which is deleted with its name.
package struct UnfollowedSource: Codable, Hashable, Sendable {
    package let id: SourceID
    package let name: String
    package let folder: String
    /// The address of the feed at its service; nil unless it is one.
    package let feed: String?
    /// Whether the user has typed its address.
    package let isConfirmed: Bool

    package init(_ source: StoredSource) {
        (id, name, folder, feed) = (source.id, source.name ?? source.id.address, source.folder, source.feed)
        isConfirmed = source.problem != .unconfirmed
    }
}

/// What one `undo` takes back.
package enum RecordedStep: Sendable {
    case marks(MarkingReport)
    case change(Change)
}

/// A change in the store's history.
package struct RecordedChange: Sendable {
    fileprivate let key: Int64
    package let change: Change
}
