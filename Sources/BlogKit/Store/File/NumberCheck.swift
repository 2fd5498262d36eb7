import BlogEssentials
import BlogModel

/// Finds and repairs numbers and times that are out of range, which older imports accepted.
struct NumberCheck {
    let database: Database

    private static let numbers = "BETWEEN \(EntryNumbers.range.lowerBound) AND \(EntryNumbers.range.upperBound)"
    private static let times = "BETWEEN 0 AND \(ExportedPost.plausibleTimes.upperBound - 1)"
    private static let badLast =
        "typeof(last_number) <> 'integer' OR last_number <> 0 AND last_number NOT \(numbers)"
    private static let badTime = "followed_at NOT \(times)"
    private static let badPost =
        "number IS NOT NULL AND (number NOT \(numbers) OR id <> CAST(number AS TEXT))"

    func hasProblem() throws -> Bool {
        try database.exists("SELECT 1 FROM sources WHERE \(Self.badLast) OR \(Self.badTime)")
            || database.exists("SELECT 1 FROM posts WHERE \(Self.badPost)")
    }

    /// Renumbers the posts and clamps the times.
    func repair() throws {
        try database.run(
            """
            UPDATE sources SET last_number = ifnull(
                (SELECT max(number) FROM posts WHERE source = sources.key AND number \(Self.numbers)), 0)
            WHERE \(Self.badLast)
            """)
        let greatest = ExportedPost.plausibleTimes.upperBound - 1
        try database.run("UPDATE sources SET followed_at = max(0, min(followed_at, \(greatest))) WHERE \(Self.badTime)")
        let posts = try database.all("SELECT key, source FROM posts WHERE \(Self.badPost) ORDER BY key") { row in
            (key: row.integer(0), sourceKey: row.integer(1))
        }
        for (key, sourceKey) in posts {
            let columns = "SELECT \(PostRow.columns) FROM posts WHERE key = ?"
            let found = try database.first(columns, [.integer(key)]) { row in Result { try PostRow.metadata(of: row) } }
            guard let metadata = try found?.get() else { continue }
            let number = try EntryNumbers(of: sourceKey, in: database, now: Date()).nextNumber()
            try database.run(
                "UPDATE posts SET (id, number, id_key) = (?, ?, ?) WHERE key = ?",
                [
                    .text(String(number)), .integer(number),
                    .text(SortKey(metadata.mappingIDs { _ in String(number) }).id), .integer(key),
                ])
        }
    }
}
