import Essentials
import Store

/// What an import of exported posts did.
package struct ImportReport: Sendable {
    package fileprivate(set) var posts = MergeReport()
    /// How many sources are followed that weren't.
    package fileprivate(set) var sources = 0
    /// The numbers of the lines that aren't exported posts.
    package fileprivate(set) var skippedLines: [Int] = []
    /// Why reading ended early; nil at the end of the file.
    package fileprivate(set) var failure: FileError?
}

extension Archive {
    /// Imports a file of exported posts, `-` for stdin, in batches, so that a file of any size needs little memory.
    ///
    /// Lines that aren't exported posts or sources are left out.
    ///
    /// Throws ``FileError/unreadable(_:reason:)`` if nothing could be read.
    package func importPosts(from path: String) async throws -> ImportReport {
        let lines = try LineReader(path: path)
        var report = ImportReport()
        var batch: [ExportedPost] = []
        var bytes = 0
        for (number, line) in zip(1..., lines) where !line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) {
            guard let post = try? JSONDecoder().decode(ExportedPost.self, from: line), Archive.accepts(post) else {
                if let source = try? JSONDecoder().decode(ExportedSource.self, from: line), Archive.accepts(source) {
                    report.sources += try await merge(source) && source.followedAt != nil ? 1 : 0
                } else {
                    report.skippedLines.append(number)
                }
                continue
            }
            batch.append(post)
            bytes += line.count
            guard batch.count == Self.maxPosts || bytes > Self.maxBytes else { continue }
            report.posts.add(try await merge(batch))
            (batch, bytes) = ([], 0)
        }
        report.posts.add(try await merge(batch))
        do {
            try lines.finish()
        } catch let error as FileError {
            if report.posts.total == 0, report.skippedLines.isEmpty { throw error }
            report.failure = error
        }
        return report
    }

    private static let maxPosts = 1000
    private static let maxBytes = 16 << 20
}
