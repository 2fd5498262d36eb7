import BlogEssentials
import BlogFeeds
import BlogMarkup
import BlogModel
import BlogStore

/// A folder of newsboat's, with the list of its feeds and the articles that it has stored.
///
/// It keeps both in `~/.newsboat`, or the list in `~/.config/newsboat` and the articles in `~/.local/share/newsboat`
/// (https://newsboat.org/releases/2.36/docs/newsboat.html#_files).
package struct NewsboatFolder {
    /// The list; nil if there is none.
    let urls: String?
    /// The articles; nil if there are none.
    package let cache: NewsboatCache?

    /// Nil if newsboat has no files there.
    package init?(_ path: String) {
        let folder = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
        let name = folder.path(percentEncoded: false)
        var folders = [folder]
        let halves = ["/.config/newsboat/", "/.local/share/newsboat/"]
        if let half = halves.first(where: { name.hasSuffix($0) }) {
            folders += halves.map { URL(filePath: name.dropLast(half.count) + $0) }
        }
        func first(_ name: String) -> String? {
            folders.lazy.map { $0.appending(path: name).path(percentEncoded: false) }.first {
                FileManager.default.fileExists(atPath: $0)
            }
        }
        guard ["urls", "cache.db"].contains(where: { FileManager.default.fileExists(atPath: path + "/" + $0) }) else {
            return nil
        }
        urls = first("urls")
        cache = first("cache.db").map { NewsboatCache(path: $0) }
    }
}

extension NewsboatCache {
    /// Throws ``FileError/unreadable(_:reason:)`` for the errors of a store.
    func reading<Result>(_ read: () throws -> Result) throws -> Result {
        do { return try read() } catch let error as StoreError {
            throw FileError.unreadable(path, reason: Self.reason(error.reason))
        }
    }

    private static func reason(_ reason: StoreError.Reason) -> String {
        switch reason {
        case .busy: "newsboat is using it"
        case .unreadable(let reason), .failed(let reason): reason
        case .notAFile: "not a regular file"
        case .sideFile(let path): "\(path) isn't a regular file"
        default: "it isn't newsboat's, or it is damaged"
        }
    }

    /// The title of a feed on one line; nil if it has none.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    func feedTitle(of feed: String) throws -> String? {
        try reading { try title(of: feed) }.flatMap { FeedText.line($0.utf8) }
    }

    /// How many articles of a feed are too many; ``entries(of:now:)`` has none of them.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    func leftOut(of feed: String) throws -> Int { try reading { max(0, try count(of: feed) - FeedDocument.maxItems) } }

    /// The articles of a feed as entries, oldest first.
    ///
    /// Throws ``FileError/unreadable(_:reason:)``.
    func entries(of feed: String, now: Date) throws -> [KeptEntry] {
        // Deleted ones may still be in the feed.
        let title = try feedTitle(of: feed)
        let items = try reading { try self.items(of: feed, limit: FeedDocument.maxItems) }
        var feed = items.map(\.feedItem)
        // The place of each, by which it is found again.
        for index in feed.indices { feed[index].digest = Int64(index) }
        var entries = FeedEntries(of: FeedDocument(title: title, items: feed), now: now)
        var kept: [KeptEntry] = []
        while let (item, entry) = entries.nextPair() {
            guard let place = item.digest else { continue }
            let marks = items[Int(place)]
            kept.append(
                KeptEntry(entry, isRead: marks.isRead, isSaved: marks.isFlagged, isDeleted: marks.isDeleted))
        }
        return kept
    }
}

extension NewsboatCache.Item {
    fileprivate var feedItem: FeedItem {
        var item = FeedItem()
        item.guid = hasGUID ? guid : nil
        item.title = title.isEmpty ? nil : FeedText.line(title.utf8)
        item.link = link.isEmpty ? nil : link
        item.author = author.isEmpty ? nil : FeedText.line(author.utf8)
        item.published = date > 0 ? Timestamp(secondsSince1970: Int(date)) : nil
        item.content = content
        if item.guid == nil, item.link == nil {
            // Its date may be that of its arrival, so its texts alone identify it.
            var undated = item
            undated.published = nil
            item.guid = FeedEntries.identity(of: undated)
        }
        if LinkBase.isWeb(enclosure) {
            item.enclosures = [Enclosure(url: enclosure, type: enclosureType.isEmpty ? nil : enclosureType)]
        }
        return item
    }

    private var content: Entry.Content? {
        if text.isEmpty { return nil }
        if textType == "text/plain" { return Entry.Content(text, .plain) }
        guard let base = LinkBase(link, allowance: LinkAllowance(textOf: text.utf8.count)) else {
            return Entry.Content(text, .html)
        }
        return Entry.Content(RelativeLinks.resolved(Array(text.utf8), base: base).text, .html)
    }

    /// Whether the feed had a GUID: otherwise newsboat makes one of the link, and perhaps of the date, or of the title.
    private var hasGUID: Bool {
        guard !guid.isEmpty, guid != link, guid != title || !link.isEmpty else { return false }
        return link.isEmpty || !guid.hasPrefix(link) || FeedDate.timestamp(String(guid.dropFirst(link.count))) == nil
    }
}
