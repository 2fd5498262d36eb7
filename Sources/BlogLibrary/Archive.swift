import Essentials
import Model
import Store

/// The store as a whole: facts, checks, export and import.
///
/// Every function throws a ``StoreError``.
public struct Archive: Sendable {
    let store: PostStore
    /// The store's file.
    public let path: String

    /// The store at a path, created if needed.
    public init(path: String) throws {
        self.path = path
        store = try PostStore(path: path)
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

    /// Facts about the store's file.
    public func facts() async throws -> StoreFacts { try await store.facts() }

    /// The number of stored pictures, and their bytes.
    package var pictures: (count: Int, bytes: Int) { pictureFolder.facts }

    /// Removes the stored pictures; they are fetched again when they are next needed.
    package func clearPictures() { pictureFolder.clear() }

    private var pictureFolder: PictureFolder {
        PictureFolder(path: PictureFolder.path(besideStore: path), maxBytes: PictureCache.maxBytes)
    }

    /// Whether there is anything at a path.
    public static func exists(at path: String) throws -> Bool {
        try StoreError.mapped(path) { try StoreFile(path: path).exists() }
    }

    /// The problems of the store and its search index; empty if it is sound.
    public func check() async throws -> [String] { try await store.check() }

    /// What ``check()`` says that ``vacuum()`` mends.
    public static let mendable: Set = [PostStore.unsoundIndex, PostStore.unsoundCounts, PostStore.unsoundNumbers]

    /// Frees unused space.
    public func vacuum() async throws { try await store.vacuum() }

    /// Every post with its state, in an order that depends on nothing but the posts.
    ///
    /// Of a damaged store it is whatever can be found; posts that SQLite can't read come last.
    public func export() async throws -> ExportedPosts {
        // A store too damaged for a second connection is read as far as the first one can.
        let snapshot = (try? await store.snapshot()) ?? store
        return ExportedPosts(
            store: snapshot, recovery: PageRecovery(path: path, store: store), keys: try await snapshot.exportKeys())
    }

    /// The sources and the posts of the store at a path, even if it is too damaged to be opened or checked.
    package static func export(
        at path: String
    ) async throws -> (sources: [ExportedSource], posts: ExportedPosts) {
        var store: PostStore?
        do {
            store = try PostStore(path: path)
        } catch let error as StoreError where [.notADatabase, .damaged].contains(error.reason) {}
        let recovery = PageRecovery(path: path, store: store)
        // A file without a post or a source on any page isn't a store, or is beyond recovery.
        if store == nil, try await recovery.keys().isEmpty, try await recovery.sources().isEmpty {
            throw StoreError(path: path, reason: .beyondRecovery)
        }
        let lost = UnreadablePosts()
        if let opened = store { store = (try? await opened.snapshot()) ?? opened }
        let posts = ExportedPosts(
            store: store, recovery: recovery, keys: try await store?.exportKeys(), unreadable: lost)
        if let store {
            do {
                return (try await store.namedSources().compactMap { ExportedSource($0) }, posts)
            } catch let error as StoreError where error.reason != .busy {}
        }
        lost.addSources(try await recovery.lostSources())
        return (try await recovery.sources().compactMap { ExportedSource($0) }, posts)
    }

    /// Follows what an exported source says, unless it is followed already; one whose name another source has gets
    /// another.
    ///
    /// - Returns: whether anything changed.
    public func merge(_ source: ExportedSource) async throws -> Bool {
        let id = SourceID(kind: source.source, address: source.address)
        var request = FollowRequest(source.address)
        request.suggestedName = source.name
        return try await store.merge(source) { [request] isTaken in
            try SourceName.chosen(for: id, request, before: nil, isTaken: isTaken)
        }
    }

    /// Whether a source can be imported: of a kind that this program knows, at an address in the spelling under which
    /// posts are stored, followed at a plausible time.
    public static func accepts(_ source: ExportedSource) -> Bool {
        SourceRegistry.isKnown(SourceID(kind: source.source, address: source.address)) && source.isPlausible
            && source.site.map { SourceAddress.page($0) != nil } != false
    }

    /// Whether a post can be imported: of a source that this program knows, at an address in the spelling under which
    /// posts are stored, with plausible times.
    public static func accepts(_ post: ExportedPost) -> Bool {
        SourceRegistry.isKnown(SourceID(kind: post.source, address: post.address)) && post.isPlausible
    }

    /// Merges exported posts in one transaction.
    ///
    /// Of two versions of a post the later wins, and marks of both are kept.
    public func merge(_ posts: [ExportedPost]) async throws -> MergeReport { try await store.merge(posts) }

    /// Deletes expired posts, except for saved and listed ones.
    ///
    /// Throws ``LibraryError/unknownSource(_:known:titles:)``, ``LibraryError/severalSources(_:names:)`` or a
    /// ``StoreError``.
    ///
    /// - Parameters:
    ///   - keep: how long posts are kept; nil for as long as each source says.
    ///   - common: how long posts are kept of sources without a retention of their own, if `keep` is nil; nil for ever.
    ///   - names: the sources, by their names, those of their kinds, or their titles; nil for all but those whose
    ///     posts are kept for ever.
    ///   - isDryRun: whether nothing is deleted, and bytes are counted.
    /// - Returns: a report for each source of which something was deleted, or would be.
    package func prune(
        keeping keep: Retention?, common: Retention? = nil, sources names: [String]?, isDryRun: Bool, at now: Date
    ) async throws -> [PruneReport] {
        var reports: [PruneReport] = []
        for source in try await sources(names) {
            if names == nil, source.keep == .forever { continue }
            guard let cutoff = (keep ?? source.keep ?? common)?.cutoff(at: now) else { continue }
            let (counts, bytes) =
                isDryRun
                ? try await store.prunable(source.key, before: cutoff)
                : (try await store.prune(source.key, before: cutoff, at: now), 0)
            if counts.posts + counts.comments > 0 { reports.append(PruneReport(source, counts, bytes: bytes)) }
        }
        return reports
    }

    /// Whether a source says how long its posts are kept.
    package func hasRetention() async throws -> Bool {
        try await store.sources().contains { $0.keep?.cutoff(at: Date()) != nil }
    }

    /// Gives unused space back to the disk, and returns how many bytes of it are left.
    package func reclaim() async throws -> Int { try await store.reclaim() }

    /// The prefixes of post IDs.
    package func typedIDs() async throws -> TypedIDs { TypedIDs(try await store.sourceNames()) }

    /// Posts that could not be read so far.
    package var unreadable: [UnreadablePost] { get async { await store.unreadable } }

    private func sources(_ names: [String]?) async throws -> [StoredSource] {
        let all = try await store.sources()
        guard let names else { return all }
        return try names.flatMap { name in
            let kind = SourceRegistry.kind(named: name)?.name
            let named = all.filter { $0.name == name }
            let found = named.isEmpty ? all.filter { kind != nil && $0.id.kind == kind } : named
            guard found.isEmpty else { return found }
            // With a mistyped beginning, posts would be deleted of a source that nobody named.
            guard let source = try SourceTitles.source(name, among: all, isWhole: true) else {
                throw LibraryError.unknownSource(
                    name, known: all.compactMap(\.name), titles: all.compactMap(\.title))
            }
            return [source]
        }
    }
}

/// What was deleted of a source, or would be.
public struct PruneReport: Sendable {
    /// The source.
    public let source: SourceID
    /// Its name; nil if it was never followed.
    public let name: String?
    /// How many posts.
    public let posts: Int
    /// How many comments on them.
    public let comments: Int
    /// About how many bytes they take; 0 unless it is a dry run.
    public let bytes: Int

    init(_ source: StoredSource, _ counts: PruneCounts, bytes: Int) {
        self.source = source.id
        name = source.name
        posts = counts.posts
        comments = counts.comments
        self.bytes = bytes
    }
}
