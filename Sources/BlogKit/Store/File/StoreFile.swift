import BlogEssentials
import BlogMarkup
import BlogModel

/// Creates and opens a store's file, or copies it into memory.
package struct StoreFile {
    private let path: String
    /// How long a writer waits for the lock, in milliseconds.
    private let busyTimeout: Int32

    package init(path: String, busyTimeout: Int32 = Self.defaultBusyTimeout) {
        self.path = path
        self.busyTimeout = busyTimeout
    }

    /// A database that can be written.
    struct Opened {
        let database: Database
        /// Why it is in memory, and not on disk; nil if it is on disk.
        var notice: StoreNotice?
        /// The path of the copy that was made of an older version, before it was migrated; nil for none.
        var copy: String?
    }

    /// Opens the database, or if it isn't writable, a copy in memory.
    ///
    /// Throws a ``DatabaseError`` or a ``StoreError/Reason``.
    func open() throws -> Opened {
        try check()
        do {
            return try openOrCopy()
        } catch let error as DatabaseError where error.kind == .damaged {
            throw StoreError.Reason.notADatabase
        }
    }

    private func openOrCopy() throws -> Opened {
        do {
            try create()
            return try openForWriting()
        } catch let error as DatabaseError {
            guard let notice = StoreNotice(error) else { throw error }
            return Opened(database: try openInMemory(), notice: isDiskFull ? .diskFull : notice)
        }
    }

    /// Whether the disk is too full for SQLite's side files, which SQLite's error code doesn't tell.
    private var isDiskFull: Bool {
        freeBytes.map { $0 < 128 << 10 } ?? false
    }

    /// How many bytes are free on the disk; nil if that can't be determined.
    private var freeBytes: UInt64? {
        var disk = statvfs()
        // A file system without a size, like /proc, isn't full.
        guard statvfs(folder ?? ".", &disk) == 0, disk.f_blocks > 0 else { return nil }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    }

    /// The folder part of the path; nil if there is none.
    private var folder: String? {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    }

    /// A store in memory: a copy of another one, or empty.
    static func memory(copying source: Database? = nil) throws -> Database {
        let memory = try Database(path: "", mode: .memory)
        try prepare(memory, busyTimeout: defaultBusyTimeout)
        if let source { try memory.copyContent(of: source) }
        try Schema.create(in: memory)
        return memory
    }

    /// An empty store that is deleted with its connection, on disk if it gets too large for memory.
    static func temporary() throws -> Database {
        let database = try Database(path: "", mode: .temporary)
        try prepare(database, busyTimeout: defaultBusyTimeout)
        try Schema.create(in: database)
        return database
    }

    /// Creates the folder and an empty file, readable only by their owner.
    ///
    /// SQLite creates its side files with the same mode.
    private func create() throws {
        if let folder, !FileManager.default.fileExists(atPath: folder) {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // Closing a file gives up this process's locks of it, which matter once there is something in it.
        guard FileFacts(path: path, followsLinks: true)?.size ?? 0 == 0 else { return }
        // If this fails, opening the database fails too, with an error.
        let file = BlogEssentials.open(path, O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        // It may have been made by others, such as `touch`.
        fchmod(file, 0o600)
        close(file)
    }

    private func openForWriting() throws -> Opened {
        let database = try Database(path: path, mode: .readWrite)
        try Self.prepare(database, busyTimeout: busyTimeout)
        // What isn't our store, or can't be read, stays as it is.
        database.keepLog(true)
        let found = try Schema.check(database)
        database.keepLog(false)
        if found == nil {
            // Only takes effect in a new file, but waits for the lock of any. Lets ``PostStore/reclaim()`` release unused
            // space in small steps.
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        try setJournalMode(of: database)
        try database.execute("PRAGMA synchronous = NORMAL")
        // In pages of 4 KB. Checkpointing less often than by default makes bulk writes faster.
        try database.execute("PRAGMA wal_autocheckpoint = 4096")
        var copy: String?
        do {
            try Schema.create(in: database) { copy = makeCopy(of: $0) }
        } catch {
            if let copy { unlink(copy) }
            throw error
        }
        database.version = Schema.version
        return Opened(database: database, copy: copy)
    }

    // MARK: The copy of an older version

    /// Copies the file, which other processes can't write now, beside it.
    ///
    /// - Returns: the path of the copy; nil if there is no room for it, or it could not be made.
    private func makeCopy(of version: Int64) -> String? {
        let size = UInt64(["", "-wal"].reduce(0) { $0 + (FileFacts(path: path + $1, followsLinks: true)?.size ?? 0) })
        // A migration writes as much again to the log, and then to the file.
        guard let freeBytes, freeBytes / Self.roomOfCopy > size else { return nil }
        let name = "\(path).version-\(version)"
        let names = [name] + (2...9).map { "\(name)-\($0)" }
        guard let copy = names.first(where: { mode(of: $0) == nil }) else { return nil }
        // A process that was killed may have left its own behind.
        let part = copy + ".part"
        let remove = { for suffix in ["", "-journal"] { unlink(part + suffix) } }
        remove()
        do {
            try writeCopy(to: part)
            try FileManager.default.moveItem(atPath: part, toPath: copy)
            return copy
        } catch {
            remove()
            return nil
        }
    }

    /// Copies the database to a new file, readable only by its owner.
    private func writeCopy(to copy: String) throws {
        let file = BlogEssentials.open(copy, O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.unreadable }
        close(file)
        try Database(path: copy, mode: .readWrite).copyContent(of: try Database(path: path, mode: .readOnly))
    }

    /// How many times the size of the file has to be free on the disk.
    private static let roomOfCopy: UInt64 = 4

    // MARK: Reading

    /// Opens the database read-only, without creating a file.
    ///
    /// Throws a ``DatabaseError`` or a ``StoreError/Reason``.
    ///
    /// - Parameter isWritten: whether this process can write the file, and others therefore might.
    func openForReading(isWritten: Bool = false) throws -> Database {
        try check()
        // Side files are only needed to read a write-ahead log.
        let database = try Database(path: path, mode: isWritten || hasLog ? .readOnly : .immutable)
        try Self.prepare(database, busyTimeout: busyTimeout)
        guard let version = try Schema.check(database) else { throw StoreError.Reason.notADatabase }
        try Schema.complete(database, of: version)
        database.version = version
        return database
    }

    /// Opens the database of another connection read-only, with a transaction that hides later writes.
    func openSnapshot(isWritten: Bool) throws -> Database {
        do {
            let database = try openForReading(isWritten: isWritten)
            try database.execute("BEGIN")
            // The first read begins the transaction.
            try Schema.check(database)
            return database
        } catch StoreError.Reason.newer {
            throw StoreError.Reason.migrated
        }
    }

    /// Whether there is a write-ahead log with changes that aren't in the file yet.
    private var hasLog: Bool {
        let size = FileFacts(path: path + "-wal")?.size
        return size ?? 0 > 0
    }

    /// Switches to write-ahead logging, so that readers and a writer don't wait for each other.
    ///
    /// SQLite's busy timeout doesn't apply to this lock, for which processes compete that create the same store.
    private func setJournalMode(of database: Database) throws {
        let deadline = ContinuousClock.now + .milliseconds(Int(busyTimeout))
        while true {
            do {
                return try database.run("PRAGMA journal_mode = WAL")
            } catch let error as DatabaseError where error.kind == .busy && ContinuousClock.now < deadline {
                // With jitter, so that two processes don't retry in step.
                usleep(.random(in: 1_000...10_000))
            }
        }
    }

    /// A copy of the file in memory; empty if the file is empty or missing.
    private func openInMemory() throws -> Database {
        let size = FileFacts(path: path, followsLinks: true)?.size
        guard let size, size > 0 else { return try Self.memory() }
        do {
            let copy = try copyWithJournal()
            defer { if let copy { try? FileManager.default.removeItem(at: copy) } }
            let source = copy?.appending(path: "copy").path
            let file = try Database(path: source ?? path, mode: source == nil ? .immutable : .readWrite)
            try Schema.check(file)
            return try Self.memory(copying: file)
        } catch let error as DatabaseError where error.kind == .notWritable {
            throw StoreError.Reason.unreadable(error.message)
        }
    }

    /// A folder with a copy of the file and its write-ahead log; nil if there is no log.
    ///
    /// SQLite would open a read-only file without its log.
    private func copyWithJournal() throws -> URL? {
        guard hasLog else { return nil }
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "blog-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for suffix in ["", "-wal"] {
                let copy = folder.appending(path: "copy" + suffix).path
                try files.copyItem(atPath: path + suffix, toPath: copy)
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
            }
            return folder
        } catch {
            try? files.removeItem(at: folder)
            return nil
        }
    }

    /// How long a writer waits for the lock by default, in milliseconds: longer than any write but the first one of a
    /// huge list.
    package static let defaultBusyTimeout: Int32 = 10_000

    private static func prepare(_ database: Database, busyTimeout: Int32) throws {
        database.setBusyTimeout(milliseconds: busyTimeout)
        try database.execute("PRAGMA foreign_keys = ON")
        try database.execute("PRAGMA cache_size = -8192")
        try database.define("folded") { context, _, arguments in setResult(context, arguments, Folding.searchable) }
        try database.define("shown_text", arguments: 2) { context, _, arguments in
            let format = textArgument(1, of: arguments).flatMap(BodyFormat.init)
            setResult(context, arguments) { BodyText.plainText(of: $0, format: format) }
        }
        try database.define("photo_words") { context, _, arguments in
            setResult(context, arguments, SearchedPhoto.words(details:))
        }
        try database.define("segmented") { context, _, arguments in
            setResult(context, arguments, Segmentation.segmented)
        }
        try database.define("with_label", arguments: 2) { context, _, arguments in
            let label = textArgument(1, of: arguments) ?? ""
            setResult(context, arguments) { TagLines(Label.sorted(TagLines.tags($0) + [label]))?.text ?? "" }
        }
        try database.define("without_label", arguments: 2) { context, _, arguments in
            let label = textArgument(1, of: arguments) ?? ""
            setResult(context, arguments) { labels in
                TagLines(TagLines.tags(labels).filter { !Label.isSame($0, label) })?.text ?? ""
            }
        }
        try database.define("words") { context, _, arguments in setResult(context, arguments, Folding.words) }
    }

    // MARK: The path

    /// Whether the path exists.
    ///
    /// Throws ``StoreError/Reason/unreadable(_:)`` if that can't be determined.
    package func exists() throws -> Bool {
        if path.hasSuffix("/") { return true }
        if mode(of: path) != nil { return true }
        guard [ENOENT, ENOTDIR].contains(errno) else { throw Self.unreadable }
        return false
    }

    /// Checks the path before SQLite opens it: opening a named pipe, for example, would block.
    ///
    /// Throws a ``StoreError/Reason`` if the file or one of SQLite's side files exists but can't be opened. It doesn't
    /// open the file, because closing it would drop all locks of this process on it.
    func check() throws {
        // A trailing slash means a folder, whether it exists or not.
        if path.hasSuffix("/") { throw StoreError.Reason.folder }
        switch mode(of: path) {
        // There may be a store in a folder that can't be searched.
        case nil where errno == EACCES: throw Self.unreadable
        case nil: return
        case S_IFREG: break
        case S_IFDIR: throw StoreError.Reason.folder
        default: throw StoreError.Reason.notAFile
        }
        for suffix in ["-wal", "-shm", "-journal"] {
            if let mode = mode(of: path + suffix), mode != S_IFREG {
                throw StoreError.Reason.sideFile(path + suffix)
            }
        }
        if access(path, R_OK) != 0, errno == EACCES { throw Self.unreadable }
    }

    /// The reason in `errno`.
    private static var unreadable: StoreError.Reason { .unreadable(String(cString: strerror(errno))) }

    /// The type of the file at a path, following symbolic links; nil if it doesn't exist or can't be determined.
    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
