import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog undo`: takes the last marking back.
enum UndoCommand: Command {
    static let description = Commands.undo

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let lists = invocation.has(.lastMarkings)
        let session = try await Session(invocation, in: context, for: lists ? .reading : .storing)
        if lists {
            let rows = try await session.library.lastMarkings().map { marking -> [Fact] in
                [.text(marking.mark.text), .number(marking.changed), .text(titles(marking))]
            }
            let table = FactTable(columns: description.fields, rows: rows)
            try await session.console.print(table, nil, as: invocation.format)
            return CommandResult()
        }
        let report = try await session.library.undoMarking()
        if let report {
            let posts = Counted.posts(report.changed)
            await session.console.notice("\(report.mark.sentence(of: posts)) again: \(titles(report))")
        } else {
            await session.console.notice("Nothing to undo.")
        }
        return CommandResult()
    }

    /// "“A title”, “another” and 12 more".
    private static func titles(_ report: MarkingReport) -> String {
        let shown = report.titles.map { "“\(TextLayout.truncate(Sanitizer.line($0), width: 50))”" }
        let more = report.changed - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
