import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// The context of a command that reads: the library, the requested scope, and the console.
///
/// A class, because so much refers to it that the code for copies of it took 300 kB.
final class Session: Sendable {
    let library: Library
    /// The sources that the command line names, looked up once.
    let sources: ResolvedScope
    /// How posts are shown.
    let presentation: Presentation
    /// When they are read with their linked articles.
    let articles: ArticlePreference
    let console: Console
    let appearance: Appearance
    let storePath: String
    /// Makes pages, with embedded pictures if they are wanted.
    let pages: PageMaker
    private let screen: Screen
    /// The width of the ids in a table, as far as the store knows.
    private let idWidth: Int
    let settings: Settings
    /// The form of lists on a terminal.
    private let terminalFormat: Format?
    /// Whether requests are not allowed.
    let isOffline: Bool
    /// The options that select the same sources and store, as typed after a command's name.
    let sourceArguments: Message
    /// The option among them that selects the store.
    private let storeArguments: Message

    /// Opens the library for a command; the store is created if needed, unless only an existing one is read.
    ///
    /// - Parameters:
    ///   - access: whether the command's work is to store, so that it fails if nothing can be stored.
    ///   - asksSources: whether it asks the sources of the scope, among them perhaps the usual default one.
    ///   - interval: the refresh interval of sources without one of their own, in seconds; nil for that of the settings.
    init(
        _ invocation: Invocation, in context: Context, for access: StoreAccess, asksSources: Bool = true,
        every interval: TimeInterval? = nil
    ) async throws {
        let console = context.console
        let freshness: Freshness =
            switch (invocation.has(.offline), invocation.has(.refresh)) {
            case (true, true): throw UsageError.conflict("offline", "refresh")
            case (true, false): .offline
            case (false, true): .refresh
            case (false, false): .normal
            }
        self.console = console
        isOffline = freshness == .offline
        appearance = await console.appearance
        (sourceArguments, storeArguments) = (invocation.sourceArguments, invocation.storeArguments)
        storePath = invocation.storePath(context.environment)
        settings = invocation.settings
        terminalFormat = invocation.isOneline ? .table : nil
        screen = appearance.screen(now: context.now())
        let showsPages = invocation.format == .html
        if invocation.has(.embed), !showsPages { throw UsageError.embedNeedsPages }
        // Without progress or --verbose, requests don't wait for the console.
        let isWatched = appearance.showsProgress || appearance.isVerbose
        let observer: HTTPObserver = { activity in
            guard isWatched else { return }
            if let detail = activity.detail { await console.detail(detail) }
            await console.observe(activity.step)
        }
        let isNewStore = access != .existing && invocation.has(.store) && (try? Archive.exists(at: storePath)) == false
        var library = try Library(
            storePath: storePath, access: access, defaultSource: try invocation.defaultSource(),
            freshness: freshness, timeout: try invocation.seconds(.timeout) ?? 30,
            netrcPath: context.environment.home + "/.netrc", logins: Self.logins(settings),
            photoKey: context.environment[PhotoSource.keyVariable], transport: context.transport,
            now: context.now, observer: observer
        ).typing(invocation[.url].flatMap { URL(address: $0) }).running(Self.feedCommands(settings)).sending(
            settings.headers
        ).refreshing(every: interval ?? settings.every)
        // A store that can't be written is in memory only.
        if isNewStore, (try? Archive.exists(at: storePath)) == true {
            await console.notice("Created the store \(storePath)")
        }
        await console.notice(ofCopy: library.copyOfOldVersion)
        sources = try await library.resolve(invocation.scope(in: library))
        if asksSources, sources.sources.count == 1, SourceRegistry.isUsual(sources.sources[0]) {
            library = library.typing(URL(address: sources.sources[0].address))
        }
        self.library = library
        presentation = try await Presentation(of: sources, in: library, isForPages: showsPages)
        articles = try invocation.articlePreference()
        let hasTable = invocation.format == .table || invocation.isOneline
        idWidth = hasTable ? try await library.listing.widestID(in: sources) : 0
        let embedded =
            invocation.has(.embed)
            ? EmbeddedPictures(
                cache: library.pictures, maxBytes: HTTPLimits.embeddedBytes, maxRequests: Politeness.maxRequests) : nil
        let pictures = embedded?.pictures ?? (invocation.images == .never ? .none : .linked)
        let storeArguments = storeArguments
        let options = PageOptions(
            dates: screen.dates, pictures: pictures,
            command: { "blog read \(ShellWords.quoted($0))\(storeArguments.text)" },
            map: { WorldMap(of: $0).svg(title: $1) })
        var pages = PageMaker(presentation: presentation, options: options, embedded: embedded)
        if showsPages, sources.single != nil { pages.options.site = sources.title }
        self.pages = pages
    }

    /// A copy that shows posts in another way, or reads them with other articles.
    private init(_ other: Session, _ presentation: Presentation, _ articles: ArticlePreference) {
        (self.presentation, self.articles) = (presentation, articles)
        (library, sources, console, appearance) = (other.library, other.sources, other.console, other.appearance)
        (storePath, pages, screen, idWidth) = (other.storePath, other.pages, other.screen, other.idWidth)
        (settings, terminalFormat, isOffline) = (other.settings, other.terminalFormat, other.isOffline)
        (sourceArguments, storeArguments) = (other.sourceArguments, other.storeArguments)
    }

    /// The logins of sync servers in the settings.
    private static func logins(_ settings: Settings) -> ServiceLogins? {
        let logins = settings.logins
        if logins.isEmpty { return nil }
        return { name in
            guard let (user, command) = logins[name] else { return nil }
            let (password, problem) = await DetachedThread.result { PasswordCommand.password(from: command) }
            guard let password else { throw ServiceError.commandFailed(name: name, reason: problem) }
            return ServiceLogin(user: user, password: password)
        }
    }

    /// The commands in the settings whose output is a feed.
    private static func feedCommands(_ settings: Settings) -> FeedCommands? {
        let commands = settings.feedCommands
        if commands.isEmpty { return nil }
        return { name, address in
            guard let command = commands[name] else { return nil }
            let (output, problem) = await DetachedThread.result {
                FeedCommand.output(of: command, atMost: HTTPLimits.feedBytes)
            }
            guard let output else { throw SourceError.local(address, problem: problem) }
            return output
        }
    }

    /// A copy that names sources as they are named now.
    func renamed() async throws -> Session {
        let renamed = try await Presentation(of: try await library.resolve(scope), in: library, isForPages: false)
        return Session(self, renamed, articles)
    }

    /// A copy with this choice of articles; nil to keep the current one.
    func reading(article choice: ArticleChoice?) -> Session {
        guard let choice else { return self }
        var articles = articles
        articles.explicit = choice
        return Session(self, presentation, articles)
    }

    /// The same for the source of a post: " -s hn", or nothing if there is no other.
    func sourceArguments(for source: SourceID) -> Message {
        if case .sources(let ids) = scope, ids.contains(source) { return sourceArguments }
        let words: Message = source == sources.substitute ? "" : " -s \(shortIDs.name(of: source))"
        return "\(words)\(storeArguments)"
    }

    /// The address of a post, or of something in it, for the browser.
    func address(_ target: PostTarget, of post: PostID) async throws -> String {
        if case .discussion = target {
            return try PostTarget.discussion(of: post, try await library.duplicates(of: post), in: library, shortIDs)
        }
        if target.isPublished {
            let read = try await library.open(post, articles, comments: nil)
            if let address = try target.address(in: read, of: library, shortIDs) { return address }
        }
        let read = try await library.open(post, articles, comments: CommentSelection())
        let cache = PageCache(storePath: storePath)
        return try cache.write(await pages.page(read), of: post, title: read.text.post.metadata.title).absoluteString
    }

    /// Cards on a terminal, tab-separated lines in a pipe; selected fields don't fit into cards.
    func renderer(_ format: Format?, _ fields: [Field]?, isGrouped: Bool, isSearch: Bool = false) -> any ListRenderer {
        let format = listFormat(format, fields)
        if format == .table {
            return TableRenderer(
                screen, fields: fields, orders: capabilities.orders, hasHeader: appearance.isTerminal,
                idWidth: idWidth, shortenID: shortIDs.shortened)
        }
        return format.renderer(
            fields: fields, isGrouped: isGrouped, isSearch: isSearch,
            isCSVSafe: appearance.isCSVSafe)
            ?? CardRenderer(screen)
    }

    private func listFormat(_ format: Format?, _ fields: [Field]?) -> Format {
        format ?? (appearance.isTerminal && fields == nil ? terminalFormat ?? .text : .tsv)
    }

    /// What a list shows of its posts.
    func parts(_ format: Format?, _ fields: [Field]?, isSearch: Bool = false) -> Query.Parts {
        listFormat(format, fields).parts(fields, isSearch: isSearch)
    }

    /// Prints a list on the console.
    ///
    /// - Parameter isCareful: whether the first pieces are small, so that a pipe that is closed early is noticed.
    func print(
        _ list: PostList, by grouping: Grouping?, with renderer: any ListRenderer, isCareful: Bool = false
    ) async throws -> ListPrinter.Printed {
        try await ListPrinter(presentation, embedded: pages.embedded, by: grouping, to: console)
            .print(list, with: renderer, isCareful: isCareful)
    }

    /// Says that posts are indexed first, if they are many.
    func announceIndexing() async throws {
        let unindexed = try await library.unindexedPosts()
        guard unindexed > Self.maxUnannounced else { return }
        await console.notice("Indexing \(Counted.posts(unindexed)) first, which may take a while. To stop it: Ctrl-C")
    }

    /// So many posts are indexed in about two seconds.
    private static let maxUnannounced = 5000

    /// Names the list, for the pager's prompt.
    func announce(_ name: String, _ renderer: any ListRenderer) async {
        await console.announce(name, renderer.form == .cards ? .post : nil)
    }

    /// How ids are written.
    var shortIDs: ShortIDs { presentation.shortIDs }

    var scope: Scope { sources.scope }

    /// The capabilities that all sources of the scope share.
    var capabilities: Capabilities { sources.capabilities }

    /// The title of the selected sources: "The Tidewater Reader", "localhost:8106", "12 sources".
    var title: String { sources.title }

    /// The selected sources as messages name them: "The Tidewater Reader", "http://localhost:8106", "12 sources".
    var place: String { sources.place }

    /// Whether a single source is selected.
    var isOneSource: Bool { sources.single != nil }

    /// Warns if new posts and marks will not be stored.
    func warnOfStore() async {
        if let warning = await storeWarning { await console.notice(warning) }
    }

    /// Why new posts and marks will not be stored; nil if they will.
    var storeWarning: Message? {
        get async {
            switch await library.storeNotice {
            case .notWritable: "Could not write to \(storePath) (changes won't be saved)"
            case .diskFull: "The disk is full: changes won't be saved in \(storePath)."
            case nil: nil
            }
        }
    }

    /// Reports the origin of data, with `--verbose`.
    func trace(_ what: Message) async {
        await console.detail("\(what) (\(storePath))")
    }

    // MARK: Missing posts and pictures

    /// Reports unreadable posts of the store; returns whether there are none.
    func reportUnreadable() async -> Bool {
        await console.report(unreadable: await library.unreadablePosts, shortIDs)
    }

    /// Reports the number of items that could not be fetched, with the first reason.
    ///
    /// Returns whether nothing failed; items that are missing because requests are off don't count as failures.
    func reportMissing(_ missing: MissingItems, _ what: (one: String, many: String)) async -> Bool {
        func things(_ count: Int) -> String { count == 1 ? "1 \(what.one)" : "\(count) \(what.many)" }
        if missing.outdated > 0, let error = missing.firstError {
            await console.error(
                "Could not refresh \(things(missing.outdated)) (showing the stored ones): \(Failure.cause(error))")
        }
        guard missing.count > 0 else { return missing.outdated == 0 }
        let things = things(missing.count)
        guard !isOffline else {
            await console.notice("\(things) not stored")
            return true
        }
        // A server may list items that it has removed since.
        guard let error = missing.firstError else {
            await console.detail("Skipped \(things): not found on the server")
            return true
        }
        await console.error("Could not fetch \(things): \(Failure.cause(error))")
        return false
    }

    func reportMissingPictures() async {
        guard let embedded = pages.embedded else { return }
        let (failures, leftOut) = embedded.missing
        await console.error(PictureFailures(failures).message)
        guard leftOut > 0 else { return }
        await console.error(
            """
            Left out \(Counted.pictures(leftOut)): the limit for all pictures together is \
            \(Counted.bytes(embedded.maxBytes)).
            """)
    }
}

extension PictureLoader {
    /// Fetches pictures that the library doesn't have yet.
    convenience init(in library: Library) {
        let cache = library.pictures
        self.init(
            isCurrent: { cache.isCurrent($0) }, stored: { cache.stored($0) }, maxSeconds: HTTPLimits.pictureSeconds
        ) { url, source in
            do {
                return try await cache.picture(url, of: source)
            } catch is CancellationError {
                throw HTTPError.tooSlow(url)
            }
        }
    }
}

extension Console {
    /// Prints some or all columns of a table.
    func print(_ table: FactTable, _ columns: [String]?, as format: Format?) throws {
        try self.print(appearance.text(columns.map(table.picking) ?? table, as: format))
    }

    /// Says that the store was migrated, and where the copy of the old version is, if there is one.
    func notice(ofCopy path: String?) {
        guard let path else { return }
        notice(
            "The store was changed to a new version. A copy of the old one is in \(path): delete it when all is well.")
    }

    /// Reports unreadable posts; returns whether there are none.
    func report(unreadable posts: [UnreadablePost], _ shortIDs: ShortIDs) async -> Bool {
        guard !posts.isEmpty else { return true }
        let names = posts.map { post in post.id.map { shortIDs.text($0) } ?? "number \(post.key)" }
        error(
            posts.count == 1
                ? "Could not read 1 post in the store: \(names[0])"
                : "Could not read \(posts.count) posts in the store: \(Counted.some(names))")
        return false
    }
}
