import BlogTestSupport
import Testing
@testable import BlogModel

@Suite("The address of a story") struct StoryAddressTests {
    static let spellings: [(String, String)] = [
        ("https://example.org/a-b", "http://www.example.org/a-b/"),
        ("https://example.org/a", "HTTPS://Example.ORG:443/a#comments"),
        ("https://example.org/a?id=7&x=1", "https://example.org/a?x=1&utm_source=feed&id=7&utm_medium=rss"),
        ("https://example.org/a", "https://example.org/a?fbclid=IwAR0&gclid=1&ref=hn"),
        ("https://example.org/2026/a-story", "https://example.org/2026/a-story/amp/"),
        ("https://example.org/2026/a-story", "https://amp.example.org/2026/a-story"),
        ("https://example.org/2026/a-story", "https://example.org/amp/2026/a-story"),
        ("https://example.org/2026/a-story.html", "https://example.org/2026/a-story.amp.html"),
        ("https://example.org/a-story", "https://example.org/a-story?amp=1"),
        ("https://example.org/a-story", "https://example.org/a-story?outputType=amp"),
        ("https://example.org/a-story", "https://www.google.com/amp/s/example.org/a-story"),
        ("https://example.org/a-story", "https://example-org.cdn.ampproject.org/c/s/example.org/a-story"),
        ("https://example.org/a", "https://m.example.org/a"),
        ("https://en.wikipedia.org/wiki/Gull", "https://en.m.wikipedia.org/wiki/Gull"),
        ("https://example.org/docs/", "https://example.org/docs/index.html"),
        ("https://example.org/%7Ekim/a%20b", "https://example.org/~kim/a%20b"),
        ("https://example.org/caf%C3%A9", "https://example.org/café"),
        ("https://example.org/a%2fb", "https://example.org/a%2Fb"),
        ("https://bücher.example/a", "https://xn--bcher-kva.example/a"),
        ("https://www.youtube.com/watch?v=abc&t=10s", "https://youtu.be/abc?si=x"),
        ("https://twitter.com/kim/status/1", "https://x.com/kim/status/1?s=20&ref_src=x"),
        ("https://old.reddit.com/r/swift/comments/1", "https://www.reddit.com/r/swift/comments/1/"),
        ("https://example.org/a?q=x+y", "https://example.org/a?q=x%20y"),
        ("https://example.org//a", "https://example.org/a"),
    ]

    @Test("is the same for all its spellings", arguments: spellings)
    func same(one: String, other: String) throws {
        #expect(try #require(StoryAddress(one)) == #require(StoryAddress(other)))
    }

    static let pages: [(String, String)] = [
        ("https://www.youtube.com/watch?v=abc", "https://www.youtube.com/watch?v=abd"),
        ("https://example.org/?p=1", "https://example.org/?p=2"),
        ("https://example.org/a?id=1", "https://example.org/a?id=2"),
        ("https://example.org/a", "https://example.org/b"), ("https://example.org/a", "https://example.org/A"),
        ("https://example.org/a", "https://example.com/a"), ("https://example.org/a", "https://blog.example.org/a"),
        ("https://example.org/a", "https://example.org:8080/a"),
        ("https://example.org/guitars", "https://example.org/guitars/amp"),
        ("https://example.org/a/b", "https://example.org/a%2Fb"),
        ("https://groups.example/#!topic/a", "https://groups.example/#!topic/b"),
        ("https://app.example/#/a", "https://app.example/#/b"),
        ("https://example.org/a?x=1&x=2", "https://example.org/a?x=1"),
        ("https://m.example/a", "https://example.example/a"),
        ("https://example.org/a?q=x%26y", "https://example.org/a?q=x&y"),
    ]

    @Test("is another one for another page", arguments: pages)
    func different(one: String, other: String) throws {
        #expect(try #require(StoryAddress(one)) != #require(StoryAddress(other)))
    }

    @Test(
        "is nil for anything but an address on the web",
        arguments: [
            "", "ftp://a.example/b", "javascript:alert(1)", "/a", "https://", "https://kim@a.example/b", "http:///a",
        ])
    func none(text: String) { #expect(StoryAddress(text) == nil) }

    @Test("is found in linear time, however often an address names others")
    func bounded() {
        let nested = String(repeating: "https://google.com/amp/s/", count: 1000) + "a.example/b-c"
        _ = StoryAddress(nested)
        #expect(StoryAddress("https://a.example/" + String(repeating: "x/", count: 5000)) == nil)
    }
}
