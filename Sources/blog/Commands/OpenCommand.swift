import BlogLibrary
import Essentials
import Markup
import Model
import Rendering
import Terminal

/// `blog open`: opens a post or a link in the browser.
enum OpenCommand: Command {
    static let name = "open"
    static let summary = "open a post or link in the browser"
    static let details = [
        """
        Opens the page of a post; for a Hacker News story, the page that it links to. For a post without an \
        address, blog makes a page from the stored post.
        """
    ]
    static let operands = "ID"
    static let examples = [
        ("blog open 11 --link 2", "link [2], as numbered by blog read 11 --hyperlinks never"),
        ("blog open hn:8863", "the page that a Hacker News story links to"),
        ("blog open hn:8863 --discussion", "its discussion on Hacker News"),
        ("blog open hn:8863 --link 2 --article", "the second link in the article that it links to"),
        ("blog open 11 --page", "the post itself, as a page"),
    ]
    static let options: [Option] = [.link, .article, .discussion, .ownPage, .pageImages, .print]

    static func ids(among operands: [String]) -> [String] { operands }

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
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
        let session = try await Session(invocation, in: context)
        guard let word = try await session.library.ids(for: id, in: session.scope).first else {
            throw LibraryError.noSuchPost(id)
        }
        let post = try await session.library.post(word, in: session.scope)
        let address = try await target.address(of: post, session)
        guard invocation.has(.print) else { return await open(address, session, context) }
        try await session.console.print(Sanitizer.line(address) + "\n")
        return .success
    }

    private static func open(_ target: String, _ session: Session, _ context: Context) async -> ExitCode {
        await session.console.leaveToScreen()
        guard Browser.open(target, context.environment) else {
            await session.console.error("Could not start a browser (set BROWSER to one). The address is:\n\(target)")
            return .failed
        }
        await session.console.notice("Opened \(target)")
        return .success
    }
}
