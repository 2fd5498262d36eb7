import BlogCore
import Foundation

/// `blog sources`: what can be read, and how it stands.
enum SourcesCommand: Command {
    static let name = "sources"
    static let summary = "show what can be read, what of it is stored, and how its last refresh ended"
    static let operands = ""
    static let examples = [
        ("blog sources", "every source and address of which something is stored"),
        ("blog sources --check || echo down", "ask each of them; exit code 5 if one fails"),
        ("blog sources --fields unread,address", "how much there is to read where"),
    ]
    static let options: [Option] = [.check]

    static let fields = ["name", "address", "posts", "bodies", "unread", "refreshedAt", "status", "failedAt"]

    static let formats = Format.ofFacts

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let fields = try invocation.fieldNames(among: Self.fields)
        let format = try invocation.format()
        let appearance = try await context.console.configure(invocation)
        let archive = try Archive(path: invocation.storePath(context))
        func all() async throws -> [SourceState] {
            try await archive.sources(with: invocation[.source], at: invocation[.url])
        }
        var problems: [String: RefreshProblem] = [:]
        if invocation.has(.check) {
            if invocation.has(.offline) { throw UsageError.notOffline }
            for source in try await all() {
                problems[source.name + " " + source.address] = try await problem(of: source, invocation, context)
            }
        }
        let sources = try await all().map { source in
            var source = source
            // Of a source of which nothing is stored the store can't know it.
            guard let problem = problems[source.name + " " + source.address] else { return source }
            source.problem = problem
            source.failedAt = source.failedAt ?? context.now()
            return source
        }
        if format == nil && fields == nil && appearance.isTerminal || format == .table {
            try await context.console.print(sources.map { SourceCard.text($0, appearance) }.joined(separator: "\n"))
        } else {
            let table = FactTable(columns: Self.fields, rows: sources.map(row))
            try await context.console.print(try (format ?? .tsv).text(fields.map(table.picking) ?? table))
        }
        return problems.isEmpty ? .success : .partly
    }

    private static func row(_ source: SourceState) -> [Fact] {
        [
            .text(source.name), .text(source.address), .number(source.posts), .number(source.bodies),
            .number(source.unread), source.refreshedAt.map { .date($0) } ?? .none, .text(SourceCard.status(source)),
            source.failedAt.map { .date($0) } ?? .none,
        ]
    }

    /// Why a source gives no list now, nil where it gives one; says so.
    private static func problem(
        of source: SourceState, _ invocation: Invocation, _ context: Context
    ) async throws -> RefreshProblem? {
        let console = context.console
        guard source.isKnown else {
            await console.notice(
                "The source \(source.name) at \(source.address) is unknown to this blog, so it was not checked.")
            return nil
        }
        let reader = try Reader(
            source: source.name, address: source.address, storePath: invocation.storePath(context),
            timeout: try invocation.seconds(.timeout) ?? 30, transport: context.transport,
            observer: { await console.observe($0) })
        do {
            guard case .failed(let error, _) = try await reader.check().outcome else { return nil }
            await console.error(Failure(error).message)
            return (error as? HTTPError)?.isUnreachable == true ? .unreachable : .failed
        } catch ReaderError.unreachable(let error) {
            await console.error(Failure.text(error))
            return .unreachable
        } catch let error where error is HTTPError || error is SourceError {
            await console.error(Failure(error).message)
            return .failed
        }
    }
}
