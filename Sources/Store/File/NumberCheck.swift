import Foundation
import Model
import SQLite

/// Numbers and times that are out of range, which an import once took in.
struct NumberCheck {
    let database: Database

    private static let numbers = "BETWEEN \(EntryNumbers.range.lowerBound) AND \(EntryNumbers.range.upperBound)"
    private static let times = "BETWEEN 0 AND \(ExportedPost.plausibleTimes.upperBound - 1)"
    private static let badLast =
        "typeof(last_number) <> 'integer' OR last_number <> 0 AND last_number NOT \(numbers)"
    private static let badTime = "followed_at NOT \(times)"
    private static let badPost =
        "number IS NOT NULL AND (number NOT \(numbers) OR id <> CAST(number AS TEXT))"

    /// Whether there are any.
    func hasProblem() throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM blogs WHERE \(Self.badLast) OR \(Self.badTime))
                OR EXISTS (SELECT 1 FROM posts WHERE \(Self.badPost))
            """
        return try database.first(sql) { $0.integer(0) == 1 } ?? false
    }

    /// Gives such posts the next numbers of their sources, and brings times to the nearest that can be.
    func mend() throws {
        try database.run(
            """
            UPDATE blogs SET last_number = ifnull(
                (SELECT max(number) FROM posts WHERE blog = blogs.key AND number \(Self.numbers)), 0)
            WHERE \(Self.badLast)
            """)
        let greatest = ExportedPost.plausibleTimes.upperBound - 1
        try database.run("UPDATE blogs SET followed_at = max(0, min(followed_at, \(greatest))) WHERE \(Self.badTime)")
        for (key, blog) in try posts() {
            let columns = "SELECT \(PostRow.columns) FROM posts WHERE key = ?"
            let found = try database.first(columns, [.integer(key)]) { row in Result { try PostRow.metadata(of: row) } }
            guard let metadata = try found?.get() else { continue }
            let number = try EntryNumbers(of: blog, in: database, now: Date()).nextNumber()
            try database.run(
                "UPDATE posts SET (id, number, id_key) = (?, ?, ?) WHERE key = ?",
                [
                    .text(String(number)), .integer(number),
                    .text(SortKey(metadata.mappingIDs { _ in String(number) }).id), .integer(key),
                ])
        }
    }

    private func posts() throws -> [(key: Int64, blog: Int64)] {
        try database.all("SELECT key, blog FROM posts WHERE \(Self.badPost) ORDER BY key") { row in
            (key: row.integer(0), blog: row.integer(1))
        }
    }
}
