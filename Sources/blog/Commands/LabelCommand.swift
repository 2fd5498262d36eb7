import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog label`: gives posts labels, renames and deletes labels, or lists them.
enum LabelCommand: Command {
    static let description = Commands.label

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard let action = invocation.operands.first else { return try await list(invocation, in: context) }
        let known = description.choices
        guard known.contains(action) else {
            throw UsageError.unknownAction(action, known: known, nearest: NearestName.of(action, among: known))
        }
        let operands = Array(invocation.operands.dropFirst())
        guard let typed = operands.first else { throw UsageError.missingOperand("a label") }
        let label = try label(typed)
        switch action {
        case "add": return try await MarkCommand.run(.labelled(label), rest(operands), invocation, in: context)
        case "remove": return try await MarkCommand.run(.unlabelled(label), rest(operands), invocation, in: context)
        case "rename":
            guard operands.count > 1 else { throw UsageError.missingOperand("the new name of the label") }
            if operands.count > 2 { throw UsageError.needlessOperand(operands[2]) }
            let name = try self.label(operands[1])
            return try await change(invocation, in: context) {
                try await $0.renameLabel(label, to: name)
            } summary: {
                "“\(label)” is “\(name)” now, on \(Counted.posts($0))."
            }
        default:
            if operands.count > 1 { throw UsageError.needlessOperand(operands[1]) }
            return try await change(invocation, in: context) {
                try await $0.deleteLabel(label)
            } summary: {
                "“\(label)” removed from \(Counted.posts($0))."
            }
        }
    }

    private static func rest(_ operands: [String]) -> [String] { Array(operands.dropFirst()) }

    private static func label(_ typed: String) throws -> String {
        guard let label = Label.typed(typed) else { throw UsageError.badLabel(typed) }
        return label
    }

    private static func list(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        let fields = try invocation.fieldNames(among: description.fields)
        let session = try await Session(invocation, in: context, for: .reading)
        let labels = try await session.library.labels()
        let rows = labels.map { [Fact.text($0.label), .number($0.posts), .number($0.unread)] }
        let table = FactTable(columns: description.fields, rows: rows)
        try await session.console.print(table, fields, as: invocation.format)
        if labels.isEmpty { await session.console.notice("No labels yet. To add one: blog label add later ID") }
        return CommandResult()
    }

    private static func change(
        _ invocation: Invocation, in context: Context, _ work: (Library) async throws -> MarkingReport,
        summary: (Int) -> Message
    ) async throws -> CommandResult {
        let needless = [Option.all] + Option.filters
        if let option = needless.first(where: invocation.has) {
            throw UsageError.onlyWith(option: option.name, command: "label add or remove")
        }
        let session = try await Session(invocation, in: context, for: .storing)
        let report = try await work(session.library)
        await session.console.notice(summary(report.changed))
        return CommandResult()
    }
}
