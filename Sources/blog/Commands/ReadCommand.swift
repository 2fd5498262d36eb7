import BlogKit
import Foundation

/// `blog read`: posts whole; the only command that fetches a body.
enum ReadCommand: Command {
    static let name = "read"
    static let summary = "read one or more posts whole"
    static let operands = "ID... | -"
    static let examples = [
        ("blog read 42", "the post whose id a list shows as 42"),
        ("blog list --author kerri --format ids | blog read -", "all of one author; - takes ids from stdin"),
        ("blog read 42 --offline", "the stored copy"),
        ("blog read 42 --json | jq -r .body", "the body for the next program"),
    ]
    static let fields = Field.ofReadings.map(\.rawValue)
    static let options: [Option] = [.raw, .noMark]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        guard !invocation.operands.isEmpty, !invocation.operands.contains("") else {
            throw UsageError.missingOperand("the id of a post")
        }
        let fields = try invocation.fields(among: Field.ofReadings)
        let format = try invocation.format()
        if invocation.has(.raw), format != nil || fields != nil { throw UsageError.conflict("raw", "format") }
        let session = try await Session(invocation, in: context)
        let isRaw = invocation.has(.raw)
        // One post alone is a JSON object, as the API sends it; several are a list.
        let isSingle = invocation.operands.count == 1 && invocation.operands != ["-"]
        let renderer = renderer(format == .json && isSingle ? .jsonl : format, fields, isRaw, session.appearance)
        var reading = Reading(session: session, renderer: renderer, isRaw: isRaw)
        let isReading = !invocation.has(.noMark) && format != .ids && fields?.contains(.body) != false
        do {
            for operand in invocation.operands {
                guard operand == "-" else {
                    try await reading.read(operand)
                    continue
                }
                for id in PostIDs.fromStandardInput() { try await reading.read(id) }
            }
            let code = try await reading.finish()
            // Who leaves a pager has read; who takes the first lines of a pipe has not.
            try await session.console.close()
            if isReading { try await session.reader.noteReading(of: reading.shownIDs) }
            return code
        } catch OutputError.closed where session.appearance.isTerminal {
            if isReading { try await session.reader.noteReading(of: reading.shownIDs) }
            throw OutputError.closed
        }
    }

    private static func renderer(
        _ format: Format?, _ fields: [Field]?, _ isRaw: Bool, _ appearance: Appearance
    ) -> any Renderer {
        if isRaw || format == nil && fields == nil && !appearance.isForPeople { return BodyRenderer(isRaw: isRaw) }
        let format = format ?? (fields == nil ? .table : .tsv)
        let width = appearance.isWidthGiven ? appearance.width : min(appearance.width, mostColumns)
        let isBounded = appearance.isTerminal || appearance.isWidthGiven
        return format.renderer(fields: fields, isGrouped: false)
            ?? ArticleRenderer(
                width: width, codeWidth: isBounded ? appearance.width : nil,
                isColored: appearance.isColored && format != .text,
                links: appearance.hasHyperlinks && format != .text ? .hyperlinks : .numbered)
    }

    /// Longer lines are hard to read, however wide the terminal.
    private static let mostColumns = 80
}
