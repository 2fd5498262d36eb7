import BlogEssentials
import BlogModel

/// Everything that was fetched, in an SQLite database that this actor owns.
///
/// It is the table of contents of this module: each function runs one of a component, which has the details. Most
/// components are given the database in a transaction; those whose work takes several have the ``StoreConnection``. If
/// the database isn't writable, the store continues in memory and sets ``notice``. It waits for the disk and for other
/// processes on a thread of its own. Errors are thrown as ``StoreError``.
package actor PostStore {
    package nonisolated let path: String
    /// The path of the copy that was made of an older version, before it was migrated; nil for none.
    package nonisolated let copyOfOldVersion: String?
    let connection: StoreConnection
    private let lists: OpenLists
    private let executor = BlockingExecutor(label: "blog.store")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

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

    /// A temporary store with the sources of another one and no posts, deleted with the actor.
    package init(following sources: [StoredSource]) async throws {
        self.init(try StoreConnection.temporary())
        for source in sources.compactMap({ ExportedSource($0) }) {
            try connection.writeToDisk { _ = try Importing($0).merge(source) { _ in source.name } }
        }
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

    // MARK: Transactions

    /// Runs some work that only reads.
    package func read<Result: Sendable>(_ work: @Sendable (Database) throws -> Result) throws -> Result {
        try connection.read(work)
    }

    /// Runs a change in a transaction; if the disk is full or not writable, continues in memory, or throws if the work is
    /// to store.
    package func write<Result: Sendable>(_ change: @Sendable (Database) throws -> Result) throws -> Result {
        try connection.write(change)
    }

    /// Runs a change in a transaction, for work that is useless in memory; throws if the disk isn't writable.
    package func writeToDisk<Result: Sendable>(_ change: @Sendable (Database) throws -> Result) throws -> Result {
        try connection.writeToDisk(change)
    }

    /// Runs an optional change in a transaction; skips it if another writer holds the lock.
    package func writeIfFree(_ change: @Sendable (Database) throws -> Void) throws {
        try connection.writeIfFree(change)
    }

    // MARK: Lists

    package func openList(_ query: Query, in scope: SourceScope) async throws -> OpenedList {
        try await rules.settle()
        return try lists.open(query, in: scope)
    }
    package func nextBatch(_ number: Int) throws -> [StoredPost] { try lists.nextBatch(number) }
    package func closeList(_ number: Int) { lists.close(number) }
    package var openListCount: Int { lists.count }
    package func setMaxRanked(_ count: Int) { lists.maxRanked = count }

    // MARK: Posts

    /// A number that changes whenever another process has changed the store; throws ``StoreError/Reason/migrated`` if it
    /// is of a newer version now.
    package func version() throws -> Int64 {
        try connection.read { database in
            try database.checkVersion()
            return try database.integer("PRAGMA data_version") ?? 0
        }
    }

    // MARK: Bodies and articles

    // MARK: Rules

    var rules: RuleKeeping { RuleKeeping(connection: connection) }

    package func hasHidingRules() throws -> Bool {
        try connection.read { try $0.exists("SELECT 1 FROM rules WHERE hides AND NOT is_expired") }
    }
    package func storedRules() throws -> [StoredRule] {
        try connection.read { try Rules(database: $0).all() }.map(\.stored)
    }
    /// Nil if there is the same rule.
    package func add(_ rule: Rule) async throws -> (StoredRule, posts: Int)? { try await rules.add(rule) }
    package func removeRule(_ number: Int) async throws { try await rules.remove(Int64(number)) }
    package func expireRules(at now: Date) async throws { try await rules.expire(at: now) }
    /// Lets the rules look at posts that have arrived or changed; lists, counts and marks do that by themselves.
    package func settleRules() async throws { try await rules.settle() }
    /// False if there are too many rules.
    package func merge(_ rule: Rule) throws -> Bool {
        try connection.writeToDisk { database in
            let rules = Rules(database: database)
            return try rules.add(rule, .withoutMarks, isImported: true) != nil
                || rules.all().contains { $0.rule == rule }
        }
    }
    /// Lets the rules look at all posts that are stored, before others are imported, which keep their marks.
    package func prepareForImport() async throws {
        try await rules.settle()
        try connection.writeToDisk { try Rules(database: $0).noteImport() }
    }
    /// How many posts from a date on a search finds, of how many.
    package func found(by words: String, since start: Date) throws -> (posts: Int, all: Int) {
        try connection.read { database in
            let rules = Rules(database: database)
            return (try rules.found(by: words, since: start).count, try rules.count(since: start))
        }
    }

    // MARK: Search

    package func unindexedPosts() throws -> Int { try connection.read { try SearchIndex(database: $0).pending() } }
    package func indexMore(_ bytes: Int = SearchBatch.size) throws -> Int {
        try Indexing(connection: connection).more(bytes)
    }
    package func indexIfFree(_ bytes: Int = SearchBatch.size, waitsForBodies: Bool = false) throws -> Int {
        try Indexing(connection: connection).ifFree(bytes, waitsForBodies: waitsForBodies)
    }

    // MARK: Retention, archive and maintenance

    package func prunable(_ sourceKey: Int64, before cutoff: Date?) throws -> (counts: PruneCounts, bytes: Int) {
        try GradualPruning(connection: connection).preview(sourceKey, before: cutoff)
    }
    package func prune(_ sourceKey: Int64, before cutoff: Date?, at now: Date) async throws -> PruneCounts {
        try await GradualPruning(connection: connection).run(sourceKey, before: cutoff, at: now)
    }
    package func reclaim() async throws -> Int { try await GradualPruning(connection: connection).reclaim() }
    package static let unsoundCounts = "the post counts don't match the posts"
    package static let unsoundIndex = "the search index doesn't match the posts"

    package func facts() throws -> StoreFacts { try Maintenance(connection: connection).facts() }
    package func check() throws -> [String] { try Maintenance(connection: connection).check() }
    package func vacuum() throws { try Maintenance(connection: connection).vacuum() }
}
