import BlogLibrary
import Browse
import Essentials
import Model
import Rendering
import Terminal

/// The main loop of the reader in lines: writes output and a prompt, then reads a line.
@MainActor
final class LineBrowsing {
    private let session: Session
    private let context: Context
    private let mailbox = Mailbox<Event>()
    private let work: BrowseWork
    private var dialogue: LineDialogue
    private let initialEffects: [BrowseEffect]
    private var isReadingLine = false

    private enum Event: Sendable {
        case work(BrowseEvent)
        /// A line from stdin; nil at its end.
        case line(String?)
    }

    static func run(
        _ request: ListRequest, place: String, _ options: Browsing.Options, in session: Session, _ context: Context
    ) async throws -> ExitCode {
        try await LineBrowsing(request, place: place, options, session, context).run()
        return .success
    }

    private init(
        _ request: ListRequest, place: String, _ options: Browsing.Options, _ session: Session, _ context: Context
    ) throws {
        self.session = session
        self.context = context
        let mailbox = mailbox
        work = BrowseWork(session, options, context) { mailbox.put([.work($0)]) }
        let start = BrowseState.start(
            request, listName: place, size: ScreenSize(columns: session.appearance.width, rows: 11),
            keys: try KeySettings.read(context.environment), dates: session.appearance.dates(context.now()),
            opensFirst: options.opensFirst, refreshes: options.refreshes)
        dialogue = LineDialogue(start.0)
        initialEffects = start.1
    }

    private func run() async throws {
        await session.console.leaveToScreen()
        work.openInBrowser = { [weak self] in self?.open($0) }
        // There is no clipboard here.
        work.copy = { Message($0) }
        var isRunning = perform(initialEffects)
        while isRunning {
            if !dialogue.isWaiting, !isReadingLine { try await prompt() }
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
                }
            }
        }
        await work.finish()
    }

    /// Writes new output and reads a line.
    ///
    /// Results that arrive meanwhile are written afterwards, so that typing isn't interrupted.
    private func prompt() async throws {
        let lines = dialogue.output()
        try await session.console.print(lines.map { $0 + "\n" }.joined() + "> ")
        try await session.console.flush()
        isReadingLine = true
        DetachedThread.start { [mailbox] in mailbox.put([.line(readLine())]) }
    }

    private func perform(_ effects: [BrowseEffect]) -> Bool {
        for effect in effects {
            switch effect {
            case .quit: return false
            case .redraw, .suspend: break
            default: work.start(effect)
            }
        }
        return true
    }

    private func open(_ address: String) {
        let isOpen = Browser.open(address, context.environment)
        mailbox.put([.work(.notice(Browsing.notice(opened: address, isOpen)))])
    }
}
