import BlogLibrary
import Foundation
import Model
import Rendering
import Store
import Terminal

/// `blog store prune`: old posts deleted.
struct StorePruning {
    let archive: Archive
    let console: Console
    let appearance: Appearance

    static let fields = ["source", "address", "posts", "comments", "bytes"]

    func run(_ invocation: Invocation, now: Date) async throws -> ExitCode {
        let (age, common) = (try invocation.retention(.olderThan), try invocation.retention(.keep))
        if age == nil, common?.cutoff(at: now) == nil, try await !archive.hasRetention() {
            throw UsageError.missingOperand("an age, as in: blog store prune --older-than 1y")
        }
        let isDryRun = invocation.has(.dryPruning)
        let (fields, format) = (try invocation.fieldNames(among: Self.fields), try invocation.format())
        let typedIDs = try await archive.typedIDs()
        let reports = try await archive.prune(
            keeping: age, common: common, sources: invocation.typedSources, isDryRun: isDryRun, at: now)
        if isDryRun {
            let table = FactTable(columns: Self.fields, rows: reports.map { row($0, typedIDs) })
            try await console.print(appearance.text(fields.map(table.picking) ?? table, as: format))
        }
        await tell(reports, isDryRun)
        return await console.report(unreadable: await archive.unreadable, typedIDs) ? .success : .partly
    }

    private func row(_ report: PruneReport, _ typedIDs: TypedIDs) -> [Fact] {
        [
            .text(typedIDs.name(of: report.source)), .text(report.source.address), .number(report.posts),
            .number(report.comments), .number(report.bytes),
        ]
    }

    private func tell(_ reports: [PruneReport], _ isDryRun: Bool) async {
        func sum(_ number: (PruneReport) -> Int) -> Int { reports.reduce(0) { $0 + number($1) } }
        guard !reports.isEmpty else { return await console.notice("No posts are that old.") }
        let what = Counted.deleted(sum(\.posts), sum(\.comments))
        guard !isDryRun else {
            return await console.notice("Would delete \(what), about \(ByteCount.text(sum(\.bytes))).")
        }
        let unused = (try? await archive.reclaim()) ?? 0
        let size = ((try? await archive.facts().bytes).map { " \(archive.path) is now \(ByteCount.text($0))." }) ?? ""
        await console.notice("Deleted \(what).\(size)")
        if unused >= 1_000_000 {
            await console.notice("\(ByteCount.text(unused)) of it is unused. To shrink the file: blog store vacuum")
        }
    }
}
