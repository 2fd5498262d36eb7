import BlogEssentials
import BlogMarkup
import BlogModel

/// Parses JSON Feed 1 and 1.1 (https://www.jsonfeed.org/version/1.1/).
struct JSONFeed {
    private let value: JSONTree
    private let base: LinkBase?

    /// Nil if the value isn't a feed.
    init?(_ value: JSONTree, base: LinkBase?) {
        let isFeed = value["version"]?.text?.contains("jsonfeed.org/version/") == true
        guard isFeed || value["items"] != nil && value["title"]?.text != nil else { return nil }
        self.value = value
        self.base = base
    }

    /// The number of its items.
    var count: Int { value["items"]?.items.count ?? 0 }

    var document: FeedDocument {
        let author = Self.author(value)
        var document = FeedDocument(
            title: Self.line(value["title"]), link: address(value["home_page_url"]), timeToLive: nil,
            items: (value["items"]?.items ?? []).prefix(FeedDocument.maxItems).compactMap { value in
                guard case .object = value else { return nil }
                return item(value, author: author)
            })
        document.older = address(value["next_url"]).map { .address($0) }
        return document
    }

    private func item(_ value: JSONTree, author: String?) -> FeedItem {
        var item = FeedItem()
        item.guid = value["id"]?.text.flatMap { $0.utf8.allSatisfy(\.isASCIIWhitespace) ? nil : $0 }
        item.title = Self.line(value["title"])
        item.link = address(value["url"]) ?? address(value["external_url"])
        item.author = Self.author(value) ?? author
        item.published = value["date_published"]?.text.flatMap { FeedDate.timestamp($0) }
        item.updated = value["date_modified"]?.text.flatMap { FeedDate.timestamp($0) }
        item.summary = Self.line(value["summary"]).flatMap { FeedText.isBlank(Array($0.utf8)) ? nil : $0 }
        // Like the items of RSS, they have links that are relative to their pages.
        let page = item.link.flatMap { base?.page($0) } ?? base
        item.content = content(value, base: page)
        item.tags = (value["tags"]?.items ?? []).compactMap { Self.line($0) }.unique
        item.enclosures = enclosures(value, base: page) + otherPage(value, besides: item.link)
        item.image = address(value["image"], base: page) ?? address(value["banner_image"], base: page)
        item.language = Self.language(value) ?? Self.language(self.value)
        return item
    }

    private func content(_ value: JSONTree, base: LinkBase?) -> Entry.Content? {
        var chosen: FeedContent?
        for name in ["content_html", "content_text", "summary"] {
            guard let text = value[name]?.text.map({ Array($0.utf8) }) else { continue }
            let content = FeedContent(
                text: name == "summary" ? FeedText.withoutReferences(text) : text, isHTML: name == "content_html")
            // A later one may be longer only because the first one is an excerpt.
            if !content.isBlank, chosen.map({ content.isWhole(of: $0) }) ?? true { chosen = content }
        }
        guard let chosen else { return nil }
        guard chosen.isHTML, let base else {
            return Entry.Content(chosen.text.text, chosen.isHTML ? .html : .plain)
        }
        return Entry.Content(RelativeLinks.resolved(chosen.text, base: base).text, .html)
    }

    /// The page that an item is about, as a file if it isn't the item's own link.
    private func otherPage(_ value: JSONTree, besides link: String?) -> [Enclosure] {
        guard let page = address(value["external_url"]), page != link else { return [] }
        return [Enclosure(url: page, type: "text/html", title: page)]
    }

    private func enclosures(_ value: JSONTree, base: LinkBase?) -> [Enclosure] {
        var seen: Set<String> = []
        return (value["attachments"]?.items ?? []).compactMap { file in
            guard let url = address(file["url"], base: base), seen.insert(url).inserted else { return nil }
            let length = file["size_in_bytes"]?.text.flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded()) }
            return Enclosure(
                url: url, type: Self.line(file["mime_type"]), length: length.flatMap { $0 >= 0 ? $0 : nil },
                title: Self.line(file["title"]))
        }
    }

    /// Version 1.1 has a list of authors, version 1 a single one.
    private static func author(_ value: JSONTree) -> String? {
        // Some feeds have a single one for the list.
        let authors = (value["authors"]?.items ?? []) + [value["authors"], value["author"]].compactMap { $0 }
        let names = authors.compactMap { author in
            line(author["name"] ?? author["url"] ?? author)
        }
        return names.isEmpty ? nil : names.unique.joined(separator: ", ")
    }

    private static func language(_ value: JSONTree) -> String? { value["language"]?.text.flatMap(Language.tag) }

    /// A plain text on one line, in which some generators leave character references, as they do in RSS.
    private static func line(_ value: JSONTree?) -> String? {
        value?.text.flatMap { FeedText.line(FeedText.withoutReferences(Array($0.utf8))) }
    }

    private func address(_ value: JSONTree?) -> String? { address(value, base: base) }

    private func address(_ value: JSONTree?, base: LinkBase?) -> String? {
        value?.text.flatMap { XMLFeed.resolve($0, base) }
    }
}

extension JSONTree {
    /// A value of RSS in JSON as an RSS element: its members become both children and attributes.
    func element(_ name: String) -> FeedElement {
        let parts = name.lowercased().split(separator: ":", maxSplits: 1).map { String($0) }
        let vocabulary = parts.count == 2 ? XMLVocabulary(prefix: parts[0]) : .feed
        let element = FeedElement(vocabulary: vocabulary, name: parts.last ?? "")
        element.text = Array((text ?? "").utf8)
        guard case .object(let members) = self else { return element }
        for (name, value) in members {
            if let text = value.text {
                // The text and attributes of an element are written in several ways.
                if ["#value", "#text", "$t", "_"].contains(name) { element.text = Array(text.utf8) }
                element.attributes[name.lowercased().filter { $0 != "@" }] = text
            }
            let values = if case .array(let values) = value { values } else { [value] }
            element.children += values.map { $0.element(name) }
        }
        return element
    }
}
