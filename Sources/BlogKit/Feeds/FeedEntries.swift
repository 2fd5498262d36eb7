import BlogEssentials
import BlogMarkup
import BlogModel

/// The items of a feed as entries for the store, oldest first so that numbers grow with time, without duplicates.
///
/// Entries are made on demand, because together they take several times the memory of the feed.
package struct FeedEntries: Sequence, IteratorProtocol {
    private let title: String?
    /// In the feed's order: consumed from the end.
    private var items: [(item: FeedItem, identity: String)] = []

    /// - Parameter stored: the GUIDs of the feed's ``FeedDocument/stored`` items.
    package init(of feed: FeedDocument, stored: [String] = []) {
        title = feed.title
        var seen = Set(stored)
        items.reserveCapacity(feed.items.count)
        for item in feed.items where !Self.isEmpty(item) {
            guard let identity = Self.identity(of: item, excluding: seen) else { continue }
            seen.insert(identity)
            items.append((item, identity))
        }
    }

    package mutating func next() -> Entry? {
        items.popLast().map { entry($0.item, $0.identity) }
    }

    /// The identity of an item: its unmodified GUID, else its link, else a digest of its texts; nil for a duplicate.
    ///
    /// A GUID or link that is too long for an ID is replaced by its digest. Some feeds give several items the same GUID:
    /// the second is identified by GUID and link.
    private static func identity(of item: FeedItem, excluding seen: Set<String>) -> String? {
        let text = [item.title ?? "", item.published?.text ?? "", item.content?.text ?? item.summary ?? ""]
        let own = (item.guid ?? item.link).map { id in
            id.utf8.count <= PostMetadata.maxIDLength ? id : digest(of: [id])
        }
        let hasDatedTitle = item.title != nil && item.published != nil
        let first = own ?? digest(of: hasDatedTitle ? Array(text.prefix(2)) : text)
        guard seen.contains(first) else { return first }
        let second = "\(first) \(item.link ?? digest(of: text))"
        return seen.contains(second) ? nil : second
    }

    /// Whether an item has nothing to read, open or play.
    private static func isEmpty(_ item: FeedItem) -> Bool {
        let texts = [item.guid, item.title, item.link, item.summary, item.content?.text, item.image]
        return item.enclosures.isEmpty && texts.allSatisfy { $0?.utf8.allSatisfy(\.isASCIIWhitespace) ?? true }
    }

    private static func digest(of texts: [String]) -> String {
        ContentDigest.of(Data(texts.joined(separator: "\u{0}").utf8))
    }

    private func entry(_ item: FeedItem, _ identity: String) -> Entry {
        let date = item.published ?? item.updated
        let article = Article(
            tags: item.tags, enclosures: item.enclosures, image: item.image,
            updated: item.published == nil ? nil : item.updated, language: item.language)
        let metadata = PostMetadata(
            id: "", title: Self.title(of: item), publishDate: date ?? Timestamp(secondsSince1970: 0), postId: identity,
            summary: item.summary, author: Author(name: item.author ?? title ?? ""), link: item.link,
            details: .article(article))
        return Entry(
            metadata, content: item.content ?? Entry.Content(item.summary ?? "", .plain),
            numbering: Entry.Numbering(hasDate: date != nil), digest: item.digest)
    }

    /// The title, else the first words of the text, else the link.
    private static func title(of item: FeedItem) -> String {
        if let title = item.title, !title.isEmpty { return title }
        var title = ""
        for word in (item.summary ?? "").split(separator: " ") {
            guard title.count + word.count < maxTitle else {
                return title.isEmpty ? String(word.prefix(maxTitle)) : title + " …"
            }
            title += (title.isEmpty ? "" : " ") + word
        }
        return title.isEmpty ? item.link ?? "[untitled]" : title
    }

    /// The maximum length in characters of a title made from the text.
    private static let maxTitle = 80
}
