import BlogEssentials
import BlogMarkup
import BlogModel

/// The items that a server with the Google Reader API sends with their contents.
///
/// The format is described by FreshRSS (https://freshrss.github.io/FreshRSS/en/developers/06_GoogleReader_API.html) and
/// Miniflux (https://github.com/miniflux/v2/blob/main/internal/googlereader/README.md).
package struct ReaderItems: Sendable {
    /// In the order of the response.
    package let items: [ReaderItem]

    /// Parses the response to `stream/items/contents`; nil if it isn't one, or isn't complete.
    ///
    /// - Parameter isFreshRSS: whether texts are escaped as FreshRSS does it.
    package init?(_ json: some Collection<UInt8>, isFreshRSS: Bool) {
        let document = Array(json).withUnsafeBufferPointer { JSONTree.document($0) }
        guard document.end == .found, case .array(let values)? = document.value["items"] else { return nil }
        let parser = ReaderItemParser(isFreshRSS: isFreshRSS)
        items = values.compactMap { parser.item($0) }
    }
}

/// An item of a server's feed.
package struct ReaderItem: Sendable {
    /// The ID of its feed: `feed/12`; nil if unknown.
    package let stream: String?
    /// Its GUID is the ID in the form of ``ReaderItemID``.
    package let item: FeedItem
    /// The marks that it has, of those that are set: read, saved, and the labels, among which are the folders of its feed; nil
    /// if the server doesn't tell.
    package let marks: Set<Mark>?

    /// The ID, in the form of ``ReaderItemID``.
    package var id: String { item.guid ?? "" }
}

/// The ID of an item, a signed 64-bit number for most servers.
///
/// It has a short form, the decimal number, and a long one, which ends with its 16 hexadecimal digits. These digits, or any
/// other text that a server uses instead, are what is stored.
package enum ReaderItemID {
    private static let prefix = "tag:google.com,2005:reader/item/"

    /// The stored form of an ID in either form; nil for an empty one.
    package static func stored(_ text: String) -> String? {
        // No server's are longer than 40 bytes.
        guard text.utf8.count <= 200 else { return nil }
        if text.hasPrefix(prefix) {
            return text.utf8.count == prefix.utf8.count ? nil : String(text.dropFirst(prefix.count))
        }
        guard let number = Int64(text) else { return text.isEmpty ? nil : text }
        let hex = String(UInt64(bitPattern: number), radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }

    /// The long form, which all servers accept.
    package static func long(_ stored: String) -> String { prefix + stored }
}

/// Texts as a server sends them in its lists of feeds, tags and items.
package struct ReaderText: Sendable {
    /// FreshRSS sends ＆, ＜ and ＞ in place of `&`, `<` and `>`, because other programs take titles for HTML.
    package let isFreshRSS: Bool

    package init(isFreshRSS: Bool) { self.isFreshRSS = isFreshRSS }

    /// A text on one line; nil if it is blank.
    package func line(_ value: JSONTree?) -> String? { value?.text.flatMap { FeedText.line(restored($0).utf8) } }

    /// The title of an item as its own feed would be read; nil if it is blank.
    ///
    /// FreshRSS sends titles with the tags and character references that they have in feeds.
    func title(_ value: JSONTree?) -> String? {
        isFreshRSS ? value?.text.flatMap { FeedText.title(html: Array(restored($0).utf8)) } : line(value)
    }

    /// The title of a feed; nil if it is blank.
    ///
    /// In those, FreshRSS replaces five more characters, which texts in Chinese, Japanese and Korean have themselves
    /// (`escapeToUnicodeAlternative` in its lib_rss.php).
    package func title(ofFeed value: JSONTree?) -> String? {
        guard isFreshRSS, let text = line(value) else { return line(value) }
        let isEastAsian = text.unicodeScalars.contains {
            (0x3040...0x9FFF).contains($0.value) || (0xAC00...0xD7AF).contains($0.value)
        }
        if isEastAsian { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { Self.originalsInFeeds[$0] ?? $0 }))
    }

    private static let originalsInFeeds: [Unicode.Scalar: Unicode.Scalar] = [
        "？": "?", "＼": "\\", "／": "/", "，": ",", "；": ";",
    ]

    private func restored(_ text: String) -> String {
        guard isFreshRSS, text.unicodeScalars.contains(where: { Self.originals[$0] != nil }) else { return text }
        var restored = ""
        for scalar in text.unicodeScalars { restored.unicodeScalars.append(Self.originals[scalar] ?? scalar) }
        return restored
    }

    private static let originals: [Unicode.Scalar: Unicode.Scalar] = ["＆": "&", "＜": "<", "＞": ">"]
}

private struct ReaderItemParser {
    let text: ReaderText

    init(isFreshRSS: Bool) { text = ReaderText(isFreshRSS: isFreshRSS) }

    /// Nil without an ID.
    func item(_ value: JSONTree) -> ReaderItem? {
        guard let id = value["id"]?.text.flatMap({ ReaderItemID.stored($0) }) else { return nil }
        var item = FeedItem()
        item.guid = id
        item.title = text.title(value["title"])
        item.link = link(value["canonical"]) ?? link(value["alternate"])
        item.author = text.line(value["author"])
        item.published = date(value["published"]) ?? date(value["updated"])
        let html = value["content"]?["content"]?.text ?? value["summary"]?["content"]?.text
        item.tags =
            (value["categories"]?.items ?? []).compactMap { tag in
                // The others are the states, folders and labels of the user.
                tag.text.flatMap { $0.hasPrefix("user/") ? nil : FeedText.line($0.utf8) }
            }.unique
        item.enclosures = enclosures(value)
        item.content = html.map { content($0, link: item.link, enclosures: item.enclosures.count) }
        return ReaderItem(stream: value["origin"]?["streamId"]?.text, item: item, marks: marks(value["categories"]))
    }

    private func marks(_ categories: JSONTree?) -> Set<Mark>? {
        // "user/-/state/com.google/read", in which some servers write the user's number.
        let names = (categories?.items ?? []).compactMap { category -> [Substring]? in
            guard let parts = category.text?.split(separator: "/", maxSplits: 3), parts.count > 2, parts[0] == "user"
            else { return nil }
            return Array(parts[2...])
        }
        // Every item is in this list if its states are told.
        guard names.contains(["state", "com.google/reading-list"]) else { return nil }
        return Set(
            names.compactMap { name in
                switch (name.first, name.last) {
                case ("state", "com.google/read"): .read
                case ("state", "com.google/starred"): .saved
                case ("label", let label?) where name.count == 2: FeedText.line(label.utf8).map { .labelled($0) }
                default: nil
                }
            })
    }

    private func link(_ value: JSONTree?) -> String? {
        value?.items.lazy.compactMap { $0["href"]?.text }.first.flatMap { XMLFeed.resolve($0, nil) }
    }

    /// FreshRSS escapes the addresses of enclosures, and no others.
    private func address(ofEnclosure text: String) -> String? {
        XMLFeed.resolve(self.text.isFreshRSS ? CharacterReferences.replaced(in: text) : text, nil)
    }

    private func date(_ value: JSONTree?) -> Timestamp? {
        // A number, or a text in some servers' responses.
        value?.text.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
            .flatMap { (1...Self.maxDate).contains($0) ? Timestamp(secondsSince1970: $0) : nil }
    }

    /// The end of the year 9999.
    private static let maxDate = 253_402_300_799

    private func content(_ html: String, link: String?, enclosures: Int) -> Entry.Content {
        let own = text.isFreshRSS ? Self.withoutEnclosures(html, enclosures) : html
        guard let link, let base = LinkBase(link, allowance: LinkAllowance(textOf: own.utf8.count)) else {
            return Entry.Content(own, .html)
        }
        return Entry.Content(
            String(decoding: RelativeLinks.resolved(Array(own.utf8), base: base), as: UTF8.self), .html)
    }

    /// The text without the figures that FreshRSS appends for enclosures, which are listed separately, too.
    private static func withoutEnclosures(_ html: String, _ count: Int) -> String {
        guard count > 0, html.trimmed.hasSuffix("</figure>") else { return html }
        let figures = html.ranges(of: "<figure class=\"enclosure\">")
        return figures.suffix(count).first.map { String(html[..<$0.lowerBound]) } ?? html
    }

    private func enclosures(_ value: JSONTree) -> [Enclosure] {
        var seen: Set<String> = []
        return (value["enclosure"]?.items ?? []).compactMap { file in
            guard let url = (file["href"] ?? file["url"])?.text.flatMap({ address(ofEnclosure: $0) }),
                seen.insert(url).inserted
            else { return nil }
            let length = file["length"]?.text.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
            return Enclosure(url: url, type: text.line(file["type"]), length: length.flatMap { $0 > 0 ? $0 : nil })
        }
    }
}
