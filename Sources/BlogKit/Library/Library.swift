import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// The sources that the user follows, and the store of everything fetched from them and others.
///
/// Every list, search and sync is a query over a ``Scope`` to one store, refreshed from the sources just before. A body
/// is fetched only when it is read. A process needs only one library.
public struct Library: Sendable {
    let store: PostStore
    private let client: HTTPClient
    /// The source that is read if none is followed.
    public let defaultSource: SourceID
    let freshness: Freshness
    var clock: WallClock { client.clock }
    package let pictures: PictureCache
    let links: LinkRequests

    /// Opens a store.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - storePath: the store's file, created if needed.
    ///   - isReadOnly: whether to open an existing store read-only.
    ///   - defaultSource: the source that is read if none is followed; nil for the blog API at http://localhost:8106.
    ///   - freshness: when requests are sent.
    ///   - timeout: how long a server may send nothing, in seconds.
    ///   - netrcPath: a file with logins by host; only its `machine` lines are used; nil for none.
    ///   - photoKey: the API key for photo servers, which is never stored or sent elsewhere; nil for none.
    ///   - transport: sends the requests.
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
            clock: WallClock(now: now), waits: store, observer: observer)
        self.init(store: store, client: client, defaultSource: defaultSource, freshness: freshness)
    }

    package init(
        store: PostStore, client: HTTPClient, defaultSource: SourceID? = nil, freshness: Freshness = .normal
    ) {
        self.store = store
        self.client = client
        self.defaultSource = defaultSource ?? Self.builtInSource
        self.freshness = freshness
        links = LinkRequests(client: client, place: SourceLocator(store: store, client: client).place)
        pictures = PictureCache(
            folder: store.path.isEmpty ? nil : PictureFolder.path(besideStore: store.path), links: links,
            freshness: freshness)
    }

    /// The API at the address of the mock server.
    private static var builtInSource: SourceID {
        SourceRegistry.standard.source(at: nil) ?? SourceID(kind: SourceRegistry.standard.name, address: "")
    }

    /// This library with some parts replaced.
    func copy(store: PostStore? = nil, client: HTTPClient? = nil, freshness: Freshness? = nil) -> Library {
        Library(
            store: store ?? self.store, client: client ?? self.client, defaultSource: defaultSource,
            freshness: freshness ?? self.freshness)
    }

    /// This library without requests.
    package var offline: Library { copy(freshness: .offline) }

    /// This library with requests for everything that may have changed.
    package var refreshing: Library { copy(freshness: .refresh) }

    /// This library without the user's API keys, for servers that aren't identified yet.
    var anonymous: Library { copy(client: client.withoutKeys) }

    /// Why nothing more is stored; nil while the store works.
    public var storeNotice: StoreNotice? {
        get async { await store.notice }
    }

    /// Posts that couldn't be read from the store so far; they are skipped.
    public var unreadablePosts: [UnreadablePost] {
        get async { await store.unreadable }
    }

    func now() -> Date { clock.now() }

    /// A source, ready for requests; nil if its kind is unknown.
    func source(_ source: SourceID) -> (any Source)? { SourceRegistry.make(source, client) }

    /// The reader of one source.
    ///
    /// Throws ``LibraryError/unknownKind(_:)``.
    ///
    /// - Parameter activity: follows its requests.
    func reader(of source: SourceID, recording activity: ServerActivity? = nil) throws -> SourceReader {
        guard let source = SourceRegistry.make(source, client.recording(activity)) else {
            throw LibraryError.unknownKind(source)
        }
        return reader(of: source)
    }

    func reader(of source: any Source) -> SourceReader {
        SourceReader(source: source, store: store, freshness: freshness, clock: clock)
    }

    /// Requests a page or a feed.
    ///
    /// - Parameter source: the address that the user typed, whose server may get a login; nil for a link in a page.
    func request(_ url: URL, ofSourceAt source: URL?, options: RequestOptions) async throws -> HTTPResponse {
        try await (source.map { client.forSource(at: $0) } ?? client)
            .getWhole(url, options: options, limit: HTTPLimits.feedBytes)
    }

    /// Requests a web page whose address the user typed.
    func request(page url: URL, validators: CacheValidators? = nil) async throws -> HTTPResponse {
        try await client.getWhole(
            url, options: .page, validators: validators, limit: HTTPLimits.pageBytes, wants: WebPage.isWanted)
    }

    /// Whether a source at one address may be followed at another, given by a server or a page.
    func mayFollow(_ url: URL, insteadOf typed: URL) -> Bool { client.mayMove(from: typed, to: url) }

    /// The sources of a scope.
    ///
    /// Throws ``LibraryError/emptyFolder(_:)`` or a ``StoreError``.
    public func sourceIDs(in scope: Scope) async throws -> [SourceID] { try await resolve(scope).sources }

    /// Looks up the sources of a scope, which a command does once.
    ///
    /// Throws what ``sourceIDs(in:)`` throws.
    package func resolve(_ scope: Scope) async throws -> ResolvedScope {
        var (named, followed) = ([defaultSource], [StoredSource]())
        switch scope {
        case .sources(let sources): named = sources
        case .folder(let folder):
            followed = try await store.followedSources(in: FolderPath(folder).text)
            guard !followed.isEmpty else { throw LibraryError.emptyFolder(folder) }
        case .everything:
            followed = try await store.followedSources()
            // Following only single pages doesn't replace the default source.
            if followed.allSatisfy({ $0.id.isPageSource }) {
                followed += try await store.sources([defaultSource]).filter { !$0.isFollowed }
            }
        }
        let isNamed = followed.isEmpty
        var stored = SourceScope(isNamed ? try await store.sources(named) : followed)
        for source in stored.sources {
            let kind = SourceRegistry.kinds.first { $0.name == source.id.kind }
            if let section = kind?.capabilities.sections.first { stored.frontPages[source.key] = section }
        }
        return ResolvedScope(scope: scope, sources: isNamed ? named : followed.map(\.id), stored: stored)
    }

    /// The scope, looked up again if it has a source that wasn't stored then.
    func current(_ scope: ResolvedScope) async throws -> ResolvedScope {
        scope.stored.sources.count == scope.sources.count ? scope : try await resolve(scope.scope)
    }

    /// The states of the sources of a scope that are stored.
    func stored(in scope: Scope) async throws -> SourceScope { try await resolve(scope).stored }

    /// The stored source at an address, preferably a followed one; nil if there is none.
    package func knownSource(at address: String) async throws -> SourceID? {
        let sources = try await store.sources(at: SourceAddress.spellings(address))
        return (sources.first(where: \.isFollowed) ?? sources.first)?.id
    }

    /// Whether a source is followed, or is the default one.
    func isRead(_ source: SourceID) async throws -> Bool {
        if source == defaultSource { return true }
        return try await store.source(source)?.isFollowed == true
    }

    /// The titles of the followed sources that have one.
    package func titles() async throws -> [SourceID: String] { try await store.titles() }

    /// The length in characters of the longest numbered ID in a scope; 0 if none is numbered.
    package func widestID(in scope: ResolvedScope) async throws -> Int { try await store.widestID(in: scope.stored) }

    /// The prefixes of post IDs.
    public func typedIDs() async throws -> TypedIDs {
        TypedIDs(try await store.sourceNames())
    }
}

/// The sources of a scope, and their stored states when they were looked up.
package struct ResolvedScope: Sendable {
    package let scope: Scope
    package let sources: [SourceID]
    /// The sources that are stored.
    let stored: SourceScope

    /// The combined capabilities of the sources.
    package var capabilities: Capabilities { Capabilities(of: sources) }

    /// The sources as messages name them: "The Tidewater Reader", "http://localhost:8106", "12 sources".
    package var place: String {
        guard sources.count == 1 else { return "\(sources.count) sources" }
        let source = stored.sources.first
        return source?.title ?? (source?.isFollowed == true ? source?.name : nil) ?? sources[0].address
    }

    /// The title of a list of them: "The Tidewater Reader", "localhost:8106", "12 sources", or the folder's name.
    package var title: String {
        if case .folder(let name) = scope { return name }
        return String(place.trimmingPrefix(#/https?:\/\//#))
    }
}

extension Capabilities {
    /// The combined capabilities of some sources.
    package init(of sources: [SourceID]) {
        let kinds = Set(sources.map(\.kind))
        self = Capabilities.union(
            SourceRegistry.kinds.filter { kinds.contains($0.name) }.map(\.capabilities), areSeveral: sources.count != 1)
    }
}

/// When requests are sent.
public enum Freshness: Sendable {
    /// A list whenever it isn't fresh, a body or picture only once.
    case normal
    /// Always, even if the stored copy is fresh.
    case refresh
    /// Never.
    case offline
}

/// Why an operation failed.
///
/// Its `localizedDescription` is a sentence for people.
public enum LibraryError: Error, Sendable {
    /// No source or kind has this name; `known` are the names and `titles` the titles that exist.
    case unknownSource(String, known: [String], titles: [String] = [])
    /// The names or titles of several sources start like this; `names` are those sources.
    case severalSources(String, names: [String])
    /// No followed source has this name; `known` are the names that exist.
    case notFollowed(String, known: [String])
    /// The folder contains no followed source.
    case emptyFolder(String)
    /// The kind of the source is unknown; it may belong to another version of the library.
    case unknownKind(SourceID)
    /// The text isn't an http or https address.
    case badAddress(String)
    /// The text can't be the name of a source; `reason` ends the sentence "the name …".
    case badName(String, reason: String)
    /// The address leads to something that can't be followed; `found` ends the sentence "that is …".
    case notASource(URL, found: String)
    /// The source can't be reached, and nothing of it is stored.
    case unreachable(HTTPError)
    /// Requests are off, and nothing of the source is stored.
    case nothingStored(URL)
    /// Requests are off, and only single posts of the source are stored, not its list.
    case listNotStored(URL)
    /// Requests are off, and this post isn't stored.
    case postNotStored(id: String, URL)
    /// Requests are off, and only the metadata of this post is stored.
    case bodyNotStored(id: String, URL)
    /// The source can't be reached, and only the metadata of this post is stored.
    case bodyUnreachable(id: String, HTTPError)
    /// Several sources have a post with this ID; `candidates` are its unambiguous IDs.
    case ambiguous(String, candidates: [String])
    /// The ID consists only of the name of a source.
    case missingID(String)
    /// The post is from the default source, which isn't read any more because others are followed.
    case formerDefault(String, SourceID)
    /// A search filter has an invalid value; `expected` describes the valid ones.
    case badFilter(String, value: String, expected: String)
    /// A search filter is part of an expression: with `OR` or `NOT`, after a dash, or in parentheses.
    case combinedFilter(String)
    /// The word resembles a reference to posts such as `latest:3`, but isn't one.
    case badReference(String)
    /// The ID is `last`, but no post has been read yet, or it was deleted.
    case nothingRead
    /// None of several sources has a post with this ID; `known` are the names that IDs start with.
    case noSuchPost(String, known: [String] = [])
}
