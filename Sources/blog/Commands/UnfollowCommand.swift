import BlogLibrary
import Foundation
import Model
import Terminal

/// `blog unfollow`: sources whose posts leave the lists.
enum UnfollowCommand: Command {
    static let name = "unfollow"
    static let summary = "no longer follow sources; what is saved and all marks stay"
    static let operands = "NAME..."
    static let examples = [
        ("blog unfollow swift", "its posts leave the lists; saved ones stay: blog list --saved"),
        ("blog unfollow swift --forget", "delete them, except what is saved"),
        ("blog sources --fields name", "the names of all that is followed"),
    ]
    static let options: [Option] = [.forget]
    static let takesSources = true

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard !invocation.operands.isEmpty else { throw UsageError.missingOperand("the name of a source") }
        let names = try PostIDs.of(invocation.operands)
        let session = try await Session(invocation, in: context)
        var failures: [ExitCode] = []
        for name in names {
            do {
                if invocation.has(.forget) {
                    try await forget(name, session)
                } else {
                    let source = try await session.library.unfollow(name)
                    await session.console.notice(
                        "No longer following \(source.name). To have it back: blog follow \(source.id.address)")
                }
            } catch let error as LibraryError {
                let failure = Failure(error)
                await session.console.error(failure.message)
                failures.append(failure.exitCode)
            }
        }
        if await !session.reportUnreadable() { failures.append(.partly) }
        guard let first = failures.first else { return .success }
        return failures.count == names.count ? first : .partly
    }

    private static func forget(_ name: String, _ session: Session) async throws {
        let report = try await session.library.forget(name)
        await session.console.notice(
            "Forgot \(report.name ?? name): deleted \(Counted.deleted(report.posts, report.comments)). Saved posts stay."
        )
    }
}
