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

    /// The body in a response, or what is wrong with it.
    private func read(_ json: [UInt8]) throws -> Result<String, SourceError> {
        let document = HTTPDocument(url: Self.url, head: HTTPHead(status: 200), body: DocumentBody(json))
        do { return .success(try PostDocument(document, at: Self.url).body) } catch let error as SourceError {
            return .failure(error)
        }
    }

    static let responses: [(String, String)] = [
        (#"{"id":"1","body":"one\ntwo\nthr"}"#, "one\ntwo\nthr"),
        (#"{ "body" : "a\n" , "metadata":{"body":"no\n"}}"#, "a\n"),
        (#"{"metadata":{"body":"no\n","x":["body","no\n"]},"title":"body","body":"yes\n"}"#, "yes\n"),
        (#"{"bodyx":"no\n","x":"body","body":"\"\\\/\t\n"}"#, "\"\\/\t\n"),
        (#"{"b\u006fdy":"yes\n","bodyx":"no\n"}"#, "yes\n"),
        (#"{"body":"\ud83d\ude80 é 中 \u00e9\ud800x\udc00\r\n🚀"}"#, "🚀 é 中 é\u{FFFD}x\u{FFFD}\r\n🚀"),
        (#"{"x\ud800":"\ud800","body":"a\n"}"#, "a\n"), (#"{"body":"","id":"1"}"#, ""),
    ]

    @Test("has the body in its outermost object", arguments: responses)
    func text(json: String, text: String) throws {
        #expect(try read(Array(json.utf8)) == .success(text))
    }

    @Test(
        "is malformed with control characters or invalid escapes", arguments: ["a\u{1}", #"\x"#, #"\u12g4"#, "\n"])
    func unsound(text: String) throws {
        #expect(try read(Array(#"{"body":"\#(text)"}"#.utf8)) == .failure(.malformed(Self.url)))
    }

    @Test("has a body of any length, with escapes or without")
    func long() throws {
        #expect(try read(Self.json) == .success(Self.text))
        let text = String(repeating: "中é\n", count: 100_000)
        for written in [text.replacing("\n", with: #"\n"#), text.replacing("\n", with: #"\u000a"#)] {
            #expect(try read(Array(#"{"id":"101","body":"\#(written)"}"#.utf8)) == .success(text))
        }
    }

    @Test("ends too early if cut off")
    func cutOff() throws {
        for count in 1..<Self.json.count {
            let read = try read(Array(Self.json.prefix(count)))
            // What ends with a bracket may be malformed in another way.
            let isBracket = Self.json[count - 1] == UInt8(ascii: "}") || Self.json[count - 1] == UInt8(ascii: "]")
            let problem = isBracket ? SourceError.malformedProblem : SourceError.cutOffProblem
            #expect(read == .failure(.unreadable(Self.url, problem: problem)), "after \(count) bytes")
        }
        #expect(try read([]) == .failure(.unreadable(Self.url, problem: "is empty")))
    }

    @Test("is malformed if its body has invalid UTF-8")
    func wrongByte() throws {
        let start = try #require(Self.json.firstRange(of: Array(#""body":""#.utf8)))
        for place in start.upperBound...(start.upperBound + Self.text.utf8.count) {
            for byte: UInt8 in [0xFF, 0xE9] {
                let read = try read(Self.json[..<place] + [byte] + Self.json[place...])
                #expect(read == .failure(.malformed(Self.url)), "at \(place)")
            }
        }
    }
}

@Suite("The JSON of a post") struct PostDocumentTests {
    @Test(
        "is scanned as JSONDecoder would decode it",
        arguments: [
            #"{"body":""}"#, #" { "id" : "1" , "body" : "" } "#, #"{"body":"","id":"\u0031","x":[1.5e3,{"id":"2"}]}"#,
            #"{"metadata":{"id":"1","author":{"id":"no"},"title":"\n"},"body":"","id":"2"}"#,
            #"{"metadata":{},"body":""}"#, #"{"x":{"metadata":{"id":"no"}},"body":""}"#,
            #"{"body":"a \n\"é\u00e9\ud83d\ude80 \\ b","id":"1"}"#,
        ])
    func scanned(json: String) throws {
        let scanned = try #require(PostDocument(scanning: Array(json.utf8)))
        let decoded = try JSONDecoder().decode(PostDocument.self, from: Data(json.utf8))
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
        #expect(PostDocument(scanning: Array(json.utf8)) == nil)
    }
}
