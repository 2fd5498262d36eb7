import BlogEssentials
import BlogModel

/// Everything that was fetched, in an SQLite database that this actor owns.
///
/// If the database isn't writable, the store continues in memory and sets ``notice``. Errors are thrown as
/// ``StoreError``. The subfolders have extensions for lists, posts, search, marks and so on.
package actor PostStore {
    /// Why changes aren't saved; nil while they are.
    package private(set) var notice: StoreNotice?
    package nonisolated let path: String
    private(set) var database: Database
    var openLists: [Int: ListReader] = [:]
    /// The last number given to a list.
    var lastNumber = 0

    /// Posts that couldn't be read and were skipped, at most ``maxUnreadable``.
    package private(set) var unreadable: [UnreadablePost] = []
    private static let maxUnreadable = 100

    private var isStoringList = false
    private var waitingForList: [CheckedContinuation<Void, Never>] = []
    /// The maximum number of matches that a search with a limit ranks.
    var maxRanked = 10_000

    /// How long a writer waits for the lock, in milliseconds.
    let busyTimeout: Int32

    private init(
        _ path: String, busyTimeout: Int32 = StoreFile.defaultBusyTimeout,
        _ open: (StoreFile) throws -> (Database, StoreNotice?)
    ) throws {
        self.path = path
        self.busyTimeout = busyTimeout
        (database, notice) = try StoreError.mapped(path) { try open(StoreFile(path: path, busyTimeout: busyTimeout)) }
    }

    /// Opens the store at a path; creates it, readable only by its owner, if needed.
    package init(path: String, busyTimeout: Int32 = StoreFile.defaultBusyTimeout) throws {
        try self.init(path, busyTimeout: busyTimeout) { try $0.open() }
    }

    /// Opens the store at a path read-only, without creating it or waiting for a lock.
    package init(reading path: String) throws {
        try self.init(path, busyTimeout: 0) { (try $0.openForReading(), .notWritable) }
    }

    package init() throws {
        try self.init("") { _ in (try StoreFile.memory(), nil) }
    }

    /// A temporary store with the sources of another one and no posts, deleted with the actor.
    package init(following sources: [StoredSource]) async throws {
        try self.init("") { _ in (try StoreFile.temporary(), nil) }
        for source in sources.compactMap({ ExportedSource($0) }) { _ = try await merge(source) { _ in source.name } }
    }

    /// A read-only view of the current state, which later writes don't change.
    ///
    /// A store in memory returns itself.
    package func snapshot() throws -> PostStore {
        let isWritten = notice == nil
        return database.isInMemory
            ? self : try PostStore(path) { (try $0.openSnapshot(isWritten: isWritten), .notWritable) }
    }

    /// A snapshot of the database: a second connection to a file, or a copy of a database in memory.
    func openSnapshot(of database: Database) throws -> Database {
        // Avoids caching the same pages for two connections.
        try database.execute("PRAGMA shrink_memory")
        return database.isInMemory
            ? try StoreFile.memory(copying: database)
            : try StoreFile(path: path, busyTimeout: busyTimeout).openSnapshot(isWritten: notice == nil)
    }

    /// Adds posts to ``unreadable``, by key.
    func note(unreadable keys: [Int64]) {
        for key in keys where unreadable.count < Self.maxUnreadable && !unreadable.contains(where: { $0.key == key }) {
            let sql = "SELECT kind, address, id FROM posts JOIN sources ON sources.key = source WHERE posts.key = ?"
            let id = try? database.first(sql, [.integer(key)]) { $0.postID(0) }
            unreadable.append(UnreadablePost(key: key, id: id ?? nil))
        }
    }

    // MARK: Access to the database

    /// Waits until no list is being stored, because its transaction is open until it has arrived.
    func waitForList() async {
        while isStoringList { await withCheckedContinuation { waitingForList.append($0) } }
    }

    /// Blocks other writers of this process until ``endList()``.
    func beginList() async {
        await waitForList()
        isStoringList = true
    }

    func endList() {
        isStoringList = false
        waitingForList.forEach { $0.resume() }
        waitingForList = []
    }

    /// Continues in memory if the disk is full or not writable; rethrows any other error.
    func moveToMemory(after error: DatabaseError) throws {
        guard notice == nil, let notice = StoreNotice(error) else { throw error }
        try moveToMemory(because: notice)
    }

    func moveToMemory(because notice: StoreNotice) throws {
        database = try StoreFile.memory(copying: database)
        self.notice = notice
    }

    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try StoreError.mapped(path) { try work(database) }
    }

    /// Runs a change in a transaction; if the disk is full or not writable, continues in memory.
    func write<Result>(_ change: (Database) throws -> Result) async throws -> Result {
        await waitForList()
        return try StoreError.mapped(path) {
            do {
                return try database.transaction { try change(database) }
            } catch let error as DatabaseError {
                try moveToMemory(after: error)
                return try database.transaction { try change(database) }
            }
        }
    }

    /// Runs a change in a transaction, for work that is useless in memory; throws if the disk isn't writable.
    func writeToDisk<Result>(_ change: (Database) throws -> Result) async throws -> Result {
        try await outsideTransaction { database in try database.transaction { try change(database) } }
    }

    /// Runs statements that can't be in a transaction; throws if the disk isn't writable.
    func outsideTransaction<Result>(_ work: (Database) throws -> Result) async throws -> Result {
        await waitForList()
        return try StoreError.mapped(path) {
            if let notice { throw StoreError.Reason.notKept(notice) }
            do {
                return try work(database)
            } catch let error as DatabaseError {
                throw StoreNotice(error).map { StoreError.Reason.notKept($0) } ?? error
            }
        }
    }

    /// Runs an optional optimization if the disk is writable and the lock is free.
    ///
    /// It starts no transaction, so it locks nothing if there is no work.
    func writeIfWritable(_ change: (Database) throws -> Void) async throws {
        await waitForList()
        guard notice == nil else { return }
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        try change(database)
    }

    /// Runs an optional change; skips it if another writer holds the lock.
    func writeIfFree(_ change: (Database) throws -> Void) async throws {
        await waitForList()
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        do {
            try await write(change)
        } catch let error as StoreError where error.reason == .busy {}
    }
}

/// A post that can't be read because the store is damaged.
public struct UnreadablePost: Hashable, Sendable {
    /// Its key in the store.
    public let key: Int64
    /// Its id; nil if that can't be read either.
    public let id: PostID?
}
