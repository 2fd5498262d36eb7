import Essentials
import HTTP
import Model
import Store

/// The sources that the user follows, and everything fetched from them or others.
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
    /// Requests what posts link to.
    let links: LinkRequests

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
        links = LinkRequests(client: client, place: SourceNetworks(store: store, client: client, now: now).place)
        pictures = PictureCache(
            folder: store.path.isEmpty ? nil : PictureFolder.path(besideStore: store.path), links: links,
            requests: freshness.pictureRequests)
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

    /// The same library, which always requests what may have changed.
    package var refreshing: Library {
        Library(store: store, client: client, defaultSource: defaultSource, freshness: .refresh, now: now)
    }

    /// Why nothing more is stored; nil while the store works.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// Posts in the store that could not be read so far; everything else goes on without them.
    public var unreadablePosts: [UnreadablePost] {
        get async { await store.unreadable }
    }

    /// The same library without the user's keys, for servers that aren't identified yet.
    var anonymous: Library {
        Library(
            store: store, client: client.withoutKeys, defaultSource: defaultSource, freshness: freshness, now: now)
    }

    /// A source, ready for requests; nil for a kind that only another version of the library knows.
    func source(_ source: SourceID) -> (any Source)? { SourceRegistry.make(source, client) }

    /// Reads one source.
    ///
    /// Throws ``LibraryError/unknownKind(_:)``.
    ///
    /// - Parameters:
    ///   - feed: the source's feed, if it has just been received; nil to request it.
    ///   - watch: observes its requests.
    func reader(
        of source: SourceID, received feed: HTTPResponse? = nil, watch: ServerWatch? = nil
    ) throws -> SourceReader {
        var made = SourceRegistry.make(source, client.watched(by: watch))
        if let feed, let requested = made as? FeedSource { made = requested.receiving(feed) }
        guard let made else { throw LibraryError.unknownKind(source) }
        return SourceReader(source: made, store: store, freshness: freshness, now: now)
    }

    /// Requests a page or a feed.
    ///
    /// - Parameter source: the address that somebody typed, whose server may be sent a login; nil for an address that a
    ///   page names.
    func request(_ url: URL, ofSourceAt source: URL?, options: RequestOptions) async throws -> HTTPResponse {
        try await (source.map { client.forSource(at: $0) } ?? client)
            .getWhole(url, options: options, limit: HTTPLimits.feedBytes)
    }

    /// Requests a web page that somebody named.
    func request(page url: URL, validators: CacheValidators? = nil) async throws -> HTTPResponse {
        try await client.getWhole(
            url, options: .page, validators: validators, limit: HTTPLimits.pageBytes, wants: WebPage.isWanted)
    }

    /// Whether a source that was requested at one address may be followed at another, which a server or a page names.
    func mayFollow(_ url: URL, insteadOf typed: URL) -> Bool { client.mayMove(from: typed, to: url) }

    /// The sources of a scope.
    ///
    /// Throws ``LibraryError/emptyFolder(_:)`` or a ``StoreError``.
    public func sourceIDs(in scope: Scope) async throws -> [SourceID] { try await resolve(scope).sources }

    /// The sources of a scope, and their stored state.
    ///
    /// Throws what ``sourceIDs(in:)`` throws.
    func resolve(_ scope: Scope) async throws -> (sources: [SourceID], stored: SourceScope) {
        var (named, followed) = ([defaultSource], [StoredSource]())
        switch scope {
        case .sources(let sources): named = sources
        case .folder(let folder):
            followed = try await store.followedSources(in: FolderPath(folder).text)
            guard !followed.isEmpty else { throw LibraryError.emptyFolder(folder) }
        case .everything:
            followed = try await store.followedSources()
            // Who only keeps pages still has the default source.
            if followed.allSatisfy({ $0.id.isOfPages }) {
                followed += try await store.sources([defaultSource]).filter { !$0.isFollowed }
            }
        }
        let isNamed = followed.isEmpty
        var stored = SourceScope(isNamed ? try await store.sources(named) : followed)
        for source in stored.sources {
            let kind = SourceRegistry.kinds.first { $0.name == source.id.kind }
            if let section = kind?.capabilities.sections.first { stored.frontPages[source.key] = section }
        }
        return (isNamed ? named : followed.map(\.id), stored)
    }

    /// The stored state of the sources of a scope, without those that aren't stored.
    func stored(in scope: Scope) async throws -> SourceScope { try await resolve(scope).stored }

    /// The capabilities of the sources of a scope together.
    package func capabilities(in scope: Scope) async throws -> Capabilities {
        let sources = try await sourceIDs(in: scope)
        let kinds = Set(sources.map(\.kind))
        return Capabilities.union(
            SourceRegistry.kinds.filter { kinds.contains($0.name) }.map(\.capabilities), areSeveral: sources.count != 1)
    }

    /// The source that is stored for an address, a followed one first; nil if there is none.
    package func knownSource(at address: String) async throws -> SourceID? {
        let sources = try await store.sources(at: SourceAddress.spellings(address))
        return (sources.first(where: \.isFollowed) ?? sources.first)?.id
    }

    /// Whether a source is followed, or is the one that is read if none is.
    func isRead(_ source: SourceID) async throws -> Bool {
        if source == defaultSource { return true }
        return try await store.source(source)?.isFollowed == true
    }

    /// The titles of followed sources, without those that have none.
    package func titles() async throws -> [SourceID: String] { try await store.titles() }

    /// How many characters the longest id of the numbered posts in a scope has; 0 where none is numbered.
    package func widestID(in scope: Scope) async throws -> Int { try await store.widestID(in: stored(in: scope)) }

    /// The prefixes of post IDs.
    public func typedIDs() async throws -> TypedIDs {
        TypedIDs(try await store.sourceNames())
    }
}

/// When requests are sent.
public enum Freshness: Sendable {
    /// A list each time unless it is fresh, a body once.
    case normal
    /// Always, even if the stored copy is fresh.
    case refresh
    /// Never.
    case offline

    /// When pictures are requested, which don't change.
    var pictureRequests: PictureCache.Requests {
        switch self {
        case .normal: .once
        case .refresh: .always
        case .offline: .never
        }
    }
}

/// Why an operation failed.
///
/// Its `localizedDescription` is a sentence for people.
public enum LibraryError: Error, Sendable {
    /// Nothing that is followed, and no kind of source, has this name; `known` are those that do, and `titles` what
    /// they are called besides.
    case unknownSource(String, known: [String], titles: [String] = [])
    /// Several sources, which have these names, have a name or a title that begins so.
    case severalSources(String, names: [String])
    /// Nothing that is followed has this name; `known` are those that do.
    case notFollowed(String, known: [String])
    /// No source that is followed is in this folder.
    case emptyFolder(String)
    /// The source is of an unknown kind, perhaps of another version of the library.
    case unknownKind(SourceID)
    /// The text isn't an http or https address.
    case badAddress(String)
    /// The text can't be the name of a source; `reason` ends the sentence "the name …".
    case badName(String, reason: String)
    /// The address can be requested, but is nothing that can be followed; `found` ends the sentence "that is …".
    case notASource(URL, found: String)
    /// The source can't be reached and nothing of it is stored.
    case unreachable(HTTPError)
    /// Requests are off and nothing of the source is stored.
    case nothingStored(URL)
    /// Requests are off and the source's list is not stored, only single posts.
    case listNotStored(URL)
    /// Requests are off and this post is not stored.
    case postNotStored(id: String, URL)
    /// Requests are off, and only the metadata of this post is stored.
    case bodyNotStored(id: String, URL)
    /// The source can't be reached, and only the metadata of this post is stored.
    case bodyUnreachable(id: String, HTTPError)
    /// Several sources have a post of this id; `candidates` tell them apart.
    case ambiguous(String, candidates: [String])
    /// The id names a source, but none of its posts.
    case missingID(String)
    /// The post is one of the source that is read while nothing is followed, and something is followed now.
    case formerDefault(String, SourceID)
    /// A filter of a search has no such value; `expected` are those it has.
    case badFilter(String, value: String, expected: String)
    /// The word looks like one that refers to posts, as `latest:3` does, but isn't.
    case badReference(String)
    /// The id is `last`, but no post was read yet, or the one that was is deleted.
    case nothingRead
    /// None of several sources has a post of this id; `known` are the names that ids begin with.
    case noSuchPost(String, known: [String] = [])
}
