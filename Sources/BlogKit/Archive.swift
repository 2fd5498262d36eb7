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

    /// Every source of which something is stored, and the kinds of source at their own addresses.
    public func sources() async throws -> [SourceState] {
        let stored = try await store.sources()
        let others = SourceRegistry.entries.compactMap { entry -> SourceState? in
            guard let address = SourceAddress.url(entry.defaultAddress)?.absoluteString else { return nil }
            let isStored = stored.contains { $0.name == entry.name && $0.address == address }
            return isStored ? nil : SourceState(name: entry.name, address: address)
        }
        return (stored + others).sorted { ($0.name, $0.address) < ($1.name, $1.address) }
    }

    /// What the store's file is like.
    public func facts() async throws -> StoreFacts { try await store.facts() }

    /// What SQLite finds wrong with the store, and with the index of words; empty where it is sound.
    public func check() async throws -> [String] { try await store.check() }

    /// Gives unused space back to the disk.
    public func vacuum() async throws { try await store.vacuum() }

    /// Every post with its state, in an order that depends on nothing but the posts.
    public func export() async throws -> ExportedPosts {
        try await ExportedPosts(store: store, keys: store.exportKeys())
    }

    /// Takes exported posts in, all of them or none.
    ///
    /// What is stored is kept: of two versions of a post the later stands, and a mark in either stays.
    public func merge(_ posts: [ExportedPost]) async throws -> MergeReport { try await store.merge(posts) }
}
