import BlogLibrary
import Foundation
import HTTP
import Model
import Rendering
import Store
import Terminal

/// What every reading command needs: the library, the requested scope, and the console.
struct Session {
    let library: Library
    /// The sources that the command line names.
    let scope: Scope
    /// How ids are written.
    let typedIDs: TypedIDs
    /// What can be done with all of the scope.
    let capabilities: Capabilities
    let console: Console
    let appearance: Appearance
    let storePath: String
    /// The pictures that pages are to hold; nil where they only lead to them.
    let embedded: EmbeddedPictures?
    /// How pages are made.
    let pages: PageOptions
    private let screen: Screen
    /// What the sources are called, where several are shown to people.
    private let titles: [SourceID: String]
    /// The same by the names of the sources.
    private let headings: [String: String]
    /// How wide the ids of a table are, as far as the store knows.
    private let idWidth: Int
    /// Whether what is shown are pages, which link to more than a terminal does.
    private let showsPages: Bool
    /// Whether people want a line a post.
    private let isOneline: Bool
    /// Whether requests are not allowed.
    let isOffline: Bool
    /// The options that select the same sources, as typed after a command's name.
    let sourceWords: Message

    /// Opens the library for a command; the store is created if needed, unless it is read-only.
    init(_ invocation: Invocation, in context: Context, isReadOnly: Bool = false) async throws {
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
        appearance = try await console.configure(Appearance.Options(invocation))
        sourceWords = invocation.sourceWords
        storePath = invocation.storePath(context)
        isOneline = invocation.has(.oneline)
        screen = appearance.screen(now: context.now())
        showsPages = try invocation.format() == .html
        if invocation.has(.embed), !showsPages { throw UsageError.embedNeedsPages }
        // Where nobody looks, no step of a request waits for the console.
        let isWatched = appearance.showsProgress || appearance.isVerbose
        let observer: HTTPObserver = { activity in
            guard isWatched else { return }
            if let detail = activity.detail { await console.detail(detail) }
            await console.observe(activity)
        }
        let isNewStore = !isReadOnly && invocation.isTyped(.store) && (try? Archive.exists(at: storePath)) == false
        library = try Library(
            storePath: storePath, isReadOnly: isReadOnly, defaultSource: try invocation.defaultSource(),
            freshness: freshness, timeout: try invocation.seconds(.timeout) ?? 30,
            netrcPath: context.environment.home + "/.netrc",
            photoKey: context.environment[Environment.photoKey], transport: context.transport,
            now: context.now, observer: observer)
        if isNewStore { await console.notice("Created the store \(storePath)") }
        embedded = invocation.has(.embed) ? EmbeddedPictures(cache: library.pictures) : nil
        let pictures = embedded?.pictures ?? (invocation[.images] == "never" ? .none : .linked)
        pages = PageOptions(dates: screen.dates, pictures: pictures) { WorldMap(of: $0).svg(title: $1) }
        scope = try await invocation.scope(in: library)
        typedIDs = try await library.typedIDs()
        capabilities = try await library.capabilities(in: scope)
        idWidth = isOneline ? try await library.widestID(in: scope) : 0
        titles = try await library.sourceIDs(in: scope).count == 1 ? [:] : try await library.titles()
        headings = Dictionary(titles.map { [typedIDs] in (typedIDs.name(of: $0.key), $0.value) }) { first, _ in first }
    }

    /// The same for the source of a post: " -s hn"; "" for the default one.
    func sourceWords(for source: SourceID) -> Message {
        if case .sources(let ids) = scope, ids.contains(source) { return sourceWords }
        return source == library.defaultSource ? "" : " -s \(typedIDs.name(of: source))"
    }

    /// Cards where people look, tab-separated lines where programs do; fields of one's own choice fit no card.
    func renderer(_ format: Format?, _ fields: [Field]?, isGrouped: Bool, isSearch: Bool = false) -> any Renderer {
        let format = format ?? (appearance.isTerminal && fields == nil ? isOneline ? .table : .cards : .tsv)
        if format == .table {
            return TableRenderer(
                screen, fields: fields, orders: capabilities.orders, hasHeader: appearance.isTerminal,
                idWidth: idWidth, shortenID: typedIDs.shortened)
        }
        return format.renderer(
            fields: fields, isGrouped: isGrouped, isSearch: isSearch,
            isCSVSafe: appearance.isCSVSafe)
            ?? CardRenderer(screen)
    }

    /// Says what list comes, for a pager to tell.
    func announce(_ name: String, _ renderer: any Renderer) async {
        await console.announce(name, renderer is CardRenderer ? .post : nil)
    }

    /// A record of a post as it is shown: its ids can be typed back.
    func shown(_ record: Record, of source: SourceID) -> Record {
        var shown = record.shown(of: typedIDs.name(of: source), at: source.address) {
            typedIDs.text(PostID(source: source, local: $0))
        }
        shown.sourceTitle = titles[source]
        return showsPages ? linked(shown, PostID(source: source, local: record.metadata.id)) : shown
    }

    /// The heading of a group of a source's posts: its title, and the name that can be typed.
    func heading(_ group: PostGroup) -> PostGroup {
        guard let title = headings[group.name], title != group.name else { return group }
        return PostGroup(name: "\(title) (\(group.name))", count: group.count)
    }

    /// The same on a page, which leads to where the post is discussed.
    func shownOnPage(_ record: Record, of source: SourceID) -> Record {
        linked(shown(record, of: source), PostID(source: source, local: record.metadata.id))
    }

    private func linked(_ record: Record, _ post: PostID) -> Record {
        var record = record
        record.discussionPage = library.discussionPage(of: post)?.absoluteString
        return record
    }

    /// A list as a page.
    func listPage(of list: PostList, by grouping: Grouping?, title: String) -> ListPageRenderer {
        ListPageRenderer(title: title, groups: grouping == .source ? list.groups.map(heading) : list.groups, pages)
    }

    /// The selected sources as people call them: "The Tidewater Reader", "localhost:8106", "12 sources".
    var title: String {
        get async {
            if case .folder(let name) = scope { return name }
            let states = (try? await library.sources(in: scope)) ?? []
            guard states.count == 1, let state = states.first else { return await place }
            let address = state.id.address.drop { $0 != "/" }.drop { $0 == "/" }
            return state.title ?? (state.isFollowed ? state.name : String(address))
        }
    }

    /// The selected sources as messages name them: "The Tidewater Reader", "http://localhost:8106", "12 sources".
    var place: String {
        get async {
            let ids = (try? await library.sourceIDs(in: scope)) ?? []
            guard ids.count == 1 else { return "\(ids.count) sources" }
            let state = try? await library.sources(in: .sources(ids)).first
            return state.flatMap { $0.isFollowed ? $0.title ?? $0.name : nil } ?? ids[0].address
        }
    }

    /// Whether a single source is selected.
    var isOneSource: Bool {
        get async { (try? await library.sourceIDs(in: scope))?.count == 1 }
    }

    /// Warns if new posts and marks will not be stored.
    func warnOfStore() async {
        switch await library.storeNotice {
        case .notWritable: await console.notice("\(storePath) can't be written: changes won't be saved.")
        case .diskFull: await console.notice("The disk is full: changes won't be saved in \(storePath).")
        case nil: break
        }
    }

    /// Says where data came from, with `--verbose`.
    func trace(_ what: Message) async {
        await console.detail("\(what) (\(storePath))")
    }
}
