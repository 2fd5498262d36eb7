import Foundation
import Testing
@testable import BlogEssentials
@testable import BlogModel
@testable import BlogRendering

@Suite("Web addresses") struct WebAddressTests {
    /// With ICU, which the tests have, Foundation also converts international hosts to ASCII.
    @Test(
        "are parsed as by Foundation",
        arguments: [
            "https://example.org/a?b=c#d", "https://bücher.example/ä b?q=ü#x", "https://BÜCHER.example:8080/",
            "https://user:secret@bücher.example/", "https://日本語。jp/x", "https://日本語．jp/", "https://日本語｡jp/",
            "https://ｅｘａｍｐｌｅ.org/", "https://例え.テスト",
            "https://xn--bcher-kva.example/", "https://Straße.example/", "https://пример.испытание/путь",
            "//bücher.example/x",
            "https://faß.example", "https://u\u{308}.example/", "https://a\u{AD}b.example/", "https://①②.example/",
            "https://مثال.إختبار/", "https://[::1]:80/a", "https://localhost/", "relative/ä", "/ä?b#c", "?q=ü", "#ü",
            "mailto:a@bücher.example", "https://a_b.example/", "https://a~b!.example/", "http:///x", "http://", "",
            "https://ü\u{323}.example/a//b", "relative//bücher/x", "http://127.0.0.1:1/", "https://a.example/%zz",
            "https://☃.example/", "https://bücher.example?x", "https://bücher.example#x",
        ])
    func sameAsFoundation(text: String) {
        #expect(URL(address: text)?.absoluteString == URL(string: text)?.absoluteString)
    }

    @Test(
        "are rejected if their host has invalid characters",
        arguments: [
            "https://a b/", "https://a<b>/", "https://ü ü/", "https://a\"b.example/", "https://ü|.example/",
            "https://\(String(repeating: "ü", count: 70)).example/", "https://a\u{2028}b/", "https://a^b/",
            "https://a{b}/",
        ])
    func noHost(text: String) {
        #expect(URL(address: text) == nil)
    }

    @Test(
        "keep their escapes if they have invalid characters, too",
        arguments: [
            ("http://h/x%20y%20[1].xml", "http://h/x%20y%20%5B1%5D.xml"),
            ("http://h/a%20b|c?d=%5B[", "http://h/a%20b%7Cc?d=%5B%5B"),
            ("a%20[b]", "a%20%5Bb%5D"), ("http://[::1]:80/a%20[b]ü", "http://[::1]:80/a%20%5Bb%5D%C3%BC"),
        ])
    func escapes(text: String, address: String) {
        #expect(URL(address: text)?.absoluteString == address)
    }

    @Test("are resolved against a base")
    func relative() {
        let base = URL(string: "https://example.org/a/b")
        #expect(URL(address: "c", relativeTo: base)?.absoluteString == "https://example.org/a/c")
        #expect(URL(address: "//ü.example", relativeTo: base)?.absoluteString == "https://xn--tda.example")
    }

    @Test(
        "are percent-decoded as by Foundation",
        arguments: [
            "", "a", "a%20b", "%C3%BC", "%c3%bc", "%", "%2", "%2x", "%zz", "%C3", "%+1", "ü%C3%BC", "%25", "%00",
        ])
    func percentDecoded(text: String) {
        #expect(text.percentDecoded == text.removingPercentEncoding)
    }
}

@Suite("Text without Foundation") struct PlainTextFormsTests {
    @Test("is composed as by Foundation")
    func composed() {
        // Foundation composes letters of other planes, and some Tibetan vowels, too.
        let tibetan: ClosedRange<UInt32> = 0xF73...0xF81
        for scalar in (0...0xFFFF).compactMap({ UnicodeScalar($0) }) where !tibetan.contains(scalar.value) {
            let text = "e\(scalar)\u{301}"
            let isSame = text.composed.utf8.elementsEqual(text.precomposedStringWithCanonicalMapping.utf8)
            let isNewer = scalar.properties.age.map { $0.major >= 14 } ?? true
            #expect(isSame || isNewer, "\(String(scalar.value, radix: 16))")
        }
    }

    @Test("has ASCII letters and digits for all characters that are compatible with one")
    func plainASCII() {
        let plain = Set("abcdefghijklmnopqrstuvwxyz0123456789.-".utf8)
        for scalar in (0...0x3FFFF).compactMap({ UnicodeScalar($0) }) where !scalar.isASCII {
            let compatible = String(scalar).precomposedStringWithCompatibilityMapping.lowercased()
            guard compatible.utf8.allSatisfy(plain.contains) else { continue }
            #expect(String(scalar).composed.withPlainASCII.lowercased() == compatible)
        }
    }

    @Test("is trimmed of whitespace only")
    func trimmed() {
        for scalar in (0...0x3FFFF).compactMap({ UnicodeScalar($0) }) {
            let text = "\(scalar)a\u{20}b\(scalar)\n"
            let expected = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !text.trimmed.utf8.elementsEqual(expected.utf8) else { continue }
            Issue.record("\(String(scalar.value, radix: 16))")
        }
        #expect(" \u{301}a\r\n".trimmed == "\u{301}a")
    }
}
