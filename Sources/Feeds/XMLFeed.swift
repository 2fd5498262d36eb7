import Foundation
import Model

/// The elements of RSS and Atom as a feed: what means the same in both is read from both.
struct XMLFeed {
    let kind: FeedKind
    /// What links are relative to where no `xml:base` says so.
    let base: LinkBase?
    /// For items that name no author.
    private(set) var author: String?

    private let root: FeedElement
    private let channel: FeedElement
    private let link: String?

    init(root: FeedElement, base: LinkBase?) {
        self.root = root
        kind = FeedKind(root: root) ?? .rss
        let channel = root.child(.feed, "channel") ?? root
        self.channel = channel
        link = Self.link(of: channel, base: channel.base ?? base)
        let ownBase = kind == .rss ? link.flatMap { base?.other($0) } : nil
        self.base = ownBase ?? base
        author = Self.author(of: channel)
    }

    func document(items: [FeedElement]) -> FeedDocument {
        let minutes = channel.text(.feed, "ttl").flatMap { Double($0) }.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        return FeedDocument(
            title: line(channel, [(.feed, "title"), (.dublinCore, "title"), (.itunes, "title")]), link: link,
            timeToLive: minutes.map { $0 * 60 }, items: items.map { item($0) })
    }

    /// The first child that says something in text.
    func line(_ element: FeedElement, _ names: [(XMLVocabulary, String)], limit: Int = .max) -> String? {
        for (vocabulary, name) in names {
            for child in element.all(vocabulary, name) {
                if let content = child.content(in: kind), let line = content.line(limit: limit) { return line }
            }
        }
        return nil
    }

    // MARK: Links

    /// The page that a feed or an item is about: RSS has it as text, Atom as an attribute.
    static func link(of element: FeedElement, base: LinkBase?) -> String? {
        let links = element.all(.feed, "link")
        for link in links {
            if let address = link.trimmedText { return resolve(address, link.base ?? base) }
        }
        let pages = links.filter { link in
            let relation = link.attribute("rel")?.lowercased()
            return relation == nil || relation == "alternate" || relation?.hasSuffix("/alternate") == true
        }
        let isHTML = { (link: FeedElement) in link.attribute("type")?.contains("html") != false }
        guard let page = pages.first(where: isHTML) ?? pages.first, let address = page.attribute("href") else {
            return nil
        }
        return resolve(address, page.base ?? base)
    }

    /// An absolute address; nil where it can't be made one.
    static func resolve(_ address: String, _ base: LinkBase?) -> String? {
        if let base { return CombiningMarks.limited(base.resolve(address)) }
        return LinkBase.isAbsolute(address) ? CombiningMarks.limited(address) : nil
    }

    // MARK: Authors

    /// The names of those who wrote a feed or an item.
    static func author(of element: FeedElement) -> String? {
        let persons = element.all(.feed, "author").compactMap { name(of: $0) }
        if !persons.isEmpty { return joined(persons) }
        let creators = element.all(.dublinCore, "creator").compactMap { $0.trimmedText.flatMap { self.name($0) } }
        if !creators.isEmpty { return joined(creators) }
        if let author = element.text(.itunes, "author").flatMap({ name($0) }) { return author }
        if let source = element.child(.feed, "source"), let author = author(of: source) { return author }
        if let editor = element.text(.feed, "managingeditor").flatMap({ name($0) }) { return editor }
        return element.child(.itunes, "owner").flatMap { $0.text(.itunes, "name") }.flatMap { name($0) }
    }

    private static func joined(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    /// A person of Atom, or an author of RSS.
    private static func name(of person: FeedElement) -> String? {
        let name = person.text(.feed, "name") ?? person.trimmedText ?? person.text(.feed, "email")
        return (name ?? person.text(.feed, "uri")).flatMap { self.name($0) }
    }

    /// The name in `mail@example.com (Name)` in `Name <mail@example.com>` and in `Name (mail@example.com)`.
    private static func name(_ text: String) -> String? {
        guard let line = FeedText.line(html: Array(text.utf8)) ?? FeedText.line(text.utf8) else { return nil }
        guard let at = line.firstIndex(of: "@") else { return line }
        if let open = line.firstIndex(of: "("), open > at, line.last == ")" {
            let name = line[line.index(after: open)...].dropLast()
            return FeedText.line(name.utf8) ?? FeedText.line(line[..<open].utf8)
        }
        if let open = line.firstIndex(where: { $0 == "<" || $0 == "(" }), open < at {
            return FeedText.line(line[..<open].utf8) ?? line
        }
        return line
    }
}
