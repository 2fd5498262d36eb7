import BlogEssentials
import BlogModel

/// The orders in which sources list their posts themselves.
package struct Rankings {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// The ranked ids of a section of a source, and when they were fetched; nil if they never were.
    package func find(_ section: String, of source: SourceID) throws -> (ids: [String], requestedAt: Date)? {
        guard let sourceKey = try SourceRow.find(source, in: database)?.key else { return nil }
        let requestedAt = try database.integer(
            "SELECT refreshed_at FROM sections WHERE source = ? AND name = ?", [.integer(sourceKey), .text(section)])
        guard let requestedAt else { return nil }
        let ids = try Ranks(section, of: sourceKey, in: database).ids()
        return (ids, Date(millisecondsSince1970: requestedAt))
    }

    /// Stores the ranking of a section and the posts that came with it.
    ///
    /// Details that only come with a request for a single post are kept.
    ///
    /// - Parameter dueAt: when the next automatic refresh is due; nil for at once.
    package func save(
        _ ids: [String], _ entries: [Entry] = [], of section: String, _ source: SourceID, at now: Date,
        dueAt: Date? = nil
    ) throws {
        let sourceKey = try SourceRow.key(of: source, in: database)
        let writer = try PostWriter(database: database, sourceKey: sourceKey, now: now)
        for listed in entries.map(\.metadata) {
            let known = try writer.find(listed.id)?.metadata
            try writer.save(known.map(listed.completed) ?? listed, nil, isListed: true)
        }
        let ranks = Ranks(section, of: sourceKey, in: database)
        try ranks.replace(with: ids)
        try ranks.noteRefresh(at: now)
        try database.run(
            """
            UPDATE sources SET (refreshed_at, due_at, asked_at, problem, failures) = (?, ?, NULL, NULL, 0)
            WHERE key = ?
            """, [DatabaseValue(now), DatabaseValue(dueAt), .integer(sourceKey)])
    }
}

/// A source's own order of one of its lists: the `ranks` and `sections` tables.
struct Ranks {
    private let database: Database
    private let key: [DatabaseValue]

    init(_ section: String, of sourceKey: Int64, in database: Database) {
        self.database = database
        key = [.integer(sourceKey), .text(section)]
    }

    func ids() throws -> [String] {
        try database.texts("SELECT id FROM ranks WHERE source = ? AND section = ? ORDER BY place", key)
    }

    func replace(with ids: [String]) throws {
        try database.run("DELETE FROM ranks WHERE source = ? AND section = ?", key)
        for (place, id) in zip(Int64(1)..., ids) {
            try database.run(
                "INSERT INTO ranks (source, section, place, id) VALUES (?, ?, ?, ?)",
                key + [.integer(place), .text(id)])
        }
    }

    func noteRefresh(at now: Date) throws {
        try database.run(
            "INSERT OR REPLACE INTO sections (source, name, refreshed_at) VALUES (?, ?, ?)", key + [DatabaseValue(now)])
    }
}
