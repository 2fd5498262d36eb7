import Essentials
import Model
import SQLite

/// The store of everything that was fetched: one SQLite database, owned by this actor.
///
/// If the database can't be written, the store continues in memory and sets ``notice``. Every function throws a
/// ``StoreError``. There is an extension in each subfolder: lists, posts, search, marks and so on.
package actor PostStore {
    /// Why nothing more is stored; nil while the store works.
    package private(set) var notice: StoreNotice?
    package nonisolated let path: String
    private(set) var database: Database
    /// Lists that are being read, by number.
    var openLists: [Int: ListReader] = [:]
    /// Bodies that are being read part by part, by number.
    var openBodies: [Int: (rows: Statement, snapshot: Database)] = [:]
    /// The number that was last given to one of these.
    var lastNumber = 0

    /// Posts that could not be read, at most ``maxUnreadable``: the others are shown, indexed and checked all the same.
    package private(set) var unreadable: [UnreadablePost] = []
    private static let maxUnreadable = 100

    private var isStoringList = false
    private var waitingForList: [CheckedContinuation<Void, Never>] = []
    /// How many hits a search with a limit ranks at most.
    var maxRanked = 10_000

    /// How long a writer waits for the lock, in milliseconds.
    let busyTimeout: Int32

    /// The store at a path, created if needed, in a folder that only its owner can read.
    package init(path: String, busyTimeout: Int32 = StoreFile.defaultBusyTimeout) throws {
        self.path = path
        self.busyTimeout = busyTimeout
        (database, notice) = try StoreError.mapped(path) {
            try StoreFile(path: path, busyTimeout: busyTimeout).open()
        }
    }

    /// The store at a path, read-only: it is not created, migrated or waited for.
    package init(reading path: String) throws {
        self.path = path
        busyTimeout = 0
        (database, notice) = try StoreError.mapped(path) {
            (try StoreFile(path: path, busyTimeout: 0).openForReading(), .notWritable)
        }
    }

    /// A store in memory, deleted with the actor.
    package init() throws {
        path = ""
        busyTimeout = StoreFile.defaultBusyTimeout
        (database, notice) = try StoreError.mapped(path) { (try StoreFile.memory(), nil) }
    }

    /// A store that follows what another one follows and has no posts, deleted with the actor.
    package init(following sources: [StoredSource]) async throws {
        path = ""
        busyTimeout = StoreFile.defaultBusyTimeout
        (database, notice) = try StoreError.mapped(path) { (try StoreFile.scratch(), nil) }
        for source in sources.compactMap({ ExportedSource($0) }) { _ = try await merge(source) { _ in source.name } }
    }

    /// The store at a path as it is now.
    private init(snapshotAt path: String, isWritten: Bool) throws {
        self.path = path
        busyTimeout = StoreFile.defaultBusyTimeout
        (database, notice) = try StoreError.mapped(path) {
            let file = StoreFile(path: path, busyTimeout: StoreFile.defaultBusyTimeout)
            return (try file.openSnapshot(isWritten: isWritten), .notWritable)
        }
    }

    /// The store as it is now, for reading: nothing that is written later changes it.
    ///
    /// A store in memory is its own snapshot.
    package func snapshot() throws -> PostStore {
        database.isInMemory ? self : try PostStore(snapshotAt: path, isWritten: notice == nil)
    }

    /// A snapshot of the database: a second connection to a file, or a copy of a database in memory.
    func openSnapshot(of database: Database) throws -> Database {
        // Two connections need not hold the same pages in memory.
        try database.execute("PRAGMA shrink_memory")
        return database.isInMemory
            ? try StoreFile.memory(copying: database)
            : try StoreFile(path: path, busyTimeout: busyTimeout).openSnapshot(isWritten: notice == nil)
    }

    /// Notes posts that could not be read, by their keys.
    func note(unreadable keys: [Int64]) {
        for key in keys where unreadable.count < Self.maxUnreadable && !unreadable.contains(where: { $0.key == key }) {
            let sql = "SELECT source, address, id FROM posts JOIN blogs ON blogs.key = blog WHERE posts.key = ?"
            let id = try? database.first(sql, [.integer(key)]) { row in
                PostID(
                    source: SourceID(kind: row.text(0) ?? "", address: row.text(1) ?? ""), local: row.text(2) ?? "")
            }
            unreadable.append(UnreadablePost(key: key, id: id ?? nil))
        }
    }

    // MARK: The ways to the database

    /// Waits until no list is being stored: its transaction stays open while the list arrives.
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

    /// Continues in memory if the disk is full or not writable; throws any other error.
    func moveToMemory(after error: DatabaseError) throws {
        guard notice == nil, let notice = StoreNotice(error) else { throw error }
        database = try StoreFile.memory(copying: database)
        self.notice = notice
    }

    /// Reads in one transaction, isolated from concurrent writers.
    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try StoreError.mapped(path) { try work(database) }
    }

    /// Runs a change as one transaction; if the disk is full or not writable, continues in memory and runs it there.
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

    /// Runs a change as one transaction on disk or throws, for work that is useless in memory.
    func writeToDisk<Result>(_ change: (Database) throws -> Result) async throws -> Result {
        try await outsideTransaction { database in try database.transaction { try change(database) } }
    }

    /// Runs statements that can't be in a transaction; throws if the disk can't take them.
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
    /// It is not a transaction, so that nothing is locked if there is nothing to change.
    func writeIfWritable(_ change: (Database) throws -> Void) async throws {
        await waitForList()
        guard notice == nil else { return }
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        try change(database)
    }

    /// Runs a change that can be made later instead: it does not wait long for another writer.
    func writeIfFree(_ change: (Database) throws -> Void) async throws {
        await waitForList()
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        do {
            try await write(change)
        } catch let error as StoreError where error.reason == .busy {}
    }
}

/// A post in the store that can't be read, as the store is damaged.
public struct UnreadablePost: Hashable, Sendable {
    /// Its key in the store.
    public let key: Int64
    /// Its id; nil where that can't be read either.
    public let id: PostID?
}
