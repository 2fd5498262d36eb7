import BlogEssentials
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogRendering

@Suite("The HTTP layer") struct HTTPValuesTests {
    static let url = URL(filePath: "/")

    static let failures: [(HTTPError, Int, Double?)] = [
        (.unreachable(url, reason: .refused), 1, 0.2), (.unreachable(url, reason: .refused), 2, 0.4),
        (.unreachable(url, reason: .refused), 3, nil), (.interrupted(url), 1, 0.2),
        (.status(url, code: 503, retryAfter: nil), 1, 0.2), (.status(url, code: 500, retryAfter: nil), 2, 0.4),
        (.status(url, code: 503, retryAfter: 7), 1, 7), (.status(url, code: 503, retryAfter: 31), 1, nil),
        (.status(url, code: 404, retryAfter: nil), 1, nil), (.status(url, code: 429, retryAfter: 1), 1, 1),
        (.status(url, code: 429, retryAfter: nil), 1, nil), (.status(url, code: 429, retryAfter: 31), 1, nil),
        (.timedOut(url, seconds: 30), 1, nil), (.tooLarge(url, limit: 1), 1, nil), (.tooSlow(url), 1, nil),
        (.status(url, code: 429, retryAfter: 1), 2, nil), (.status(url, code: 429, retryAfter: 30), 1, 30),
        (.status(url, code: 503, retryAfter: 30), 2, 30), (.status(url, code: 599, retryAfter: nil), 1, 0.2),
        (.status(url, code: 600, retryAfter: nil), 1, nil), (.status(url, code: 499, retryAfter: 1), 1, nil),
        (.unreachable(url, reason: .timedOut), 1, nil), (.unreachable(url, reason: .badAddress), 1, nil),
        (.malformed(url, problem: .framing), 1, nil), (.stalled(url, seconds: 1), 1, nil),
    ]

    @Test("retries only failures that may pass, at most twice", arguments: failures)
    func retries(error: HTTPError, attempt: Int, wait: Double?) {
        #expect(RetryPolicy.standard.wait(after: error, attempt: attempt, maxWait: 30, jitter: 1) == wait)
    }

    @Test("adds jitter to its delays, so that clients don't all retry at once")
    func jitter() {
        let error = HTTPError.interrupted(Self.url)
        let delays = [0, 1].map { RetryPolicy.standard.wait(after: error, attempt: 1, maxWait: 30, jitter: $0) }
        #expect(delays == [0.1, 0.2])
    }

    @Test(
        "parses Retry-After as seconds or a date, up to a day",
        arguments: [
            ("120", 120.0), ("0", 0), (" 5 ", 5), ("Thu, 01 Jan 1970 00:01:40 GMT", 100),
            ("Wed, 31 Dec 1969 23:59:00 GMT", 0), ("-5", nil), ("soon", nil), ("999999", 86_400),
            ("4294967296", 86_400), ("99999999999999999999999", 86_400), ("1e3", nil), ("0x10", nil),
            ("Thu, 31 Dec 2099 00:00:00 GMT", 86_400), ("", nil),
        ] as [(String, Double?)])
    func retryAfter(header: String, seconds: Double?) {
        #expect(RetryAfter.seconds(header, now: Date(timeIntervalSince1970: 0)) == seconds)
    }

    @Test(
        "honours max-age up to five hours",
        arguments: [
            ("max-age=60", 60.0), ("public, MAX-AGE=60", 60), ("max-age=31536000", 18_000), ("no-cache, max-age=60", 0),
            ("no-store", 0), ("no-store, max-age=60", 0), ("max-age=60, No-Cache", 0), ("max-age=-1", 0),
            ("max-age=x", 0), ("", 0), ("max-age=\"30\"", 30),
        ] as [(String, Double)])
    func maxAge(header: String, seconds: Double) {
        #expect(CacheControl.maxAge(HTTPHead(status: 200, headers: ["cache-control": header])) == seconds)
    }

    @Test(
        "honours Expires if there is no max-age, by the server's clock",
        arguments: [
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT"], 60.0),
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Date": "Thu, 01 Jan 1970 00:01:30 GMT"], 30),
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Age": "20"], 40),
            (["Expires": "Thu, 01 Jan 1970 00:00:30 GMT"], 0), (["Expires": "0"], 0), (["Expires": "-1"], 0),
            (["Expires": "Sat, 01 Jan 2050 00:00:00 GMT"], 18_000),
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Cache-Control": "max-age=5"], 5),
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Cache-Control": "max-age=x"], 0),
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Cache-Control": "no-cache"], 0),
            (["Expires": "Thu, 01 Jan 1970 00:02:00 GMT", "Cache-Control": "public"], 60),
        ] as [([String: String], Double)])
    func expires(headers: [String: String], seconds: Double) {
        let head = HTTPHead(status: 200, headers: headers)
        #expect(CacheControl.maxAge(head, now: Date(timeIntervalSince1970: 60)) == seconds)
    }

    @Test(
        "parses dates in the three HTTP formats",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Tue, 01-Mar-44 00:00:00 GMT", 2_340_403_200),
            ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("Tuesday, 01-Jan-69 00:00:00 GMT", 3_124_224_000),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Sun, 06 Nov 1994 08:49:37", nil),
            ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Xxx 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil),
            ("Sun, 06 Nov 99999999999 08:49:37 GMT", nil), ("1994-11-06T08:49:37Z", nil), ("0", nil), ("", nil),
        ] as [(String, Double?)])
    func dates(text: String, seconds: Double?) {
        #expect(HTTPDate.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "parses media types and charsets",
        arguments: [
            ("text/xml", "text/xml", nil), ("Text/XML; Charset=UTF-8", "text/xml", "utf-8"),
            ("text/html;charset=\"windows-1252\"", "text/html", "windows-1252"),
            ("text/xml ; a=b ; charset = iso-8859-1 ", "text/xml", "iso-8859-1"),
            ("text/xml; charset=utf-8, text/html", "text/xml", "utf-8"), ("text/xml; charset=", "text/xml", nil),
            ("text/xml; charset=\u{1B}x", "text/xml", nil), ("text/xml;;;", "text/xml", nil), ("xml", nil, nil),
            ("", nil, nil),
        ] as [(String, String?, String?)])
    func mediaTypes(header: String, name: String?, charset: String?) {
        let head = HTTPHead(status: 200, headers: ["content-type": header])
        #expect(head.mediaType?.name == name)
        #expect(head.charset == charset)
    }

    @Test("has the program and its version as its User-Agent")
    func userAgent() {
        #expect(UserAgent.standard == "blog/\(UserAgent.version)")
    }

    @Test("subtracts Age from max-age")
    func age() {
        let head = HTTPHead(status: 200, headers: ["Cache-Control": "max-age=60", "Age": "45"])
        #expect(CacheControl.maxAge(head) == 15)
    }

    @Test(
        "follows redirects to http and https only, and never from https to http",
        arguments: [
            ("http://a/x", "/y", "http://a/y"), ("http://a/x", "https://b/", "https://b/"),
            ("http://a/x", "file:///etc/passwd", nil), ("https://a/x", "http://a/x", nil),
            ("http://a/x", "http://", nil), ("http://a/x", "HTTP://b/", "http://b/"),
            ("http://a/x", "http://user:pw@b/y", "http://b/y"), ("HTTPS://a/x", "http://a/x", nil),
            ("http://a/x", "javascript:alert(1)", nil), ("https://a/x", "//b/y", "https://b/y"),
        ] as [(String, String, String?)])
    func redirects(from: String, location: String, target: String?) throws {
        let head = HTTPHead(status: 302, headers: ["Location": location])
        let url = try #require(URL(string: from))
        #expect((try? Redirects.address(in: head, from: url))?.absoluteString == target)
    }

    @Test(
        "follows 301, 302, 303, 307 and 308 with a Location; 301 and 308 are permanent",
        arguments: [
            (200, false, false), (201, false, false), (300, false, false), (301, true, true), (302, true, false),
            (303, true, false), (304, false, false), (305, false, false), (307, true, false), (308, true, true),
        ])
    func redirectStatuses(status: Int, isRedirect: Bool, isPermanent: Bool) throws {
        let url = try #require(URL(string: "http://a/x"))
        let head = HTTPHead(status: status, headers: ["Location": "/y"])
        var redirects = Redirects(from: url, within: .anywhere)
        #expect(try redirects.advance(after: head, from: nil) == isRedirect)
        #expect((isRedirect && redirects.arePermanent) == isPermanent)
        #expect(redirects.target == (isRedirect ? URL(string: "http://a/y") : url))
        #expect(try Redirects.address(in: HTTPHead(status: status), from: url) == nil)
    }

    @Test(
        "keeps cookies within a chain of redirects, for the hosts that they are meant for",
        arguments: [
            ("a=1", "https://x.a.example/", "a=1"), ("a=1", "https://a.example/", nil),
            ("a=1", "https://y.x.a.example/", nil),
            ("a=1; Path=/; Domain=.A.example", "https://y.a.example/", nil),
            ("a=1; Secure", "https://www.x.a.example/", "a=1"),
            ("a=1; Secure", "http://x.a.example/", nil), ("a=1", "https://x.a.example:8443/", nil),
            ("a=1; Domain=b.example", "https://b.example/", nil),
            ("a=1; Domain=example", "https://x.a.example/", "a=1"), ("=1", "https://x.a.example/", nil),
            ("a=\u{1B}", "https://x.a.example/", nil), ("a=b=c", "https://x.a.example/", "a=b=c"),
        ] as [(String, String, String?)])
    func cookies(field: String, address: String, sent: String?) throws {
        var redirects = Redirects(from: try #require(URL(string: "https://x.a.example/")), within: .anywhere)
        let head = HTTPHead(status: 302, fields: [("Location", "/y"), ("Set-Cookie", field)])
        #expect(try redirects.advance(after: head, from: nil))
        #expect(redirects.cookies.header(for: try #require(URL(string: address))) == sent)
    }

    @Test("sends several cookies together, the last of a name")
    func severalCookies() throws {
        let url = try #require(URL(string: "https://a.example/"))
        var redirects = Redirects(from: url, within: .anywhere)
        let fields = ["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "b=2", "a=3"].map {
            (name: "set-cookie", value: $0)
        }
        #expect(try redirects.advance(after: HTTPHead(status: 307, fields: [("Location", "/")] + fields), from: nil))
        #expect(redirects.cookies.header(for: url) == "b=2; a=3")
    }

    @Test("distinguishes bodies by their digest")
    func digests() {
        let bodies = ["", "a", "b", "aaaaaaaa", "aaaaaaab", "aaaaaaaaa", "\0", "\0\0"].map { Data($0.utf8) }
        #expect(Set(bodies.map(ContentDigest.of)).count == bodies.count)
        #expect(ContentDigest.of(Data("abc".utf8)) == ContentDigest.of(Data("abc".utf8)))
        let body = Data("a body of some words, two of which are longer than eight bytes".utf8)
        let changed = body.indices.map { index in
            var other = body
            other[index] ^= 1
            return ContentDigest.of(other)
        }
        #expect(Set(changed + [ContentDigest.of(body)]).count == body.count + 1)
        // The same eight-byte words in another order.
        #expect(ContentDigest.of(Data("12345678abcdefgh".utf8)) != ContentDigest.of(Data("abcdefgh12345678".utf8)))
    }
}
