import Foundation

/// The store as a whole: what is in it, whether it is sound, and how it travels.
///
/// Every function throws a ``StoreError``.
public struct Archive: Sendable {
    private let store: PostStore
    /// The store's file.
    public let path: String

    /// The store at a path, made where there is none.
    public init(path: String) throws {
        self.path = path
        store = try PostStore(path: path)
    }

    /// Why nothing more is kept; nil as long as it is.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// Every source of which something is stored, and the one that is asked without further words.
    ///
    /// - Parameters:
    ///   - name: the source's name; nil for the default.
    ///   - address: its address; nil for the source's own.
    public func sources(with name: String?, at address: String?) async throws -> [SourceState] {
        let stored = try await store.sources()
        let entry = name.flatMap(SourceRegistry.entry) ?? SourceRegistry.entries[0]
        guard let url = SourceAddress.url(address ?? entry.defaultAddress)?.absoluteString else {
            throw ReaderError.badAddress(address ?? entry.defaultAddress)
        }
        let isStored = stored.contains { $0.name == entry.name && $0.address == url }
        let all = stored + (isStored ? [] : [SourceState(name: entry.name, address: url)])
        return all.map { source in
            var source = source
            source.isKnown = SourceRegistry.isKnown(source.name, at: source.address)
            return source
        }.sorted { ($0.name, $0.address) < ($1.name, $1.address) }
    }

    /// What the store's file is like.
    public func facts() async throws -> StoreFacts { try await store.facts() }

    /// Whether something is at a path, be it a store or not.
    public static func exists(at path: String) throws -> Bool {
        try StoreError.mapped(path) { try StoreFileCheck(path: path).exists() }
    }

    /// What SQLite finds wrong with the store, and with the index of words; empty where it is sound.
    public func check() async throws -> [String] { try await store.check() }

    /// What ``check()`` says that ``vacuum()`` mends.
    public static let mendable: Set = [PostStore.unsoundIndex, PostStore.unsoundCounts]

    /// Gives unused space back to the disk.
    public func vacuum() async throws { try await store.vacuum() }

    /// Every post with its state, in an order that depends on nothing but the posts.
    ///
    /// Of a damaged store it is what can be read.
    public func export() async throws -> ExportedPosts {
        let (keys, areExact) = try await store.exportKeys()
        return ExportedPosts(store: store, keys: keys, areExact: areExact)
    }

    /// Whether a post can be taken in: of a source that this program knows, at an address in the spelling under which
    /// posts are stored, with plausible times.
    public static func accepts(_ post: ExportedPost) -> Bool {
        SourceRegistry.isKnown(post.source, at: post.address) && post.isPlausible
    }

    /// Takes exported posts in, all of them or none.
    ///
    /// What is stored is kept: of two versions of a post the later stands, and a mark in either stays.
    public func merge(_ posts: [ExportedPost]) async throws -> MergeReport { try await store.merge(posts) }
}
