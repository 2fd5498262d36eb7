import Foundation
import Markup
import Model

extension XMLFeed {
    /// An item out of its element.
    func item(_ element: FeedElement) -> FeedItem {
        let base = element.base ?? self.base
        var item = FeedItem()
        item.guid = element.text(.feed, "guid") ?? element.text(.feed, "id") ?? element.attribute("rdf:about")
        item.title = line(
            element, [(.feed, "title"), (.media, "title"), (.dublinCore, "title"), (.itunes, "title")])
        item.link = link(of: element, base: base)
        item.author = Self.author(of: element) ?? author
        item.published = date(
            element,
            [
                (.feed, "pubdate"), (.feed, "published"), (.feed, "issued"), (.dublinCore, "date"),
                (.dublinCoreTerms, "issued"), (.dublinCoreTerms, "created"), (.feed, "created"), (.feed, "date"),
            ])
        item.updated = date(element, [(.feed, "updated"), (.feed, "modified"), (.dublinCoreTerms, "modified")])
        item.summary = summary(of: element)
        item.content = content(of: element, base: base)
        item.tags = tags(of: element)
        let files = Media(element, base: base)
        item.enclosures = files.enclosures
        item.image = files.image
        return item
    }

    private func link(of element: FeedElement, base: LinkBase?) -> String? {
        if let link = Self.link(of: element, base: base) { return link }
        // A guid is an address unless it says that it is none.
        if let guid = element.child(.feed, "guid"), guid.attribute("ispermalink")?.lowercased() != "false",
            let address = guid.trimmedText, LinkBase.isWeb(address)
        {
            return address
        }
        // Atom's content may be somewhere else.
        let content = element.child(.feed, "content")
        return content?.attribute("src").flatMap { Self.resolve($0, content?.base ?? base) }
    }

    private func date(_ element: FeedElement, _ names: [(XMLVocabulary, String)]) -> Timestamp? {
        for (vocabulary, name) in names {
            if let date = element.text(vocabulary, name).flatMap({ FeedDate.timestamp($0) }) { return date }
        }
        return nil
    }

    // MARK: Texts

    private static let summaryLimit = 4000

    private func summary(of element: FeedElement) -> String? {
        let names: [(XMLVocabulary, String)] = [
            (.feed, "summary"), (.feed, "description"), (.dublinCore, "description"), (.itunes, "summary"),
            (.itunes, "subtitle"), (.media, "description"),
        ]
        return line(element, names, limit: Self.summaryLimit)
            ?? element.child(.media, "group").flatMap {
                line($0, [(.media, "description")], limit: Self.summaryLimit)
            }
    }

    /// The fullest text.
    private func content(of element: FeedElement, base: LinkBase?) -> Entry.Content? {
        for (vocabulary, name) in Self.contentNames {
            for candidate in element.all(vocabulary, name) {
                if let content = content(candidate, base: base) { return content }
            }
        }
        for description in element.child(.media, "group")?.all(.media, "description") ?? [] {
            if let content = content(description, base: base) { return content }
        }
        return nil
    }

    private func content(_ candidate: FeedElement, base: LinkBase?) -> Entry.Content? {
        guard let content = candidate.content(in: kind) else { return nil }
        guard content.isHTML, let base = candidate.base ?? base else {
            return Entry.Content(content.text.text, content.isHTML ? .html : .plain)
        }
        return Entry.Content(HTMLLinks.resolved(content.text, base: base).text, .html)
    }

    /// What may hold the fullest text, the likeliest first.
    private static let contentNames: [(XMLVocabulary, String)] = [
        (.content, "encoded"), (.xhtml, "body"), (.feed, "content"), (.feed, "body"), (.feed, "fullitem"),
        (.feed, "summary"), (.feed, "description"), (.dublinCore, "description"), (.itunes, "summary"),
        (.media, "description"),
    ]

    private func tags(of element: FeedElement) -> [String] {
        var tags: [String] = element.children.flatMap { child -> [String] in
            switch (child.vocabulary, child.name) {
            case (.feed, "category"):
                [child.trimmedText ?? child.attribute("label") ?? child.attribute("term")].compactMap { $0 }
            case (.dublinCore, "subject"): [child.trimmedText].compactMap { $0 }
            case (.itunes, "keywords"), (.media, "keywords"): child.text.split(separator: UInt8(ascii: ",")).map(\.text)
            default: []
            }
        }
        var seen: Set<String> = []
        tags = tags.compactMap { FeedText.line(html: Array($0.utf8)) }
        return tags.filter { seen.insert($0).inserted }
    }
}
