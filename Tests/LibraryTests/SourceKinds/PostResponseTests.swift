import BlogModel
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogRendering
@testable import BlogStore

@Suite("The response for a post") struct PostResponseTests {
    private static let url = URL(filePath: "/post/101")
    private static let text = "Öne\ntwo 🚀\n\"three\" 中"
    private static let json = Array(
        (#"{"id":"101","metadata":{"id":"1","title":"é \"t\""},"body":"Öne\ntwo \ud83d\ude80\n\"three\" 中","#
            + #""x":[1,{"y":null}]}"#)
            .utf8)

    /// The body in a response that arrives in chunks of `size` bytes, or what is wrong with it.
    private func read(_ json: [UInt8], by size: Int) async throws -> Result<String, SourceError> {
        let chunks = stride(from: 0, to: json.count, by: size).map { Array(json[$0..<min($0 + size, json.count)]) }
        let rest = Chunks(chunks)
        let response = HTTPResponse(
            url: Self.url, head: HTTPHead(status: 200), body: ResponseBody { await rest.next() })
        do {
            switch try await BlogAPISource.content(of: response, for: sample(), at: Self.url) {
            case .text(let text): return .success(text)
            case .long(let text): return .success(try text.whole())
            case .unchanged: return .success("")
            }
        } catch let error as SourceError { return .failure(error) }
    }

    private actor Chunks {
        private var rest: ArraySlice<[UInt8]>

        init(_ chunks: [[UInt8]]) { rest = chunks[...] }

        func next() -> [UInt8]? { rest.popFirst() }
    }

    @Test("has the body, whatever the chunk size", arguments: [1, 2, 3, 5, 8, 13, 1000])
    func whole(size: Int) async throws {
        #expect(try await read(Self.json, by: size) == .success(Self.text))
    }

    @Test("has a body that is too long for memory", arguments: [10_007, 1 << 20])
    func long(size: Int) async throws {
        let text = String(repeating: "中é\n", count: 100_000)
        let json = #"{"id":"101","body":"\#(text.replacing("\n", with: #"\n"#))"}"#
        #expect(try await read(Array(json.utf8), by: size) == .success(text))
    }

    @Test("is malformed if cut off", arguments: [1, 7, 1000])
    func cutOff(size: Int) async throws {
        for count in 1..<Self.json.count {
            let read = try await read(Array(Self.json.prefix(count)), by: size)
            #expect(read == .failure(.malformed(Self.url)), "after \(count) bytes")
        }
        #expect(try await read([], by: size) == .failure(.unreadable(Self.url, problem: "is empty")))
    }

    @Test("is malformed if its body has invalid UTF-8", arguments: [1, 7, 1000])
    func wrongByte(size: Int) async throws {
        let start = try #require(Self.json.firstRange(of: Array(#""body":""#.utf8)))
        for place in start.upperBound...(start.upperBound + Self.text.utf8.count) {
            for byte: UInt8 in [0xFF, 0xE9] {
                let read = try await read(Self.json[..<place] + [byte] + Self.json[place...], by: size)
                #expect(read == .failure(.malformed(Self.url)), "at \(place)")
            }
        }
    }
}
