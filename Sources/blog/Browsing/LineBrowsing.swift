import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogMarkup
import BlogModel
import BlogTerminal

/// The main loop of the reader in lines: writes output and a prompt, then reads a line.
enum LineBrowsing {
    private enum Event: Sendable {
        case work(BrowseEvent)
        /// A line from stdin; nil at its end.
        case line(String?)
        case failed(StoreError)
    }

    /// Throws a ``StoreError`` if the store can't be used any more.
    @MainActor
    static func run(
        _ request: ListRequest, place: String, _ options: Browsing.Options, in session: Session, _ context: Context
    ) async throws -> Message? {
        let mailbox = Mailbox<Event>()
        let work = BrowseWork(session, options, context) { mailbox.put([.work($0)]) }
        work.openInBrowser = { address in
            let browser = Browser(context.environment, hasTerminal: session.appearance.isTerminal)
            let outcome = browser?.open(address, context.environment) ?? .missing
            mailbox.put([.work(.notice(Browsing.notice(opened: address, outcome)))])
        }
        work.end = { mailbox.put([.failed($0)]) }
        let (state, initialEffects) = BrowseState.start(
            request, listName: place, size: ScreenSize(columns: session.appearance.width, rows: 11),
            keys: session.settings.keys, dates: session.appearance.dates(context.now()),
            opensFirst: options.opensFirst, refreshes: options.refreshes)
        var dialogue = LineDialogue(state)
        await session.console.leaveToScreen()
        func perform(_ effects: [BrowseEffect]) -> Bool {
            for effect in effects.prefix(while: { $0 != .quit }) { work.start(effect) }
            return !effects.contains(.quit)
        }
        var (isRunning, isReadingLine) = (perform(initialEffects), false)
        while isRunning {
            // Results that arrive while the user types are written afterwards.
            if !dialogue.isWaiting, !isReadingLine {
                let output = dialogue.output().map { $0 + "\n" }.joined()
                try await session.console.print(output + "> ")
                try await session.console.flush()
                isReadingLine = true
                DetachedThread.start { mailbox.put([.line(readLine())]) }
            }
            for event in await mailbox.take() where isRunning {
                switch event {
                case .work(let event): isRunning = perform(dialogue.handle(event))
                case .line(let line?):
                    isReadingLine = false
                    isRunning = perform(dialogue.run(line))
                case .line(nil):
                    // End the line of the prompt.
                    try await session.console.print("\n")
                    isRunning = false
                case .failed(let error): throw error
                }
            }
        }
        return await work.finish()
    }
}
