/// The indexes that lists are read by.
///
/// Kept up row by row they cost more than the rows; made at once of many rows they cost a third.
struct PostIndexes {
    let database: Database

    /// Runs the work that fills an empty store with so many posts, and makes the indexes when it is done.
    ///
    /// A store that has posts keeps its indexes throughout: it would cost more to make them anew.
    func whileFilling(with count: Int, _ work: () throws -> Void) throws {
        guard count >= Self.worthIt, try isEmpty() else { return try work() }
        let indexes = try all()
        for index in indexes { try database.execute("DROP INDEX \(index.name)") }
        try work()
        for index in indexes { try database.execute(index.definition) }
    }

    private func isEmpty() throws -> Bool {
        try database.first("SELECT 1 FROM posts LIMIT 1") { _ in false } ?? true
    }

    /// Those that a migration made; SQLite's own for UNIQUE have no definition and can't be dropped.
    private func all() throws -> [(name: String, definition: String)] {
        let rows = try database.statement(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'posts' AND sql IS NOT NULL")
        defer { rows.reset() }
        var indexes: [(String, String)] = []
        while try rows.step() { indexes.append((rows.text(0) ?? "", rows.text(1) ?? "")) }
        return indexes
    }

    /// Fewer rows are stored in no time either way.
    private static let worthIt = 5000
}
