import Foundation

/// A generated RSS feed, the same for a number on every machine.
struct MadeUpFeed {
    private let number: Int

    /// The number of items, the median of the feeds that people follow.
    private static let items = 13

    /// Nil unless the number is from 1 to 1,000,000.
    init?(number: Int) {
        guard (1...1_000_000).contains(number) else { return nil }
        self.number = number
    }

    var response: MockResponse {
        MockResponse(
            headers: [
                "Content-Type": "application/rss+xml; charset=utf-8", "ETag": "\"many-\(number)\"",
                "Last-Modified": ServedFile.httpDate(Self.end),
            ], body: .bytes(Data(text.utf8)))
    }

    private var text: String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
        xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel>
        <title>\(title(0)) \(number)</title>
        <link>\(home)/</link>
        <description>\(words(0, count: 12))</description>
        <language>en</language>
        \((1...Self.items).map(item).joined(separator: "\n"))
        </channel>
        </rss>

        """
    }

    private func item(_ index: Int) -> String {
        let day = index * 3 + MadeUpWords.number(seed: seed(index), below: 3)
        let date = Self.end.addingTimeInterval(TimeInterval(-86_400 * day - number % 86_400))
        let paragraphs = (1...3).map { "<p>\(words(index * 4 + $0, count: 60))</p>" }.joined()
        return """
            <item>
            <title>\(title(index))</title>
            <link>\(home)/\(index)</link>
            <guid isPermaLink="false">made-up-\(number)-\(index)</guid>
            <pubDate>\(ServedFile.httpDate(date))</pubDate>
            <dc:creator>\(title(0))</dc:creator>
            <category>\(MadeUpWords.word(seed: seed(index) &+ 1))</category>
            <description>\(words(index * 4, count: 30))</description>
            <content:encoded><![CDATA[\(paragraphs)]]></content:encoded>
            </item>
            """
    }

    private var home: String { "https://blog-\(number).example" }

    private func seed(_ part: Int) -> Int { (number &* 64 &+ part) &* 7919 }

    private func title(_ part: Int) -> String {
        (2...4).map { MadeUpWords.word(seed: seed(part) &+ $0).capitalized }.joined(separator: " ")
    }

    private func words(_ part: Int, count: Int) -> String {
        (0..<count).map { MadeUpWords.word(seed: seed(part) &+ 10 &+ $0) }.joined(separator: " ") + "."
    }

    /// 1 May 2026, when the newest items were published.
    private static let end = Date(timeIntervalSince1970: 1_777_593_600)
}
