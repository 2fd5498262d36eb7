import Foundation
import Model

/// What a feed says, in whatever format it says it.
package struct FeedDocument: Hashable, Sendable {
    /// Plain text in one line.
    package let title: String?
    /// The page of the site that the feed belongs to, as an absolute address.
    package let link: String?
    /// For how many seconds the feed may be kept, by its own word: RSS's `ttl`.
    package let timeToLive: TimeInterval?
    /// In the feed's order.
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
/// Titles, names and summaries are plain text in one line. They may still hold what a terminal acts on.
package struct FeedItem: Hashable, Sendable {
    /// What the feed tells its items apart by, as it stands; not every feed does.
    package var guid: String?
    package var title: String?
    /// The page that the item is about, as an absolute address.
    package var link: String?
    /// The names of its authors, or else of the feed's, with commas between them.
    package var author: String?
    package var published: Timestamp?
    package var updated: Timestamp?
    /// The feed's own summary, also where that is all the content there is; of a long one the beginning.
    package var summary: String?
    /// The fullest text that the feed has; the links of HTML are absolute, but for those into the text itself.
    package var content: Entry.Content?
    /// Each once, in the feed's order.
    package var tags: [String] = []
    /// Each address once.
    package var enclosures: [Enclosure] = []
    /// The absolute address of a picture.
    package var image: String?

    package init() {}
}

/// Why bytes can't be read as a feed, or as a list of feeds.
package enum FeedError: Error, Hashable, Sendable {
    /// They are something else: a web page, for example.
    case notAFeed
    /// They hold no OPML.
    case notOPML
}
