import BlogCore
import Foundation

/// `blog follow`: sources whose posts are one list from then on.
enum FollowCommand: Command {
    static let name = "follow"
    static let summary = "follow sources: their posts are one list from then on"
    static let operands = "ADDRESS... | -"
    static let examples = [
        ("blog follow blog.example.org", "a server that speaks the blog API; without http:// it is https"),
        ("blog follow hn --folder tech", "Hacker News, in a folder of its own: blog list --folder tech"),
        ("blog follow http://localhost:8106 --as nerds", "its posts are nerds:1, nerds:2 and so on"),
        ("blog follow - < addresses.txt", "one address a line"),
    ]
    static let options: [Option] = [.name, .kind]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard !invocation.operands.isEmpty, !invocation.operands.contains("") else {
            throw UsageError.missingOperand("the address of a source")
        }
        let addresses = try PostIDs.of(invocation.operands)
        if addresses.count > 1, invocation.has(.name) { throw UsageError.conflict("as", "several addresses") }
        // The folder is where the sources go, and no scope.
        let session = try await Session(invocation.without([.folder]), in: context)
        var failures: [ExitCode] = []
        let reports = session.library.follow(
            addresses, kind: invocation[.kind], as: invocation[.name], folder: invocation[.folder])
        for await report in reports {
            do {
                if let code = await showSummary(try report.get(), session) { failures.append(code) }
            } catch let error as StoreError {
                throw error
            } catch {
                let failure = Failure(error)
                await session.console.error(failure.message)
                failures.append(failure.exitCode)
            }
        }
        await session.warnOfStore()
        guard let first = failures.first else { return .success }
        return failures.count == addresses.count ? first : .partly
    }

    /// Says what came of it; the exit code where its list could not be fetched.
    private static func showSummary(_ report: FollowReport, _ session: Session) async -> ExitCode? {
        let console = session.console
        switch report.outcome {
        case .unchanged: await console.notice("\(report.name) is followed already: \(report.source.address)")
        case .changed:
            await console.notice("\(report.name) was followed already, and is changed: \(report.source.address)")
        case .followed:
            await console.notice(
                "Following \(report.name) (\(report.source.address)): \(Counted.posts(report.posts)). See them with: blog list -s \(report.name)"
            )
        }
        guard let refresh = report.refresh, case .failed(let error, _) = refresh.outcome else { return nil }
        let failure = Failure(error)
        await console.error(failure.message)
        return failure.exitCode
    }
}
