import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// What a program does with the store that it opens.
public enum StoreAccess: Sendable {
    /// Reads, and stores what it fetches; where nothing can be stored, it works in memory, and ``Library/storeNotice`` says
    /// why.
    case reading
    /// Stores: a ``StoreError`` with ``StoreError/Reason/notStored(_:)`` is thrown as soon as nothing can be stored.
    case storing
    /// Only reads an existing store, and changes nothing.
    case existing
}

extension PostStore {
    init(opening path: String, for access: StoreAccess) throws {
        switch access {
        case .reading: try self.init(path: path)
        case .storing: try self.init(path: path, needsDisk: true)
        case .existing: try self.init(reading: path)
        }
    }
}

/// The sources that the user follows, and the store of everything fetched from them and others.
///
/// Every list, search and sync is a query over a ``Scope`` to one store, refreshed from the sources just before. A body
/// is fetched only when it is read. A process needs only one library.
public struct Library: Sendable {
    let connections: Connections
    /// The source that is read if none is followed.
    public let defaultSource: SourceID
    package let pictures: PictureCache
    private let links: LinkRequests

    /// Opens a store; throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - storePath: the store's file, created if needed.
    ///   - access: what is done with the store.
    ///   - defaultSource: the source that is read if none is followed; nil for the blog API at http://localhost:8106.
    ///   - freshness: when requests are sent.
    ///   - timeout: how long a server may send nothing, in seconds.
    ///   - netrcPath: a file with logins by host; only its `machine` lines are used; nil for none.
    ///   - logins: gives the logins of services, besides those in the file at `netrcPath`; nil for none.
    ///   - photoKey: the API key for photo servers, which is never stored or sent elsewhere; nil for none.
    ///   - transport: sends the requests.
    ///   - now: the clock.
    ///   - observer: receives the activity of requests.
    public init(
        storePath: String, access: StoreAccess = .reading, defaultSource: SourceID? = nil,
        freshness: Freshness = .normal,
        timeout: TimeInterval = 30, netrcPath: String? = nil, logins: ServiceLogins? = nil, photoKey: String? = nil,
        transport: any Transport,
        now: @escaping @Sendable () -> Date = { Date() }, observer: @escaping HTTPObserver = { _ in }
    ) throws {
        let store = try PostStore(opening: storePath, for: access)
        let client = HTTPClient(
            transport: transport, timeout: timeout, netrc: netrcPath.map { Netrc(path: $0) } ?? .empty,
            keys: QueryKeys([PhotoSource.keyName: photoKey]), clock: WallClock(now: now), waits: store,
            origins: store, observer: observer)
        // The user names it by an argument, in the environment or in the settings. The usual one, which the program names
        // itself, counts only as a source that is asked for: ``typing(_:)``.
        let typed = defaultSource.flatMap { SourceRegistry.isUsual($0) ? nil : URL(address: $0.address) }
        let usual =
            defaultSource == nil ? SourceRegistry.standard.source(at: nil).flatMap { URL(address: $0.address) } : nil
        self.init(
            store: store, client: client.typing(typed ?? usual), defaultSource: defaultSource, freshness: freshness,
            logins: logins)
    }

    package init(
        store: PostStore, client: HTTPClient, defaultSource: SourceID? = nil, freshness: Freshness = .normal,
        logins: ServiceLogins? = nil, commands: FeedCommands? = nil, interval: TimeInterval? = nil
    ) {
        connections = Connections(
            store: store, client: client, freshness: freshness, logins: logins, commands: commands, interval: interval)
        let standard = SourceRegistry.standard
        self.defaultSource = defaultSource ?? standard.source(at: nil) ?? SourceID(kind: standard.name, address: "")
        links = LinkRequests(client: client, place: SourceLocator(store: store, client: client).place)
        pictures = PictureCache(
            folder: store.path.isEmpty ? nil : PictureFolder.path(besideStore: store.path), links: links,
            freshness: freshness)
    }

    /// This library with an address that the user types now, of a source that need not be followed.
    package func typing(_ url: URL?) -> Library { with(connections.freshness, connections.client.typing(url)) }

    /// This library without requests.
    package var offline: Library { with(.offline) }
    /// This library with requests for everything that may have changed.
    package var refreshing: Library { with(.refresh) }

    /// This library with commands whose output is a feed.
    package func running(_ commands: FeedCommands?) -> Library {
        with(connections.freshness, commands: commands)
    }

    /// This library with another refresh interval of sources without one of their own, in seconds; nil for the usual one.
    package func refreshing(every interval: TimeInterval?) -> Library {
        with(connections.freshness, interval: interval)
    }

    /// This library with header fields of the user's, each for the sources at one origin.
    package func sending(_ headers: OwnHeaders) -> Library {
        with(connections.freshness, connections.client.sending(headers))
    }

    private func with(
        _ freshness: Freshness, _ client: HTTPClient? = nil, commands: FeedCommands? = nil,
        interval: TimeInterval? = nil
    ) -> Library {
        Library(
            store: store, client: client ?? connections.client, defaultSource: defaultSource, freshness: freshness,
            logins: connections.logins, commands: commands ?? connections.commands,
            interval: interval ?? connections.interval)
    }

    // MARK: Components

    private var store: PostStore { connections.store }
    private var scopes: ScopeResolver { ScopeResolver(store: store, defaultSource: defaultSource) }
    private var articles: ArticleFetching { ArticleFetching(connections: connections, links: links) }
    private var following: Following { Following(connections: connections, defaultSource: defaultSource) }
    private var refreshes: SourcesRefresh { SourcesRefresh(connections: connections) }
    /// Sources by their names and addresses.
    package var directory: SourceDirectory { SourceDirectory(connections: connections, defaultSource: defaultSource) }
    /// Lists and searches of a scope that was looked up.
    package var listing: PostListing { PostListing(connections: connections, scopes: scopes) }
    /// Searches that are kept under names.
    package var searches: SavedSearches { SavedSearches(connections: connections, listing: listing) }
    /// What is done with posts that searches find.
    package var rules: RuleSet { RuleSet(connections: connections, listing: listing) }
    /// Whether rules look at posts before these are listed.
    package var hasRules: Bool { get async throws { try await !store.read { try Rules($0).stored() }.isEmpty } }
    /// Why a list or a search is empty.
    package var emptyLists: EmptyListSearch { EmptyListSearch(listing: listing) }
    /// The date of the newest post of each source.
    package var latestDates: [SourceID: Date] {
        get async throws { try await store.read { try Sources($0).latestDates() } }
    }

    /// Posts by what users type.
    package var lookup: PostLookup { PostLookup(connections: connections, scopes: scopes, directory: directory) }
    /// Posts, or pages by their addresses.
    package var pages: PageReading { PageReading(connections: connections, lookup: lookup, articles: articles) }
    /// Posts with their bodies and articles.
    package var reading: PostReading { PostReading(connections: connections, fetching: articles) }
    /// Refreshes with the posts of rankings.
    package var fullRefresh: FullRefresh { FullRefresh(connections: connections, scopes: scopes) }
    /// Bodies for reading offline.
    package var syncing: Syncing { Syncing(connections: connections, scopes: scopes) }
    /// Older posts than the lists have.
    package var archives: ArchiveReading { ArchiveReading(connections: connections, links: links) }
    /// Linked articles for reading offline.
    package var articleSync: ArticleSync { ArticleSync(connections: connections, scopes: scopes, fetching: articles) }
    /// Pictures for reading offline.
    package var pictureSync: PictureSync {
        PictureSync(store: store, scopes: scopes, pictures: pictures, now: connections.now)
    }

    /// The path of the copy that was made of an older version of the store, before it was migrated; nil for none.
    package var copyOfOldVersion: String? { store.copyOfOldVersion }

    /// Why nothing more is stored; nil while the store works.
    public var storeNotice: StoreNotice? { get async { await store.notice } }

    /// Posts that couldn't be read from the store so far; they are skipped.
    public var unreadablePosts: [UnreadablePost] { get async { await store.unreadable } }

    /// Records that a hint is shown; true the first time in the store's life.
    package func takeHint(_ name: String) async -> Bool { (try? await store.takeHint(name)) == true }

    // MARK: Sources

    /// The sources of a scope; throws ``LibraryError/emptyFolder(_:)`` or a ``StoreError``.
    public func sourceIDs(in scope: Scope) async throws -> [SourceID] { try await resolve(scope).sources }

    /// Looks up the sources of a scope, which a command does once.
    package func resolve(_ scope: Scope) async throws -> ResolvedScope {
        try await store.expireRules(at: connections.now())
        return try await scopes.resolve(scope)
    }

    /// The sources of a scope with their state.
    public func sources(in scope: Scope = .everything) async throws -> [SourceState] {
        try await states(of: resolve(scope))
    }

    /// The sources of a scope that was looked up, and if that is everything, the saved searches; or its saved search.
    package func states(of scope: ResolvedScope) async throws -> [SourceState] { try await overview(of: scope).sources }

    /// ``states(of:)``, and how many unread posts their lists have.
    package func overview(of scope: ResolvedScope) async throws -> SourceOverview {
        if let list = scope.list {
            let kept = try await searches.all().filter { $0.id == list.id }
            return SourceOverview(sources: kept, unread: kept.first?.unread ?? 0, unreadByFolder: [:])
        }
        var overview = try await directory.overview(of: scope)
        if case .everything = scope.scope { overview.sources += try await searches.all() }
        return overview
    }

    /// Checks that the sources and folders in a search exist; throws ``LibraryError/badSearch(_:)``.
    package func check(_ search: Search) async throws { try await scopes.check(search) }

    /// The scope of sources by name, title or unique prefix, or of kinds, in `scope` or at their default address.
    ///
    /// Throws ``LibraryError/unknownSource(_:known:titles:)`` or ``LibraryError/severalSources(_:names:)``.
    public func scope(named names: [String], in scope: Scope = .everything) async throws -> Scope {
        try await directory.scope(named: names, in: scope)
    }

    // MARK: Following

    /// Follows the source at an address and fetches its list.
    ///
    /// Throws a ``LibraryError``, a ``FetchError`` if the server fails, or a ``StoreError``.
    public func follow(_ request: FollowRequest) async throws -> FollowReport { try await following.follow(request) }

    /// Follows the source at an address, as ``follow(_:)-(FollowRequest)`` does.
    public func follow(
        _ address: String, kind: String? = nil, as name: String? = nil, folder: String? = nil
    ) async throws -> FollowReport {
        try await follow(FollowRequest(address, kind: kind, name: name, folder: folder))
    }

    /// Follows several sources concurrently; the results, in order, are those of ``follow(_:)-(FollowRequest)``.
    public func follow(_ requests: [FollowRequest]) -> AsyncStream<Result<FollowReport, any Error>> {
        following.follow(requests)
    }

    /// The same, or lets a service follow them.
    ///
    /// - Parameter service: the name of a service that is followed; nil to follow them here.
    package func follow(
        _ requests: [FollowRequest], in service: String?
    ) async throws -> AsyncStream<Result<FollowReport, any Error>> {
        guard let service else { return follow(requests) }
        let results = try await ServiceFeeds(connections: connections).add(requests, to: service)
        await following.note(results.compactMap { try? $0.get() }.filter { $0.outcome == .followed }.map(\.source))
        return AsyncStream { continuation in
            for result in results { continuation.yield(result) }
            continuation.finish()
        }
    }

    /// Unfollows the source with a name or an address: its posts leave the lists; saved posts and all marks stay.
    ///
    /// Throws ``LibraryError/notFollowed(_:known:)`` or a ``StoreError``.
    public func unfollow(_ name: String) async throws -> SourceState { try await unfollow([name])[0].get() }

    /// Unfollows several sources, which one ``undo()`` takes back, and returns what came of each, in order.
    package func unfollow(_ names: [String]) async -> [Result<SourceState, any Error>] {
        await following.unfollow(names)
    }

    /// Unfollows a source, unless that was done before, and deletes its posts and marks, except for saved posts.
    public func forget(_ name: String) async throws -> PruneReport { try await following.forget(name) }

    /// How long a list of several sources waits for them.
    public static let listDeadline = Duration.seconds(Politeness.listDeadline)

    /// Refreshes several sources concurrently and returns their reports in the same order.
    ///
    /// With `onlyDue`, sources that were refreshed recently or are suspended after a failure are skipped. All of them
    /// together may take until the `deadline`; if it is nil, only the timeout of each server counts.
    public func refresh(
        _ sources: [SourceID], onlyDue: Bool = true, deadline: Duration? = listDeadline,
        observe: @escaping RefreshObserver = { _, _ in }
    ) async -> [SourceRefresh] {
        await refreshes.refresh(sources, onlyDue: onlyDue, deadline: deadline, observe: observe)
    }

    // MARK: Lists and searches

    /// The posts that match a query, after refreshing the sources that are due.
    ///
    /// A single source is refreshed unless its server has said that the list is still fresh, or that it is gone. If a
    /// refresh fails, or if one of several takes longer than five seconds, the stored posts are listed. If there are
    /// several sources, `refreshed` counts them.
    ///
    /// Throws ``LibraryError/unreachable(_:)`` or ``LibraryError/nothingStored(_:)`` if there is nothing to show, a
    /// ``FetchError`` if the only server failed and nothing is stored, or a ``StoreError``.
    public func list(
        _ query: Query, in scope: Scope = .everything, refreshed: @escaping RefreshObserver = { _, _ in }
    ) async throws -> PostList {
        try await listing.list(query, in: resolve(scope), refreshed: refreshed)
    }

    /// The next page of a stored list, without a request: `count` posts after a position, nil for the first page.
    public func page(
        _ query: Query, in scope: Scope = .everything, after position: ListPosition?, count: Int
    ) async throws -> [StoredPost] {
        try await listing.page(query, in: resolve(scope), after: position, count: count)
    }

    /// How many stored posts match a query, ignoring its limit, without a request; nil for a search.
    public func counts(of query: Query, in scope: Scope = .everything) async throws -> ListCounts? {
        try await listing.counts(of: query, in: resolve(scope))
    }

    /// The stored posts that contain the words of a query, without a request.
    ///
    /// Posts stored since the last search are indexed first; `indexed` is called with the number of posts indexed since
    /// the last call. Throws ``LibraryError/nothingStored(_:)`` if there is nothing to search, or a ``StoreError``.
    public func search(
        _ query: Query, in scope: Scope = .everything, indexed: @Sendable (Int) async -> Void = { _ in }
    ) async throws -> PostList {
        try await listing.search(query, in: resolve(scope), indexed: indexed)
    }

    /// How many stored posts aren't indexed yet; the next search indexes them first.
    public func unindexedPosts() async throws -> Int { try await store.read { try SearchIndex($0).pending() } }

    /// The names of all authors in the stored lists, unordered.
    public func authors(in scope: Scope = .everything) async throws -> [String] {
        let scope = try await resolve(scope).stored
        let settled = try await store.settleRules()
        return try await store.read { try ListCounting($0).authors(in: scope, settled) }
    }

    /// What is known of how a post came, and why lists have it or not; nil if it isn't stored.
    package func record(of post: PostID) async throws -> PostRecord? {
        let settled = try await store.settleRules()
        return try await store.read { try Posts($0).record(of: post, settled) }
    }

    /// Moves a cursor past everything that was stored when a list was made.
    public func moveCursor(_ name: String, past list: PostList, in scope: Scope = .everything) async throws {
        let resolved = try await resolve(scope)
        let scope = resolved.linked.map { SourceScope([$0]) } ?? resolved.stored
        try await store.writeToDisk { try Cursors($0).move(name, in: scope, to: list.lastSeen) }
    }

    /// Post IDs as they are printed and typed.
    public func shortIDs() async throws -> ShortIDs {
        try await directory.shortIDs(besides: resolve(.everything))
    }

    /// The post with an ID as users type it: `NAME:ID`, also with a unique prefix of the name, `hn:ID`, a plain ID, the
    /// link of the post, or `last` for the one read most recently.
    ///
    /// Throws a ``LibraryError`` unless exactly one post is meant, such as ``LibraryError/noSuchPost(_:known:)``,
    /// ``LibraryError/ambiguous(_:candidates:)`` or ``LibraryError/nothingRead``, or a ``StoreError``.
    public func postID(_ typed: String, in scope: Scope = .everything) async throws -> PostID {
        try await lookup.post(typed, in: scope)
    }

    /// The post with an ID as the command `blog` prints it and users type it, such as `nerds:6`, with its body.
    ///
    /// Throws what ``postID(_:in:)`` and ``read(_:article:isExplicit:)`` throw.
    public func post(_ typed: String, in scope: Scope = .everything) async throws -> Post {
        try await read(postID(typed, in: scope)).post
    }

    // MARK: Reading

    /// Reads a post with its body, or with the article that it links to.
    ///
    /// This takes one request if the metadata is stored, and none if the body is stored too. If an article is wanted
    /// but missing, ``ReadResult/articleError`` says why; if `isExplicit`, a page without one is requested again.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``LibraryError/unreachable(_:)`` or
    /// ``LibraryError/postNotStored(id:_:)`` if it can't be fetched now, or a ``FetchError`` or ``StoreError``.
    public func read(
        _ post: PostID, article choice: ArticleChoice = .never, isExplicit: Bool = false
    ) async throws -> ReadResult {
        try await reading.read(post, article: choice, isExplicit: isExplicit)
    }

    /// The stored metadata of a post; nil if it isn't stored.
    public func storedMetadata(of post: PostID) async throws -> PostMetadata? {
        try await store.read { try Posts($0).metadata(post.local, of: post.source) }
    }

    /// The comments on a post that was just read, in the source's order; none if the source has no discussions.
    public func comments(
        on read: ReadResult, of source: SourceID, _ selection: CommentSelection = CommentSelection()
    ) throws -> CommentStream {
        try connections.reader(of: source).comments(on: read, selection)
    }

    /// The file of the store; "" if it is in memory.
    package var storePath: String { store.path }

    /// A number that changes whenever another process has changed the store.
    package func storeVersion() async throws -> Int64 { try await store.version() }

    /// Records that comments were seen, so that the next reading can tell which are new.
    public func noteSeen(comments ids: [String], of source: SourceID) async throws {
        try await store.noteSeen(ids, of: source)
    }

    /// How many letters of a post's text were above the screen when it was left; nil for none, or if it was left at its end.
    package func lettersRead(of post: PostID) async throws -> Int? {
        try await store.read { try Marks($0).lettersRead(of: post) }
    }

    /// Records where a post was left; nil for its beginning or end.
    package func note(lettersRead letters: Int?, of post: PostID) async throws {
        try await store.write { try Marks($0).note(lettersRead: letters, of: post) }
    }

    /// The web page where people discuss a post; nil if its source has no discussions.
    public func discussionPage(of post: PostID) -> URL? {
        connections.source(post.source)?.discussionPage(of: post.local)
    }

    /// Marks stored posts by their IDs; throws a ``StoreError``, as do the other functions for marks.
    public func mark(_ mark: Mark, ids: [PostID]) async throws -> MarkingReport {
        try await store.mark(store.read { try Marks($0).spelt(mark) }, ids: ids)
    }

    /// Marks every stored post in a scope that passes a filter.
    public func mark(_ mark: Mark, all filter: Filter, in scope: Scope = .everything) async throws -> MarkingReport {
        try await self.mark(mark, all: filter, in: resolve(scope))
    }

    /// The same for a scope that was looked up.
    package func mark(_ mark: Mark, all filter: Filter, in scope: ResolvedScope) async throws -> MarkingReport {
        var query = try await scopes.narrowed(Query(filter: filter), to: scope, clock: connections.clock)
        switch mark {
        // What was saved or labelled stays with its post, also with one that isn't listed.
        case .unsaved, .unlabelled: query.hidesDuplicates = false
        case .read, .unread, .saved, .labelled: break
        }
        return try await store.mark(
            store.read { try Marks($0).spelt(mark) }, all: query, in: scopes.stored(for: query, in: scope))
    }

    /// The labels in alphabetical order, with the numbers of their posts.
    public func labels() async throws -> [LabelCounts] {
        guard try await store.read({ try Marks($0).haveLabels }) else { return [] }
        return try await store.labels(in: scopes.kept())
    }

    /// Gives a label another name, also in rules and saved searches; posts that have both labels keep one.
    ///
    /// Throws ``LibraryError/unknownLabel(_:known:)`` or a ``StoreError``.
    public func renameLabel(_ label: String, to name: String) async throws -> MarkingReport {
        let former = try await known(label)
        let labels = try await store.read { try Marks($0).labelNames() }
        // Another spelling of the same label is a new name.
        let other = Label.isSame(former, name) ? nil : labels.first { Label.isSame($0, name) }
        return try await store.rename(label: former, to: other ?? name)
    }

    /// Removes a label from all its posts.
    ///
    /// Throws ``LibraryError/unknownLabel(_:known:)`` or a ``StoreError``.
    public func deleteLabel(_ label: String) async throws -> MarkingReport {
        try await store.mark([.unlabelled(try await known(label))], allLabelled: label)
    }

    /// A label as it is spelt in the store.
    private func known(_ label: String) async throws -> String {
        let labels = try await store.read { try Marks($0).labelNames() }
        guard let known = labels.first(where: { Label.isSame($0, label) }) else {
            throw LibraryError.unknownLabel(label, known: labels)
        }
        return known
    }

    /// Takes back the last change of marks, labels, rules or what is followed; nil if there is none.
    ///
    /// What can't be taken back, such as an import, is reported once, and then passed over. Throws what changes throw.
    public func undo() async throws -> UndoReport? {
        try await changes.undo()
    }

    /// What each ``undo()`` would take back, most recent first.
    package func undoableSteps(_ limit: Int = 10) async throws -> [UndoableStep] {
        try await changes.steps(limit)
    }

    private var changes: Undo {
        Undo(connections: connections, following: following, pages: pages, searches: searches, rules: rules)
    }

    /// Marks posts as read, which ``undo()`` can undo; the last of them becomes ``lastRead()``.
    ///
    /// Who has read a post's own text, or its article, has read its duplicates; who has read only a discussion of it hasn't.
    ///
    /// - Parameters:
    ///   - ids: the posts in the order in which they were read.
    ///   - withArticles: those that were read with their articles.
    public func noteReading(of ids: [PostID], withArticles: Set<PostID> = []) async throws {
        try await store.noteReading(of: ids, withArticles: withArticles)
    }

    /// The posts of other followed sources about the same story.
    public func duplicates(of post: PostID) async throws -> [Duplicate] {
        try await describe(post)?.duplicates ?? []
    }

    /// The marks of a post, and its duplicates; nil if it isn't stored.
    package func describe(_ post: PostID) async throws -> (state: PostState, duplicates: [Duplicate])? {
        guard let (state, hasTwin) = try await store.read({ try Posts($0).facts(of: post) }) else { return nil }
        if !hasTwin { return (state, []) }
        let scope = try await scopes.resolve(.everything).stored
        return (state, try await store.read { try Stories($0).duplicates(of: post, in: scope) })
    }

    /// The post most recently recorded by ``noteReading(of:withArticles:)``; nil if there is none or it was deleted.
    public func lastRead() async throws -> PostID? { try await store.read { try Marks($0).lastRead() } }

    /// Refreshes the sources of a scope and fetches every body that is missing or outdated, newest post first.
    ///
    /// Bodies are stored as they arrive, so a sync can be interrupted at any time and the next one continues. If a
    /// source's list can't be refreshed, none of its bodies are fetched, and its report says why. Stored posts are
    /// indexed in the meantime. The reports are in the order of the scope.
    ///
    /// Throws what ``list(_:in:refreshed:)`` throws for a single source, and a ``StoreError`` if nothing can be stored.
    public func sync(
        _ options: SyncOptions = SyncOptions(), in scope: Scope = .everything,
        observe: @escaping SyncObserver = { _ in }
    ) async throws -> [SourceSync] {
        try await syncing.sync(options, in: resolve(scope), observe: observe)
    }
}
