import BlogEssentials
import BlogMarkup
import BlogModel

/// The items of a feed as entries for the store, oldest first so that numbers grow with time, without duplicates.
///
/// Entries are made on demand, because together they take several times the memory of the feed.
package struct FeedEntries: Sequence, IteratorProtocol {
    private let title: String?
    /// How many items have nothing to read, open or play, and are left out.
    package let emptyCount: Int
    /// In the feed's order: consumed from the end.
    private var items: [(item: FeedItem, identity: String, sharesLink: Bool, distinction: Entry.Distinction)] = []

    /// - Parameters:
    ///   - stored: the identities of the feed's ``FeedDocument/stored`` items.
    ///   - now: the time of the feed, whose dates aren't believed if they are more than a year later.
    package init(of feed: FeedDocument, stored: [String] = [], now: Date = Date()) {
        title = feed.title
        let latest = now.addingTimeInterval(366 * 86_400)
        let items = feed.items.filter { !Self.isEmpty($0) }.map { $0.withoutDates(after: latest) }
        emptyCount = feed.items.count - items.count
        if items.isEmpty { return }
        let identities = items.map(Self.identity)
        let stored = Set(stored.map(Entry.withoutDistinction))
        let distinctions = Dictionary(grouping: items.indices) { Entry.canonical(identities[$0]) }
            .reduce(into: [Int: Entry.Distinction]()) { distinctions, group in
                let isStored = stored.contains(group.key)
                for (index, distinction) in Self.distinguish(group.value, of: items, besidesStored: isStored) {
                    distinctions[index] = distinction
                }
            }
        let links = items.map { $0.link.map(Entry.canonical) }
        let counts = Dictionary(
            distinctions.keys.compactMap { index in links[index].map { ($0, 1) } }, uniquingKeysWith: +)
        for (index, item) in items.enumerated() {
            guard let distinction = distinctions[index] else { continue }
            let sharesLink = links[index].flatMap { counts[$0] } ?? 1 > 1
            self.items.append((item, identities[index], sharesLink, distinction))
        }
    }

    /// What tells apart the items of one identity, without those that equal an earlier one.
    private static func distinguish(
        _ indices: [Int], of items: [FeedItem], besidesStored isStored: Bool
    ) -> [(index: Int, distinction: Entry.Distinction)] {
        if indices.count == 1 { return [(indices[0], isStored ? .facts : .identity)] }
        var seen: Set<[String]> = []
        let different = indices.map { ($0, facts(of: items[$0])) }.filter { index, facts in
            let date = (items[index].published ?? items[index].updated)?.milliseconds
            let texts = texts(of: items[index])
            return seen.insert([facts.title, facts.link ?? "", date.map(String.init) ?? ""] + texts).inserted
        }
        if different.count == 1 { return [(different[0].0, isStored ? .facts : .identity)] }
        let counts = Dictionary(different.map { ($1, 1) }, uniquingKeysWith: +)
        return different.map { ($0, counts[$1] == 1 ? .facts : .text) }
    }

    private static func texts(of item: FeedItem) -> [String] {
        [item.content?.text ?? item.summary ?? ""] + item.enclosures.map(\.url) + (item.image.map { [$0] } ?? [])
    }

    private static func facts(of item: FeedItem) -> Entry.Facts {
        Entry.Facts(title: title(of: item), link: item.link, published: item.published)
    }

    package mutating func next() -> Entry? { nextPair()?.entry }

    /// The next entry with its item.
    package mutating func nextPair() -> (item: FeedItem, entry: Entry)? {
        items.popLast().map { ($0.item, entry($0.item, $0.identity, sharesLink: $0.sharesLink, $0.distinction)) }
    }

    /// The GUID of an item, else its link, else a digest of its texts.
    ///
    /// A GUID or link that is too long for an ID is replaced by its digest, and the host of an address is in lower case.
    package static func identity(of item: FeedItem) -> String {
        guard let own = item.guid ?? item.link else {
            return digest(of: [item.title ?? "", item.published?.text ?? ""] + texts(of: item))
        }
        let isUsable = own.utf8.count <= PostMetadata.maxIDLength && !own.unicodeScalars.contains(Entry.separator)
        return isUsable ? Entry.withLowercasedHost(own) : digest(of: [own])
    }

    /// Whether an item has nothing to read, open or play.
    private static func isEmpty(_ item: FeedItem) -> Bool {
        let texts = [item.guid, item.title, item.link, item.summary, item.content?.text, item.image]
        return item.enclosures.isEmpty && texts.allSatisfy { $0?.utf8.allSatisfy(\.isASCIIWhitespace) ?? true }
    }

    private static func digest(of texts: [String]) -> String {
        ContentDigest.of(Data(texts.joined(separator: "\u{0}").utf8))
    }

    private func entry(
        _ item: FeedItem, _ identity: String, sharesLink: Bool, _ distinction: Entry.Distinction
    ) -> Entry {
        let date = item.published ?? item.updated
        let article = EntryDetails(
            tags: item.tags, enclosures: item.enclosures, image: item.image,
            updated: item.published == nil ? nil : item.updated, language: item.language)
        let metadata = PostMetadata(
            id: "", title: Self.title(of: item), publishDate: date ?? Timestamp(secondsSince1970: 0), postId: identity,
            summary: Self.summary(of: item), author: Author(name: item.author ?? title ?? ""), link: item.link,
            details: .entry(article))
        return Entry(
            metadata, content: item.content ?? Entry.Content(item.summary ?? "", .plain),
            numbering: Entry.Numbering(
                hasDate: date != nil, hasFixedDate: item.published != nil, isByLink: item.guid == nil,
                sharesLink: sharesLink, distinction: distinction),
            // The others must be compared with it.
            digest: distinction == .identity ? item.digest : nil)
    }

    /// The summary, or for an item without a title, the beginning of its text, else the description of a picture.
    private static func summary(of item: FeedItem) -> String? {
        guard item.summary == nil, item.title == nil else { return item.summary }
        if let beginning = item.content.flatMap(Self.beginning(of:)) { return beginning }
        let pictures = item.enclosures.lazy.filter { $0.type?.lowercased().hasPrefix("image/") == true }
        let description = pictures.compactMap(\.title).first
        return description.flatMap { FeedText.line(FeedText.truncated(Array($0.utf8), to: XMLFeed.summaryLimit)) }
    }

    /// The beginning of a text, else the description of its first picture.
    private static func beginning(of content: Entry.Content) -> String? {
        if content.format == .markdown { return beginning(ofMarkdown: content.text) }
        let text = Array(FeedText.truncated(Array(content.text.utf8.prefix(maxBeginning + 1)), to: maxBeginning))
        let beginning = FeedContent(text: text, isHTML: content.format == .html).line(limit: XMLFeed.summaryLimit)
        return beginning ?? FeedText.pictureDescription(html: text)
    }

    private static func beginning(ofMarkdown text: String) -> String? {
        let beginning = Array(text.utf8).withUnsafeBufferPointer {
            BodyText.plainText(ofBeginning: maxBeginning, of: $0, format: .markdown)
        }
        return FeedContent(text: Array(beginning.utf8), isHTML: false).line(limit: XMLFeed.summaryLimit)
    }

    /// In bytes, with tags.
    private static let maxBeginning = 16_384

    /// The title, else the first words of the text, else the link.
    private static func title(of item: FeedItem) -> String {
        if let title = item.title, !title.isEmpty { return title }
        var title = ""
        for word in (summary(of: item) ?? "").split(separator: " ") {
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

extension FeedItem {
    fileprivate func withoutDates(after latest: Date) -> FeedItem {
        var item = self
        if let date = published?.date, date > latest { item.published = nil }
        if let date = updated?.date, date > latest { item.updated = nil }
        return item
    }
}
