import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog undo`: takes the last change back, of marks, labels, rules or what is followed.
enum UndoCommand: Command {
    static let description = Commands.undo

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let lists = invocation.has(.undoableSteps)
        let session = try await Session(invocation, in: context, for: lists ? .reading : .storing)
        if lists {
            let rows = try await session.library.undoableSteps().map(row)
            let table = FactTable(columns: description.fields, rows: rows)
            try await session.console.print(table, nil, as: invocation.format)
            return CommandResult()
        }
        let report = try await session.library.undo()
        await session.console.notice(report.map(sentence) ?? "Nothing to undo.")
        return CommandResult()
    }

    private static func row(_ step: UndoableStep) -> [Fact] {
        func row(_ what: String, _ about: String) -> [Fact] { [.text(what), .none, .text(Sanitizer.line(about))] }
        return switch step {
        case .marks(let marks): [.text(marks.mark.text), .number(marks.changed), .text(titles(marks))]
        case .followed(let names): row("followed", names.joined(separator: ", "))
        case .unfollowed(let names): row("unfollowed", names.joined(separator: ", "))
        case .rule(let words): row("rule", words)
        case .other(let what): row("other", what)
        }
    }

    /// What was taken back: "1 post marked as read again: “A title”", "Unfollowed swift.".
    static func sentence(_ report: UndoReport) -> Message {
        switch report {
        case .marks(let marks): "\(marks.mark.sentence(of: Counted.posts(marks.changed))) again: \(titles(marks))"
        case .unfollowed(let sources) where sources.isEmpty: "What was followed last is unfollowed already."
        case .unfollowed(let sources): "Unfollowed \(Counted.some(sources.map(\.name)))."
        case .followed(let names): "Following \(Counted.some(names)) again."
        case .removedRule(let words, let marks):
            """
            Removed the rule “\(TextLayout.truncate(Sanitizer.line(words), width: 50))”\
            \(marks.map { ", and its marks from \(Counted.posts($0.changed))" } ?? "" as Message).
            """
        case .impossible(let what): "\(what) can't be undone. To undo what was done before: blog undo"
        }
    }

    /// "“A title”, “another” and 12 more".
    private static func titles(_ report: MarkingReport) -> String {
        let shown = report.titles.map { "“\(TextLayout.truncate(Sanitizer.line($0), width: 50))”" }
        let more = report.changed - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
