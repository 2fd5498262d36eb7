import CSQLite

/// What SQLite said when a call failed.
package struct DatabaseError: Error, Hashable, Sendable {
    /// The extended result code, one of https://www.sqlite.org/rescode.html as a number.
    package let code: Int32
    /// SQLite's own words.
    package let message: String
    /// The statement that failed, without the values bound to it: those are the user's business.
    package let sql: String?

    package init(code: Int32, message: String, sql: String? = nil) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// What kind of trouble it is, as far as it makes a difference to what can be done.
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
