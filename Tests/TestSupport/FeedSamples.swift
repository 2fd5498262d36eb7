import Foundation
@testable import BlogFeeds

/// Sample feeds.
package enum FeedSample {
    /// The only item of an RSS feed with these elements.
    package static func rssItem(_ elements: String) throws -> FeedItem? {
        try parse(
            "<rss version='2.0'><channel><link>https://example.com/blog/</link><item>\(elements)</item></channel></rss>"
        )
        .items.first
    }

    /// The only entry of an Atom feed with these elements.
    package static func atomEntry(_ elements: String) throws -> FeedItem? {
        try parse("<feed xmlns='http://www.w3.org/2005/Atom'><entry>\(elements)</entry></feed>").items.first
    }

    package static func parse(_ text: String, charset: String? = nil) throws -> FeedDocument {
        try parse(Array(text.utf8), charset: charset)
    }

    package static func parse(_ bytes: [UInt8], charset: String? = nil) throws -> FeedDocument {
        try FeedParser.parse(bytes, charset: charset, base: base)
    }

    package static let base = URL(string: "https://example.com/feeds/all.xml") ?? URL(filePath: "/")

    package static let rss = """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
            xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
        <channel><title>Notes &amp; News</title><link>https://example.com/</link><language>en-GB</language><ttl>30</ttl>
        <image><title>Logo</title><url>logo.png</url><link>https://other.example</link></image>
        <item><title>One</title><link>/one</link><guid isPermaLink="false">id-1</guid><dc:creator>Ann</dc:creator>
        <pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><category>a</category><category>b</category>
        <description>Short &lt;b&gt;text&lt;/b&gt;</description>
        <content:encoded><![CDATA[<p>Long <a href="/x?a=1&amp;b=2">text</a></p>]]></content:encoded>
        <enclosure url="one.mp3" type="audio/mpeg" length="123"/><media:thumbnail url="one.jpg"/></item>
        <item><title>Two</title></item>
        </channel></rss>
        """

    package static let rdf = """
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
            xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel rdf:about="https://example.com/"><title>Notes</title><link>https://example.com/</link>
        <items><rdf:Seq><rdf:li rdf:resource="https://example.com/one"/></rdf:Seq></items></channel>
        <item rdf:about="https://example.com/one"><title>One</title><link>https://example.com/one</link>
        <dc:date>2004-01-01T19:48:21Z</dc:date></item></rdf:RDF>
        """

    package static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Notes</title>
        <link rel="self" href="https://example.com/feed"/><link href="https://example.com/"/><author><name>Ann</name></author>
        <entry><id>tag:1</id><title type="html">One &amp;lt; &lt;i&gt;two&lt;/i&gt;</title><link href="one"/>
        <published>2004-01-01T19:48:21+01:00</published><updated>2004-01-02T19:48:21Z</updated><category term="a"/>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>1 &lt; 2 <img src="a.png"/></p></div></content>
        <link rel="enclosure" href="one.mp3" length="5" title="Part"/></entry></feed>
        """

    package static let json = """
        {"version": "https://jsonfeed.org/version/1.1", "title": "Notes", "home_page_url": "https://example.com/",
         "language": "fr", "authors": [{"name": "Ann"}, {"name": "Bob"}],
         "items": [{"id": 7, "url": "/one", "title": "One", "content_html": "<a href='/x'>x</a>", "content_text": "x",
          "date_published": "2004-01-01T19:48:21Z", "tags": ["a", "b"], "image": "a.png",
          "attachments": [{"url": "one.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 12, "title": "Part"}]}]}
        """
}
