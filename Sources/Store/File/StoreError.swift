import SQLite

/// Why the store can't be used.
///
/// `Failure` in the command has the messages for users.
public struct StoreError: Error, Hashable, Sendable {
    /// The store's file; "" for a store in memory.
    public let path: String
    /// The reason.
    public let reason: Reason

    /// The reasons why a store can't be used.
    public enum Reason: Error, Hashable, Sendable {
        /// The file is no SQLite database, or so damaged that nothing of it can be read.
        case notADatabase
        /// Nothing of a post is found anywhere in the file.
        case beyondRecovery
        /// A part of the store can't be read.
        case damaged
        /// The file is a database of some other program.
        case notAStore
        /// A newer version of this program wrote the store.
        case newer(found: Int64, known: Int64)
        /// A version of this program from before its first release wrote the store.
        case unreleased
        /// The path names a folder.
        case folder
        /// The path leads to a pipe, a device or a socket.
        case notAFile
        /// This path, which SQLite needs for a side file, is not a regular file.
        case sideFile(String)
        /// The file exists but can't be read; the text is the message of the system or SQLite.
        case unreadable(String)
        /// Other processes held the store for too long.
        case busy
        /// Nothing can be stored, and the operation is useless without that.
        case notKept(StoreNotice)
        /// There is no room on the disk for a temporary file.
        case noTemporarySpace
        /// Any other failure of SQLite; the text is SQLite's message.
        case failed(String)
    }

    /// A reason why the store at a path can't be used.
    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// Runs a piece of work on the store at a path and returns its failures as a ``StoreError``.
    package static func mapped<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let reason as Reason {
            throw StoreError(path: path, reason: reason)
        } catch let error as DatabaseError {
            throw StoreError(path: path, reason: Reason(error))
        }
    }
}

extension StoreError.Reason {
    /// The reason in what SQLite said.
    init(_ error: DatabaseError) {
        switch error.kind {
        case .damaged: self = .damaged
        case .busy: self = .busy
        case .full, .notWritable, .other: self = .failed(error.message)
        }
    }
}

/// Why new posts and marks will not be stored.
public enum StoreNotice: Hashable, Sendable {
    /// The file or its folder is not writable.
    case notWritable
    /// The disk is full.
    case diskFull
}

extension StoreNotice {
    /// The notice for an SQLite failure that only prevents writing; nil for any other failure.
    init?(_ error: DatabaseError) {
        switch error.kind {
        case .full: self = .diskFull
        case .notWritable: self = .notWritable
        case .damaged, .busy, .other: return nil
        }
    }
}
