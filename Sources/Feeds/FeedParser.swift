import Essentials
import Markup
import Model

/// Reads feeds: RSS 0.90 to 2.0, RSS 1.0 in RDF, Atom 0.3 and 1.0, JSON Feed 1 and 1.1, and RSS in JSON.
///
/// https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/spec,
/// https://www.rfc-editor.org/rfc/rfc4287, https://www.jsonfeed.org/version/1.1/,
/// https://github.com/scripting/Scripting-News/tree/master/rss-in-json. All readable items of a malformed feed are read.
/// Time and memory are linear.
package enum FeedParser {
    /// Reads a feed, or throws ``FeedError/notAFeed``, which depends on the bytes alone.
    ///
    /// - Parameters:
    ///   - charset: the encoding in the response's header.
    ///   - base: the address of the feed, for relative links if it names no other base.
    package static func parse(_ bytes: [UInt8], charset: String? = nil, base: URL) throws -> FeedDocument {
        let text = CharacterDecoding.utf8(bytes, charset: charset)
        let base = LinkBase(base.absoluteString, allowance: LinkAllowance(textOf: text.count))
        let document = text.withUnsafeBufferPointer { text in
            if begins(text, with: UInt8(ascii: "{")) { return jsonFeed(JSONTree.value(text), base: base) }
            let tree = FeedTree(text, base: base)
            return tree.root.map { XMLFeed(root: $0, base: base).document(items: tree.items) }
        }
        guard let document else { throw FeedError.notAFeed }
        return document
    }

    /// Whether a text is a feed, by its first few kilobytes.
    package static func isFeed(_ bytes: some Collection<UInt8>) -> Bool {
        CharacterDecoding.utf8(Array(bytes.prefix(8192)), charset: nil).withUnsafeBufferPointer { text in
            guard begins(text, with: UInt8(ascii: "{")) else { return FeedTree(text, base: nil).root != nil }
            return jsonFeed(JSONTree.value(text), base: nil) != nil
        }
    }

    private static func jsonFeed(_ value: JSONTree, base: LinkBase?) -> FeedDocument? {
        if let rss = value["rss"] {
            let root = rss.element("rss")
            return XMLFeed(root: root, base: base).document(
                items: root.all(.feed, "channel").flatMap { $0.all(.feed, "item") })
        }
        return JSONFeed(value, base: base)?.document
    }

    private static func begins(_ text: UnsafeBufferPointer<UInt8>, with byte: UInt8) -> Bool {
        text.first { !$0.isASCIIWhitespace } == byte
    }
}

/// A feed, whatever its format.
package struct FeedDocument: Hashable, Sendable {
    /// Plain text in one line.
    package let title: String?
    /// The absolute address of the site.
    package let link: String?
    /// For how many seconds the feed may be cached, by its own `ttl`.
    package let timeToLive: TimeInterval?
    package let items: [FeedItem]

    package init(title: String?, link: String?, timeToLive: TimeInterval?, items: [FeedItem]) {
        self.title = title
        self.link = link
        self.timeToLive = timeToLive
        self.items = items
    }
}

/// An item of a feed; Atom calls it an entry.
///
/// Titles, names and summaries are plain text in one line, not sanitized yet.
package struct FeedItem: Hashable, Sendable {
    /// The item's ID in the feed, if it has one.
    package var guid: String?
    package var title: String?
    /// The absolute address of the item's page.
    package var link: String?
    /// The names of its authors, or else of the feed's, separated by commas.
    package var author: String?
    package var published: Timestamp?
    package var updated: Timestamp?
    /// The feed's own summary, or the beginning of it; also if it is the only content.
    package var summary: String?
    /// The fullest text in the feed, with absolute links, except those within the text itself.
    package var content: Entry.Content?
    /// Each once, in the feed's order.
    package var tags: [String] = []
    /// Each address once.
    package var enclosures: [Enclosure] = []
    /// The absolute address of a picture.
    package var image: String?
    /// The tag of its language, or else of the feed's.
    package var language: String?

    package init() {}
}

extension [String] {
    /// Each string once, in order.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// An error in reading a feed or a list of feeds.
package enum FeedError: Error, Hashable, Sendable {
    /// The text is something else, such as a web page.
    case notAFeed
    /// The text isn't OPML.
    case notOPML
}
