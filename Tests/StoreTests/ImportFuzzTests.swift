import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A damaged line of an import") struct ImportFuzzTests {
    @Test("is imported or skipped, and leaves the store consistent")
    func anything() async throws {
        let folder = try TemporaryFolder()
        let archive = try Archive(path: folder.path("store"))
        let originals = try originals()
        var random = SplitMix(state: 11)
        var accepted: [ExportedPost] = []
        var taken = 0
        let count = Mutation.count(400)
        for number in 1...count {
            let line = Mutation.of(originals.randomElement(using: &random) ?? "", pieces: Self.pieces, &random)
            let post = try? JSONDecoder().decode(ExportedPost.self, from: Data(line.utf8))
            if let post, Archive.accepts(post) { accepted.append(post) }
            guard accepted.count == 100 || number == count else { continue }
            let report = try await archive.merge(accepted)
            #expect(report.total == accepted.count)
            taken += accepted.count
            accepted = []
        }
        #expect(taken > count / 20, "\(taken)")
        #expect(try await archive.check().isEmpty)
        for try await post in try await archive.export() {
            let line = ExportLine.text(post)
            #expect(HostileText.isHarmless(line) && line.split(separator: "\n").count == 1, "\(line.debugDescription)")
            #expect(try JSONDecoder().decode(ExportedPost.self, from: Data(line.utf8)) == post)
        }
    }

    /// The exported lines of a store with the mock blog's list.
    private func originals() throws -> [String] {
        let list = try Data(contentsOf: Repository.mockBlog.appending(path: "all.json"))
        let posts = try JSONDecoder().decode([PostMetadata].self, from: list)
        return posts.enumerated().map { index, metadata in
            let post = ExportedPost(
                source: "blog", address: "http://localhost:8106", listed: true, read: index % 2 == 0, saved: false,
                changedAt: 1_700_000_000_000, metadata: metadata,
                body: ExportedPost.Body(text: "A body.\n**\(index)**", fetchedAt: 1_700_000_000_000, isCurrent: true))
            return ExportLine.text(post)
        }
    }

    private static let pieces = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "false", "0", "-1", "1e400", "9223372036854775808",
        "\\u0000", "\\ud800", "\\u001b", "\\u202e", "\\n", "\"saved\":true,", "\"body\":null,", "\"id\":\"\",", "é",
        "中",
        "\"discussion\":{\"replies\":[\"1\"]},", "\"source\":\"hackernews\",", "10000-01-01T00:00:00Z", "+99:99",
    ]
}
