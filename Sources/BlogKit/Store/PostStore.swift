import BlogEssentials
import BlogModel

/// Everything that was fetched, in an SQLite database that this actor owns.
///
/// It gives the database to the components of this module: `store.read { try Sources($0).find(id) }`. Only they run SQL.
/// What takes several transactions, or lets the rules look at posts first, is a function of the store, in an extension
/// beside its component. If the database isn't writable, the store continues in memory and sets ``notice``. While a change
/// waits for other processes, the store can be read. Errors are thrown as ``StoreError``.
package actor PostStore {
    package nonisolated let path: String
    /// The path of the copy that was made of an older version, before it was migrated; nil for none.
    package nonisolated let copyOfOldVersion: String?
    let connection: StoreConnection
    let lists: OpenLists

    private init(_ connection: sending StoreConnection) {
        (path, copyOfOldVersion) = (connection.path, connection.copy)
        lists = OpenLists(connection: connection)
        self.connection = connection
    }

    /// Opens the store at a path; creates it, readable only by its owner, if needed.
    ///
    /// - Parameter needsDisk: whether to throw ``StoreError/Reason/notStored(_:)``, now or later, where the store would
    ///   otherwise continue in memory.
    package init(
        path: String, busyTimeout: Int32 = StoreFile.defaultBusyTimeout, needsDisk: Bool = false
    ) throws {
        self.init(try StoreConnection(path: path, busyTimeout: busyTimeout, needsDisk: needsDisk))
    }

    /// Opens the store at a path read-only, without creating it or waiting for a lock.
    package init(reading path: String) throws { self.init(try StoreConnection(reading: path)) }
    /// A new store in memory.
    package init() throws { self.init(try StoreConnection.memory()) }

    /// A temporary store with the sources of another one, and the origins that the user has typed, but no posts; deleted with
    /// the actor.
    package init(following sources: [StoredSource], typed origins: [StoredOrigins.Row]) async throws {
        let connection = try StoreConnection.temporary()
        try connection.read { database in
            try database.transaction {
                for source in sources.compactMap({ ExportedSource($0) }) {
                    _ = try Importing(database).merge(source) { _ in source.name }
                }
                for origin in origins { try StoredOrigins(database).add(origin) }
            }
        }
        self.init(connection)
    }

    /// A read-only view of the current state, which later writes don't change; a store in memory returns itself.
    package func snapshot() throws -> PostStore {
        guard let snapshot = try connection.snapshot() else { return self }
        return PostStore(snapshot)
    }

    /// Why changes aren't saved; nil while they are.
    package var notice: StoreNotice? { connection.notice }
    /// Posts that couldn't be read and were skipped, up to a hundred.
    package var unreadable: [UnreadablePost] { connection.unreadable }

    /// A number that changes whenever another process has changed the store; throws ``StoreError/Reason/migrated`` if it
    /// is of a newer version now.
    package func version() throws -> Int64 {
        try read { database in
            try database.checkVersion()
            return try database.integer("PRAGMA data_version") ?? 0
        }
    }

    // MARK: Transactions

    /// Runs some work that only reads.
    package func read<Result: Sendable>(_ work: @Sendable (Database) throws -> Result) throws -> Result {
        try connection.read(work)
    }

    /// Runs a change in a transaction; if the disk is full or not writable, continues in memory, or throws if the work is
    /// to store.
    package func write<Result: Sendable>(_ change: @Sendable (Database) throws -> Result) async throws -> Result {
        try await connection.write(change)
    }

    /// Runs a change in a transaction, for work that is useless in memory; throws if the disk isn't writable.
    package func writeToDisk<Result: Sendable>(_ change: @Sendable (Database) throws -> Result) async throws -> Result {
        try await connection.writeToDisk(change)
    }

    /// Runs a change of what is shown in any case; returns false if another writer keeps the lock.
    @discardableResult
    package func writeUnlessLocked(_ change: @Sendable (Database) throws -> Void) async throws -> Bool {
        do { try await write(change) } catch let error as StoreError where error.reason == .busy { return false }
        return true
    }

    /// Runs an optional change in a transaction; skips it at once if another writer holds the lock.
    package func writeIfFree(_ change: @Sendable (Database) throws -> Void) async throws {
        try await connection.writeIfFree(change)
    }
}
