import BlogEssentials
import BlogModel

/// What `blog undo` takes back besides marks, in one order with the markings.
package struct ChangeHistory {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// Records a change, which is the last one now; only the latest are kept.
    package func note(_ change: Change) throws {
        let key = try Self.nextKey(in: database)
        try database.run(
            "INSERT INTO changes (key, change) VALUES (?, ?)",
            [.integer(key), .text(String(decoding: try JSONEncoder().encode(change), as: UTF8.self))])
        try database.run("DELETE FROM changes WHERE key <= ?", [.integer(key - Marking.maxCount)])
    }

    /// The last change, if no posts were marked after it; nil if there is none.
    package func last() throws -> RecordedChange? {
        try database.first(
            """
            SELECT key, change FROM changes WHERE key > (SELECT ifnull(max(key), 0) FROM markings)
            ORDER BY key DESC LIMIT 1
            """
        ) { row in
            let change = try? JSONDecoder().decode(Change.self, from: Data((row.text(1) ?? "").utf8))
            return RecordedChange(key: row.integer(0), change: change ?? .other("a change of another version"))
        }
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
    /// Records a change for `undo`: ``ChangeHistory/note(_:)``.
    package func note(_ change: Change) async throws { try await write { try ChangeHistory($0).note(change) } }
}

/// A change that `blog undo` takes back, or says that it can't.
package enum Change: Codable, Hashable, Sendable {
    case followed([SourceID])
    case unfollowed(UnfollowedSource)
    /// A number may be that of another rule later.
    case addedRule(number: Int, words: String)
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

package struct RecordedChange: Sendable {
    fileprivate let key: Int64
    package let change: Change
}
