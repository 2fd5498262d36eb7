import BlogCore
import Foundation

/// `blog sync`: everything that is missing, for reading offline.
enum SyncCommand: Command {
    static let name = "sync"
    static let summary = "fetch every body that is missing, for reading and searching offline"
    static let operands = ""
    static let examples = [
        ("blog sync", "everything; stop it at any time, and run it again to go on"),
        ("blog sync --limit 30", "the thirty newest posts"),
        ("blog sync --source hn --section best --limit 50 --comments", "whole threads for the train"),
        ("blog sync --json | jq -r '.[] | select(.status == \"failed\") | .reason'", "what went wrong"),
    ]
    static let fields = Field.ofSyncs.map(\.rawValue)
    static let options: [Option] = [.newest, .jobs, .section, .withComments]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        if invocation.has(.offline) { throw UsageError.notOffline }
        var limit = try invocation.count(.newest)
        let jobs = try invocation.count(.jobs, atMost: 32) ?? 4
        let picked = try invocation.fields(among: Field.ofSyncs)
        let fields = picked ?? Field.synced
        let format = try invocation.format() ?? (picked == nil ? nil : .tsv)
        let session = try await Session(invocation, in: context)
        // What was synced is told only to who asked for it: on a terminal the bar and the summary say enough.
        let renderer = format.map { [.table, .text].contains($0) ? .tsv : $0 }?.renderer(
            fields: fields, isGrouped: false)
        let printer = SyncPrinter(session, renderer: renderer)
        let invocation = try invocation.fitted(to: session.reader)
        if !session.reader.sections.isEmpty { limit = limit ?? ListCommand.frontPage }
        let options = ItemSyncOptions(
            section: invocation[.section], withComments: invocation.has(.withComments))
        let report = try await session.reader.sync(limit: limit, jobs: jobs, options: options) {
            await printer.take($0)
        }
        try await printer.finish()
        return await tell(report, session)
    }

    private static func tell(_ report: SyncReport, _ session: Session) async -> ExitCode {
        await ListReport(report.refresh, session).tellFlaws()
        if case .failed(let error, _) = report.refresh.outcome {
            await session.console.error(Failure(error).message)
            return .failed
        }
        let parts = [
            (report.new, "new"), (report.updated, "updated"), (report.unchanged, "unchanged"),
            (report.failed, "failed"), (report.untried, "not tried any more"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let total = report.new + report.updated + report.unchanged + report.failed + report.untried
        let detail = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
        let posts = Counted.posts(total - report.comments)
        let things = report.comments == 0 ? posts : "\(posts), \(report.comments) comments"
        await session.console.notice("\(things)\(detail).")
        if let error = report.firstError {
            await session.console.error("The first failure: \(Failure(error).message ?? "")")
        }
        return report.failed + report.untried == 0 ? .success : .partly
    }
}
