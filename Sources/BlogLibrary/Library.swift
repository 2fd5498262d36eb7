import Foundation
import HTTP
import Model
import Store

/// The sources that the user follows, and everything that was fetched from them or others.
///
/// Every list, search and sync is a query over a ``Scope`` to one store, refreshed from the sources just before; a body
/// is fetched only when it is read. One library serves a whole process.
public struct Library: Sendable {
    let store: PostStore
    private let client: HTTPClient
    /// The source that is read if none is followed.
    public let defaultSource: SourceID
    let freshness: Freshness
    let now: @Sendable () -> Date
    /// How long a list waits for its sources.
    package var patience = Patience.list
    /// The pictures that posts name.
    package let pictures: PictureCache

    /// A library.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - storePath: the file of the store; created if needed.
    ///   - isReadOnly: whether an existing store is opened read-only.
    ///   - defaultSource: the source that is read if none is followed; nil for the blog API at http://localhost:8106.
    ///   - freshness: when requests are sent.
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - netrcPath: a file with logins by host, of which the `machine` lines are used; nil for none.
    ///   - photoKey: the key to send to servers of photos, and nowhere else; nil for none. It is never stored.
    ///   - transport: carries the requests.
    ///   - now: the clock.
    ///   - observer: receives the activity of requests.
    public init(
        storePath: String, isReadOnly: Bool = false, defaultSource: SourceID? = nil, freshness: Freshness = .normal,
        timeout: TimeInterval = 30, netrcPath: String? = nil, photoKey: String? = nil, transport: any Transport,
        now: @escaping @Sendable () -> Date = { Date() }, observer: @escaping HTTPObserver = { _ in }
    ) throws {
        let store = isReadOnly ? try PostStore(reading: storePath) : try PostStore(path: storePath)
        let netrc = netrcPath.map { Netrc(path: $0) } ?? .empty
        let client = HTTPClient(
            transport: transport, timeout: timeout, netrc: netrc, keys: QueryKeys([PhotoSource.keyName: photoKey]),
            waits: store, observer: observer)
        self.init(store: store, client: client, defaultSource: defaultSource, freshness: freshness, now: now)
    }

    package init(
        store: PostStore, client: HTTPClient, defaultSource: SourceID? = nil, freshness: Freshness = .normal,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.client = client
        self.defaultSource = defaultSource ?? Self.usualSource
        self.freshness = freshness
        self.now = now
        pictures = PictureCache(
            folder: store.path.isEmpty ? nil : PictureFolder.path(besideStore: store.path), client: client,
            requests: freshness.pictureRequests, place: SourcePlaces(store: store, client: client, now: now).place)
    }

    /// The default blog: where the mock server is.
    private static var usualSource: SourceID {
        SourceRegistry.kinds[0].source(at: nil) ?? SourceID(kind: SourceRegistry.kinds[0].name, address: "")
    }

    /// The same library with another store.
    func with(_ store: PostStore) -> Library {
        Library(store: store, client: client, defaultSource: defaultSource, freshness: freshness, now: now)
    }

    /// The same library without requests.
    package var offline: Library {
        Library(store: store, client: client, defaultSource: defaultSource, freshness: .offline, now: now)
    }

    /// Why nothing more is stored; nil while the store works.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// Posts in the store that could not be read so far; everything else goes on without them.
    public var unreadablePosts: [UnreadablePost] {
        get async { await store.unreadable }
    }

    /// The same without keys of people, for servers of which it is not known yet what they are.
    var anonymous: Library {
        Library(
            store: store, client: client.withoutKeys, defaultSource: defaultSource, freshness: freshness, now: now)
    }

    /// What can be done with a source; nil for one of a kind that only another version of the library knows.
    ///
    /// - Parameter watch: is told what comes of its requests.
    func source(_ id: SourceID, _ watch: ServerWatch? = nil) -> (any Source)? {
        SourceRegistry.make(id, client.watched(by: watch))
    }

    /// Reads one source.
    ///
    /// Throws ``LibraryError/unknownKind(_:)``.
    func reader(of id: SourceID, _ watch: ServerWatch? = nil) throws -> SourceReader {
        guard let source = source(id, watch) else { throw LibraryError.unknownKind(id) }
        return SourceReader(source: source, store: store, freshness: freshness, now: now)
    }

    /// The same for a feed that has just been received.
    func reader(of id: SourceID, received feed: HTTPResponse) throws -> SourceReader {
        guard let url = URL(string: id.address) else { throw LibraryError.badAddress(id.address) }
        let source = FeedSource(address: url, client: client.of(sourceAt: url), received: feed)
        return SourceReader(source: source, store: store, freshness: freshness, now: now)
    }

    /// Requests a page or a feed.
    ///
    /// - Parameter source: the address that somebody typed, whose server may be sent a login; nil for an address that a
    ///   page names.
    func request(_ url: URL, ofSourceAt source: URL?, options: RequestOptions) async throws -> HTTPResponse {
        try await (source.map { client.of(sourceAt: $0) } ?? client)
            .getWhole(url, options: options, limit: HTTPLimits.feedBytes)
    }

    /// Whether what was typed as one address may be followed at another that a server or a page names.
    func mayFollow(_ url: URL, insteadOf typed: URL) -> Bool { client.mayMove(from: typed, to: url) }

    /// The sources of a scope.
    ///
    /// Throws ``LibraryError/emptyFolder(_:)`` or a ``StoreError``.
    public func sourceIDs(in scope: Scope) async throws -> [SourceID] {
        switch scope {
        case .sources(let ids): return ids
        case .folder(let folder):
            let sources = try await store.followedSources(in: FolderPath(folder).text)
            guard !sources.isEmpty else { throw LibraryError.emptyFolder(folder) }
            return sources.map(\.id)
        case .everything:
            let sources = try await store.followedIDs()
            return sources.isEmpty ? [defaultSource] : sources
        }
    }

    /// What can be done with the sources of a scope together.
    package func capabilities(in scope: Scope) async throws -> Capabilities {
        let ids = try await sourceIDs(in: scope)
        let kinds = Set(ids.map(\.kind))
        return Capabilities.union(
            SourceRegistry.kinds.filter { kinds.contains($0.name) }.map(\.capabilities), areSeveral: ids.count != 1)
    }

    /// The source that is stored for an address, a followed one first; nil if there is none.
    package func knownSource(at address: String) async throws -> SourceID? {
        let sources = try await store.sources(at: SourceAddress.spellings(address))
        return (sources.first(where: \.isFollowed) ?? sources.first)?.id
    }

    /// Whether a source is followed, or is the one that is read if none is.
    func isRead(_ id: SourceID) async throws -> Bool {
        if id == defaultSource { return true }
        return try await store.source(id)?.isFollowed == true
    }

    /// What is stored of the sources of a scope, without those of which nothing is.
    func stored(in scope: Scope) async throws -> SourceScope {
        var stored = try await storedSources(in: scope)
        for source in stored.sources {
            let kind = SourceRegistry.kinds.first { $0.name == source.id.kind }
            if let section = kind?.capabilities.sections.first { stored.frontPages[source.key] = section }
        }
        return stored
    }

    private func storedSources(in scope: Scope) async throws -> SourceScope {
        switch scope {
        case .sources(let ids): return try await stored(ids)
        case .folder(let folder): return SourceScope(try await store.followedSources(in: FolderPath(folder).text))
        case .everything:
            let sources = try await store.followedSources()
            return sources.isEmpty ? try await stored([defaultSource]) : SourceScope(sources)
        }
    }

    /// The same of some sources.
    func stored(_ ids: [SourceID]) async throws -> SourceScope {
        SourceScope(try await store.sources(ids))
    }

    /// What the followed sources call themselves, or people call them; none of those without a title.
    package func titles() async throws -> [SourceID: String] { try await store.titles() }

    /// How many characters the longest id of the numbered posts in a scope has; 0 where none is numbered.
    package func widestID(in scope: Scope) async throws -> Int { try await store.widestID(in: stored(in: scope)) }

    /// The names and kinds that ids begin with.
    public func typedIDs() async throws -> TypedIDs {
        TypedIDs(try await store.sourceNames())
    }
}
