import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogRendering

@Suite("The response for a post") struct PostReaderTests {
    private static let url = URL(filePath: "/post/101")
    private static let text = "Öne\ntwo 🚀\n\"three\" 中"
    private static let json = Array(
        (#"{"id":"101","metadata":{"id":"1","title":"é \"t\""},"body":"Öne\ntwo \ud83d\ude80\n\"three\" 中","#
            + #""x":[1,{"y":null}]}"#)
            .utf8)

    /// The text read from a response in chunks of `size` bytes, and the error that ended it.
    private func read(_ json: [UInt8], by size: Int) async throws -> (text: String, error: SourceError?) {
        let chunks = stride(from: 0, to: json.count, by: size).map { Array(json[$0..<min($0 + size, json.count)]) }
        let rest = Chunks(chunks)
        let response = HTTPResponse(
            url: Self.url, head: HTTPHead(status: 200), body: ResponseBody { await rest.next() })
        let reader = PostReader(response, of: try sample(), at: Self.url)
        var text = ""
        do {
            while let piece = try await reader.next() { text += piece }
            return (text, nil)
        } catch { return (text, error as? SourceError) }
    }

    private actor Chunks {
        private var rest: ArraySlice<[UInt8]>

        init(_ chunks: [[UInt8]]) { rest = chunks[...] }

        func next() -> [UInt8]? { rest.popFirst() }
    }

    @Test("yields the body, whatever the chunk size", arguments: [1, 2, 3, 5, 8, 13, 1000])
    func whole(size: Int) async throws {
        let read = try await read(Self.json, by: size)
        #expect(read.text == Self.text)
        #expect(read.error == nil)
    }

    @Test("is malformed if cut off, after yielding the body up to there", arguments: [1, 7, 1000])
    func cutOff(size: Int) async throws {
        for count in 1..<Self.json.count {
            let read = try await read(Array(Self.json.prefix(count)), by: size)
            #expect(read.error == .malformed(Self.url), "after \(count) bytes")
            #expect(Self.text.hasPrefix(read.text), "after \(count) bytes")
        }
        #expect(try await read([], by: size).error == .unreadable(Self.url, problem: "is empty"))
    }

    @Test("is malformed if its body has invalid UTF-8", arguments: [1, 7, 1000])
    func wrongByte(size: Int) async throws {
        let start = try #require(Self.json.firstRange(of: Array(#""body":""#.utf8)))
        for place in start.upperBound...(start.upperBound + Self.text.utf8.count) {
            for byte: UInt8 in [0xFF, 0xE9] {
                let read = try await read(Self.json[..<place] + [byte] + Self.json[place...], by: size)
                #expect(read.error != nil, "at \(place)")
                #expect(Self.text.hasPrefix(read.text), "at \(place)")
            }
        }
        // Without a complete line that could be yielded before the error.
        let latin = Array(#"{"id":"101","metadata":{"id":"1"},"body":"caf"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        #expect(try await read(latin, by: size).error == .malformed(Self.url))
    }
}
