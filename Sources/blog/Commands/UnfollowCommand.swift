import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogTerminal

/// `blog unfollow`: sources whose posts leave the lists.
enum UnfollowCommand: Command {
    static let description = Commands.unfollow

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard !invocation.operands.isEmpty else { throw UsageError.missingOperand("the name of a source") }
        let names = try LineReader.ids(among: invocation.operands)
        let session = try await Session(invocation, in: context, for: .storing)
        var result = CommandResult()
        func note(_ error: any Error) async throws {
            if error is StoreError { throw error }
            await session.console.error(Failure(error))
            result.fail(error, hasCopy: false)
        }
        if invocation.has(.forget) {
            for name in names {
                do {
                    try await forget(name, session)
                    result.succeeded += 1
                } catch { try await note(error) }
            }
        } else {
            for ended in await session.library.unfollow(names) {
                do {
                    await session.console.notice(sentence(try ended.get()))
                    result.succeeded += 1
                } catch { try await note(error) }
            }
        }
        result.isIncomplete = await !session.reportUnreadable()
        return result
    }

    private static func sentence(_ source: SourceState) -> Message {
        source.id.isSearch
            ? "Removed the search \(source.name). To keep it again: blog search \(ShellWords.quoted(source.id.address)) --as \(source.name)"
            : "Unfollowed \(source.name).\(unsent(source)) To follow it again: blog follow \(account: again(source))"
    }

    /// What its server wasn't told.
    private static func unsent(_ source: SourceState) -> Message {
        let count = source.service?.unsentMarks ?? 0
        return count == 0 ? "" : " \(Counted.of(count, "mark")) not sent."
    }

    /// What follows it again, after `blog follow`.
    private static func again(_ source: SourceState) -> String {
        guard let feed = source.feed else { return source.id.address }
        return "\(feed) --in \(source.name.prefix { $0 != "/" })"
    }

    private static func forget(_ name: String, _ session: Session) async throws {
        let unsent = try await session.library.sources().first { $0.name == name }.map(unsent) ?? ""
        let report = try await session.library.forget(name)
        await session.console.notice(
            "Unfollowed \(report.name ?? name) and deleted \(Counted.deleted(report.posts, report.comments)). Saved and labelled posts were kept.\(unsent)"
        )
    }
}
