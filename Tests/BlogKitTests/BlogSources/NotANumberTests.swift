import Foundation
import Testing
@testable import BlogLibrary
@testable import Feeds
@testable import Rendering

@Suite("JSON with numbers that JSON doesn't have") struct NotANumberTests {
    static let texts: [(String, String?)] = [
        (#"{"a":NaN}"#, #"{"a":null}"#), ("[NaN,-NaN,Infinity,-Infinity,-1]", "[null,null,null,null,-1]"),
        ("NaN", "null"), (#"["NaN"]"#, nil), (#"["a\"NaN"]"#, nil), (#"["\\",NaN]"#, #"["\\",null]"#), ("", nil),
        ("[1]", nil), (#"["\"#, nil), (#"{"NaN":NaN}"#, #"{"NaN":null}"#), ("[Na", nil),
    ]

    @Test("has null in their place", arguments: texts)
    func replaced(json: String, expected: String?) {
        #expect(NotANumber.replaced(in: Data(json.utf8)).map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}
