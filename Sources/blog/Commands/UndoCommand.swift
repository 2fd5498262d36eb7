import BlogCore

/// `blog undo`: takes the last marking back.
enum UndoCommand: Command {
    static let name = "undo"
    static let summary = "undo the last blog mark, or the last reading"
    static let operands = ""
    static let examples = [("blog undo", "as if the last blog mark had not been; again for the one before")]
    static let options: [Option] = []

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let session = try await Session(invocation, in: context)
        let report = try await session.library.undoMarking()
        await session.warnOfStore()
        if let report {
            await session.console.notice("\(Counted.posts(report.changed)) marked as \(report.mark.rawValue) again.")
        } else {
            await session.console.notice("There is nothing to undo.")
        }
        return .success
    }
}
