import CSQLite

/// An error of SQLite.
package struct DatabaseError: Error, Hashable, Sendable {
    /// The extended result code, one of https://www.sqlite.org/rescode.html as a number.
    package let code: Int32
    /// SQLite's message.
    package let message: String
    /// The statement that failed, without its bound values, which are private.
    package let sql: String?

    package init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The kind of failure, by what can be done about it.
    package var kind: Kind {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR: .notWritable
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        default: .other
        }
    }

    package enum Kind: Sendable {
        case damaged
        case full
        case notWritable
        case busy
        case other
    }
}
