import BlogLibrary
import Browse
import CommandLine
import Essentials
import Model
import Rendering
import Terminal

/// The full-screen reader in lines: it writes what there is, asks, and reads a line.
@MainActor
final class LineBrowsing {
    private let session: Session
    private let context: Context
    private let mailbox = Mailbox<Arrival>()
    private let work: BrowseWork
    private var dialogue: LineDialogue
    private let first: [BrowseEffect]
    /// Whether a line is being read.
    private var isAsking = false

    private enum Arrival: Sendable {
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
            request, place: place, size: ScreenSize(columns: session.appearance.width, rows: 11),
            keys: try KeySettings.read(context.environment), dates: session.appearance.dates(context.now()),
            opensFirst: options.opensFirst, refreshes: options.refreshes)
        dialogue = LineDialogue(start.0)
        first = start.1
    }

    private func run() async throws {
        await session.console.leaveToScreen()
        work.openInBrowser = { [weak self] in self?.open($0) }
        // There is no clipboard here.
        work.copy = { Message($0) }
        var isRunning = perform(first)
        while isRunning {
            if !dialogue.isWaiting, !isAsking { try await ask() }
            for arrival in await mailbox.take() where isRunning {
                switch arrival {
                case .work(let event): isRunning = perform(dialogue.handle(event))
                case .line(let line?):
                    isAsking = false
                    isRunning = perform(dialogue.take(line))
                case .line(nil):
                    // What comes next begins on a line of its own.
                    try await session.console.print("\n")
                    isRunning = false
                }
            }
        }
        await work.finish()
    }

    /// Writes what there is to say, then reads a line; what comes meanwhile waits, so that nothing interrupts.
    private func ask() async throws {
        let lines = dialogue.output()
        try await session.console.print(lines.map { $0 + "\n" }.joined() + "> ")
        try await session.console.flush()
        isAsking = true
        DetachedThread.start { [mailbox] in mailbox.put([.line(readLine())]) }
    }

    private func perform(_ effects: [BrowseEffect]) -> Bool {
        for effect in effects {
            switch effect {
            case .quit: return false
            case .redraw, .suspend: break
            default: work.begin(effect)
            }
        }
        return true
    }

    private func open(_ address: String) {
        let isOpen = Browser.open(address, context.environment)
        mailbox.put([.work(.notice(Browsing.notice(opened: address, isOpen)))])
    }
}
