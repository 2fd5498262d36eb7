import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogTerminal

/// The main loop of the full-screen reader: passes keys and results to the controls, and frames to the screen.
@MainActor
final class Browsing {
    private let session: Session
    private let context: Context
    private let mailbox: Mailbox<Event>
    private let screen: FullScreen
    private let work: BrowseWork
    private var controls: BrowseControls
    /// Whether a signal or the loss of the terminal ended the loop.
    private var isEnded = false
    /// Why the store can't be used any more, which ended the loop.
    private var failure: StoreError?

    private enum Event: Sendable {
        case screen(ScreenEvent)
        case work(BrowseEvent)
        case failed(StoreError)
    }

    struct Options: Sendable {
        /// Whether to open the first post at once.
        var opensFirst = false
        /// Whether to begin with the sources.
        var beginsWithSources = false
        /// Whether to refresh sources that are due.
        var refreshes = true
        /// Whether to use ``LineBrowsing`` instead of a full screen.
        var isInLines = false
        /// The seconds between refreshes of what is due; nil for none.
        var every: TimeInterval?
        /// Whether to mark displayed posts as read.
        var marksRead = true
        /// The comments to show; nil for none.
        var comments: CommentSelection? = CommentSelection()
    }

    /// Browses a list until the user quits.
    ///
    /// Throws a ``ScreenError``, or a ``StoreError`` if the store can't be used any more.
    ///
    /// - Parameter place: the name of the list.
    static func run(
        _ request: ListRequest, place: String, _ options: Options = Options(), in session: Session, _ context: Context
    ) async throws -> CommandResult {
        guard !options.isInLines else {
            let problem = try await LineBrowsing.run(request, place: place, options, in: session, context)
            return await result(problem, session.console)
        }
        let mailbox = Mailbox<Event>()
        let screen = try FullScreen(context.environment) { events in mailbox.put(events.map { .screen($0) }) }
        defer { screen.close() }
        let work = BrowseWork(session, options, context) { mailbox.put([.work($0)]) }
        let (state, effects) = BrowseState.start(
            request, listName: place, size: screen.size, keys: session.settings.keys,
            dates: session.appearance.dates(context.now()),
            opensFirst: options.opensFirst, beginsWithSources: options.beginsWithSources,
            refreshes: options.refreshes)
        let browsing = Browsing(
            session: session, context: context, mailbox: mailbox, screen: screen, work: work,
            controls: BrowseControls(state))
        await browsing.run(effects)
        screen.close()
        let problem = await work.finish()
        if browsing.isEnded { FullScreen.exitAsSignalled() }
        if let failure = browsing.failure { throw failure }
        return await result(problem, session.console)
    }

    private static func result(_ problem: Message?, _ console: Console) async -> CommandResult {
        await console.error(problem)
        var result = CommandResult()
        result.isIncomplete = problem != nil
        return result
    }

    private init(
        session: Session, context: Context, mailbox: Mailbox<Event>, screen: FullScreen, work: BrowseWork,
        controls: BrowseControls
    ) {
        self.session = session
        self.context = context
        self.mailbox = mailbox
        self.screen = screen
        self.work = work
        self.controls = controls
    }

    private func run(_ initialEffects: [BrowseEffect]) async {
        await session.console.leaveToScreen()
        work.openInBrowser = { [context, screen, mailbox] in
            Self.open($0, context.environment, screen, mailbox)
        }
        // Whether tmux passes it on is up to its set-clipboard.
        let copied: Message = context.environment["TMUX"] == nil ? "Copied" : "Sent to tmux's clipboard:"
        work.copy = { [screen] in
            screen.copy($0)
            return "\(copied) \($0)"
        }
        work.end = { [mailbox] in mailbox.put([.failed($0)]) }
        await work.watch()
        var isRunning = perform(initialEffects)
        while isRunning {
            let events = await mailbox.take()
            controls.state.dates = session.appearance.dates(context.now())
            for event in events where isRunning { isRunning = handle(event) }
            guard isRunning else { break }
            let view = BrowseView(controls.state)
            _ = screen.show(view.frame())
            screen.setTitle(view.windowTitle)
        }
    }

    /// Handles an event; false to quit.
    private func handle(_ event: Event) -> Bool {
        switch event {
        case .work(let event): return perform(controls.handle(event))
        case .screen(.key(let key)): return perform(controls.handle(.key(key)))
        case .screen(.paste(let text)): return perform(controls.handle(.paste(text)))
        case .screen(.resized(let size)): return perform(controls.handle(.resized(size)))
        case .screen(.continued):
            screen.invalidate()
            return perform(controls.handle(.resized(screen.size)))
        case .screen(.writable): return true
        case .screen(.ended):
            isEnded = true
            return false
        case .failed(let error):
            failure = error
            return false
        }
    }

    /// Carries out effects; false to quit.
    private func perform(_ effects: [BrowseEffect]) -> Bool {
        for effect in effects {
            switch effect {
            case .redraw: screen.invalidate()
            case .suspend: screen.suspend()
            case .quit: return false
            default: work.start(effect)
            }
        }
        return true
    }

    // MARK: Other programs

    private static func open(
        _ address: String, _ environment: Environment, _ screen: FullScreen, _ mailbox: Mailbox<Event>
    ) {
        guard let browser = Browser(environment, hasTerminal: true) else {
            return mailbox.put([.work(.notice(notice(opened: address, .missing)))])
        }
        // The desktop's opener doesn't need the terminal, and may be slow.
        guard !browser.usesTerminal else {
            let outcome = screen.withTerminalReleased { browser.open(address, environment) }
            screen.invalidate()
            return mailbox.put([.work(.notice(notice(opened: address, outcome)))])
        }
        DetachedThread.start {
            mailbox.put([.work(.notice(notice(opened: address, browser.open(address, environment))))])
        }
    }

    nonisolated static func notice(opened address: String, _ outcome: Browser.Outcome) -> Message {
        switch outcome {
        case .opened: "Opened \(address)"
        case .failed(let status): "The browser ended with exit status \(Int(status)) for \(address)"
        case .missing: "No browser was found (set BROWSER to one) for \(address)"
        }
    }
}
