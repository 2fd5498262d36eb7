import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// The store as a whole: facts, checks, export and import.
///
/// Every function throws a ``StoreError``.
public struct Archive: Sendable {
    let store: PostStore
    /// The store's file.
    public let path: String

    /// The store at a path, created if needed.
    ///
    /// - Parameters:
    ///   - path: the store's file.
    ///   - access: ``StoreAccess/storing`` to fail where nothing can be stored.
    public init(path: String, access: StoreAccess = .reading) throws {
        self.path = path
        store = try PostStore(opening: path, for: access)
    }

    /// A store in memory.
    package init() throws {
        path = ""
        store = try PostStore()
    }

    /// Why nothing more is stored; nil while the store works.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// The path of the copy that was made of an older version of the store, before it was migrated; nil for none.
    package var copyOfOldVersion: String? { store.copyOfOldVersion }

    /// Facts about the store's file.
    public func facts() async throws -> StoreFacts { try await store.facts() }

    package var pictures: (count: Int, bytes: Int) { pictureFolder.facts }

    /// Removes the stored pictures; they are fetched again when needed.
    package func clearPictures() { pictureFolder.clear() }

    private var pictureFolder: PictureFolder {
        PictureFolder(path: PictureFolder.path(besideStore: path), maxBytes: PictureCache.maxBytes)
    }

    /// Whether anything exists at a path.
    public static func exists(at path: String) throws -> Bool {
        try StoreError.mapped(path) { try StoreFile(path: path).exists() }
    }

    /// The problems of the store and its search index; empty if it is sound.
    public func check() async throws -> [String] { try await store.check() }

    /// The problems found by ``check()`` that ``vacuum()`` repairs.
    public static let repairable: Set = [PostStore.unsoundIndex, PostStore.unsoundCounts]

    /// Frees unused space.
    public func vacuum() async throws { try await store.vacuum() }

    /// Every source that has a name, and every post with its state, in an order determined by the posts alone.
    ///
    /// What can't be read in a damaged store is left out.
    public func export() async throws -> ExportedPosts {
        // If the store is too damaged for a second connection, the first one reads what it can.
        try await ExportedPosts(of: (try? await store.snapshot()) ?? store)
    }

    /// Follows an exported source unless it is followed already; if its name is taken, it gets another.
    ///
    /// - Returns: whether anything changed.
    public func merge(_ source: ExportedSource) async throws -> Bool {
        let id = source.id
        var (request, source) = (FollowRequest(source.address), source)
        request.suggestedName = source.name
        if id.isSearch { source.followedAt = nil }
        let isChanged = try await store.writeToDisk { [source, request] in
            try Importing($0).merge(source) { isTaken in
                try SourceName.chosen(for: id, request, before: nil, isTaken: isTaken)
            }
        }
        if id.isService { try await askForConfirmation(of: id) }
        return isChanged
    }

    /// Records that a service isn't asked, unless the user has typed its address.
    private func askForConfirmation(of service: SourceID) async throws {
        guard let url = URL(address: service.address), await !TypedOrigins(store).mayReceivePassword(url) else {
            return
        }
        try await Schedule(store: store, clock: .system).noteUnconfirmed(service, at: url)
    }

    /// Whether a source can be imported: its kind is known, its address is in canonical form, and its dates are
    /// plausible.
    public static func accepts(_ source: ExportedSource) -> Bool {
        SourceRegistry.isKnown(source.id) && source.isPlausible
            && source.site.map { SourceAddress.page($0) != nil } != false
            // Who may have sent a password without encryption didn't say so here.
            && !isInsecure(source)
    }

    /// Whether it is a service that the password would be sent to without encryption.
    static func isInsecure(_ source: ExportedSource) -> Bool {
        source.id.isService && !Service.isEncrypted(source.address)
    }

    /// Whether a post can be imported: the kind of its source is known, the address is in canonical form, and its dates
    /// are plausible.
    public static func accepts(_ post: ExportedPost) -> Bool {
        post.source != SourceID.searchKind && SourceRegistry.isKnown(post.sourceID) && post.isPlausible
    }

    /// Merges exported posts in one transaction.
    ///
    /// The later version of a post wins, and the marks of both are kept.
    public func merge(_ posts: [ExportedPost]) async throws -> MergeReport { try await store.merge(posts) }

    /// Deletes expired posts, except for saved and listed ones.
    ///
    /// Throws ``LibraryError/unknownSource(_:known:titles:)``, ``LibraryError/severalSources(_:names:)`` or a
    /// ``StoreError``.
    ///
    /// - Parameters:
    ///   - keep: how long to keep posts; nil for each source's own retention.
    ///   - common: the retention of sources without one of their own, if `keep` is nil; nil for ever.
    ///   - names: names, kinds or titles of sources; nil for all except those that are kept for ever.
    ///   - isDryRun: whether to count posts and bytes instead of deleting them.
    /// - Returns: a report for each source with expired posts.
    package func prune(
        keeping keep: Retention?, common: Retention? = nil, sources names: [String]?, isDryRun: Bool, at now: Date
    ) async throws -> [PruneReport] {
        var reports: [PruneReport] = []
        for (source, cutoff) in try await expiring(keep, common, names, at: now) {
            let (counts, bytes) =
                isDryRun
                ? try await store.prunable(source.key, before: cutoff)
                : (try await store.prune(source.key, before: cutoff, at: now), 0)
            if counts.posts + counts.comments > 0 { reports.append(PruneReport(source, counts, bytes: bytes)) }
        }
        return reports
    }

    /// How many posts are old enough for ``prune(keeping:common:sources:isDryRun:at:)``, whether or not it deletes them.
    package func countExpired(
        keeping keep: Retention?, common: Retention? = nil, sources names: [String]?, at now: Date
    ) async throws -> Int {
        var count = 0
        for (source, cutoff) in try await expiring(keep, common, names, at: now) {
            count += try await store.count(olderThan: cutoff, in: source.key)
        }
        return count
    }

    /// The sources whose posts expire, each with the date before which they have.
    private func expiring(
        _ keep: Retention?, _ common: Retention?, _ names: [String]?, at now: Date
    ) async throws -> [(source: StoredSource, cutoff: Date)] {
        try await sources(names).compactMap { source in
            if names == nil, source.keep == .forever { return nil }
            return (keep ?? source.keep ?? common)?.cutoff(at: now).map { (source, $0) }
        }
    }

    /// Whether a source has a finite retention of its own.
    package func hasRetention() async throws -> Bool {
        try await store.read { try Sources($0).all() }.contains { $0.keep?.cutoff(at: Date()) != nil }
    }

    /// Returns unused space to the file system; the result is how many unused bytes are left.
    package func reclaim() async throws -> Int { try await store.reclaim() }

    /// Whether no source is followed.
    package func followsNothing() async throws -> Bool {
        try await store.read { try Sources($0).listed() }.isEmpty
    }

    /// Whether a source that is followed has a name.
    package func hasSource(named name: String) async throws -> Bool {
        try await store.read { try Sources($0).followed() }.contains { $0.name == name }
    }

    package func shortIDs() async throws -> ShortIDs { ShortIDs(try await store.read { try Sources($0).names() }) }

    package var unreadable: [UnreadablePost] { get async { await store.unreadable } }

    private func sources(_ names: [String]?) async throws -> [StoredSource] {
        let all = try await store.read { try Sources($0).all() }
        guard let names else { return all }
        return try names.flatMap { name in
            let kind = SourceRegistry.kind(named: name)?.name
            let named = all.filter { $0.name == name }
            let found = named.isEmpty ? all.filter { kind != nil && $0.id.kind == kind } : named
            guard found.isEmpty else { return found }
            // A mistyped prefix must not delete posts of another source.
            guard let source = try SourceLookup.source(name, among: all, isExact: true) else {
                throw LibraryError.unknownSource(
                    name, known: all.compactMap(\.name), titles: all.compactMap(\.title))
            }
            return [source]
        }
    }
}

/// The posts deleted from a source, or those that would be in a dry run.
public struct PruneReport: Sendable {
    /// The source.
    public let source: SourceID
    /// Its name; nil if it was never followed.
    public let name: String?
    /// The number of posts.
    public let posts: Int
    /// The number of comments.
    public let comments: Int
    /// Their approximate size in bytes; 0 unless it is a dry run.
    public let bytes: Int

    init(_ source: StoredSource, _ counts: PruneCounts, bytes: Int) {
        self.source = source.id
        name = source.name
        posts = counts.posts
        comments = counts.comments
        self.bytes = bytes
    }
}
