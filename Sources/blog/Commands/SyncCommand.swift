import BlogLibrary
import Foundation
import HTTP
import Model
import Rendering
import Terminal

/// `blog sync`: everything that is missing, for reading offline.
enum SyncCommand: Command {
    static let name = "sync"
    static let summary = "fetch missing bodies for reading and searching offline"
    static let operands = ""
    static let examples = [
        ("blog sync", "everything; stop and rerun at any time"),
        ("blog sync --limit 30", "the 30 newest posts of each source"),
        ("blog sync --source hn --section best --limit 50 --comments", "stories with all comments"),
        ("blog sync --images", "pictures too"),
        ("blog sync --json | jq -r '.[] | select(.failed > 0) | .reason'", "reasons for failures, by source"),
    ]
    static let fields = [
        "source", "address", "new", "updated", "unchanged", "failed", "comments", "status", "reason", "dueAt",
        "deleted",
    ]
    static let formats = Format.ofFacts
    static let options: [Option] = [.newest, .jobs, .section, .withComments, .withImages, .keep]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        if invocation.has(.offline) { throw UsageError.notOffline }
        let fields = try invocation.fieldNames(among: Self.fields)
        let format = try invocation.format()
        let session = try await Session(invocation, in: context)
        let fitted = try invocation.fitted(to: session.capabilities)
        var options = SyncOptions(
            limit: try fitted.count(.newest), jobs: try fitted.count(.jobs, atMost: 32) ?? 4,
            section: fitted[.section], withComments: fitted.has(.withComments))
        options.keep = try fitted.retention(.keep)
        let watch = SyncWatch(session: session)
        let farewell = session.appearance.isQuiet ? nil : Interruption.farewell { watch.farewell }
        defer { farewell?.cancel() }
        let reports = try await session.library.sync(options, in: session.scope) { await watch.take($0) }
        // What was synced is printed only if a format was chosen: on a terminal the bar and the summary are enough.
        if format != nil || fields != nil {
            let states = try await session.library.sources(in: session.scope)
            let dueAt = Dictionary(states.map { ($0.id, $0.dueAt) }) { first, _ in first }
            let table = FactTable(
                columns: Self.fields,
                rows: reports.map { row($0, dueAt[$0.source] ?? nil, session) })
            try await context.console.print(session.appearance.text(fields.map(table.picking) ?? table, as: format))
        }
        await session.console.error(watch.commonestReason)
        let code = await SyncSummary(reports, session).show()
        if invocation.has(.withImages), code != .nothingToShow { try await syncPictures(options.limit, session) }
        let isReadable = await session.reportUnreadable()
        return code == .success && !isReadable ? .partly : code
    }

    /// Fetches pictures, and says in a line how many, and in another why some are missing.
    ///
    /// That is no failure: many pictures of old posts are gone for good.
    private static func syncPictures(_ limit: Int?, _ session: Session) async throws {
        let report = try await session.library.syncPictures(limit: limit, in: session.scope) {
            await session.console.observe($0)
        }
        let parts = [
            (report.new, "new"), (report.unchanged, "unchanged"), (report.unkept, "not stored (can't be written)"),
            (report.failures.count, "failed"), (report.untried, "skipped (no space left)"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let total = report.total + report.untried
        let pictures = Counted.pictures(total)
        await session.console.notice("\(pictures)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")).")
        if let message = PictureFailures(failures: report.failures).message { await session.console.error(message) }
    }

    private static func row(_ sync: SourceSync, _ dueAt: Date?, _ session: Session) -> [Fact] {
        let report = sync.report
        var reason = report.firstError
        if case .failed(let error, _) = report.refresh.outcome { reason = error }
        let status = reason == nil ? "ok" : (reason as? HTTPError)?.isUnreachable == true ? "unreachable" : "failed"
        return [
            .text(session.typedIDs.name(of: sync.source)), .text(sync.source.address), .number(report.new),
            .number(report.updated), .number(report.unchanged), .number(report.failed + report.untried),
            .number(report.comments), .text(status),
            reason.flatMap { Failure($0).message }.map { .text($0.text) } ?? .none,
            dueAt.map { .date($0) } ?? .none, .number(report.pruned),
        ]
    }
}
