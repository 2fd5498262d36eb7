import BlogCSQLite
import BlogModel

/// A connection to an SQLite database.
///
/// It isn't thread-safe. Other modules only pass it on to the components of this one, which run SQL.
package final class Database {
    private let handle: OpaquePointer
    private var prepared: [String: Statement] = [:]
    let isInMemory: Bool
    /// The version of the tables that this connection uses; nil until they are known.
    var version: Int64?

    enum Mode: Sendable {
        case readWrite
        /// Reads a file that others may write.
        case readOnly
        /// Reads a file that is read-only for everyone, without creating side files.
        case immutable
        /// A new database in memory.
        case memory
        /// A new database that is deleted with the connection, on disk if it gets too large for memory.
        case temporary
    }

    /// Configures SQLite, which must happen before any other call.
    private static let isConfigured = csqlite_disable_memory_statistics() == SQLITE_OK

    /// Opens a database; the path is ignored for a new one.
    ///
    /// Throws a ``DatabaseError``, as do all functions.
    init(path: String, mode: Mode) throws {
        let name: String
        var flags = SQLITE_OPEN_NOMUTEX
        switch mode {
        case .readWrite: (name, flags) = (path, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        case .readOnly: (name, flags) = (path, flags | SQLITE_OPEN_READONLY)
        case .immutable:
            (name, flags) = (Self.uri(path) + "?immutable=1", flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        case .memory: (name, flags) = (":memory:", flags | SQLITE_OPEN_READWRITE)
        case .temporary: (name, flags) = ("", flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        }
        _ = Self.isConfigured
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: message)
        }
        handle = opened
        isInMemory = mode == .memory
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        prepared.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Sets how long statements wait for another connection's lock.
    func setBusyTimeout(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Sets whether closing the last connection leaves the file and its write-ahead log as they are.
    func keepLog(_ keeps: Bool) {
        _ = csqlite_keep_log(handle, keeps ? 1 : 0)
    }

    /// Limits each statement, for a file that others may have made: a longer value, or more instructions of SQLite's
    /// virtual machine, are an error.
    func limit(valueBytes: Int32, steps: Int32) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, valueBytes)
        // It is called once a statement has run so many instructions.
        sqlite3_progress_handler(handle, steps, { _ in 1 }, nil)
    }

    /// The longest value, in bytes.
    var maxValueBytes: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)) }

    /// Runs one or more statements without parameters, ignoring rows.
    func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// A cached statement with bound values, for one use at a time.
    func statement(_ sql: String, _ values: [DatabaseValue] = []) throws -> Statement {
        let statement = try prepared(sql)
        try statement.bind(values)
        return statement
    }

    /// A cached statement without bound values, for one use at a time.
    func prepared(_ sql: String) throws -> Statement {
        if let statement = prepared[sql] {
            statement.reset()
            return statement
        }
        let statement = try Statement(sql, handle: handle)
        prepared[sql] = statement
        return statement
    }

    /// A new statement, for rows that are read while other statements run.
    func cursor(_ sql: String, _ values: [DatabaseValue]) throws -> Statement {
        let statement = try Statement(sql, handle: handle)
        try statement.bind(values)
        return statement
    }

    /// Runs a statement, ignoring rows.
    func run(_ sql: String, _ values: [DatabaseValue] = []) throws {
        try statement(sql, values).run()
    }

    /// The first row of a statement; nil if there is none.
    func first<Row>(_ sql: String, _ values: [DatabaseValue] = [], _ row: (Statement) -> Row) throws -> Row? {
        let statement = try statement(sql, values)
        defer { statement.reset() }
        return try statement.step() ? row(statement) : nil
    }

    /// The integer in the first row; nil if there is no row, 0 for NULL.
    func integer(_ sql: String, _ values: [DatabaseValue] = []) throws -> Int64? {
        try first(sql, values) { $0.integer(0) }
    }

    func exists(_ sql: String, _ values: [DatabaseValue] = []) throws -> Bool {
        try first(sql, values) { _ in true } ?? false
    }

    /// The texts in the first column; "" for NULL.
    func texts(_ sql: String, _ values: [DatabaseValue] = []) throws -> [String] {
        try all(sql, values) { $0.text(0) ?? "" }
    }

    func all<Row>(_ sql: String, _ values: [DatabaseValue] = [], _ row: (Statement) -> Row) throws -> [Row] {
        let statement = try statement(sql, values)
        defer { statement.reset() }
        var rows: [Row] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }

    /// Runs the body in a transaction that takes the write lock at once, so that concurrent writers wait instead of
    /// failing halfway.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Begins a transaction that takes the write lock at once; throws like ``checkVersion()``.
    func begin() throws {
        try execute("BEGIN IMMEDIATE")
        do {
            try checkVersion()
        } catch {
            rollBack()
            throw error
        }
    }

    /// Throws ``StoreError/Reason/migrated`` if the tables are no longer of ``version``.
    func checkVersion() throws {
        guard let version, try integer("PRAGMA user_version") != version else { return }
        throw StoreError.Reason.migrated
    }

    func rollBack() {
        // After some errors, SQLite has rolled back already.
        for statement in prepared.values { statement.reset() }
        try? execute("ROLLBACK")
    }

    /// The number of virtual machine instructions that all cached statements have run, for tests.
    var steps: Int { prepared.values.reduce(0) { $0 + $1.steps } }

    var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    func define(_ name: String, arguments: Int32 = 1, _ function: SQLFunction) throws {
        let code = sqlite3_create_function_v2(
            handle, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, function, nil, nil, nil)
        try check(code, name)
    }

    /// Replaces all content with that of another database.
    func copyContent(of source: Database) throws {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw DatabaseError(handle: handle, sql: nil)
        }
        let copied = sqlite3_backup_step(backup, -1)
        let finished = sqlite3_backup_finish(backup)
        guard copied == SQLITE_DONE, finished == SQLITE_OK else {
            throw DatabaseError(code: copied == SQLITE_DONE ? finished : copied, message: "could not be copied")
        }
    }

    private func check(_ code: Int32, _ sql: String) throws {
        guard code == SQLITE_OK else { throw DatabaseError(handle: handle, sql: sql) }
    }

    /// `?`, `#` and `%` are special in `file:` URIs.
    private static func uri(_ path: String) -> String {
        let special: Set<Unicode.Scalar> = ["%", "?", "#"]
        return "file:"
            + path.unicodeScalars.map { special.contains($0) ? "%" + String($0.value, radix: 16) : String($0) }.joined()
    }
}

/// An SQLite error.
struct DatabaseError: Error, Hashable, Sendable {
    /// The extended result code (https://www.sqlite.org/rescode.html).
    let code: Int32
    let message: String
    /// The statement that failed, without bound values, which are private.
    let sql: String?

    init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The kind of failure, by possible remedy.
    var kind: Kind {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR: .notWritable
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_TOOBIG: .tooLong
        case SQLITE_INTERRUPT: .tooSlow
        default: .other
        }
    }

    enum Kind: Sendable {
        case damaged
        case full
        case notWritable
        case busy
        /// A value is longer than ``Database/limit(valueBytes:steps:)`` allows.
        case tooLong
        /// A statement needs more instructions than ``Database/limit(valueBytes:steps:)`` allows.
        case tooSlow
        case other
    }
}
