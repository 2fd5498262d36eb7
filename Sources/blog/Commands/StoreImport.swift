import BlogKit
import Foundation

/// Takes exported posts in, some at a time, so that a file of any size needs little memory.
struct StoreImport {
    let archive: Archive
    let console: Console

    /// Reads a file, `-` for stdin; lines that are no exported posts are named and left out.
    func run(_ path: String) async throws -> ExitCode {
        guard let lines = LineReader(path: path) else { throw UsageError.unreadableFile(path) }
        var report = MergeReport()
        var batch: [ExportedPost] = []
        var bytes = 0
        var flawed: [Int] = []
        for (number, line) in zip(1..., lines) where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            guard let post = try? JSONDecoder().decode(ExportedPost.self, from: line), Archive.accepts(post) else {
                flawed.append(number)
                continue
            }
            batch.append(post)
            bytes += line.count
            guard batch.count == Self.mostPosts || bytes > Self.mostBytes else { continue }
            report.add(try await archive.merge(batch))
            (batch, bytes) = ([], 0)
        }
        report.add(try await archive.merge(batch))
        return await tell(report, flawed)
    }

    private func tell(_ report: MergeReport, _ flawed: [Int]) async -> ExitCode {
        let total = report.new + report.changed + report.unchanged
        await console.notice(
            "\(Counted.posts(total)): \(report.new) new, \(report.changed) changed, \(report.unchanged) unchanged.")
        guard !flawed.isEmpty else { return .success }
        let shown = flawed.prefix(5).map(String.init).joined(separator: ", ") + (flawed.count > 5 ? " and more" : "")
        let what = flawed.count == 1 ? "This line is no exported post" : "These lines are no exported posts"
        await console.error("\(what), so left out: \(shown).")
        return total == 0 ? .failed : .partly
    }

    private static let mostPosts = 1000
    private static let mostBytes = 16 << 20
}
