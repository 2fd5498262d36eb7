import Foundation
import Testing

@testable import BlogKit

@Suite("A body that is still arriving") struct ArrivingBodyTests {
    /// What is given of an answer that comes in pieces of so many bytes.
    private func given(_ json: String, by size: Int) -> String {
        let bytes = Data(json.utf8)
        var body = ArrivingBody()
        return stride(from: 0, to: bytes.count, by: size).reduce(into: "") { text, start in
            text += body.add(bytes[start..<min(start + size, bytes.count)]) ?? ""
        }
    }

    static let answers: [(String, String)] = [
        (#"{"id":"1","body":"one\ntwo\nthr"}"#, "one\ntwo\n"),
        (#"{ "body" : "a\n" , "metadata":{"body":"no\n"}}"#, "a\n"),
        (#"{"metadata":{"body":"no\n","x":["body","no\n"]},"title":"body","body":"yes\n"}"#, "yes\n"),
        (#"{"b\u006fdy":"no\n","bodyx":"no\n","x":"body","body":"\"\\\/\t\n"}"#, "\"\\/\t\n"),
        (#"{"body":"\ud83d\ude80 é 中 \u00e9\ud800x\udc00\r\n"}"#, "🚀 é 中 é\u{FFFD}x\u{FFFD}\r\n"),
        (#"{"x\ud800":"\ud800","body":"a\n"}"#, "a\n"), (#"{"body":null,"x":"a\n"}"#, ""), (#"["body","a\n"]"#, ""),
        ("<!DOCTYPE html>", ""), ("", ""),
        (#"{"body":["a\n"]}"#, ""), (#"{"body":{"body":"a\n"}}"#, ""),
    ]

    @Test("is given line by line, whatever the pieces in which it comes", arguments: answers)
    func lines(json: String, expected: String) {
        for size in [1, 2, 3, 7, 1000] { #expect(given(json, by: size) == expected, "in pieces of \(size) bytes") }
    }

    @Test("is given up to a space where it has no lines")
    func long() {
        let text = String(repeating: "words without end ", count: 8000)
        let first = given(#"{"body":"\#(text)"}"#, by: 4096)
        #expect(first.count > 65_536)
        #expect(text.hasPrefix(first))
    }
}
