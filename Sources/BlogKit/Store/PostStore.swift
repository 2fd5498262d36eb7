import Foundation

/// Everything that has been seen, in one SQLite database of which this actor is the only owner.
///
/// Where the database can't be written, the store goes on in memory and says so in ``notice``. Every function throws a
/// ``StoreError``. What belongs together is in an extension: lists, posts, search, marks and so on.
package actor PostStore {
    /// Why nothing more is kept; nil as long as it is.
    package private(set) var notice: StoreNotice?
    let path: String
    private(set) var database: Database
    /// Lists that are being read, by number.
    var cursors: [Int: ListCursor] = [:]
    /// Bodies that are being read part by part, by number.
    var partCursors: [Int: Statement] = [:]
    var nextCursor = 0

    private var isStoringList = false
    private var waitingForList: [CheckedContinuation<Void, Never>] = []
    /// How many hits a search with a limit ranks at most.
    var maxRanked = 10_000

    /// For how long a writer waits for others, in milliseconds.
    private let busyTimeout: Int32

    /// The store at a path, made where there is none, in a folder that only its owner can read.
    package init(path: String, busyTimeout: Int32 = StoreFile.defaultBusyTimeout) throws {
        self.path = path
        self.busyTimeout = busyTimeout
        (database, notice) = try StoreError.mapped(path) {
            try StoreFile(path: path, busyTimeout: busyTimeout).open()
        }
    }

    /// The store at a path, only to be read: it is not made, migrated or waited for, and takes nothing.
    package init(reading path: String) throws {
        self.path = path
        busyTimeout = 0
        (database, notice) = try StoreError.mapped(path) {
            (try StoreFile(path: path, busyTimeout: 0).openForReading(), .notWritable)
        }
    }

    /// A store in memory, gone with the actor.
    package init() throws {
        path = ""
        busyTimeout = StoreFile.defaultBusyTimeout
        (database, notice) = try StoreError.mapped(path) { (try StoreFile.memory(), nil) }
    }

    // MARK: The ways to the database

    /// Waits while a list is being stored: its transaction stays open as the list arrives.
    func waitForList() async {
        while isStoringList { await withCheckedContinuation { waitingForList.append($0) } }
    }

    /// Keeps other writers of this process waiting until ``endList()``.
    func beginList() async {
        await waitForList()
        isStoringList = true
    }

    func endList() {
        isStoringList = false
        waitingForList.forEach { $0.resume() }
        waitingForList = []
    }

    /// Goes on in memory where the disk takes nothing more; throws any other error.
    func moveToMemory(after error: DatabaseError) throws {
        guard notice == nil, let notice = StoreNotice(error) else { throw error }
        database = try StoreFile.memory(copying: database)
        self.notice = notice
    }

    /// Reads; what others write meanwhile makes no difference to it.
    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try StoreError.mapped(path) { try work(database) }
    }

    /// Runs a change as one transaction; where the disk doesn't take it, goes on in memory and runs it there.
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

    /// Runs a change as one transaction on the disk, or throws: for work that is useless in memory.
    func writeToDisk<Result>(_ change: (Database) throws -> Result) async throws -> Result {
        try await outsideTransaction { database in try database.transaction { try change(database) } }
    }

    /// Runs statements that can't be in a transaction, on the disk or not at all.
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

    /// Runs a change that only saves time, where that can be had on the disk at once.
    ///
    /// It is no transaction, so that nothing is locked where there is nothing to change.
    func writeIfWritable(_ change: (Database) throws -> Void) async throws {
        await waitForList()
        guard notice == nil else { return }
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        try change(database)
    }

    /// Runs a change that can as well be made another time: somebody else's writing is not waited for long.
    func writeIfFree(_ change: (Database) throws -> Void) async throws {
        await waitForList()
        database.setBusyTimeout(milliseconds: 100)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        do {
            try await write(change)
        } catch let error as StoreError where error.reason == .busy {}
    }
}
