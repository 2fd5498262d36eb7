import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Malformed JSON") struct JSONFuzzTests {
    /// The number of documents; `BLOG_FUZZ` overrides it.
    private static let count = Mutation.count(500)
    private static let url = URL(filePath: "/")

    @Test("is read as a list, a post or an export, or rejected without crashing")
    func anything() throws {
        var random = SplitMix(state: 42)
        for _ in 0..<Self.count {
            let bytes = Self.document(&random)
            let size = Int.random(in: 1...bytes.count + 1, using: &random)
            try refusingOnly {
                var reader = RecordReader(DocumentBody(bytes), of: Self.url, windowSize: size)
                while try reader.next() != nil {}
            }
            try refusingOnly {
                let head = HTTPHead(status: 200)
                _ = try PostDocument(HTTPDocument(url: Self.url, head: head, body: DocumentBody(bytes)), at: Self.url)
            }
            _ = try? JSONDecoder().decode(ExportedPost.self, from: Data(bytes))
        }
    }

    private func refusingOnly(_ work: () throws -> Void) throws {
        do { try work() } catch is SourceError {}
    }

    /// A list or a post, composed at random, then damaged in a few places.
    private static func document(_ random: inout SplitMix) -> [UInt8] {
        var text = ""
        for _ in 0..<Int.random(in: 1...30, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
        if Bool.random(using: &random) { text = "[" + sampleJSON() + "," + text + sampleJSON() + "]" }
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        return bytes
    }

    private static let pieces = [
        "[", "]", "{", "}", ",", ":", "\"", "\\", " ", "\n", "\t", "null", "true", "false", "0", "-1", "1.5e9",
        "\"id\"",
        "\"body\"", "\"body\":\"", "\"title\":", "\"publishDate\":\"2018-07-15T23:03:29-04:00\"",
        "\"author\":{\"name\":",
        "\\u0000", "\\ud800", "\\udc00", "\\n", "é", "中", "🚀", "\u{FEFF}", "\"source\":\"blog\"", "\"metadata\":",
        sampleJSON(), #"{"id":"1","body":"a\nb","metadata":{}}"#,
    ]
}
