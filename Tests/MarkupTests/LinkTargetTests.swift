import BlogMarkup
import Foundation
import Testing

@Suite("A link's target") struct LinkTargetTests {
    @Test(
        "keeps its percent-encoding, and encodes the rest",
        arguments: [
            ("http://h/a%20b[1].html", "http://h/a%20b%5B1%5D.html"),
            ("http://h/c%20d.html?q=%C3%A9|x#[é%41]", "http://h/c%20d.html?q=%C3%A9%7Cx#%5B%C3%A9%41%5D"),
            ("http://h/100%[x]", "http://h/100%25%5Bx%5D"), ("http://h/a b", "http://h/a%20b"),
            ("http://[::1]:80/a%20[b]", "http://[::1]:80/a%20%5Bb%5D"), ("http://h/%20a", "http://h/%20a"),
        ])
    func escapes(target: String, safe: String) {
        #expect(LinkTarget.safe(target) == safe)
        #expect(LinkTarget.safe(safe) == safe)
    }

    @Test(
        "keeps a mailto's recipients, copies, subject and body, but no other fields",
        arguments: [
            ("mailto:a@b.c", "mailto:a@b.c"),
            ("mailto:a@b.c,d@e.f?subject=x%20y&body=z%0D%0Az", "mailto:a@b.c,d@e.f?subject=x%20y&body=z%0D%0Az"),
            ("MAILTO:a@b.c?CC=d@e.f&Subject=x", "mailto:a@b.c?cc=d@e.f&subject=x"),
            ("mailto:a@b.c?attach=/etc/passwd", "mailto:a@b.c"),
            ("mailto:a@b.c?attachment=file:///etc/passwd&subject=x", "mailto:a@b.c?subject=x"),
            ("mailto:a@b.c?%61ttach=/etc/passwd&bcc=x@y.z&subject", "mailto:a@b.c"),
            ("mailto:a@b.c?subject=x#&attach=/etc/passwd", "mailto:a@b.c?subject=x"),
            ("mailto:?body=x&attach=y", "mailto:?body=x"),
            ("mailto:a@b.c?subject=x%0Aattach:y&cc=%0Ax", "mailto:a@b.c"),
        ])
    func mail(target: String, safe: String) {
        #expect(LinkTarget.safe(target) == safe)
        #expect(LinkTarget.safe(safe) == safe)
    }

    @Test("is rejected if a mail address has control characters", arguments: ["mailto:a%0Ab@c.d", "mailto:a%00"])
    func lineBreak(target: String) {
        #expect(LinkTarget.safe(target) == nil)
    }

    @Test(
        "is an address on the web or for mail, or nil",
        arguments: [
            ("http://a.b", "http://a.b"), (" https://a.b/ ", "https://a.b/"), ("HTTPS://a.b/C", "HTTPS://a.b/C"),
            ("//a.b/c", "https://a.b/c"), ("javascript:alert(1)", nil), ("JavaScript:x", nil), (" javascript:x", nil),
            ("java\nscript:x", nil), ("java\tscript:x", nil), ("https://a.b/c\n d", "https://a.b/c%20d"),
            ("\n\thttps://a.b/\tc\r\n", "https://a.b/c"), ("ht\ttps://a.b", "https://a.b"), ("\u{1}javascript:x", nil),
            ("data:text/html,x", nil),
            ("vbscript:x", nil), ("file:///etc/passwd", nil), ("ftp://a.b", nil), ("about:blank", nil), ("", nil),
            (" ", nil), ("/c", nil), ("c.html", nil), ("#c", nil), ("?c", nil), ("http://a.b/\u{7}", nil),
            ("http://a.b/\u{9B}", nil), ("x:http://a.b", nil),
        ] as [(String, String?)])
    func addresses(target: String, safe: String?) {
        #expect(LinkTarget.safe(target) == safe)
    }

    @Test(
        "is resolved against a base",
        arguments: [
            ("/c", "https://a.b/c"), ("c", "https://a.b/x/c"), ("../c", "https://a.b/c"), ("#c", "https://a.b/x/y#c"),
            ("?c", "https://a.b/x/y?c"), ("//d.e/f", "https://d.e/f"), ("http://d.e", "http://d.e"),
            ("javascript:x", nil), ("file:///x", nil), ("mailto:a@b.c", "mailto:a@b.c"),
        ] as [(String, String?)])
    func based(target: String, safe: String?) {
        #expect(LinkTarget.safe(target, base: URL(string: "https://a.b/x/y")) == safe)
    }

    @Test(
        "may be relative to the post's site",
        arguments: [
            ("/c", "/c"), ("c.html?d#e", "c.html?d#e"), (" ../c ", "../c"), ("#c", nil), ("", nil), ("http://a.b", nil),
            ("javascript:x", nil), ("data:x", nil), ("/c\u{7}", nil), ("/c\u{85}d", nil),
        ] as [(String, String?)])
    func relative(target: String, shown: String?) {
        #expect(LinkTarget.relative(target) == shown)
    }

    @Test(
        "is harmful if it is a script, data or a file",
        arguments: [
            ("javascript:x", true), ("java\nscript:x", true), ("file:///x", true), ("data:x", true),
            ("http://a.b", false),
            ("mailto:a@b.c", false), ("magnet:?xt=urn:btih:0", false), ("gemini://a.b", false),
            ("/a:b", false), ("a", false), ("?a:b", false), ("#a:b", false), ("a\u{7}:b", true), ("", false),
        ])
    func harmful(target: String, isHarmful: Bool) {
        #expect(LinkTarget.isHarmful(target) == isHarmful)
    }

    @Test(
        "is shown if another program opens it",
        arguments: [
            ("magnet:?xt=urn:btih:0&dn=x", "magnet:?xt=urn:btih:0&dn=x"), (" gemini://a.b/\tc ", "gemini://a.b/c"),
            ("ftp://a.b/c", "ftp://a.b/c"), ("xmpp:a@b.c", "xmpp:a@b.c"), ("tel:+123", "tel:+123"),
            ("file:///x", "file:///x"), ("javascript:x", nil), ("JAVASCRIPT:x", nil), ("vbscript:x", nil),
            ("data:x", nil),
            ("blob:x", nil), ("about:blank", nil), ("x:\u{1B}", nil), ("x:é", nil), ("http://[", nil),
            ("mailto:a%0Ab", nil),
            ("/a", nil), ("a", nil), ("https://a.b", nil), ("x:" + String(repeating: "y", count: 2048), nil),
        ] as [(String, String?)])
    func foreign(target: String, shown: String?) {
        #expect(LinkTarget.foreign(target) == shown)
    }

    @Test("is unchanged if it is an address on the web")
    func page() {
        #expect(LinkTarget.safe("https://a.b/c?attach=d#e") == "https://a.b/c?attach=d#e")
    }
}
