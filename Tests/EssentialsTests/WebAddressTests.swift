import BlogTestSupport
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

    @Test(
        "have a percent-encoded host decoded",
        arguments: [
            ("http://b%C3%BCcher.example/%C3%A4", "http://xn--bcher-kva.example/%C3%A4"),
            ("http://%65xample.org:80/", "http://example.org:80/"), ("http://a%2Fb.example/", nil),
            ("http://a%40b/", nil),
            ("http://a%25b/", nil), ("http://a%00b/", nil), ("http://a%zz/", nil),
            ("http://%E2%80%AEb.example/", "http://b.example/"),
        ])
    func encodedHost(text: String, address: String?) {
        #expect(URL(address: text)?.absoluteString == address)
    }

    @Test(
        "are shown with their host as people write it, unless it may be taken for another",
        arguments: [
            ("https://xn--bcher-kva.example/a?b#c", "https://bücher.example/a?b#c"),
            ("https://user@www.XN--BCHER-KVA.example:80", "https://user@www.bücher.example:80"),
            ("http://xn--wgv71a119e.jp/xn--bcher-kva", "http://日本語.jp/xn--bcher-kva"),
            ("http://xn--e1afmkfd.xn--80akhbyknj4f/", "http://пример.испытание/"),
            ("http://xn--hxajbheg2az3al.xn--jxalpdlp/", "http://παράδειγμα.δοκιμή/"),
            ("http://xn--mgbh0fb.xn--kgbechtv/", "http://مثال.إختبار/"),
            ("http://xn--r8jz45g.xn--zckzah/", "http://例え.テスト/"),
            ("http://xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g/", "http://उदाहरण.परीक्षा/"),
            ("https://example.org/xn--bcher-kva", "https://example.org/xn--bcher-kva"),
            // "apple" in Cyrillic, "pаypal" in both, "ɑpple", a snowman, and characters that look like a slash.
            ("https://xn--80ak6aa92e.com/", "https://xn--80ak6aa92e.com/"),
            ("https://xn--pypal-4ve.com/", "https://xn--pypal-4ve.com/"),
            ("https://xn--pple-p5b.com/", "https://xn--pple-p5b.com/"),
            ("https://xn--n3h.example/", "https://xn--n3h.example/"),
            // What isn't Punycode, or decodes to what isn't encoded like this.
            ("https://xn--a.example/", "https://xn--a.example/"), ("https://xn--.example/", "https://xn--.example/"),
            ("https://xn--99999999.example/", "https://xn--99999999.example/"),
            ("https://xn--a-ü.example/", "https://xn--a-ü.example/"),
            (
                "https://xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz.example/",
                "https://xn--zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz.example/"
            ),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("mailto:a@xn--bcher-kva.example", "mailto:a@xn--bcher-kva.example"),
        ])
    func shownHost(address: String, shown: String) {
        #expect(HostName.shown(in: address) == shown)
    }

    @Test("with a shown host are those that it is shown for")
    func shownAgain() throws {
        var random = SplitMix(state: 7)
        let letters = Array("abcz019-äöüßžøğ日本語かなカナ한글中文あ的我是ไทยहिन्दीעבריתعربيбдлфщыюяβγδθλπσφψω".unicodeScalars)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 1...20, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "a"
            }
            let label = String(String.UnicodeScalarView(scalars))
            guard let address = URL(address: "https://\(label).example/")?.absoluteString else { continue }
            let shown = HostName.shown(in: address)
            #expect(URL(address: shown)?.absoluteString == address, "\(label)")
        }
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
