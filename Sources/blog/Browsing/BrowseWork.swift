import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// Does the work of the full-screen reader (lists, posts, marks and refreshes), and sends the results as events.
@MainActor
final class BrowseWork {
    private var session: Session
    private let options: Browsing.Options
    private let environment: Environment
    private let painter: SymbolPainter?
    private let now: @Sendable () -> Date
    private let send: @Sendable (BrowseEvent) -> Void
    private var list: ListLoading?
    private var loading: Task<Void, Never>?
    /// The last mark or undo; each waits for the one before.
    private var marking: Task<Void, Never>?
    private var watch: StoreWatch?
    /// What was refreshed when the reader was opened, and when it was last; nil for nothing.
    private var refreshedScope: Scope?
    private var refreshedAt = Date.distantPast
    private var isRefreshingQuietly = false
    /// The number of other refreshes under way.
    private var refreshes = 0
    /// Whether what a refresh has stored so far will be shown soon.
    private var isShowingArrived = false
    /// The version of the store that is shown.
    private var version: Int64?
    private var hasWarned = false
    private var isLeaving = false
    /// Whether a mark has waited for another process for so long that the user was told.
    private var waitsForStore = false
    /// Why marks were not stored after the reader was left.
    private var lastProblem: Message?
    private let commands: PostCommands
    /// The sources whose names are shown.
    private var known: [SourceNames]?

    private struct SourceNames: Equatable {
        let id: SourceID
        let name: String
        let title: String?
    }

    init(
        _ session: Session, _ options: Browsing.Options, _ context: Context,
        send: @escaping @Sendable (BrowseEvent) -> Void
    ) {
        self.session = session
        self.options = options
        now = context.now
        commands = PostCommands(now: context.now)
        environment = context.environment
        painter = session.appearance.hasPictures && !options.isInLines ? SymbolPainter(context.environment) : nil
        self.send = send
    }

    /// Starts the work of an effect, unless it is for the screen.
    func start(_ effect: BrowseEffect) {
        switch effect {
        case .loadList(let request, let number, let rows): loadList(request, number, rows)
        case .loadRows(let count, let number):
            if let list, list.number == number { list.requests.put([count]) }
        case .countPosts(let request, let number): countPosts(request, number)
        case .countElsewhere(let request, let number): countElsewhere(request, number)
        case .check(let request, let number, let posts): check(request, number, posts)
        case .loadPost(let request): loadPost(request)
        case .stopLoadingPost:
            loading?.cancel()
            loading = nil
        case .recordReading(let post, let withArticle):
            if options.marksRead {
                mark { try await $0.noteReading(of: [post], withArticles: withArticle ? [post] : []) }
            }
        case .recordSeen(let comments, let post):
            if options.marksRead { mark { try await $0.noteSeen(comments: comments, of: post.source) } }
        case .recordPlace(let post, let letters):
            if options.marksRead { mark { try await $0.note(lettersRead: letters, of: post) } }
        case .mark(let mark, let posts): self.mark { _ = try await $0.mark(mark, ids: posts) }
        case .markAll(let scope):
            mark { [send] in send(.allMarked(try await $0.mark(.read, all: Filter(isUnread: true), in: scope))) }
        case .undo:
            mark { [send] in
                // An import is followed as one step, and a key is soon pressed once too often.
                if case .followed(let names)? = try await $0.undoableSteps(1).first, names.count > 1 {
                    let sources = Counted.of(names.count, "source")
                    return send(.notice("The last change was to follow \(sources). To unfollow them: blog undo"))
                }
                switch try await $0.undo() {
                case .marks(let report)?: send(.undone(report))
                case let other?: send(.tookBack(UndoCommand.sentence(other)))
                case nil: send(.undone(nil))
                }
            }
        case .loadSources: loadSources()
        case .refresh(let scope, let isForced): refresh(scope, isForced: isForced)
        case .open(let target): run { self.openInBrowser(try await self.address(of: target)) }
        case .copy(let target):
            run {
                let address = try await self.address(of: target)
                // The path of a page made of a post contains the user's name.
                let isFile = address.hasPrefix("file:")
                self.send(.notice(isFile ? "This post has no address to copy" : self.copy(address)))
            }
        case .readLink(let target, let number): run { try await self.readLink(target, number) }
        case .saveLink(let target): run { try await self.saveLink(target) }
        case .pipe(let post, let article, let command):
            run { [session] in
                let output = try await self.commands.output(of: command, for: post, session.reading(article: article))
                self.send(.output(output, command: command))
            }
        case .run(let command, let post, let link):
            run { [session] in
                let address = if let link { try await self.address(of: link) } else { nil as String? }
                let output = try await self.commands.output(of: command, for: post, link: address, session)
                self.send(.output(output, command: command.name))
            }
        case .stopCommand: commands.stop()
        case .lookUp, .follow, .unfollow:
            Task {
                do { try await changeSources(effect) } catch { send(.followFailed(Failure(error).message ?? "")) }
            }
        case .testRule(let typed):
            change { [session, environment, now] in
                .ruleTested(typed, try await RuleCommand.test(typed, session, environment, now: now()))
            }
        case .addRule(let typed):
            change { [session, environment, now] in
                let (message, number) = try await RuleCommand.add(typed, session, environment, now: now())
                return .rulesChanged(message, added: number)
            }
        case .fetchRanking(let request, let count): fetchRanking(request, upTo: count)
        case .redraw, .suspend, .quit: break
        }
    }

    /// Stops other work, and waits until all marks are stored, for as long as other commands wait for the store.
    ///
    /// - Returns: why some are not stored; nil if all are.
    func finish(within patience: Duration = .seconds(10)) async -> Message? {
        loading?.cancel()
        watch = nil
        commands.stopAll()
        isLeaving = true
        guard let marking else { return nil }
        if await Self.ends(marking, within: .milliseconds(100)) { return lastProblem }
        await session.console.notice("Another process is using the store. Waiting until the last marks are stored.")
        return await Self.ends(marking, within: patience) ? lastProblem : Self.unstored
    }

    private static let unstored: Message =
        "The last marks are not stored, because another process is using the store."

    private static func ends(_ work: Task<Void, Never>, within patience: Duration) async -> Bool {
        let first = Mailbox<Bool>()
        Task {
            await work.value
            first.put([true])
        }
        Task {
            try? await Task.sleep(for: patience)
            first.put([false])
        }
        return await first.take().first == true
    }

    // MARK: Lists

    private func loadList(_ request: ListRequest, _ number: Int, _ rows: Int) {
        list?.requests.put([nil])
        let loading = ListLoading(request: request, number: number, session: session, now: now(), send: send)
        loading.requests.put([rows])
        list = loading
        Task { await loading.run() }
    }

    private func countPosts(_ request: ListRequest, _ number: Int) {
        guard case .query = request.posts else { return }
        Task { [session, send, now, marking, list] in
            await marking?.value
            // Counting reads many rows of the store, so wait for the first screen.
            if let list, list.number == number {
                _ = await list.started.take()
                // It may be counted again.
                list.started.put([()])
            }
            guard let counts = await Self.counts(of: request, in: session, now()) else { return }
            send(.counts(counts, list: number))
        }
    }

    private func countElsewhere(_ request: ListRequest, _ number: Int) {
        Task { [session, send, now] in
            guard let counts = await Self.counts(of: request, in: session, now()) else { return }
            send(.countedElsewhere(counts.posts, list: number))
        }
    }

    /// The numbers of a list's posts; nil for a list of certain posts, or if they can't be counted.
    private static func counts(of request: ListRequest, in session: Session, _ now: Date) async -> ListCounts? {
        guard case .query = request.posts, let (query, scope) = try? ListLoading.query(of: request, now: now) else {
            return nil
        }
        return try? await session.library.counts(of: query, in: scope)
    }

    private func check(_ request: ListRequest, _ number: Int, _ posts: [PostID]) {
        Task { [session, send, now, marking] in
            // Otherwise what was just marked here would be taken back on the screen.
            await marking?.value
            guard let states = try? await session.library.reading.states(of: posts) else { return }
            send(.checked(states, await Self.counts(of: request, in: session, now()), list: number))
        }
    }

    /// Tells every minute that it passed, and when another process has changed the store, until the reader is left.
    func watch(every seconds: Double = 2, minute: Double = 60) async {
        version = try? await session.library.storeVersion()
        watch = StoreWatch(
            path: session.library.storePath, every: seconds, minute: minute,
            onChange: { [weak self] in Task { await self?.compareVersion() } },
            onMinute: { [weak self, send] in
                send(.minutePassed)
                Task { await self?.refreshIfDue() }
            })
    }

    /// Refreshes what is due if enough time has passed; says nothing about failures, which the sources show.
    private func refreshIfDue() async {
        guard let scope = refreshedScope, let every = options.every, !session.isOffline, refreshes == 0,
            !isRefreshingQuietly
        else { return }
        isRefreshingQuietly = true
        defer { isRefreshingQuietly = false }
        let isTime = now().timeIntervalSince(refreshedAt) >= every
        if isTime { refreshedAt = now() }
        let due = isTime ? scope : Scope.sources(await dueByThemselves(in: scope))
        guard due != .sources([]) else { return }
        let result = try? await session.library.fullRefresh.refresh(due, onlyDue: true, isQuiet: true) { _, _ in }
        guard let result else { return }
        // The end of another one is still expected.
        send(refreshes == 0 ? .refreshed(new: result.new, nil) : .storeChanged)
    }

    /// The sources that are due by an interval of their own.
    private func dueByThemselves(in scope: Scope) async -> [SourceID] {
        let library = session.library
        guard let sources = try? await library.directory.states(of: library.resolve(scope)) else { return [] }
        return sources.filter { source in
            guard let interval = source.every?.seconds, source.dueAt == nil else { return false }
            // One that can't be reached isn't asked more often.
            let last = [source.refreshedAt, source.failedAt].compactMap { $0 }.max()
            return last.map { now().timeIntervalSince($0) >= interval } ?? true
        }.map(\.id)
    }

    private func compareVersion() async {
        do {
            let new = try await session.library.storeVersion()
            if new != version { send(.storeChanged) }
            version = new
        } catch let error as StoreError where error.reason == .migrated {
            end(error)
        } catch {
            if version != nil { send(.storeChanged) }
            version = nil
        }
    }

    private func loadSources() {
        Task { [session, send, marking] in
            await marking?.value
            guard let overview = try? await session.library.overview(of: session.library.resolve(.everything)) else {
                return
            }
            await update(names: overview.sources.map { SourceNames(id: $0.id, name: $0.name, title: $0.title) })
            send(.overview(overview, labels: (try? await session.library.labels()) ?? []))
        }
    }

    /// Names the sources in lists that are loaded from now on as they are named now.
    private func update(names: [SourceNames]) async {
        defer { known = names }
        guard let known, known != names else { return }
        if let renamed = try? await session.renamed() { session = renamed }
    }

    /// Looks for a source, or changes what is followed.
    private func changeSources(_ effect: BrowseEffect) async throws {
        let sources = SourceChanges(session: session, environment: environment)
        switch effect {
        case .lookUp(let target): return send(.found(try await sources.proposal(for: try await address(of: target))))
        case .follow(let words): send(.notice(try await sources.follow(words)))
        case .unfollow(let source): send(.unfollowed(try await session.library.unfollow(source.name)))
        default: return
        }
        send(.storeChanged)
        if let warning = await session.storeWarning { warn(warning) }
    }

    /// Does some work, and sends its result, or asks again if it fails.
    private func change(_ work: @escaping @Sendable () async throws -> BrowseEvent) {
        Task {
            do { send(try await work()) } catch {
                send(.followFailed(Failure(error).message ?? ""))
            }
        }
    }

    // MARK: Posts

    private func loadPost(_ request: PostRequest) {
        loading?.cancel()
        let loading = PostLoading(
            request: request, comments: options.comments, session: session.reading(article: request.article),
            painter: painter, now: now(), send: send)
        self.loading = Task { [send] in
            await loading.run()
            // A feed gives all its posts at once.
            if request.isForced { send(.storeChanged) }
        }
    }

    /// Changes marks, after earlier changes, and waits for as long as another process is using the store.
    private func mark(_ work: @escaping @Sendable (Library) async throws -> Void) {
        marking = Task { [previous = marking, session] in
            await previous?.value
            let notice = Task {
                try await Task.sleep(for: .seconds(1))
                waitsForStore = true
                if isLeaving { return }
                tell("Another process is using the store. The last mark will be stored as soon as it is free.")
            }
            defer { notice.cancel() }
            while true {
                do {
                    try await work(session.library)
                    if waitsForStore, !isLeaving { tell("The last mark is stored now.") }
                    waitsForStore = false
                    if let warning = await session.storeWarning { warn(warning) }
                    return
                } catch let error as StoreError where error.reason == .busy {
                    if isLeaving { return lastProblem = Self.unstored }
                } catch let error as StoreError where error.reason == .migrated && !isLeaving {
                    return end(error)
                } catch {
                    tell(Failure(error).message ?? "")
                    // Until then, what the user did is shown.
                    return send(.storeChanged)
                }
            }
        }
    }

    private func tell(_ problem: Message) { if isLeaving { lastProblem = problem } else { send(.notice(problem)) } }

    /// Warns once that marks are lost.
    private func warn(_ warning: Message) {
        guard !hasWarned else { return }
        hasWarned = true
        tell(warning)
    }

    /// Does some work, and shows the error if it fails.
    private func run(_ work: @escaping @MainActor () async throws -> Void) {
        Task {
            do { try await work() } catch { send(.notice(Failure(error).message ?? "")) }
        }
    }

    /// Ends the reader, because the store can't be used any more.
    var end: @MainActor (StoreError) -> Void = { _ in }
    /// Opens an address in a browser, which may need the terminal.
    var openInBrowser: @MainActor (String) -> Void = { _ in }
    /// Copies a text; returns the notice to show.
    var copy: @MainActor (String) -> Message = { Message($0) }

    private func address(of target: BrowseTarget) async throws -> String {
        switch target {
        case .page(let post): try await session.address(.page, of: post)
        case .discussion(let post): try await session.address(.discussion, of: post)
        case .link(let post, let number, let article):
            try await session.reading(article: article).address(.link(number), of: post)
        case .address(let address): address
        }
    }

    /// Sends the post behind a link, which may be a new page; what isn't on the web is opened in the browser.
    private func readLink(_ target: BrowseTarget, _ number: Int) async throws {
        let address = try await address(of: target)
        guard SourceAddress.page(address) != nil else { return openInBrowser(address) }
        let post = try await session.library.pages.postOrPage(address).post
        if case .link(post, _, _) = target { return send(.linkedToOwnPage(number: number)) }
        send(.linked(await ListLoading.row(of: post, session), number: number))
    }

    /// Saves the post behind a link, with its text if it can be read.
    private func saveLink(_ target: BrowseTarget) async throws {
        let address = try await address(of: target)
        send(.notice("Saving \(address)…"))
        let page = try await session.library.pages.postOrPage(address, keepsUnreadable: true)
        _ = try await session.library.mark(.saved, ids: [page.post])
        let title = Sanitizer.line(try await session.library.storedMetadata(of: page.post)?.title ?? address)
        let problem: Message = page.problem == nil ? "" : " (only its address: the page could not be read)"
        send(.notice("Saved “\(TextLayout.truncate(title, width: 60))”\(problem)"))
        if let warning = await session.storeWarning { warn(warning) }
    }

    // MARK: Refreshing

    /// Fetches the first posts of a ranking.
    private func fetchRanking(_ request: ListRequest, upTo count: Int) {
        guard !session.isOffline, case .query(var query, let scope) = request.posts else { return }
        query.limit = count
        Task { [session, send, query] in
            var fetched = 0
            do {
                for try await _ in try await session.library.list(query, in: scope).posts { fetched += 1 }
            } catch {
                send(.notice(Failure(error).message ?? ""))
            }
            send(.rankingFetched(fetched))
        }
    }

    private func refresh(_ scope: Scope, isForced: Bool) {
        if !isForced { (refreshedScope, refreshedAt) = (scope, now()) }
        guard !session.isOffline else {
            return send(.refreshed(new: 0, isForced ? "Not refreshed: offline" : nil))
        }
        refreshes += 1
        Task { [session, send] in
            defer { refreshes -= 1 }
            do {
                let (results, new) = try await session.library.fullRefresh.refresh(scope, onlyDue: !isForced) {
                    send(.refreshing(done: $0, count: $1))
                    if $0 > 0 { await self.showArrived() }
                }
                send(.refreshed(new: new, Self.message(about: results, session)))
            } catch {
                send(.refreshed(new: 0, Failure(error).message))
            }
        }
    }

    /// Shows soon what has arrived, because a slow server must not hold back what others have sent.
    private func showArrived() {
        guard !isShowingArrived else { return }
        isShowingArrived = true
        Task {
            try? await Task.sleep(for: .seconds(1))
            isShowingArrived = false
            if refreshes > 0 { send(.storeChanged) }
        }
    }

    private static func message(about refreshes: [SourceRefresh], _ session: Session) -> Message? {
        if refreshes.lackNetwork { return RefreshNotices.noNetwork(refreshes) }
        let failed = refreshes.filter { if case .failed = $0.report.outcome { true } else { false } }
        let waiting = RefreshNotices.waiting(refreshes)
        guard let first = failed.first, case .failed(let error, _) = first.report.outcome else { return waiting }
        let rest: Message = waiting.map { "; \($0)" } ?? ""
        guard failed.count > 1 else {
            if case .failed(let error as HTTPError, storedAt: nil) = first.report.outcome, error.isUnreachable {
                return Failure(LibraryError.unreachable(error)).message
            }
            return "\(Failure.refreshing(session.shortIDs.name(of: first.source), error))\(rest)"
        }
        let names = Counted.some(failed.map { session.shortIDs.name(of: $0.source) })
        return "Could not refresh \(failed.count) of \(refreshes.count) sources: \(names)\(rest)"
    }
}
