import BlogLibrary
import Browse
import Essentials
import HTTP
import Model
import Rendering
import Store
import Terminal

/// The work of the full-screen reader: lists, posts, marks and refreshes, whose results are events.
@MainActor
final class BrowseWork {
    private let session: Session
    private let options: Browsing.Options
    private let environment: Environment
    private let painter: SymbolPainter?
    private let now: @Sendable () -> Date
    private let send: @Sendable (BrowseEvent) -> Void
    private var list: ListLoading?
    private var reading: Task<Void, Never>?
    /// Marks and undos, in their order.
    private var marking: Task<Void, Never>?
    private var hasWarned = false
    /// The command that gets a post; nil for none.
    private var command: UserCommand?

    init(
        _ session: Session, _ options: Browsing.Options, _ context: Context,
        send: @escaping @Sendable (BrowseEvent) -> Void
    ) {
        self.session = session
        self.options = options
        now = context.now
        environment = context.environment
        painter = session.appearance.hasPictures && !options.isInLines ? SymbolPainter(context.environment) : nil
        self.send = send
    }

    /// Does the work, or begins it; what is done with the screen itself is left out.
    func begin(_ effect: BrowseEffect) {
        switch effect {
        case .list(let request, let number, let rows): begin(request, number, rows)
        case .rows(let count, let number):
            if let list, list.number == number { list.wanted.put([count]) }
        case .count(let request, let number): count(request, number)
        case .read(let request): read(request)
        case .stopReading:
            reading?.cancel()
            reading = nil
        case .noteRead(let post): if options.marksRead { mark { try await $0.noteReading(of: [post]) } }
        case .noteSeen(let comments, let post):
            if options.marksRead { mark { try await $0.noteSeen(comments: comments, of: post.source) } }
        case .mark(let mark, let posts):
            self.mark { _ = try await $0.mark(mark, ids: posts) }
        case .undo: mark { [send] in send(.undone(try await $0.undoMarking())) }
        case .sources: tellSources()
        case .refresh(let scope, let isForced): refresh(scope, isForced: isForced)
        case .openPage(let post): open(.page, of: post)
        case .openLink(let post, let number, let article): open(.link(number), of: post, article)
        case .openDiscussion(let post): open(.discussion, of: post)
        case .openAddress(let address): openInBrowser(address)
        case .copyLink(let post): copyLink(of: post)
        case .pipe(let post, let article, let command): pipe(post, article, to: command)
        case .stopCommand: stopCommand()
        case .fetch(let request, let count): fetch(request, upTo: count)
        case .redraw, .suspend, .quit: break
        }
    }

    /// Waits until all marks are stored.
    func finish() async {
        reading?.cancel()
        stopCommand()
        await marking?.value
    }

    // MARK: Lists

    private func begin(_ request: ListRequest, _ number: Int, _ rows: Int) {
        list?.wanted.put([-1])
        let loading = ListLoading(request: request, number: number, session: session, now: now(), send: send)
        loading.wanted.put([rows])
        list = loading
        Task { await loading.run() }
    }

    private func count(_ request: ListRequest, _ number: Int) {
        guard case .query = request.posts else { return }
        Task { [session, send, now, marking, list] in
            await marking?.value
            // Counting reads many rows of the store, and the first screen doesn't wait for it.
            if let list, list.number == number { _ = await list.begun.take() }
            guard let (query, scope) = try? ListLoading.query(of: request, now: now()),
                let counts = try? await session.library.counts(of: query, in: scope)
            else { return }
            send(.counts(counts, list: number))
        }
    }

    private func tellSources() {
        Task { [session, send, marking] in
            await marking?.value
            guard let sources = try? await session.library.sources() else { return }
            let followed = sources.filter(\.isFollowed)
            send(.sources(followed.isEmpty ? sources : followed))
        }
    }

    // MARK: Posts

    private func read(_ request: PostRequest) {
        reading?.cancel()
        let reading = PostReading(
            request: request, comments: options.comments, session: session.reading(article: request.article),
            painter: painter, now: now(), send: send)
        self.reading = Task { await reading.run() }
    }

    /// Does something to marks, after what was done before.
    private func mark(_ work: @escaping @Sendable (Library) async throws -> Void) {
        marking = Task { [previous = marking, session, send] in
            await previous?.value
            do {
                try await work(session.library)
                if let warning = await session.storeWarning { self.warn(warning) }
            } catch {
                send(.notice(Failure(error).message ?? ""))
            }
        }
    }

    /// Says once that marks are not kept.
    private func warn(_ warning: Message) {
        guard !hasWarned else { return }
        hasWarned = true
        send(.notice(warning))
    }

    private func open(_ target: PostTarget, of post: PostID, _ article: ArticleChoice? = nil) {
        let session = session.reading(article: article)
        run { self.openInBrowser(try await target.address(of: post, session)) }
    }

    /// Does something, and says why if it fails.
    private func run(_ work: @escaping @MainActor () async throws -> Void) {
        Task {
            do { try await work() } catch { send(.notice(Failure(error).message ?? "")) }
        }
    }

    /// How an address is opened; a browser may need the terminal.
    var openInBrowser: @MainActor (String) -> Void = { _ in }
    /// How a text is copied; returns the notice about it.
    var copy: @MainActor (String) -> Message = { Message($0) }

    private func copyLink(of post: PostID) {
        run { self.send(.notice(self.copy(try await PostTarget.page.address(of: post, self.session)))) }
    }

    /// Sends the text of a post to a command of the user's, which no server can change.
    private func pipe(_ post: PostID, _ article: ArticleChoice?, to command: String) {
        let session = session.reading(article: article)
        run {
            let text = try await PostText(session: session, now: self.now()).text(of: post)
            let running = UserCommand(command)
            self.command = running
            let output = await Task.detached { running.output(input: text) }.value
            self.send(.output(output, command: command))
        }
    }

    /// Stops the command that runs.
    private func stopCommand() {
        command?.stop()
        command = nil
    }

    // MARK: Refreshing

    /// Fetches posts of a ranking, which come one by one.
    private func fetch(_ request: ListRequest, upTo count: Int) {
        guard !session.isOffline, case .query(var query, let scope) = request.posts else { return }
        query.limit = count
        Task { [session, send, query] in
            var fetched = 0
            do {
                for try await _ in try await session.library.list(query, in: scope).posts { fetched += 1 }
            } catch {
                send(.notice(Failure(error).message ?? ""))
            }
            send(.fetched(fetched))
        }
    }

    private func refresh(_ scope: Scope, isForced: Bool) {
        guard !session.isOffline else {
            return send(.refreshed(new: 0, isForced ? "Not refreshed: offline" : nil))
        }
        Task { [session, send] in
            let result = await Self.refresh(scope, isForced: isForced, session) { done, count in
                send(.refreshing(done: done, count: count))
            }
            send(result)
        }
    }

    private static func refresh(
        _ scope: Scope, isForced: Bool, _ session: Session, observe: @escaping @Sendable (Int, Int) async -> Void
    ) async -> BrowseEvent {
        do {
            let sources = try await session.library.sourceIDs(in: scope)
            await observe(0, sources.count)
            let refreshes = await session.library.refresh(
                sources, onlyDue: !isForced, deadline: nil, observe: observe)
            var new = 0
            for refresh in refreshes {
                guard case .stored(let changes) = refresh.report.outcome else { continue }
                // Of a ranking the posts are still to be fetched.
                let scope = Scope.sources([refresh.source])
                if try await !session.library.capabilities(in: scope).isRanked { new += changes.new }
            }
            for source in sources { new += try await fetchRanked(source, session) }
            return .refreshed(new: new, message(about: refreshes, session))
        } catch {
            return .refreshed(new: 0, Failure(error).message)
        }
    }

    /// Fetches the first posts of a source's ranking, if it has one; returns how many of them were not there before.
    private static func fetchRanked(_ source: SourceID, _ session: Session) async throws -> Int {
        let scope = Scope.sources([source])
        guard try await session.library.capabilities(in: scope).isRanked else { return 0 }
        let query = Query(arrangement: Arrangement(sorting: .rank), limit: fetchedOfRanking)
        var known = Set<PostID>()
        if let stored = try? await session.library.offline.list(query, in: scope) {
            for try await post in stored.posts { known.insert(post.id) }
        }
        var new = 0
        for try await post in try await session.library.list(query, in: scope).posts where !known.contains(post.id) {
            new += 1
        }
        return new
    }

    /// So many posts of a ranking are fetched, as on a page of its site; more when somebody comes to them.
    private static let fetchedOfRanking = 30

    private static func message(about refreshes: [SourceRefresh], _ session: Session) -> Message? {
        let failed = refreshes.filter { if case .failed = $0.report.outcome { true } else { false } }
        guard let first = failed.first, case .failed(let error, _) = first.report.outcome else { return nil }
        guard failed.count > 1 else {
            if case .failed(let error as HTTPError, storedAt: nil) = first.report.outcome, error.isUnreachable {
                return Failure(LibraryError.unreachable(error)).message
            }
            return Failure.refreshing(session.typedIDs.name(of: first.source), error)
        }
        let names = Counted.some(failed.map { session.typedIDs.name(of: $0.source) })
        return "Could not refresh \(failed.count) of \(refreshes.count) sources: \(names)"
    }
}
