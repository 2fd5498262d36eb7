import BlogCSQLite
import BlogEssentials

final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let sql: String
    /// A buffer for short bound texts, which saves SQLite an allocation for each.
    private let texts = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    private var textsEnd = 0
    /// The parameters with texts that were too long for the buffer, which SQLite has copied.
    private var copied: [Int32] = []

    init(_ sql: String, handle database: OpaquePointer) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(database, sql, -1, 0, &statement, nil) == SQLITE_OK, let statement else {
            throw DatabaseError(handle: database, sql: sql)
        }
        self.handle = statement
        self.database = database
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
        texts.deallocate()
    }

    func bind(_ values: [DatabaseValue]) throws {
        precondition(values.count == sqlite3_bind_parameter_count(handle), "one value a parameter: \(sql)")
        for (index, value) in zip(Int32(1)..., values) {
            switch value {
            case .null: try bind(String?.none, at: index)
            case .integer(let number): try bind(number, at: index)
            case .text(let text): try bind(text, at: index)
            }
        }
    }

    /// Binds a number or null to a parameter; the first index is 1.
    func bind(_ number: Int64?, at index: Int32) throws {
        try check(number.map { sqlite3_bind_int64(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    /// Binds a number or null to a parameter; the first index is 1.
    func bind(real number: Double?, at index: Int32) throws {
        try check(number.map { sqlite3_bind_double(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
    }

    /// Binds a text or null to a parameter; the first index is 1.
    func bind(_ text: String?, at index: Int32) throws {
        guard var text else { return try check(sqlite3_bind_null(handle, index)) }
        try check(text.withUTF8 { bind($0, at: index) })
    }

    private func bind(_ text: UnsafeBufferPointer<UInt8>, at index: Int32) -> Int32 {
        // SQLite would bind NULL for the null pointer of an empty buffer.
        guard let start = text.baseAddress, let kept = texts.baseAddress else {
            return csqlite_bind_copied_text(handle, index, "", 0)
        }
        let count = UInt64(text.count)
        guard text.count <= texts.count - textsEnd else {
            copied.append(index)
            return csqlite_bind_copied_text(handle, index, start, count)
        }
        defer { textsEnd += text.count }
        (kept + textsEnd).copyMemory(from: start, byteCount: text.count)
        return csqlite_bind_kept_text(handle, index, kept + textsEnd, count)
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw DatabaseError(handle: database, sql: sql) }
    }

    func run() throws {
        while try step() {}
        reset()
    }

    /// Advances to the next row; returns false if there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw DatabaseError(handle: database, sql: sql)
        }
    }

    func reset() {
        textsEnd = 0
        // The result code only repeats an error that step() has thrown already.
        _ = sqlite3_reset(handle)
        // The statement is kept, and would keep the copy of a body of 14 MB, too.
        for index in copied { sqlite3_bind_null(handle, index) }
        copied = []
    }

    var steps: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)) }

    /// A column's text; nil for NULL.
    func text(_ column: Int32) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

    /// A column's text; nil for NULL.
    ///
    /// It is often that of the last row, and comparing them takes less time than making a string.
    ///
    /// - Parameter last: the text of the last row, and then of this one.
    func text(_ column: Int32, last: inout String) -> String? {
        guard let bytes = bytes(column) else { return nil }
        let isSame = last.withUTF8 { known in
            guard known.count == bytes.count, let old = known.baseAddress, let new = bytes.baseAddress else {
                return false
            }
            return memcmp(old, new, known.count) == 0
        }
        if !isSame { last = String(decoding: bytes, as: UTF8.self) }
        return last
    }

    /// Calls a closure with a column's text as UTF-8, without copying it; empty for NULL.
    func withText<Result>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(bytes(column) ?? UnsafeBufferPointer(start: nil, count: 0))
    }

    /// A column's text as UTF-8, valid until the next step; nil for NULL.
    private func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
        sqlite3_column_text(handle, column).map { text in
            UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
        }
    }

    /// A column's number; nil for NULL.
    func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    /// Whether a column is true, which is stored as 1.
    func bool(_ column: Int32) -> Bool { integer(column) == 1 }

    /// A column's number; 0 for NULL.
    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }
}

extension DatabaseError {
    init(handle: OpaquePointer, sql: String?) {
        self.init(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }
}

enum DatabaseValue: Sendable {
    case null
    case integer(Int64)
    case text(String)

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    init(_ number: Int64?) {
        self = number.map { .integer($0) } ?? .null
    }

    static func bool(_ value: Bool) -> DatabaseValue { .integer(value ? 1 : 0) }
}

typealias SQLFunction =
    @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

/// An argument of an SQL function; nil for NULL.
func textArgument(_ index: Int, of arguments: UnsafeMutablePointer<OpaquePointer?>?) -> String? {
    guard let value = arguments?[index], let text = sqlite3_value_text(value) else { return nil }
    return String(
        decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))), as: UTF8.self)
}

/// Sets the result of an SQL function to its transformed first argument.
func setResult(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ transform: (String) -> String
) {
    guard let text = textArgument(0, of: arguments) else { return }
    var result = transform(text)
    result.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { csqlite_result_text(context, $0.baseAddress, UInt64($0.count)) }
    }
}
