import BlogEssentials
import BlogMarkup
import BlogModel

/// Reads RSS and Atom from their elements; each may contain elements of the other.
struct XMLFeed {
    private let kind: FeedKind
    /// The base of links without an `xml:base`.
    private let base: LinkBase?
    /// For items without an author.
    private let author: String?
    /// For items without a language.
    private let language: String?

    private let root: FeedElement
    private let channel: FeedElement
    private let title: String?
    private let link: String?

    init(root: FeedElement, base: LinkBase?) {
        self.root = root
        let kind = FeedKind(root: root) ?? .rss
        self.kind = kind
        let channel = root.child(.feed, "channel") ?? root
        self.channel = channel
        title = Self.title(channel, [(.feed, "title"), (.dublinCore, "title"), (.itunes, "title")], in: kind)
        link = Self.link(of: channel, base: channel.base ?? base)
        let ownBase = kind == .rss ? link.flatMap { base?.other($0) } : nil
        self.base = ownBase ?? base
        author = Self.author(of: channel)
        language = Self.language(
            channel.text(.feed, "language"), channel.attribute("xml:lang"), root.attribute("xml:lang"),
            channel.text(.dublinCore, "language"))
    }

    /// - Parameter isStored: whether an item with a digest needn't be decoded.
    func document(
        items: [FeedElement], _ end: DocumentEnd, _ isStored: (Int64) -> Bool = { _ in false }
    ) -> FeedDocument {
        let minutes = channel.text(.feed, "ttl").flatMap { Double($0) }.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        var (decoded, stored): ([FeedItem], [Int64]) = ([], [])
        let context = digestOfContext
        for element in items {
            // Added and not chained: any change of one of the two changes the sum.
            let digest = element.digest.map { Int64(bitPattern: context &+ $0) }
            if let digest, isStored(digest) { stored.append(digest) } else { decoded.append(item(element, digest)) }
        }
        var document = FeedDocument(
            title: title, link: link, timeToLive: minutes.map { $0 * 60 }, items: decoded, stored: stored, end: end)
        (document.older, document.total) = (older, channel.text(.openSearch, "totalresults").flatMap { Int($0) })
        return document
    }

    /// The page with older items: by RFC 5005, also as Blogger has it, or as WordPress numbers them.
    private var older: FeedDocument.OlderItems? {
        for relation in ["prev-archive", "next"] {
            let link = channel.all(.feed, "link").first { $0.attribute("rel")?.lowercased() == relation }
            if let address = link?.attribute("href").flatMap({ Self.resolve($0, link?.base ?? base) }) {
                return .address(address)
            }
        }
        let generator = channel.child(.feed, "generator").map {
            ($0.trimmedText ?? "") + ($0.attribute("uri") ?? "") + ($0.attribute("url") ?? "")
        }
        return generator?.lowercased().contains("wordpress.") == true ? .numberedPages : nil
    }

    /// A digest of all that determines how an item is decoded, except its bytes.
    private var digestOfContext: UInt64 {
        func list(_ attributes: [String: String]) -> String { attributes.map { "\($0)=\($1)" }.sorted().joined() }
        let context = [
            Self.version, "\(kind)", base?.resolve("") ?? "", author ?? title ?? "", language ?? "",
            list(root.attributes), list(channel.attributes),
        ]
        return ContentDigest.hash(of: context.joined(separator: "\0"))
    }

    /// To be changed whenever items are decoded differently, so that stored ones are decoded again.
    private static let version = "12"

    /// The first text among the children of these names that isn't blank, on one line.
    private func line(_ element: FeedElement, _ names: [(XMLVocabulary, String)], limit: Int) -> String? {
        Self.first(element, names, in: kind) { _, content in
            content.line(limit: limit).flatMap { FeedText.isBlank(Array($0.utf8)) ? nil : $0 }
        }
    }

    /// The first title among the children of these names.
    private static func title(
        _ element: FeedElement, _ names: [(XMLVocabulary, String)], in kind: FeedKind
    ) -> String? {
        first(element, names, in: kind) { child, content in
            // Tags that aren't escaped aren't words.
            guard content.isHTML, !child.hasMarkup, !child.keepsMarkup else { return content.line(limit: .max) }
            return FeedText.title(html: content.text, isDeclared: child.attribute("type") != nil)
        }
    }

    private static func first(
        _ element: FeedElement, _ names: [(XMLVocabulary, String)], in kind: FeedKind,
        _ read: (FeedElement, FeedContent) -> String?
    ) -> String? {
        for (vocabulary, name) in names {
            for child in element.all(vocabulary, name) {
                if let content = child.content(in: kind), let text = read(child, content) { return text }
            }
        }
        return nil
    }

    /// The first valid language tag.
    private static func language(_ tags: String?...) -> String? {
        tags.lazy.compactMap { $0.flatMap(Language.tag) }.first
    }

    // MARK: Links

    /// The page of a feed or an item: a text in RSS, an attribute in Atom.
    private static func link(of element: FeedElement, base: LinkBase?) -> String? {
        let pages = element.all(.feed, "link").filter { link in
            let relation = link.attribute("rel")?.lowercased()
            return relation == nil || relation == "alternate" || relation?.hasSuffix("/alternate") == true
        }
        let isHTML = { (link: FeedElement) in link.attribute("type")?.contains("html") != false }
        let texts = pages.filter { $0.trimmedText != nil }
        let attributes = pages.filter { $0.trimmedText == nil }
        let ranked = texts + attributes.filter(isHTML) + attributes.filter { !isHTML($0) }
        let addresses = ranked.lazy.compactMap { link in
            (link.trimmedText ?? link.attribute("href")).flatMap { resolve($0, link.base ?? base) }
        }
        // A page may have addresses for other programs, too, such as `nostr:`.
        return addresses.first(where: LinkBase.isWeb) ?? addresses.first
    }

    /// The absolute form of an address; nil for a relative one without a base.
    static func resolve(_ address: String, _ base: LinkBase?) -> String? {
        if let base { return CombiningMarks.limited(base.resolve(address)) }
        return LinkBase.isAbsolute(address) ? CombiningMarks.limited(String(LinkBase.cleaned(address))) : nil
    }

    // MARK: Authors

    /// The authors of a feed or an item, separated by commas.
    private static func author(of element: FeedElement) -> String? {
        let persons = element.all(.feed, "author").compactMap { name(of: $0) }
        // RSS wants a mail address, which says less than a name elsewhere.
        let named = persons.filter { !isAddress($0) }
        if !named.isEmpty { return named.unique.joined(separator: ", ") }
        let creators = element.all(.dublinCore, "creator").compactMap { $0.trimmedText.flatMap { self.name($0) } }
        if !creators.isEmpty { return creators.unique.joined(separator: ", ") }
        if let author = element.text(.itunes, "author").flatMap({ name($0) }) { return author }
        if !persons.isEmpty { return persons.unique.joined(separator: ", ") }
        if let source = element.child(.feed, "source"), let author = author(of: source) { return author }
        if let editor = element.text(.feed, "managingeditor").flatMap({ name($0) }) { return editor }
        return element.child(.itunes, "owner").flatMap { $0.text(.itunes, "name") }.flatMap { name($0) }
    }

    /// The name of an author in Atom or RSS.
    private static func name(of person: FeedElement) -> String? {
        let name = person.text(.feed, "name") ?? person.trimmedText ?? person.text(.feed, "email")
        return (name ?? person.text(.feed, "uri")).flatMap { self.name($0) }
    }

    /// Whether a name is only a mail address.
    private static func isAddress(_ name: String) -> Bool { name.wholeMatch(of: #/[^\s@]+@[^\s@]+/#) != nil }

    /// The name in `mail@example.com (Name)`, `Name <mail@example.com>` and `Name (mail@example.com)`.
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

enum FeedKind {
    case rss
    case atom

    init?(root: FeedElement) {
        switch (root.vocabulary, root.name) {
        case (.feed, "rss"), (.feed, "channel"): self = .rss
        case (.feed, "feed"): self = .atom
        case (.rdf, "rdf"):
            // Other RDF declares namespaces, but none of RSS.
            let namespaces = root.attributes.filter { $0.key.hasPrefix("xmlns") && $0.key != "xmlns:rdf" }.values
            guard namespaces.isEmpty || namespaces.contains(where: { XMLVocabulary(namespace: $0) == .feed }) else {
                return nil
            }
            self = .rss
        default: return nil
        }
    }
}

extension XMLFeed {
    private func item(_ element: FeedElement, _ digest: Int64?) -> FeedItem {
        let base = element.base ?? self.base
        var item = FeedItem()
        item.digest = digest
        item.guid = element.text(.feed, "guid") ?? element.text(.feed, "id") ?? element.attribute("rdf:about")
        item.title = Self.title(
            element, [(.feed, "title"), (.media, "title"), (.dublinCore, "title"), (.itunes, "title")], in: kind)
        item.link = link(of: element, base: base)
        // Without an xml:base, the links in an item are relative to its page, as they are on that page.
        let bodyBase = element.base ?? item.link.flatMap { base?.page($0) } ?? base
        item.author = Self.author(of: element) ?? author
        item.published = date(
            element,
            [
                (.feed, "pubdate"), (.feed, "published"), (.feed, "issued"), (.dublinCore, "date"),
                (.dublinCoreTerms, "issued"), (.dublinCoreTerms, "created"), (.feed, "created"), (.feed, "date"),
            ])
        item.updated = date(element, [(.feed, "updated"), (.feed, "modified"), (.dublinCoreTerms, "modified")])
        item.summary = summary(of: element)
        item.content = markdown(of: element, base: bodyBase) ?? content(of: element, base: bodyBase)
        item.tags = tags(of: element)
        let files = Media(element, base: bodyBase)
        item.enclosures = files.enclosures
        item.image = files.image
        let texts = Self.contentNames.compactMap { vocabulary, name in
            element.children.first {
                $0.vocabulary == vocabulary && $0.name == name && $0.attribute("xml:lang") != nil
            }
        }
        item.language =
            Self.language(
                texts.first?.attribute("xml:lang"), element.attribute("xml:lang"), element.text(.dublinCore, "language")
            ) ?? language
        return item
    }

    private func link(of element: FeedElement, base: LinkBase?) -> String? {
        // The link of FeedBurner leads to a server that counts, and may be gone.
        if let original = element.text(.feedBurner, "origlink"), LinkBase.isWeb(original) { return original }
        if let link = Self.link(of: element, base: base) { return link }
        // A guid is a permalink unless it says otherwise.
        if let guid = element.child(.feed, "guid"), guid.attribute("ispermalink")?.lowercased() != "false",
            let address = guid.trimmedText, LinkBase.isWeb(address)
        {
            return address
        }
        // The content of Atom may be at another address.
        let content = element.child(.feed, "content")
        return content?.attribute("src").flatMap { Self.resolve($0, content?.base ?? base) }
    }

    private func date(_ element: FeedElement, _ names: [(XMLVocabulary, String)]) -> Timestamp? {
        for (vocabulary, name) in names {
            guard let text = element.text(vocabulary, name) else { continue }
            // The year in which a book was first published says nothing about its entry.
            if vocabulary == .dublinCoreTerms, text.utf8.count <= 4 { continue }
            if let date = FeedDate.timestamp(text) { return date }
        }
        return nil
    }

    // MARK: Texts

    /// In bytes.
    static let summaryLimit = 4000

    private func summary(of element: FeedElement) -> String? {
        let names: [(XMLVocabulary, String)] = [
            (.feed, "summary"), (.feed, "description"), (.dublinCore, "description"), (.itunes, "summary"),
            (.itunes, "subtitle"), (.media, "description"),
        ]
        return line(element, names, limit: Self.summaryLimit)
            ?? Self.mediaParents(of: element).lazy
            .compactMap { line($0, [(.media, "description")], limit: Self.summaryLimit) }.first
    }

    /// The elements whose descriptions are an item's text: a group of files, a video or a sound.
    private static func mediaParents(of element: FeedElement) -> [FeedElement] {
        let group = element.child(.media, "group").map { [$0] } ?? []
        return (group + (group + [element]).flatMap { $0.all(.media, "content") }).filter { parent in
            let kind = parent.attribute("medium") ?? parent.attribute("type") ?? ""
            return parent.name == "group" || kind.hasPrefix("video") || kind.hasPrefix("audio")
        }
    }

    /// The post as its author wrote it, from which its other texts are made.
    private func markdown(of element: FeedElement, base: LinkBase?) -> Entry.Content? {
        element.all(.source, "markdown").lazy.compactMap { child in
            child.markdown.map { markdown in
                let base = child.base ?? base
                let text = base.map { RelativeLinks.resolved(markdown: markdown, base: $0) } ?? markdown
                return Entry.Content(text.text, .markdown)
            }
        }.first
    }

    /// The fullest text.
    private func content(of element: FeedElement, base: LinkBase?) -> Entry.Content? {
        let named = element.children.compactMap { child in
            Self.contentNames.firstIndex { $0 == child.vocabulary && $1 == child.name }.map {
                (rank: $0, element: child)
            }
        }
        let ranked = named.sorted { $0.rank < $1.rank }.map(\.element)
        let inGroup = Self.mediaParents(of: element).flatMap { $0.all(.media, "description") }
        var (chosen, blank): ((element: FeedElement, content: FeedContent)?, Entry.Content?)
        for candidate in (ranked + inGroup).prefix(Self.maxTexts) {
            // A later one may be longer only because the first one is an excerpt, or say what a picture shows.
            if let chosen, candidate.text.count <= chosen.content.text.count, chosen.content.line(limit: 256) != nil {
                continue
            }
            guard let content = candidate.content(in: kind) else { continue }
            if content.isBlank {
                // Words that mean nothing would become a title.
                if content.line(limit: .max) == nil {
                    blank = blank ?? self.content(content, of: candidate, base: base)
                }
                continue
            }
            if let other = chosen?.content, !content.isWhole(of: other) {
                // A line for subscribers may stand where the text should.
                if content.isFar(longerThan: other) { chosen = (candidate, other.followed(by: content)) }
            } else {
                chosen = (candidate, content)
            }
        }
        return chosen.map { content($0.content, of: $0.element, base: base) } ?? blank
    }

    /// More than any item has: each is compared with the others.
    private static let maxTexts = 16

    private func content(_ content: FeedContent, of candidate: FeedElement, base: LinkBase?) -> Entry.Content {
        guard content.isHTML, let base = candidate.base ?? base else {
            return Entry.Content(content.text.text, content.isHTML ? .html : .plain)
        }
        return Entry.Content(RelativeLinks.resolved(content.text, base: base).text, .html)
    }

    /// The elements that may contain the full text, the likeliest first.
    private static let contentNames: [(XMLVocabulary, String)] = [
        (.content, "encoded"), (.xhtml, "body"), (.feed, "content"), (.feed, "body"), (.feed, "fullitem"),
        (.feed, "summary"), (.feed, "description"), (.dublinCore, "description"), (.itunes, "summary"),
        (.media, "description"),
    ]

    private func tags(of element: FeedElement) -> [String] {
        let tags: [String] = element.children.flatMap { child -> [String] in
            switch (child.vocabulary, child.name) {
            case (.feed, "category"):
                [child.trimmedText ?? child.attribute("label") ?? child.attribute("term")].compactMap { $0 }
            case (.dublinCore, "subject"): [child.trimmedText].compactMap { $0 }
            case (.itunes, "keywords"), (.media, "keywords"): child.text.split(separator: UInt8(ascii: ",")).map(\.text)
            default: []
            }
        }
        return tags.flatMap { FeedTags.tags(html: Array($0.utf8)) }.unique
    }
}

extension XMLFeed {
    /// The enclosures and the picture of an item.
    private struct Media {
        private(set) var enclosures: [Enclosure] = []
        /// The thumbnail, else any picture.
        var image: String? { thumbnail ?? picture }

        private let base: LinkBase?
        private var thumbnail: String?
        private var picture: String?
        private var addresses: Set<String> = []

        init(_ item: FeedElement, base: LinkBase?) {
            self.base = base
            for child in item.children { add(child) }
        }

        private mutating func add(_ element: FeedElement) {
            switch (element.vocabulary, element.name) {
            case (.feed, "enclosure"): addFile(element, at: element.attribute("url") ?? element.attribute("href"))
            case (.feed, "link") where element.attribute("rel")?.lowercased().hasSuffix("enclosure") == true:
                addFile(element, at: element.attribute("href") ?? element.trimmedText)
            case (.media, "content"): addContent(element, of: nil)
            case (.media, "group"):
                let chosen = Set(Self.chosen(of: element.all(.media, "content")).map { ObjectIdentifier($0) })
                for child in element.children {
                    if child.vocabulary != .media || child.name != "content" {
                        add(child)
                    } else if chosen.contains(ObjectIdentifier(child)) {
                        addContent(child, of: element)
                    } else {
                        for inner in child.children { add(inner) }
                    }
                }
            case (.media, "thumbnail"): thumbnail = thumbnail ?? address(element.attribute("url"), of: element)
            case (.itunes, "image"): thumbnail = thumbnail ?? address(element.attribute("href"), of: element)
            case (.feed, "image"):
                let url = element.text(.feed, "url") ?? element.attribute("href") ?? element.trimmedText
                picture = picture ?? address(url, of: element)
            default: break
            }
        }

        /// Of the files of a group, one of each kind: the others are the same in other sizes, unless they are described
        /// differently.
        private static func chosen(of files: [FeedElement]) -> [FeedElement] {
            let kinds = Dictionary(
                grouping: files.filter { !isFlash($0) && $0.attribute("url") != nil }, by: Self.kind(of:))
            return kinds.values.flatMap { files -> [FeedElement] in
                if Set(files.compactMap { title(of: $0) }).count > 1 { return files }
                let best =
                    files.first { $0.attribute("isdefault")?.lowercased() == "true" }
                    ?? files.max { width($0) < width($1) }
                return [best].compactMap { $0 }
            }
        }

        /// The kind of a file, as in its medium or in the first part of its type; "" if it is unknown.
        private static func kind(of file: FeedElement) -> String {
            let type = file.attribute("type")?.split(separator: "/").first.map { String($0) }
            return (file.attribute("medium") ?? type ?? "").lowercased()
        }

        private static func width(_ file: FeedElement) -> Int { file.attribute("width").flatMap { Int($0) } ?? 0 }

        private static func isFlash(_ file: FeedElement) -> Bool {
            file.attribute("type") == "application/x-shockwave-flash"
        }

        /// The description of a picture, or else the title of a file.
        private static func title(of file: FeedElement) -> String? {
            let description = kind(of: file) == "image" ? file.text(.media, "description") : nil
            return description ?? file.attribute("title") ?? file.text(.media, "title")
        }

        private mutating func addContent(_ element: FeedElement, of group: FeedElement?) {
            addFile(element, at: element.attribute("url"), of: group)
            for child in element.children { add(child) }
        }

        /// Adds a file, but no picture of the author, and no player that no browser runs any more.
        private mutating func addFile(_ element: FeedElement, at link: String?, of group: FeedElement? = nil) {
            guard let url = address(link, of: element) else { return }
            let isImage = element.attribute("medium") == "image"
            let type = element.attribute("type") ?? (isImage ? "image/*" : nil)
            if Self.isFlash(element) || isImage && url.contains("gravatar.com/avatar/") { return }
            if type?.lowercased().hasPrefix("image/") == true { picture = picture ?? url }
            guard addresses.insert(url).inserted else { return }
            let length = (element.attribute("length") ?? element.attribute("filesize")).flatMap { Int($0) }
            // The description of a group with a video is its text.
            let names = Self.kind(of: element) == "image" ? ["description", "title"] : ["title", "description"]
            let ofGroup = group.flatMap { group in names.lazy.compactMap { group.text(.media, $0) }.first }
            let title = Self.title(of: element) ?? ofGroup
            enclosures.append(
                Enclosure(
                    url: url, type: type, length: length.flatMap { $0 >= 0 ? $0 : nil },
                    title: title.flatMap { FeedText.line($0.utf8) }))
        }

        private func address(_ link: String?, of element: FeedElement) -> String? {
            link.flatMap { XMLFeed.resolve($0, element.base ?? base) }
        }
    }
}
