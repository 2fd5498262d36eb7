import SQLite

/// The tables of the store: which version a file has, and how it gets to the newest.
package enum Schema {
    /// Marks a file as a store ("blog" in ASCII), so that another program's database is never written to.
    static let applicationID: Int64 = 0x626C_6F67

    /// The version of the newest migration.
    package static var version: Int64 { Int64(migrations.count) }

    /// Throws ``StoreError`` for a database that is newer than this program or not a store.
    ///
    /// It writes nothing.
    static func check(_ database: Database) throws {
        _ = try version(of: database)
    }

    /// Whether a database is of the newest version.
    ///
    /// Throws what ``check(_:)`` throws.
    static func isCurrent(_ database: Database) throws -> Bool { try version(of: database) == version }

    /// Brings a database to the newest version, or another for a test, in one transaction.
    ///
    /// Throws what ``check(_:)`` throws, and leaves such a database untouched.
    package static func migrate(_ database: Database, to target: Int64 = version) throws {
        if try version(of: database) == version { return }
        try database.transaction {
            // Read again under the lock: another process may have migrated in the meantime.
            let old = try version(of: database)
            if old == 0, target == version {
                try database.execute(tables)
            } else {
                for migration in migrations.prefix(Int(target)).dropFirst(Int(old)) { try database.execute(migration) }
            }
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(target)")
        }
    }

    /// The columns of a table in the order in which its rows have them: those that are computed are in no row.
    static func storedColumns(of table: String, in database: Database) throws -> [String] {
        let rows = try database.statement(
            "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 2 ORDER BY cid", [.text(table)])
        defer { rows.reset() }
        var names: [String] = []
        while try rows.step() { names.append(rows.text(0) ?? "") }
        return names
    }

    private static func version(of database: Database) throws -> Int64 {
        // One statement, as what another process writes between several would look like neither an old nor a new store.
        let sql = """
            SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
            FROM pragma_application_id, pragma_user_version
            """
        let values = try database.first(sql) { row in (0..<3).map { row.integer($0) } } ?? [0, 0, 0]
        let (owner, found, tables) = (values[0], values[1], values[2])
        guard owner == applicationID || (owner == 0 && found == 0 && tables == 0) else {
            throw StoreError.Reason.notAStore
        }
        guard found <= version else { throw StoreError.Reason.newer(found: found, known: version) }
        // No version is negative: something else than this program has written it.
        guard found >= 0 else { throw StoreError.Reason.notADatabase }
        return found
    }
}
