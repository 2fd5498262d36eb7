import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogMarkup
@testable import BlogRendering

@Suite("A body in JSON") struct BodyExtractorTests {
    /// The body extracted from a response that arrives in chunks of `size` bytes.
    private func extract(_ json: String, by size: Int) -> (text: String, body: BodyExtractor) {
        let bytes = Array(json.utf8)
        var body = BodyExtractor()
        let text = stride(from: 0, to: bytes.count, by: size).reduce(into: "") { text, start in
            text += body.add(Array(bytes[start..<min(start + size, bytes.count)])) ?? ""
        }
        return (text + body.finish(), body)
    }

    static let responses: [(String, String)] = [
        (#"{"id":"1","body":"one\ntwo\nthr"}"#, "one\ntwo\nthr"),
        (#"{ "body" : "a\n" , "metadata":{"body":"no\n"}}"#, "a\n"),
        (#"{"metadata":{"body":"no\n","x":["body","no\n"]},"title":"body","body":"yes\n"}"#, "yes\n"),
        (#"{"b\u006fdy":"no\n","bodyx":"no\n","x":"body","body":"\"\\\/\t\n"}"#, "\"\\/\t\n"),
        (#"{"body":"\ud83d\ude80 é 中 \u00e9\ud800x\udc00\r\n🚀"}"#, "🚀 é 中 é\u{FFFD}x\u{FFFD}\r\n🚀"),
        (#"{"x\ud800":"\ud800","body":"a\n"}"#, "a\n"), (#"{"body":null,"x":"a\n"}"#, ""),
        (#"{"body":"a\n","body":"b\n"}"#, "a\n"), (#"["body","a\n"]"#, ""), ("<!DOCTYPE html>", ""),
        ("", ""), (#"{"body":["a\n"]}"#, ""), (#"{"body":{"body":"a\n"}}"#, ""), (#"{"body":"","id":"1"}"#, ""),
    ]

    @Test("is extracted, whatever the chunk size", arguments: responses)
    func text(json: String, text: String) {
        for size in [1, 2, 3, 7, 1000] {
            let (given, body) = extract(json, by: size)
            #expect(given == text, "in pieces of \(size) bytes")
            #expect(body.isValid)
        }
    }

    @Test(
        "leaves the rest of the response unchanged",
        arguments: [
            (#"{"id":"1","body":"one\ntwo \"","x":[1,{"body":"\n"}]}"#, #"{"id":"1","body":"","x":[1,{"body":"\n"}]}"#),
            (#"{"body":null}"#, #"{"body":null}"#), (#" ["body":"x"]"#, #" ["body":""]"#), ("<p>", "<p>"),
            (#"{"body":"a","body":"b"}"#, #"{"body":"","body":"b"}"#),
        ])
    func surroundings(json: String, expected: String) {
        for size in [1, 3, 1000] {
            #expect(String(decoding: extract(json, by: size).body.envelope, as: UTF8.self) == expected)
        }
    }

    @Test(
        "is malformed with control characters, invalid escapes or invalid UTF-8",
        arguments: ["a\u{1}", #"\x"#, #"\u12g4"#, "\n"])
    func unsound(text: String) {
        #expect(!extract(#"{"body":"\#(text)"}"#, by: 1).body.isValid)
        var bytes = BodyExtractor()
        _ = bytes.add(Array(#"{"body":""#.utf8) + [0xC3, 0x28] + Array("\n\"}".utf8))
        _ = bytes.finish()
        #expect(!bytes.isValid)
    }

    @Test("comes in pieces of whole characters if it is long")
    func pieces() {
        let text = String(repeating: "中é", count: 400_000)
        let bytes = Array(#"{"body":"\#(text)"}"#.utf8)
        var body = BodyExtractor()
        var pieces = stride(from: 0, to: bytes.count, by: 10_007).compactMap { start in
            body.add(Array(bytes[start..<min(start + 10_007, bytes.count)]))
        }
        #expect(pieces.count > 10)
        pieces.append(body.finish())
        #expect(pieces.joined() == text)
        #expect(body.isValid)
    }
}

@Suite("The JSON around a body") struct PostSurroundingsTests {
    @Test(
        "is scanned as JSONDecoder would decode it",
        arguments: [
            #"{"body":""}"#, #" { "id" : "1" , "body" : "" } "#, #"{"body":"","id":"\u0031","x":[1.5e3,{"id":"2"}]}"#,
            #"{"metadata":{"id":"1","author":{"id":"no"},"title":"\n"},"body":"","id":"2"}"#,
            #"{"metadata":{},"body":""}"#, #"{"x":{"metadata":{"id":"no"}},"body":""}"#,
        ])
    func scanned(json: String) throws {
        let scanned = try #require(PostEnvelope(scanning: Array(json.utf8)))
        let decoded = try JSONDecoder().decode(PostEnvelope.self, from: Data(json.utf8))
        #expect((scanned.body, scanned.id, scanned.metadataID) == (decoded.body, decoded.id, decoded.metadataID))
    }

    @Test(
        "is left to JSONDecoder if it has an unusual form",
        arguments: [
            "", "null", "[]", "{}", #"{"id":"1"}"#, #"{"body":null}"#, #"{"body":"","body":""}"#,
            #"{"body":"","id":1}"#,
            #"{"body":"","id":"1","id":"2"}"#, #"{"body":"","metadata":null}"#, #"{"body":"","metadata":{"id":1}}"#,
            #"{"body":""}x"#, #"{"body":"","x":01}"#, #"{"b\u006fdy":""}"#, #"{"body":"""#,
            #"{"body":"","metadata":{"id":"1"},"metadata":{"id":"2"}}"#,
        ])
    func unusual(json: String) {
        #expect(PostEnvelope(scanning: Array(json.utf8)) == nil)
    }
}
