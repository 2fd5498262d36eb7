import Foundation
import Testing
@testable import BlogLibrary
@testable import Feeds

@Suite("What is around a body") struct PostSurroundingsTests {
    @Test(
        "is read from its bytes as the decoder would",
        arguments: [
            #"{"body":""}"#, #" { "id" : "1" , "body" : "" } "#, #"{"body":"","id":"\u0031","x":[1.5e3,{"id":"2"}]}"#,
            #"{"metadata":{"id":"1","author":{"id":"no"},"title":"\n"},"body":"","id":"2"}"#,
            #"{"metadata":{},"body":""}"#, #"{"x":{"metadata":{"id":"no"}},"body":""}"#,
        ])
    func scanned(json: String) throws {
        let scanned = try #require(PostSurroundings(scanning: Array(json.utf8)))
        let decoded = try JSONDecoder().decode(PostSurroundings.self, from: Data(json.utf8))
        #expect((scanned.body, scanned.id, scanned.metadataID) == (decoded.body, decoded.id, decoded.metadataID))
    }

    @Test(
        "is left to the decoder where it is not of the usual form",
        arguments: [
            "", "null", "[]", "{}", #"{"id":"1"}"#, #"{"body":null}"#, #"{"body":"","body":""}"#,
            #"{"body":"","id":1}"#,
            #"{"body":"","id":"1","id":"2"}"#, #"{"body":"","metadata":null}"#, #"{"body":"","metadata":{"id":1}}"#,
            #"{"body":""}x"#, #"{"body":"","x":01}"#, #"{"b\u006fdy":""}"#, #"{"body":"""#,
            #"{"body":"","metadata":{"id":"1"},"metadata":{"id":"2"}}"#,
        ])
    func unusual(json: String) {
        #expect(PostSurroundings(scanning: Array(json.utf8)) == nil)
    }
}
