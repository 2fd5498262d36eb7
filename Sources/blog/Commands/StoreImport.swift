import BlogLibrary
import Foundation
import Store
import Terminal

/// Imports exported posts in batches, so that a file of any size needs little memory.
struct StoreImport {
    let archive: Archive
    let console: Console

    /// Reads a file, `-` for stdin; lines that are no exported posts are named and left out.
    func run(_ path: String) async throws -> ExitCode {
        let lines = try LineReader(path: path)
        var report = MergeReport()
        var batch: [ExportedPost] = []
        var bytes = 0
        var flawed: [Int] = []
        var sources = 0
        for (number, line) in zip(1..., lines) where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            guard let post = try? JSONDecoder().decode(ExportedPost.self, from: line), Archive.accepts(post) else {
                if let source = try? JSONDecoder().decode(ExportedSource.self, from: line), Archive.accepts(source) {
                    sources += try await archive.merge(source) && source.followedAt != nil ? 1 : 0
                } else {
                    flawed.append(number)
                }
                continue
            }
            batch.append(post)
            bytes += line.count
            guard batch.count == Self.maxPosts || bytes > Self.maxBytes else { continue }
            report.add(try await archive.merge(batch))
            (batch, bytes) = ([], 0)
        }
        report.add(try await archive.merge(batch))
        // Where nothing could be read there is nothing to tell but that.
        if report.total == 0, flawed.isEmpty { try lines.finish() }
        if sources > 0 { await console.notice("Following \(sources) more \(sources == 1 ? "source" : "sources").") }
        let code = await showSummary(report, flawed)
        do {
            try lines.finish()
            return code
        } catch {
            await console.error(Failure(error).message)
            return .partly
        }
    }

    private func showSummary(_ report: MergeReport, _ flawed: [Int]) async -> ExitCode {
        await console.notice(
            "\(Counted.posts(report.total)): \(report.new) new, \(report.changed) changed, \(report.unchanged) unchanged."
        )
        guard !flawed.isEmpty else { return .success }
        let shown = flawed.prefix(5).map(String.init).joined(separator: ", ") + (flawed.count > 5 ? " and more" : "")
        await console.error(
            flawed.count == 1
                ? "Skipped line \(shown): it isn't an exported post."
                : "Skipped lines \(shown): they aren't exported posts.")
        return report.total == 0 ? .failed : .partly
    }

    private static let maxPosts = 1000
    private static let maxBytes = 16 << 20
}
