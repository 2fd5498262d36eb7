import BlogCore

/// `blog undo`: takes the last marking back.
enum UndoCommand: Command {
    static let name = "undo"
    static let summary = "undo the last blog mark, or the last reading"
    static let operands = ""
    static let examples = [
        ("blog undo", "as if the last blog mark had not been; again for the one before"),
        ("blog undo --list", "what could be taken back, the last one first"),
    ]
    static let options: [Option] = [.lastMarkings]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let session = try await Session(invocation, in: context)
        guard !invocation.has(.lastMarkings) else {
            for marking in try await session.library.lastMarkings() {
                let line = "\(marking.mark.rawValue)\t\(marking.changed)\t\(Sanitizer.line(titles(marking)))\n"
                try await session.console.print(line)
            }
            return .success
        }
        let report = try await session.library.undoMarking()
        await session.warnOfStore()
        if let report {
            let count = Counted.posts(report.changed)
            await session.console.notice("\(count) marked as \(report.mark.rawValue) again: \(titles(report))")
        } else {
            await session.console.notice("There is nothing to undo.")
        }
        return .success
    }

    /// "“A title”, “another” and 12 more".
    private static func titles(_ report: MarkingReport) -> String {
        let shown = report.titles.map { "“\(TextLayout.truncate(Sanitizer.line($0), width: 50))”" }
        let more = report.changed - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
