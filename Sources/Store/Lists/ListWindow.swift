import Foundation
import Model
import SQLite

/// What a source lists now, where the store has more: the ids, kept as the source's ranking without a name.
struct ListWindow {
    private var ids: [String] = []
    private var known: Set<String> = []

    /// Adds a post of the list; one that comes twice has its first place.
    mutating func add(_ id: String) {
        if known.insert(id).inserted { ids.append(id) }
    }

    /// Stores what is listed now, and notes when it was that others left the list.
    func save(of source: Int64, in database: Database, at now: Date) throws {
        let rows = try database.statement(
            "SELECT id FROM ranks WHERE blog = ? AND section = '' ORDER BY place", [.integer(source)])
        var before: [String] = []
        while try rows.step() { before.append(rows.text(0) ?? "") }
        rows.reset()
        let moment = DatabaseValue.integer(now.millisecondsSince1970)
        try database.run(
            "INSERT INTO sections (blog, name, refreshed_at) VALUES (?, '', ?) "
                + "ON CONFLICT (blog, name) DO UPDATE SET refreshed_at = excluded.refreshed_at",
            [.integer(source), moment])
        guard before != ids else { return }
        for id in before where !known.contains(id) {
            try database.run(
                "UPDATE posts SET changed_at = ? WHERE blog = ? AND id = ?", [moment, .integer(source), .text(id)])
        }
        try database.run("DELETE FROM ranks WHERE blog = ? AND section = ''", [.integer(source)])
        for (place, id) in zip(Int64(1)..., ids) {
            try database.run(
                "INSERT INTO ranks (blog, section, place, id) VALUES (?, '', ?, ?)",
                [.integer(source), .integer(place), .text(id)])
        }
    }
}
