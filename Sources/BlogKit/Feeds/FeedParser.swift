import BlogEssentials
import BlogMarkup
import BlogModel

/// Parses feeds: RSS 0.90 to 2.0, RSS 1.0 in RDF, Atom 0.3 and 1.0, JSON Feed 1 and 1.1, and RSS in JSON.
///
/// https://www.rssboard.org/rss-specification, https://web.resource.org/rss/1.0/spec,
/// https://www.rfc-editor.org/rfc/rfc4287, https://www.jsonfeed.org/version/1.1/,
/// https://github.com/scripting/Scripting-News/tree/master/rss-in-json. Malformed feeds yield all items that are readable.
/// Time and memory are linear.
package enum FeedParser {
    /// Parses a feed, or throws ``FeedError/notAFeed``, which depends on the bytes alone.
    ///
    /// - Parameters:
    ///   - charset: the encoding in the response's header.
    ///   - base: the address of the feed, for relative links.
    ///   - isStored: whether an item with a digest is stored, and so needn't be decoded.
    package static func parse(
        _ bytes: [UInt8], charset: String? = nil, base: URL, isStored: (Int64) -> Bool = { _ in false }
    ) throws -> FeedDocument {
        let text = DeclaredEntities.expanded(in: CharacterDecoding.utf8(bytes, charset: charset))
        let base = LinkBase(base.absoluteString, allowance: LinkAllowance(textOf: text.count))
        let document = text.withUnsafeBufferPointer { text in
            if begins(text, with: UInt8(ascii: "{")) { return jsonFeed(text, base: base) }
            let tree = FeedTree(text, base: base)
            return tree.root.map { XMLFeed(root: $0, base: base).document(items: tree.items, tree.end, isStored) }
        }
        guard let document else { throw FeedError.notAFeed }
        return document
    }

    /// Whether a text is a feed, by its first 8 KiB and the comments and the document type before them.
    package static func isFeed(_ bytes: some Collection<UInt8>) -> Bool {
        let start = Array(bytes.prefix(DeclaredEntities.maxProlog + maxStart))
        return CharacterDecoding.utf8(start, charset: nil).withUnsafeBufferPointer { text in
            var scanner = TagScanner(text)
            _ = scanner.skipProlog()
            let text = UnsafeBufferPointer(rebasing: text.prefix(scanner.index + maxStart))
            guard begins(text, with: UInt8(ascii: "{")) else { return FeedTree(text, base: nil).root != nil }
            return jsonFeed(text, base: nil) != nil
        }
    }

    private static let maxStart = 8192

    private static func jsonFeed(_ text: UnsafeBufferPointer<UInt8>, base: LinkBase?) -> FeedDocument? {
        let (value, end) = JSONTree.document(text)
        if let rss = value["rss"] {
            let root = rss.element("rss")
            let items = root.all(.feed, "channel").flatMap { $0.all(.feed, "item") }
            return XMLFeed(root: root, base: base).document(
                items: Array(items.prefix(FeedDocument.maxItems)),
                items.count > FeedDocument.maxItems ? .tooMany : end)
        }
        guard let feed = JSONFeed(value, base: base) else { return nil }
        var document = feed.document
        document.end = feed.count > FeedDocument.maxItems ? .tooMany : end
        return document
    }

    private static func begins(_ text: UnsafeBufferPointer<UInt8>, with byte: UInt8) -> Bool {
        text.first { !$0.isASCIIWhitespace } == byte
    }
}

/// A feed of any format.
package struct FeedDocument: Hashable, Sendable {
    /// Plain text on one line.
    package let title: String?
    /// The absolute address of the site.
    package let link: String?
    /// How long the feed may be cached, in seconds, by its own `ttl`.
    package let timeToLive: TimeInterval?
    package let items: [FeedItem]
    /// The digests of items that weren't decoded because they are stored, in the feed's order.
    package var stored: [Int64] = []
    package var end = DocumentEnd.found
    /// Where older items are; nil if the feed doesn't say it.
    package var older: OlderItems?
    /// How many items the blog has in all; nil if the feed doesn't say it.
    package var total: Int?

    /// Where the items are that a feed has no more.
    package enum OlderItems: Hashable, Sendable {
        /// At another address (https://www.rfc-editor.org/rfc/rfc5005, sections 3 and 4, and `next_url` of JSON Feed).
        case address(String)
        /// At the same address with `paged=2` and so on, as WordPress has them.
        case numberedPages
    }

    /// A feed of items that another reader has decoded.
    package init(title: String?, items: [FeedItem]) {
        self.init(title: title, link: nil, timeToLive: nil, items: items)
    }

    init(
        title: String?, link: String?, timeToLive: TimeInterval?, items: [FeedItem], stored: [Int64] = [],
        end: DocumentEnd = .found
    ) {
        (self.title, self.link, self.timeToLive) = (title, link, timeToLive)
        (self.items, self.stored, self.end) = (items, stored, end)
    }

    /// The maximum number of items, which bounds the time that the store is locked; later ones aren't read.
    package static let maxItems = 25_000
}

/// An item of a feed; Atom calls it an entry.
///
/// Titles, names and summaries are plain text on one line, not sanitized.
package struct FeedItem: Hashable, Sendable {
    package var guid: String?
    package var title: String?
    /// The absolute address of the item's page.
    package var link: String?
    /// The names of its authors, else of the feed's, separated by commas.
    package var author: String?
    package var published: Timestamp?
    package var updated: Timestamp?
    /// The feed's summary, truncated, even if it is the only content.
    package var summary: String?
    /// The post in Markdown if the feed has that, else its fullest text, with absolute links except for fragments.
    package var content: Entry.Content?
    /// Without duplicates, in the feed's order.
    package var tags: [String] = []
    /// Without duplicate addresses.
    package var enclosures: [Enclosure] = []
    /// The absolute address of a picture.
    package var image: String?
    /// The language tag of the item, else of the feed.
    package var language: String?
    /// A digest of what it was decoded from: see ``Entry/digest``.
    package var digest: Int64?

    package init() {}
}

extension [String] {
    /// The strings in order, without duplicates.
    var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

/// An error in reading a feed or a list of feeds.
package enum FeedError: Error, Hashable, Sendable {
    /// The text isn't a feed but, for example, a web page.
    case notAFeed
    case notOPML
}
