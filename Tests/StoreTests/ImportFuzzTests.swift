import BlogMarkup
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

    @Test("of any store makes one whose export is the same, byte by byte")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        var random = SplitMix(state: 5)
        for number in 1...Mutation.count(40) {
            let first = try Archive(path: folder.path("a\(number)"))
            _ = try await first.merge((0..<20).map { Self.post($0, &random) })
            _ = try await first.merge(Self.source(&random))
            let lines = try await Self.lines(of: first)
            for line in lines { #expect(HostileText.isHarmless(line) && Sanitizer.output(line) == line) }
            let file = folder.path("export\(number)")
            try lines.joined().write(toFile: file, atomically: false, encoding: .utf8)
            let second = try Archive(path: folder.path("b\(number)"))
            let report = try await second.importPosts(from: file)
            #expect(report.skippedLines == [] && report.posts.new > 0 && report.posts.new == lines.count - 1)
            let again = try await Self.lines(of: second)
            #expect(again == lines)
        }
    }

    private static func lines(of archive: Archive) async throws -> [String] {
        let posts = try await archive.export()
        var lines = posts.sources.map { ExportLine.text($0) }
        for try await post in posts { lines.append(ExportLine.text(post)) }
        return lines
    }

    /// A post with any characters in all that is stored.
    private static func post(_ number: Int, _ random: inout SplitMix) -> ExportedPost {
        func text() -> String { HostileText.next(&random) }
        let (time, isNumbered) = (Int64.random(in: 1...1_800_000_000_000, using: &random), number % 3 == 0)
        let article = EntryDetails(
            tags: [text(), text()], enclosures: [Enclosure(url: "http://a/" + text(), type: text(), title: text())],
            image: text(), language: text())
        let discussion = Discussion(parent: number % 2 == 0 ? text() : nil, replies: [text()])
        let metadata = PostMetadata(
            id: isNumbered ? String(number + 1) : text() + String(number), title: text(),
            publishDate: Timestamp(secondsSince1970: Int(time / 1000)), postId: text() + String(number),
            summary: text(),
            author: Author(name: text(), image: text(), title: text()), link: text(), score: number,
            details: number % 4 == 0 ? .discussion(discussion) : .entry(article))
        return ExportedPost(
            source: "feed", address: "http://a.example/", listed: number % 2 == 0, read: Bool.random(using: &random),
            saved: Bool.random(using: &random), changedAt: time, wordsChangedAt: number % 5 == 0 ? time : nil,
            numbered: isNumbered ? true : nil, metadata: metadata,
            body: number % 7 == 0
                ? nil : ExportedPost.Body(text: text(), fetchedAt: time, isCurrent: true, format: "html"))
    }

    private static func source(_ random: inout SplitMix) -> ExportedSource {
        var source = ExportedSource(
            SourceID(kind: "feed", address: "http://a.example/"), name: "a", folder: HostileText.next(&random))
        source.title = HostileText.next(&random)
        source.followedAt = 1_700_000_000_000
        return source
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
