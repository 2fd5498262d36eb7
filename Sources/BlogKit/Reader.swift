import Foundation

/// The face of the library: answers queries about one source, reads its posts, and keeps all it sees.
///
/// Every list is a query to the store, refreshed from the source just before; a body is fetched only when it is asked
/// for. Only here and in its extensions do the stages of the program meet.
public struct Reader: Sendable {
    let source: AnySource
    let store: PostStore
    let address: BlogAddress
    let freshness: Freshness
    let now: @Sendable () -> Date

    /// A reader of one source.
    ///
    /// Throws ``ReaderError/unknownSource(_:known:)``, ``ReaderError/badAddress(_:)`` or a ``StoreError``.
    ///
    /// - Parameters:
    ///   - source: the source's name; nil for the default, the blog API.
    ///   - address: the http or https address to ask; nil for the source's own.
    ///   - storePath: the file that keeps what is seen; made where there is none.
    ///   - isReadOnly: whether the store is only read, where there is one, and takes nothing.
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - observer: is told what requests are doing.
    ///   - transport: carries the requests.
    package init(
        source: String? = nil, address: String? = nil, storePath: String, isReadOnly: Bool = false,
        freshness: Freshness = .normal, timeout: TimeInterval = 30, transport: any Transport,
        observer: @escaping HTTPObserver = { _ in }
    ) throws {
        let name = source ?? SourceRegistry.entries[0].name
        guard let entry = SourceRegistry.entry(named: name) else {
            throw ReaderError.unknownSource(name, known: SourceRegistry.entries.map(\.name))
        }
        let text = address ?? entry.defaultAddress
        guard let url = SourceAddress.url(text) else { throw ReaderError.badAddress(text) }
        let store = isReadOnly ? try PostStore(reading: storePath) : try PostStore(path: storePath)
        let client = HTTPClient(transport: transport, timeout: timeout, waits: store, observer: observer)
        self.init(source: entry.make(url, client), name: entry.name, store: store, freshness: freshness)
    }

    package init(
        source: AnySource, name: String, store: PostStore, freshness: Freshness = .normal,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.source = source
        self.store = store
        self.address = BlogAddress(source: name, address: source.base.address.absoluteString)
        self.freshness = freshness
        self.now = now
    }

    /// The name of the source.
    public var sourceName: String { address.source }

    /// The address that is asked.
    public var url: URL { source.base.address }

    /// The names of the source's lists, the usual one first; none where it has but one.
    public var sections: [String] {
        switch source {
        case .list: []
        case .items(let source): type(of: source).sections
        }
    }

    /// The page on the web where people discuss a post, where the source has discussions.
    public func page(of id: String) -> URL? {
        switch source {
        case .list: nil
        case .items(let source): source.page(of: id)
        }
    }

    /// Why nothing more is kept; nil as long as it is.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// The posts that a query asks for, after the list was refreshed.
    ///
    /// Throws ``ReaderError/unreachable(_:)`` or ``ReaderError/nothingStored(_:)`` where there is nothing to show, an
    /// ``HTTPError`` or ``SourceError`` where the server failed and nothing is stored, or a ``StoreError``.
    public func list(_ query: Query) async throws -> PostList {
        guard case .list(let source) = source else { return try await rankedList(query) }
        let refresh = try await refresh(from: source)
        guard let blog = try await store.blog(address) else { throw ReaderError.nothingStored(url) }
        return PostList(refresh: refresh, list: try await store.openList(query, of: blog), store: store)
    }

    /// The stored posts that have the words of a query, without asking the server.
    ///
    /// Posts that were stored since the last search are indexed first.
    ///
    /// Throws ``ReaderError/nothingStored(_:)`` where there is nothing to search, or a ``StoreError``.
    ///
    /// - Parameter indexed: is told how many posts were indexed since it was told last.
    public func search(_ query: Query, indexed: @Sendable (Int) async -> Void = { _ in }) async throws -> PostList {
        guard let blog = try await store.blog(address) else { throw ReaderError.nothingStored(url) }
        try await index(indexed)
        let refresh = RefreshReport(.notAsked(storedAt: blog.refreshedAt))
        return PostList(refresh: refresh, list: try await store.openList(query, of: blog), store: store)
    }

    /// Brings the index up to date, as far as nobody else is writing for long.
    func index(_ indexed: @Sendable (Int) async -> Void = { _ in }) async throws {
        do {
            while case let count = try await store.indexMore(), count > 0 { await indexed(count) }
        } catch let error as StoreError where error.reason == .busy {}
    }

    /// The names of all authors in the stored list, in no order.
    public func authors() async throws -> [String] {
        guard let blog = try await store.blog(address) else { return [] }
        return try await store.authors(of: blog)
    }

    /// How many posts of the list are stored without their bodies.
    public func missingBodies() async throws -> Int {
        try await store.missingBodies(of: address)
    }
}
