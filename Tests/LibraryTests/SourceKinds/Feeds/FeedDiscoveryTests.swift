import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogRendering

@Suite("Feed discovery") struct FeedDiscoveryTests {
    private static let page = "https://saltmarsh.example/notes/winter.html"

    private func found(_ html: String, at address: String = page) throws -> [FeedCandidate] {
        FeedDiscovery.candidates(in: Data(html.utf8), at: try #require(URL(string: address)))
    }

    private func addresses(_ html: String, at address: String = page) throws -> [String] {
        try found(html, at: address).map(\.url.absoluteString)
    }

    @Test("include those in the response's Link header")
    func header() throws {
        let url = try #require(URL(string: "http://a.b/c/"))
        let atom = "<d.atom>; title=\"a, b\"; rel=\"alternate\"; type=application/atom+xml"
        let header = "</x.css>; rel=preload, \(atom), <broken"
        let found = FeedDiscovery.candidates(in: Data("<p>x".utf8), at: url, header: header)
        #expect(found.map(\.url.absoluteString) == ["http://a.b/c/d.atom"] && found.first?.title == "a, b")
    }

    @Test(
        "finds links of every feed type",
        arguments: [
            "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml", "text/xml",
            "application/xml", "Application/RSS+XML; charset=utf-8",
        ])
    func types(type: String) throws {
        let html = #"<!doctype html><head><title>x</title><LINK REL="Alternate" TYPE="\#(type)" HREF="/f"></head>"#
        #expect(try addresses(html) == ["https://saltmarsh.example/f"])
        #expect(try addresses(html.replacing("Alternate", with: "Feed")) == ["https://saltmarsh.example/f"])
    }

    @Test("finds links in the text that are said to lead to a feed", arguments: ["alternate", "feed"])
    func anchors(relation: String) throws {
        let html = #"<p><a rel="\#(relation)" type="application/rss+xml" href="/main.xml">Subscribe</a>"#
        #expect(try addresses(html) == ["https://saltmarsh.example/main.xml"])
        #expect(try addresses(html.replacing("application/rss+xml", with: "text/html")) == [])
    }

    @Test(
        "finds links of the site whose text or attributes say so, whatever their addresses",
        arguments: [
            #"<a href="/spip.php?page=backend" title="Flux RSS">Suivre</a>"#, #"<a href="/b.php">RSS 2.0</a>"#,
            #"<a class="icon rss" href="/b.php"><img src="/r.png"></a>"#,
            #"<a aria-label="RSS feed" href="/b.php"></a>"#,
            #"<a href="/b.php">Our <b>Atom</b> feed</a>"#, #"<link rel="feed" href="/b.php">"#,
            #"<link href="/main.rss" type="application/rss+xml">"#,
        ])
    func named(html: String) throws {
        let found = try addresses(html)
        #expect(found.count == 1)
        #expect(
            try addresses(html.replacing("href=\"/", with: "href=\"https://other.example/")).isEmpty
                == html.contains("<a"))
    }

    @Test("prefers links whose addresses look like those of feeds to those that are said to lead to one")
    func namedLast() throws {
        #expect(
            try addresses(#"<a href="/about-rss">RSS</a><a href="/rss.xml">Subscribe</a>"#)
                == ["https://saltmarsh.example/rss.xml", "https://saltmarsh.example/about-rss"])
    }

    @Test(
        "ignores other links",
        arguments: [
            #"<link rel="alternate" type="text/html" hreflang="de" href="/de/">"#,
            #"<link rel="alternate stylesheet" type="text/xml" href="/x.xsl">"#,
            #"<link rel="alternate" type="application/json" href="/wp-json/wp/v2/feed/7">"#,
            #"<link rel="alternate" type="application/json+oembed" href="/oembed?url=feed">"#,
            #"<link rel="alternate" type="application/json" href="/api/7">"#,
            #"<link rel="alternate" type="application/rss+xml" href="javascript:feed()">"#,
            #"<link rel="alternate" type="application/rss+xml" href="file:///etc/feed.xml">"#,
            #"<link rel="alternate" type="application/rss+xml" href="https://me:pw@saltmarsh.example/feed">"#,
            #"<link rel="alternate" type="application/rss+xml" href="">"#,
            #"<link rel="alternate" type="application/rss+xml">"#,
            #"<link rel="alternate" href="/feed">"#,
            #"<!-- <link rel="alternate" type="application/rss+xml" href="/feed"> -->"#,
            #"<script>"<link rel='alternate' type='application/rss+xml' href='/feed'>"</script>"#,
            #"<a href="/about">feed</a> <a href="/feeding-birds">x</a> <a href="mailto:feed">y</a>"#,
            #"<a href="https://reader.example/add/https://saltmarsh.example/feed">Add to your reader</a>"#,
            #"<a href="winter.html">this page</a>"#,
        ])
    func others(html: String) throws {
        #expect(try addresses(html) == [])
    }

    @Test(
        "resolves links against the page, or its first base element",
        arguments: [
            ("", "feed.xml", "https://saltmarsh.example/notes/feed.xml"),
            ("", "/feed.xml#top", "https://saltmarsh.example/feed.xml"),
            ("", "//cdn.example/feed.xml", "https://cdn.example/feed.xml"),
            ("", " \n/fe\ned.xml ", "https://saltmarsh.example/feed.xml"),
            ("", "?feed=rss2&amp;p=1", "https://saltmarsh.example/notes/winter.html?feed=rss2&p=1"),
            ("", "HTTPS://SaltMarsh.example", "https://saltmarsh.example/"),
            ("", "feed://saltmarsh.example/feed", "http://saltmarsh.example/feed"),
            ("", "feed:https://saltmarsh.example/feed", "https://saltmarsh.example/feed"),
            (#"<base href="/a/b/">"#, "feed.xml", "https://saltmarsh.example/a/b/feed.xml"),
            (#"<base target=_top><base href="/a/"><base href="/b/">"#, "f", "https://saltmarsh.example/a/f"),
            (#"<base href="https://other.example/x/">"#, "feed.xml", "https://other.example/x/feed.xml"),
            (#"<base href="javascript:0">"#, "feed.xml", "https://saltmarsh.example/notes/feed.xml"),
            (#"<base href="file:///etc/">"#, "feed.xml", "https://saltmarsh.example/notes/feed.xml"),
        ])
    func relative(base: String, href: String, address: String) throws {
        let html = "<head>\(base)<link rel=alternate type='application/rss+xml' href='\(href)'></head>"
        #expect(try addresses(html) == [address])
    }

    @Test("ranks posts first, then podcasts, anchors, comments and other sites' feeds")
    func order() throws {
        let html = """
            <a href="https://friend.example/feed">A friend</a> <a href="/rss">RSS</a>
            <link rel="alternate" type="application/rss+xml" title="Salt Marsh » Comments Feed" href="/comments/feed/">
            <link rel="alternate" type="application/rss+xml" title="The Podcast" href="/sounds.xml">
            <link rel="alternate" type="application/json" title="JSON Feed" href="/json">
            <link rel="alternate" type="application/atom+xml" title="Salt  Marsh &amp; Sons" href="/atom.xml">
            <a href="/atom.xml">once more</a>
            """
        let candidates = try found(html)
        #expect(
            candidates.map { $0.url.path() } == [
                "/json", "/atom.xml", "/sounds.xml", "/rss", "/comments/feed/", "/feed",
            ])
        #expect(candidates.map(\.subject) == [.posts, .posts, .podcast, .posts, .comments, .posts])
        #expect(candidates[1].title == "Salt Marsh & Sons")
        #expect(candidates.last?.isElsewhere == true)
        #expect(candidates.map(\.score) == candidates.map(\.score).sorted(by: >))
    }

    @Test(
        "falls back to anchors with an address like a feed's",
        arguments: [
            "/feed", "/feed/", "/blog/rss", "/news.rss", "/atom.xml", "/index.xml", "/feed.xml", "/RSS.xml",
            "/feed.json", "/feeds/all.atom.xml", "/index.rdf", "/feeds/posts/default", "/?feed=rss2", "/x?format=rss",
        ])
    func anchors(href: String) throws {
        let candidates = try found("<p>Read on: <a class=x href='\(href)'><b>Our</b>\n <i>feed</i></a></p>")
        #expect(candidates.map(\.url.absoluteString) == ["https://saltmarsh.example" + href])
        #expect(candidates.first?.title == "Our feed")
        #expect(candidates.first?.origin == .anchor)
    }

    @Test("finds a link that is only a picture")
    func pictures() throws {
        let candidates = try found("<a href=/news.xml><img src=/rss.png alt='RSS'></a><a href=/b><img src=/b.png></a>")
        #expect(candidates.map(\.url.absoluteString) == ["https://saltmarsh.example/news.xml"])
    }

    @Test("offers a YouTube channel without Shorts, too")
    func shorts() throws {
        let page = try #require(URL(string: "https://www.youtube.com/channel/UC0123abc-_/videos"))
        #expect(
            KnownSites.feeds(for: page).map(\.url.absoluteString) == [
                "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123abc-_",
                "https://www.youtube.com/feeds/videos.xml?playlist_id=UULF0123abc-_",
            ])
    }

    @Test(
        "derives the feeds of some sites from a page's address",
        arguments: [
            (
                "https://www.youtube.com/channel/UC0123abc-_",
                "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123abc-_"
            ),
            ("https://m.youtube.com/playlist?list=PL9", "https://www.youtube.com/feeds/videos.xml?playlist_id=PL9"),
            ("https://www.youtube.com/playlist?list=%26x", nil), ("https://www.youtube.com/watch?v=1", nil),
            ("https://github.com/apple/swift-nio", "https://github.com/apple/swift-nio/releases.atom"),
            ("https://GitHub.com/apple/swift-nio.git", "https://github.com/apple/swift-nio/releases.atom"),
            ("https://github.com/apple/swift-nio/tags", "https://github.com/apple/swift-nio/tags.atom"),
            ("https://github.com/apple/swift-nio/issues/1", nil), ("https://github.com/topics/swift", nil),
            ("https://github.com/apple", nil), ("https://github.com.evil.example/a/b", nil),
            ("https://gitlab.com/a/b/c", "https://gitlab.com/a/b/c/-/releases.atom"),
            ("https://gitlab.com/a/b/-/releases", "https://gitlab.com/a/b/-/releases.atom"),
            ("https://gitlab.com/a/b/-/issues", nil), ("https://gitlab.com/a", nil),
            ("https://old.reddit.com/r/swift/", "https://www.reddit.com/r/swift/.rss"),
            ("https://www.reddit.com/u/x", "https://www.reddit.com/user/x/.rss"), ("https://www.reddit.com/", nil),
            ("https://medium.com/@x", "https://medium.com/feed/@x"), ("https://medium.com/x", nil),
        ] as [(String, String?)])
    func sites(page: String, feed: String?) throws {
        #expect(try found("", at: page).first?.url.absoluteString == feed)
    }

    @Test(
        "guesses addresses next to the page and at the root",
        arguments: [
            ("https://a.example", ["/"]), ("https://a.example/", ["/"]), ("https://a.example/post.html?x#y", ["/"]),
            ("http://a.example:81/~jo/blog", ["/~jo/blog/", "/"]),
            ("https://a.example/b/2026/p.html", ["/b/2026/", "/"]),
            ("file:///etc/", []),
        ] as [(String, [String])])
    func wellKnown(page: String, folders: [String]) throws {
        let url = try #require(URL(string: page))
        let guesses = FeedDiscovery.wellKnown(for: url)
        #expect(guesses.allSatisfy { $0.host() == url.host() } && guesses.isEmpty == folders.isEmpty)
        #expect(
            guesses.filter { $0.lastPathComponent == "feed.xml" }.map { $0.path() } == folders.map { $0 + "feed.xml" })
        #expect(Set(guesses).count == guesses.count && guesses.count <= 20)
    }

    @Test("returns a limited number of candidates")
    func bounded() throws {
        let links = (0..<5000).map { "<a href=/\($0)/feed>x" }.joined()
        #expect(try found(links).count == FeedDiscovery.maxCandidates)
    }

    @Test("decodes a page that isn't UTF-8")
    func encodings() throws {
        var page = Data("<link rel=alternate type=text/xml href=/f title='B".utf8)
        page.append(0xE4)
        page.append(contentsOf: "ckerei'>".utf8)
        let url = try #require(URL(string: Self.page))
        #expect(FeedDiscovery.candidates(in: page, at: url).first?.title == "Bäckerei")
    }

    @Test(
        "takes linear time",
        arguments: [
            "<", "<a href='", "<a href=/feed ", "<link rel=alternate type=text/xml href=javascript:0>", "<!--",
            "<script>",
            "<a href=/feed>", "<a href=x>", "<base href=/>", "&#", "<a title='", "</a", "\u{0}", "<link ",
        ])
    func hostile(piece: String) throws {
        let growth = try Growth.ofEightfoldInput(enough: 20, from: 4096) { length in
            let page = "<a href=/feed>" + String(repeating: piece, count: length / piece.utf8.count)
            let count = try found(page).count
            #expect(count <= FeedDiscovery.maxCandidates)
        }
        #expect(growth < 20)
    }
}
