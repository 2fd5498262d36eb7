import BlogModel

/// The connection to a store's database: its transactions, and the fallback to memory.
///
/// It belongs to the actor that opened it. Errors are thrown as ``StoreError``.
final class StoreConnection {
    let path: String
    private(set) var database: Database
    private(set) var notice: StoreNotice?
    /// The path of the copy that was made of an older version, before it was migrated; nil for none.
    let copy: String?
    /// Posts that couldn't be read and were skipped, at most ``maxUnreadable``.
    private(set) var unreadable: [UnreadablePost] = []
    private static let maxUnreadable = 100

    /// How long reading, or opening the file, waits for another process, in milliseconds.
    private let busyTimeout: Int32
    /// How long a writer waits for the lock.
    private var patience: Duration { .milliseconds(Int(busyTimeout)) }
    /// Whether nothing is done in memory instead, because the work is to store.
    private let needsDisk: Bool

    private init(
        _ path: String, busyTimeout: Int32 = StoreFile.defaultBusyTimeout, needsDisk: Bool = false,
        _ open: (StoreFile) throws -> StoreFile.Opened
    ) throws {
        self.path = path
        self.busyTimeout = busyTimeout
        self.needsDisk = needsDisk
        let opened = try StoreError.mapped(path) {
            let opened = try open(StoreFile(path: path, busyTimeout: busyTimeout))
            if needsDisk, let notice = opened.notice { throw StoreError.Reason.notStored(notice) }
            return opened
        }
        (database, notice, copy) = (opened.database, opened.notice, opened.copy)
    }

    convenience init(path: String, busyTimeout: Int32, needsDisk: Bool) throws {
        try self.init(path, busyTimeout: busyTimeout, needsDisk: needsDisk) { try $0.open() }
    }

    convenience init(reading path: String) throws {
        try self.init(path, busyTimeout: 0) {
            StoreFile.Opened(database: try $0.openForReading(), notice: .notWritable)
        }
    }

    static func memory() throws -> StoreConnection {
        try StoreConnection("") { _ in StoreFile.Opened(database: try StoreFile.memory()) }
    }

    /// A new store that is deleted with its connection.
    static func temporary() throws -> StoreConnection {
        try StoreConnection("") { _ in StoreFile.Opened(database: try StoreFile.temporary()) }
    }

    // MARK: Snapshots

    /// A read-only connection that later writes don't affect; nil for a store in memory.
    func snapshot() throws -> sending StoreConnection? {
        guard !database.isInMemory else { return nil }
        let isWritten = notice == nil
        return try StoreConnection(path) {
            StoreFile.Opened(database: try $0.openSnapshot(isWritten: isWritten), notice: .notWritable)
        }
    }

    /// A snapshot of the database: a second connection to a file, or a copy of a database in memory.
    func openSnapshot() throws -> Database {
        if database.isInMemory { return try StoreFile.memory(copying: database) }
        // Avoids caching the same pages for two connections.
        try database.execute("PRAGMA shrink_memory")
        return try StoreFile(path: path, busyTimeout: busyTimeout).openSnapshot(isWritten: notice == nil)
    }

    // MARK: Transactions

    func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
        try mapped { try work(database) }
    }

    /// Runs some work and rethrows its errors as ``StoreError``.
    private func mapped<Result>(_ work: () throws -> Result) throws -> Result {
        try StoreError.mapped(path) {
            do {
                return try work()
            } catch let error as DatabaseError where error.kind == .other {
                // Perhaps it named a table or a column that is no longer there.
                try database.checkVersion()
                throw error
            }
        }
    }

    /// Runs a change in a transaction; if the disk is full or not writable, continues in memory, or throws if the work is
    /// to store.
    func write<Result>(_ change: (Database) throws -> Result) async throws -> Result {
        try await whenFree(within: patience) { try inTransaction(change) }
    }

    /// Runs a change in a transaction, for work that is useless in memory; throws if the disk isn't writable.
    func writeToDisk<Result>(_ change: (Database) throws -> Result) async throws -> Result {
        try await outsideTransaction { database in try database.transaction { try change(database) } }
    }

    /// Runs statements that can't be in a transaction; throws if the disk isn't writable.
    func outsideTransaction<Result>(_ work: (Database) throws -> Result) async throws -> Result {
        try await whenFree(within: patience) { try onDisk(work) }
    }

    /// Runs an optional optimization if the disk is writable and the lock is free.
    ///
    /// It starts no transaction, so it locks nothing if there is no work.
    func writeIfWritable(_ change: (Database) throws -> Void) throws {
        guard notice == nil else { return }
        try briefly {
            try database.checkVersion()
            try change(database)
        }
    }

    /// Runs an optional change; skips it if another writer holds the lock.
    func writeIfFree(_ change: (Database) throws -> Void) async throws {
        do {
            try await whenFree(within: Self.shortPatience) { try inTransaction(change) }
        } catch let error as StoreError where error.reason == .busy {}
    }

    /// Like ``writeIfFree(_:)``, but skips the change if the disk isn't writable, too.
    ///
    /// - Returns: nil if it was skipped.
    func writeToDiskIfFree<Result>(_ change: (Database) throws -> Result) async throws -> Result? {
        do {
            return try await whenFree(within: Self.shortPatience) {
                try onDisk { database in try database.transaction { try change(database) } }
            }
        } catch let error as StoreError {
            switch error.reason {
            case .busy, .notStored: return nil
            default: throw error
            }
        }
    }

    private func inTransaction<Result>(_ change: (Database) throws -> Result) throws -> Result {
        do {
            return try database.transaction { try change(database) }
        } catch let error as DatabaseError {
            try moveToMemory(after: error)
            return try database.transaction { try change(database) }
        }
    }

    private func onDisk<Result>(_ work: (Database) throws -> Result) throws -> Result {
        if let notice { throw StoreError.Reason.notStored(notice) }
        do {
            return try work(database)
        } catch let error as DatabaseError {
            throw StoreNotice(error).map { StoreError.Reason.notStored($0) } ?? error
        }
    }

    /// Runs a change once no other process holds the lock.
    ///
    /// It doesn't block a thread for that, and the actor that the connection belongs to can read meanwhile.
    private func whenFree<Result>(within patience: Duration, _ change: () throws -> Result) async throws -> Result {
        let end = ContinuousClock.now + patience
        while true {
            do {
                return try briefly { try mapped(change) }
            } catch let error as StoreError where error.reason == .busy && ContinuousClock.now < end {
                // With jitter, so that two processes don't retry in step.
                try await Task.sleep(for: .milliseconds(.random(in: 5...20)))
            }
        }
    }

    /// Runs some work that waits for the lock so shortly that nobody notices; nothing else runs meanwhile.
    private func briefly<Result>(_ work: () throws -> Result) rethrows -> Result {
        database.setBusyTimeout(milliseconds: 10)
        defer { database.setBusyTimeout(milliseconds: busyTimeout) }
        return try work()
    }

    /// How long an optional change waits for the lock.
    private static let shortPatience = Duration.milliseconds(100)

    // MARK: Failures

    /// Continues in memory if the disk is full or not writable; rethrows any other error.
    func moveToMemory(after error: DatabaseError) throws {
        guard notice == nil, let notice = StoreNotice(error) else { throw error }
        try moveToMemory(because: notice)
    }

    /// Continues in memory, unless the work is to store.
    func moveToMemory(because notice: StoreNotice) throws {
        if needsDisk { throw StoreError(path: path, reason: .notStored(notice)) }
        database = try StoreError.mapped(path) { try StoreFile.memory(copying: database) }
        self.notice = notice
    }

    /// Adds posts to ``unreadable``, by key.
    func note(unreadable keys: [Int64]) {
        for key in keys where unreadable.count < Self.maxUnreadable && !unreadable.contains(where: { $0.key == key }) {
            let sql = "SELECT kind, address, id FROM posts JOIN sources ON sources.key = source WHERE posts.key = ?"
            let id = try? database.first(sql, [.integer(key)]) { $0.postID(0) }
            unreadable.append(UnreadablePost(key: key, id: id ?? nil))
        }
    }
}
