import BlogKit
import Foundation

/// `blog open`: a link of a post, in the browser.
enum OpenCommand: Command {
    static let name = "open"
    static let summary = "open a link of a post in the browser"
    static let operands = "ID"
    static let examples = [
        ("blog open 42 --link 3", "the link that blog read 42 --hyperlinks never shows as [3]")
    ]
    static let options: [Option] = [.link]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard let id = invocation.operands.first, !id.isEmpty else {
            throw UsageError.missingOperand("the id of a post")
        }
        if invocation.operands.count > 1 { throw UsageError.needlessOperand(invocation.operands[1]) }
        let number = try invocation.count(.link)
        let session = try await Session(invocation, in: context)
        let post = try await session.reader.read(id: id).post
        let document = BodyText.document(post.body, format: post.bodyFormat)
        let targets = DocumentRenderer.targets(of: document)
        guard let number, number <= targets.count else {
            await session.console.error(complaint(id, number, targets.count))
            return .noSuchPost
        }
        let target = targets[number - 1]
        guard LinkTarget.safe(target) != nil else {
            await session.console.error(
                "Link \(number) of the post “\(Sanitizer.line(id))” is \(target), and nothing says on which site.")
            return .failed
        }
        guard Browser.open(target, context.environment) else {
            await session.console.error("No browser could be started; name one in BROWSER. The link is:\n\(target)")
            return .failed
        }
        await session.console.notice("Opened \(target)")
        return .success
    }

    private static func complaint(_ id: String, _ number: Int?, _ count: Int) -> String {
        let post = "The post “\(Sanitizer.line(id))”"
        guard count > 0 else { return "\(post) has no links." }
        let known = count == 1 ? "its text has one: --link 1" : "its text has \(count): --link 1 to --link \(count)"
        return number == nil
            ? "\(post) has no address of its own; \(known)" : "\(post) has no link \(number ?? 0); \(known)"
    }
}
