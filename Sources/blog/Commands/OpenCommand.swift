import BlogLibrary
import Foundation
import Markup
import Model
import Rendering
import Terminal

/// `blog open`: opens a post or a link in the browser.
enum OpenCommand: Command {
    static let name = "open"
    static let summary = "open a post or link in the browser"
    static let operands = "ID"
    static let examples = [
        ("blog open 11 --link 2", "link [2], as numbered by blog read 11 --hyperlinks never"),
        ("blog open hn:8863", "the page that a Hacker News story links to"),
        ("blog open hn:8863 --discussion", "its discussion on Hacker News"),
        ("blog open 11 --page", "the post itself, as a page"),
    ]
    static let options: [Option] = [.link, .discussion, .ownPage, .pageImages, .print]

    static func ids(among operands: [String]) -> [String] { operands }

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard let id = invocation.operands.first, !id.isEmpty else {
            throw UsageError.missingOperand("a post ID")
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        let number = try invocation.count(.link)
        let choices = [Option.link, .discussion, .ownPage].filter(invocation.has)
        if choices.count > 1 { throw UsageError.conflict(choices[0].name, choices[1].name) }
        let session = try await Session(invocation, in: context)
        let library = session.library
        guard let word = try await library.ids(for: id, in: session.scope).first else {
            throw LibraryError.noSuchPost(id)
        }
        let place = try await library.post(word, in: session.scope)
        let isPrinted = invocation.has(.print)
        func open(_ target: String) async throws -> ExitCode {
            guard isPrinted else { return await Self.open(target, session, context) }
            try await session.console.print(Sanitizer.line(target) + "\n")
            return .success
        }
        if invocation.has(.discussion) {
            guard let page = library.discussionPage(of: place) else {
                await session.console.error(
                    "\(session.typedIDs.name(of: place.source)) has no discussion pages.")
                return .failed
            }
            return try await open(page.absoluteString)
        }
        let read = try await library.read(place)
        let post = read.post
        func openPage() async throws -> ExitCode {
            let text = try await session.pages.page(read, of: place.source)
            let cache = PageCache(storePath: session.storePath)
            return try await open(try cache.write(text, of: place, title: post.metadata.title).absoluteString)
        }
        if invocation.has(.ownPage) { return try await openPage() }
        if number == nil, let link = post.metadata.link.flatMap({ LinkTarget.safe($0) }) {
            return try await open(link)
        }
        // A post without a link is its own discussion.
        if number == nil, let page = library.discussionPage(of: place) {
            return try await open(page.absoluteString)
        }
        guard let number else { return try await openPage() }
        let targets = DocumentRenderer.targets(
            of: BodyText.document(of: post.metadata, body: post.body, format: post.bodyFormat),
            site: try await library.site(of: place.source), server: URL(string: place.source.address))
        guard number <= targets.count else {
            await session.console.error(complaint(id, number, targets.count))
            return .noSuchPost
        }
        let target = targets[number - 1]
        guard LinkTarget.safe(target) != nil else {
            await session.console.error(
                """
                Link \(number) of “\(id)” is relative (\(target)), and its site is unknown.
                To set it: blog follow \(place.source.address) --site URL
                """)
            return .failed
        }
        return try await open(target)
    }

    private static func open(_ target: String, _ session: Session, _ context: Context) async -> ExitCode {
        guard Browser.open(target, context.environment) else {
            await session.console.error("Could not start a browser (set BROWSER to one). The link is:\n\(target)")
            return .failed
        }
        await session.console.notice("Opened \(target)")
        return .success
    }

    private static func complaint(_ id: String, _ number: Int, _ count: Int) -> Message {
        let post: Message = "The post “\(id)”"
        guard count > 0 else { return "\(post) has no links." }
        let known = count == 1 ? "use --link 1" : "use --link 1 to --link \(count)"
        return "\(post) has no link \(number) (\(known))"
    }
}
