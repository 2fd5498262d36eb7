import BlogCommandLine
import BlogLibrary
import BlogMarkup
import BlogRendering
import BlogTerminal

/// `blog open`: opens a post or a link in the browser.
enum OpenCommand: Command {
    static let description = Commands.open

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard let id = invocation.operands.first, !id.isEmpty else {
            throw UsageError.missingOperand("a post ID")
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        let number = try invocation.count(.link)
        let choices = [Option.link, .discussion, .ownPage].filter(invocation.has)
        if choices.count > 1 { throw UsageError.conflict(choices[0].name, choices[1].name) }
        let target: PostTarget =
            number.map { .link($0) }
            ?? (invocation.has(.discussion) ? .discussion : invocation.has(.ownPage) ? .ownPage : .page)
        let session = try await Session(invocation, in: context, for: .reading)
        guard let word = try await session.library.lookup.ids(for: id, in: session.scope).first else {
            throw LibraryError.noSuchPost(id)
        }
        let post = try await session.library.postID(word, in: session.scope)
        let address = try await session.address(target, of: post)
        guard invocation.has(.print) else { return await open(address, session, context) }
        try await session.console.print(Sanitizer.line(address) + "\n")
        return CommandResult()
    }

    private static func open(_ target: String, _ session: Session, _ context: Context) async -> CommandResult {
        var result = CommandResult()
        await session.console.leaveToScreen()
        let browser = Browser(context.environment, hasTerminal: session.appearance.isTerminal)
        switch browser?.open(target, context.environment) {
        case .opened?: await session.console.notice("Opened \(target)")
        case .failed(let status)?:
            await session.console.error("The browser ended with exit status \(Int(status)). The address is:\n\(target)")
            result.fail()
        case .missing?, nil:
            let reason: Message =
                context.environment["BROWSER"] == nil
                ? "No browser was found (set BROWSER to one)" : "No program in BROWSER was found"
            await session.console.error("\(reason). The address is:\n\(target)")
            result.fail()
        }
        return result
    }
}
