import BlogLibrary
import Browse
import CommandLine
import Essentials
import Model
import Rendering
import Store
import Terminal

/// The full-screen reader: keys and results go to its state, and its frames to the screen.
@MainActor
final class Browsing {
    private let session: Session
    private let environment: Environment
    private let now: @Sendable () -> Date
    private let mailbox = Mailbox<Arrival>()
    private let screen: FullScreen
    private let work: BrowseWork
    private var state: BrowseState
    private let first: [BrowseEffect]
    private var isEnded = false

    /// What comes: from the screen, or from the work.
    private enum Arrival: Sendable {
        case screen(ScreenEvent)
        case work(BrowseEvent)
    }

    /// How posts are browsed.
    struct Options: Sendable {
        /// Whether the first post is opened at once.
        var opensFirst = false
        /// Whether what is due is refreshed.
        var refreshes = true
        /// Whether it asks and answers in lines.
        var isInLines = false
        /// Whether posts that are shown are marked as read.
        var marksRead = true
        /// Which comments are shown; nil for none.
        var comments: CommentSelection? = CommentSelection()
    }

    /// Opens the screen on a list.
    ///
    /// Throws a ``ScreenError``.
    static func run(
        _ request: ListRequest, place: String, _ options: Options = Options(), in session: Session, _ context: Context
    ) async throws -> ExitCode {
        if options.isInLines { return try await LineBrowsing.run(request, place: place, options, in: session, context) }
        let keys = try KeySettings.read(context.environment)
        let browsing = try Browsing(request, place: place, options, keys, session, context)
        defer { browsing.screen.close() }
        await browsing.run()
        if browsing.isEnded { FullScreen.exitAsSignalled() }
        return .success
    }

    private init(
        _ request: ListRequest, place: String, _ options: Options, _ keys: KeyMap, _ session: Session,
        _ context: Context
    ) throws {
        self.session = session
        environment = context.environment
        now = context.now
        let mailbox = mailbox
        screen = try FullScreen(context.environment) { events in mailbox.put(events.map { .screen($0) }) }
        work = BrowseWork(session, options, context) { mailbox.put([.work($0)]) }
        (state, first) = BrowseState.start(
            request, place: place, size: screen.size, keys: keys, dates: session.appearance.dates(context.now()),
            opensFirst: options.opensFirst, refreshes: options.refreshes)
    }

    private func run() async {
        await session.console.leaveToScreen()
        work.openInBrowser = { [weak self] in self?.open($0) }
        work.copy = { [screen] in
            screen.copy($0)
            return "Copied \($0)"
        }
        var isRunning = perform(first)
        while isRunning {
            let arrivals = await mailbox.take()
            state.dates = session.appearance.dates(now())
            for arrival in arrivals where isRunning { isRunning = take(arrival) }
            if isRunning { paint() }
        }
        await work.finish()
    }

    /// Takes what came; false at the end.
    private func take(_ arrival: Arrival) -> Bool {
        switch arrival {
        case .work(let event): return perform(state.handle(event))
        case .screen(.key(let key)): return perform(state.handle(.key(key)))
        case .screen(.paste(let text)): return perform(state.handle(.paste(text)))
        case .screen(.resized(let size)): return perform(state.handle(.resized(size)))
        case .screen(.continued):
            screen.invalidate()
            return perform(state.handle(.resized(screen.size)))
        case .screen(.writable): return true
        case .screen(.ended):
            isEnded = true
            return false
        }
    }

    private func paint() {
        _ = screen.show(state.frame())
        screen.setTitle(state.windowTitle)
    }

    /// Does what the state wants; false at the end.
    private func perform(_ effects: [BrowseEffect]) -> Bool {
        for effect in effects {
            switch effect {
            case .redraw: screen.invalidate()
            case .suspend: screen.suspend()
            case .quit: return false
            default: work.begin(effect)
            }
        }
        return true
    }

    // MARK: Other programs

    private func open(_ address: String) {
        // A browser of the user's choice may need the terminal; a desktop's opener doesn't, and may take a while.
        guard environment["BROWSER"] == nil else {
            let isOpen = screen.leaving { Browser.open(address, environment) }
            return note(opened: address, isOpen)
        }
        Task.detached { [environment, mailbox] in
            let isOpen = Browser.open(address, environment)
            mailbox.put([.work(.notice(Self.notice(opened: address, isOpen)))])
        }
    }

    private func note(opened address: String, _ isOpen: Bool) {
        screen.invalidate()
        mailbox.put([.work(.notice(Self.notice(opened: address, isOpen)))])
    }

    nonisolated static func notice(opened address: String, _ isOpen: Bool) -> Message {
        isOpen ? "Opened \(address)" : "Could not start a browser (set BROWSER to one) for \(address)"
    }
}
