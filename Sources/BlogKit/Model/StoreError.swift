/// A failure to read or write a store.
///
/// The command has the messages for users, and what to do.
public struct StoreError: Error, Hashable, Sendable {
    /// The path of the store's file; "" for a store in memory.
    public let path: String
    /// Why the store can't be used.
    public let reason: Reason

    /// Why a store can't be used.
    public enum Reason: Error, Hashable, Sendable {
        /// The file isn't an SQLite database, or it is too damaged to be opened.
        case notADatabase
        /// A part of the store can't be read.
        case damaged
        /// The file is another program's database.
        case notAStore
        /// A newer version of this program wrote the store.
        case newer(found: Int64, known: Int64)
        /// A newer version of this program has changed the store since it was opened.
        case migrated
        /// A build from before the first release wrote the store, in a form that is no longer read.
        case unreleased
        /// The path is a folder.
        case folder
        /// The path is a pipe, a device or a socket.
        case notAFile
        /// The path of a side file of SQLite, given here, isn't a regular file.
        case sideFile(String)
        /// The file exists but can't be read; the text is the system's or SQLite's message.
        case unreadable(String)
        /// Another process locked the store for too long.
        case busy
        /// The store can't be written, and the operation needs to.
        case notStored(StoreNotice)
        /// A temporary file, in the folder at the path, can't be read; the text is the system's message.
        case temporaryFile(String)
        /// Another SQLite error; the text is SQLite's message.
        case failed(String)
    }

    /// An error for the store at a path.
    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

/// Why changes won't be saved.
public enum StoreNotice: Hashable, Sendable {
    /// The file or its folder isn't writable.
    case notWritable
    /// The disk is full.
    case diskFull
}
