import Foundation
import Testing

/// A store that commit 464239a1 wrote, of version 12, and what that commit exported from it.
///
/// It has posts of every kind of source. They were served by our mock server, with three long bodies more:
/// ``longBodies``.
package enum OldStore {
    /// Unpacks the store to a path.
    package static func unpack(to path: String) async throws { try await unpack("blog.sqlite3", to: path) }

    /// The lines of the export, but for the last, which counts the others.
    package static func exportedLines() async throws -> [String] {
        let folder = try TemporaryFolder()
        try await unpack("export.jsonl", to: folder.path("export"))
        let text = try String(contentsOfFile: folder.path("export"), encoding: .utf8)
        return text.utf8.split(separator: UInt8(ascii: "\n")).dropLast().map { String(Substring($0)) }
    }

    private static func unpack(_ name: String, to path: String) async throws {
        let packed = Repository.root.appending(path: "Tests/Fixtures/OldStore/\(name).gz")
        let shell = BlogProcess(
            ["-c", #"gzip -dc "$1" >"$2""#, "sh", packed.path, path], of: URL(filePath: "/bin/sh"),
            environment: ["PATH": "/usr/bin:/bin"], folder: packed.deletingLastPathComponent())
        let outcome = try await shell.run(input: "")
        try #require(outcome.code == 0, "\(outcome.errors)")
    }

    /// The IDs of posts of the blog API with long bodies, and the sizes of these in bytes.
    package static let longBodies = [("101", 99_998), ("102", 2_000_000), ("103", 20_000_000)]

    /// A long body as it was served.
    package static func longBody(ofBytes size: Int) -> String {
        var (text, number) = ("", 0)
        while text.utf8.count < size {
            number += 1
            text += "## Teil \(number)\n\n" + String(repeating: "Weg – 🎉 ", count: 5000) + "\n\n"
        }
        return String(Substring(text.utf8.prefix(size)))
    }
}
