import BlogEssentials
import BlogModel

/// A page's metadata about its article, from JSON-LD, `meta` elements and the title.
struct PageMetadata {
    let title: String?
    let author: String?
    /// The author in a line below the heading, for a page that names none otherwise.
    let unmarkedAuthor: String?
    let siteName: String?
    let excerpt: String?
    let publishDate: String?
    /// Texts that may be the date of publication, the surest first; ``publishDate`` is the first one.
    let dates: [String]
    /// The lines below the heading that only tell these.
    let dateLines: Set<Int>
    /// False if not everyone can read all of the article, because of a paywall for example.
    let isFree: Bool
    /// The address that the page names as its own, as it is written; nil if it names none.
    let canonicalAddress: String?

    /// - Parameter host: the page's host, which may be the name of the site.
    init(of tree: HTMLTree, at host: String?) {
        let elements = tree.all(in: HTMLTree.root).filter { tree.isElement($0) }
        let schema = elements.lazy.filter { tree.tag($0) == .script }.compactMap { ArticleSchema(script: $0, in: tree) }
        let (meta, people) = Self.metaValues(elements, in: tree)
        let pageTitle = PageTitle(elements, in: tree, site: meta["og:site_name"], host: host)
        func first(_ names: String...) -> String? { names.lazy.compactMap { meta[$0] }.first }
        let article = schema.first
        let stated =
            Self.line(article?.title(for: pageTitle.text))
            ?? first(
                "dc:title", "dcterm:title", "og:title", "weibo:article:title", "weibo:webpage:title", "title",
                "twitter:title", "parsely-title")
        title = stated.map { PageTitle.withoutSite($0, named: meta["og:site_name"]) } ?? Self.line(pageTitle.text)
        let authors = Self.authorNames.map { people[$0]?.compactMap(Self.person).joined(separator: ", ") }
        author = ([article?.author.flatMap(Self.person)] + authors).lazy.compactMap(\.self).first { !$0.isEmpty }
        siteName = Self.line(article?.publisher) ?? first("og:site_name")
        excerpt =
            Self.line(article?.excerpt)
            ?? first(
                "dc:description", "dcterm:description", "og:description", "weibo:article:description",
                "weibo:webpage:description", "description", "twitter:description")
        let statedDate =
            Self.line(article?.publishDate)
            ?? first(
                "article:published_time", "parsely-pub-date", "datepublished", "dc:date:issued", "dc:date",
                "dcterms:created", "dcterms:issued", "citation_publication_date", "citation_date",
                "prism:publicationdate", "pubdate", "publish-date", "publish_date", "publishdate", "sailthru:date",
                "cxenseparse:recs:publishtime", "date")
        let microdata = PageMicrodata(elements, in: tree)
        publishDate = statedDate ?? Self.line(microdata.date ?? Self.time(elements, in: tree))
        let byline = PageByline(elements, title: title, in: tree)
        unmarkedAuthor = byline.author ?? microdata.author
        dates = [publishDate].compactMap(\.self) + byline.dates
        dateLines = byline.dateLines
        isFree = article?.isFree ?? true && meta["article:content_tier"]?.lowercased() != "locked"
        canonicalAddress = elements.first { node in
            tree.tag(node) == .link && tree.attribute("rel", of: node)?.lowercased() == "canonical"
        }.flatMap { tree.attribute("href", of: $0) }
    }

    /// A text in one line, with twice-escaped references replaced; nil if it is blank.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        let start = text.utf8.count > maxBytes ? String(decoding: text.utf8.prefix(maxBytes), as: UTF8.self) : text
        let words = CharacterReferences.replaced(in: start).split(whereSeparator: PageTitle.isSpace)
        let line = Sanitizer.line(words.joined(separator: " "))
        return line.isEmpty ? nil : line
    }

    /// The date in the first `time` element that is marked as the date of publication, or else in the only one.
    private static func time(_ elements: [Int], in tree: HTMLTree) -> String? {
        let times = elements.filter { tree.tag($0) == .time && !isOfOthers($0, in: tree) && !isInText($0, in: tree) }
        if times.count == 1 { return tree.attribute("datetime", of: times[0]) ?? tree.text(of: times[0], atLeast: 200) }
        for node in times {
            let attributes = tree.attributes(of: node)
            let names = (attributes["class"] ?? "") + " " + (attributes["itemprop"] ?? "")
            let isPublication = names.contains("published") || names.contains("datePublished")
            if isPublication || attributes["pubdate"] != nil, let date = attributes["datetime"] { return date }
        }
        return nil
    }

    /// Whether an element is in a comment on the article, a quotation or a tweet, whose dates and authors aren't the
    /// article's.
    static func isOfOthers(_ node: Int, in tree: HTMLTree) -> Bool {
        ([node] + tree.ancestors(of: node, atMost: 12)).contains { isWrittenByOthers($0, in: tree) }
    }

    /// Whether an element is itself a comment, a quotation or a tweet.
    static func isWrittenByOthers(_ element: Int, in tree: HTMLTree) -> Bool {
        if tree.tag(element) == .blockquote { return true }
        return tree.tag(element) != .body && tree.attributes(of: element).areNamed(after: namesOfOthers)
    }

    /// Whether a date stands in a sentence or beside the text, as that of what it is about.
    private static func isInText(_ time: Int, in tree: HTMLTree) -> Bool {
        tree.ancestors(of: time, atMost: 12).contains { element in
            tree.tag(element) == .aside
                || tree.tag(element) == .p && !PageByline.isLine(tree.text(of: element, atLeast: 1000))
        }
    }

    private static let namesOfOthers = ["comment", "repl", "discussion", "tweet"].map { Array($0.utf8) }

    /// A name without "By"; nil for an address.
    private static func person(_ text: String?) -> String? {
        guard let line = line(text), !LinkBase.isAbsolute(line), !line.contains("@") || line.contains(" ") else {
            return nil
        }
        return line.lowercased().hasPrefix("by ") ? String(line.dropFirst(3)) : line
    }

    /// The name in a byline, without "By", a date or anything else after a separator; nil if there is none.
    static func name(_ byline: String?) -> String? {
        guard let line = line(byline), !LinkBase.isAbsolute(line), !line.contains("@"),
            !line.lowercased().hasPrefix("more by ")
        else { return nil }
        var words = line.split(separator: " ")[...]
        if words.count > 1, ["written", "posted", "words", "text"].contains(words[0].lowercased()) {
            words.removeFirst()
        }
        if words.count > 1, let first = words.first, isBy(first) { words.removeFirst() }
        var name: [Substring] = []
        for word in words.prefix(while: { !separators.contains($0) }) {
            let letters = word.prefix { !$0.isNumber }
            if !letters.isEmpty { name.append(letters) }
            guard letters.count < word.count else { continue }
            // A number belongs to a date.
            if letters.isEmpty, let month = name.last, isMonth(month) { name.removeLast() }
            break
        }
        while let last = name.last, ["on", "at", "am", "le"].contains(last.lowercased()) { name.removeLast() }
        let text = name.joined(separator: " ")
        return text.isEmpty ? nil : text.last.map(",:;".contains) == true ? String(text.dropLast()) : text
    }

    /// Whether a word comes before the name of an author.
    static func isBy(_ word: Substring) -> Bool { prefixes.contains(word.lowercased().filter { !":,".contains($0) }) }

    private static func isMonth(_ word: Substring) -> Bool {
        let word = word.lowercased().replacing(".", with: "")
        return word.utf8.count >= 3 && months.contains { $0.hasPrefix(word) }
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let prefixes: Set<String> = [
        "by", "author", "authors", "von", "autor", "autora", "autore", "auteur", "auteurs", "par", "por", "di", "door",
        "av",
        "af", "автор",
    ]
    private static let separators: Set<Substring> = ["|", "·", "•", "–", "—", "-", "/"]

    /// The contents of the `meta` elements by name; the last of the same name counts, but all of several authors.
    private static func metaValues(
        _ elements: [Int], in tree: HTMLTree
    ) -> (values: [String: String], people: [String: [String]]) {
        var (values, people): ([String: String], [String: [String]]) = ([:], [:])
        for node in elements where tree.tag(node) == .meta {
            let attributes = tree.attributes(of: node)
            guard let content = attributes["content"], !content.isEmpty, content.utf8.count <= maxBytes else {
                continue
            }
            let properties =
                attributes["property"].map {
                    $0.split(maxSplits: maxNames, whereSeparator: \.isWhitespace).prefix(maxNames)
                } ?? []
            let name = (attributes["name"] ?? attributes["itemprop"] ?? "").filter { !$0.isWhitespace }
            let text = line(content)
            for name in properties + [Substring(name)] where !name.isEmpty && name.utf8.count <= maxNameBytes {
                let lower = name.lowercased().replacing(scalar: ".", with: ":")
                let key = lower.hasPrefix("og:article:") ? String(lower.dropFirst(3)) : lower
                values[key] = text
                if let text, authorNames.contains(key), people[key, default: []].count < maxPeople {
                    let name = key == "citation_author" ? givenNameFirst(text) : text
                    if people[key]?.contains(name) != true { people[key, default: []].append(name) }
                }
            }
            if values.count > maxValues { break }
        }
        return (values, people)
    }

    private static let authorNames = [
        "dc:creator", "dcterm:creator", "author", "parsely-author", "article:author", "citation_author",
    ]
    private static let maxPeople = 10

    /// A name as people write it, of one that journals give as "Knuth, Donald".
    private static func givenNameFirst(_ name: String) -> String {
        let parts = name.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        return parts.count == 2 && !parts[1].isEmpty ? "\(parts[1]) \(parts[0])" : name
    }

    /// More than any page has.
    private static let (maxNames, maxNameBytes, maxValues) = (8, 100, 1000)

    /// The maximum length of a value; longer ones are cut or ignored.
    fileprivate static let maxBytes = 16 << 10
}

/// A schema.org article in JSON-LD.
private struct ArticleSchema {
    private let object: JSONTree
    /// The objects beside the article, to which it may refer.
    private let objects: [JSONTree]
    /// The page that has the article; nil if it isn't described.
    private let page: JSONTree?

    /// Nil if a script doesn't describe an article.
    init?(script: Int, in tree: HTMLTree) {
        guard tree.attribute("type", of: script)?.lowercased().trimmed == "application/ld+json" else { return nil }
        var text = tree.text(of: script).trimmed
        for mark in ["<![CDATA[", "]]>"] { text = text.replacing(mark, with: "") }
        guard text.utf8.count <= Self.maxBytes else { return nil }
        let json = Array(text.utf8).withUnsafeBufferPointer { JSONTree.document($0).value }
        let objects = Self.objects(in: json)
        guard let article = objects.first(where: { Self.isOne(of: Self.types, $0) }) else { return nil }
        object = article
        self.objects = objects
        page = objects.first { Self.isOne(of: ["WebPage"], $0) }
    }

    /// The objects of an array, then those of the graph of the first one.
    private static func objects(in json: JSONTree) -> [JSONTree] {
        let objects = alternatives(json).filter { if case .object = $0 { true } else { false } }
        guard let first = objects.first, objects.contains(where: { isSchema($0["@context"]) }) else { return [] }
        return objects + (first["@graph"]?.items ?? [])
    }

    /// The items of an array, or a value that stands for an array of itself.
    private static func alternatives(_ value: JSONTree?) -> [JSONTree] {
        if case .array(let items)? = value { items } else { [value].compactMap(\.self) }
    }

    private static func isSchema(_ context: JSONTree?) -> Bool {
        alternatives(context).contains { ($0["@vocab"] ?? $0).text?.contains("schema.org") == true }
    }

    private static func isOne(of types: Set<String>, _ object: JSONTree) -> Bool {
        alternatives(object["@type"]).contains { $0.text.map(types.contains) == true }
    }

    /// The headline if it resembles the page's title more than the name does, else the name, if there are both.
    func title(for pageTitle: String) -> String? {
        let (name, headline) = (object["name"]?.text, object["headline"]?.text)
        guard let name, let headline, name != headline else { return name ?? headline }
        let isHeadline =
            PageTitle.similarity(of: pageTitle, to: headline) > PageTitle.similarity(of: pageTitle, to: name)
        return isHeadline ? headline : name
    }

    var author: String? {
        let names = Self.alternatives(object["author"]).compactMap(name).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The name of a person, who may be described elsewhere, or be only a name.
    private func name(_ person: JSONTree) -> String? {
        if case .string(let name) = person { return LinkBase.isAbsolute(name) ? nil : name.trimmed }
        if let name = person["name"]?.text?.trimmed { return name }
        let parts = ["givenName", "familyName"].compactMap { person[$0]?.text?.trimmed }
        guard parts.isEmpty else { return parts.joined(separator: " ") }
        guard let id = person["@id"]?.text else { return nil }
        return objects.first { $0["@id"]?.text == id }?["name"]?.text?.trimmed
    }

    var publisher: String? { object["publisher"]?["name"]?.text }
    var excerpt: String? { object["description"]?.text }
    var publishDate: String? { object["datePublished"]?.text }

    /// Whether neither the article, nor the page or a part of either is marked as not free
    /// (https://developers.google.com/search/docs/appearance/structured-data/paywalled-content).
    var isFree: Bool {
        [object, page].compactMap(\.self).flatMap { [$0] + Self.alternatives($0["hasPart"]) }.allSatisfy(Self.isFree)
    }

    private static func isFree(_ object: JSONTree) -> Bool {
        switch object["isAccessibleForFree"] {
        case .boolean(let isFree): isFree
        // "False", or "https://schema.org/False".
        case .string(let text): !text.lowercased().hasSuffix("false")
        default: true
        }
    }

    private static let types: Set<String> = [
        "Article", "AdvertiserContentArticle", "NewsArticle", "AnalysisNewsArticle", "AskPublicNewsArticle",
        "BackgroundNewsArticle", "OpinionNewsArticle", "ReportageNewsArticle", "ReviewNewsArticle", "Report",
        "SatiricalArticle", "ScholarlyArticle", "MedicalScholarlyArticle", "SocialMediaPosting", "BlogPosting",
        "LiveBlogPosting", "DiscussionForumPosting", "TechArticle", "APIReference",
    ]
    /// Decoded JSON takes many times its length in memory.
    private static let maxBytes = 512 << 10
}

/// The title of a page without the name of the site.
struct PageTitle {
    let text: String

    /// - Parameters:
    ///   - site: the name of the site; nil if it is unknown.
    ///   - host: the page's host.
    init(_ elements: [Int], in tree: HTMLTree, site: String?, host: String?) {
        func texts(_ tags: HTMLTag..., besideLinks: Bool = false) -> [String] {
            elements.filter { tags.contains(tree.tag($0)) }.prefix(1000)
                // A heading that is a link mostly leads to the home page.
                .filter { node in !besideLinks || tree.onlyChild(of: node).map { tree.tag($0) != .a } ?? true }
                .map { Self.trimmed(tree.text(of: $0, atLeast: PageMetadata.maxBytes)) }
        }
        let element = elements.first {
            tree.tag($0) == .title && tree.ancestors(of: $0).allSatisfy { tree.tag($0) != .svg }
        }
        let full = Self.trimmed(element.map { tree.text(of: $0) } ?? "")
        let mainHeadings = texts(.h1)
        let title = Self.short(
            full, headings: { texts(.h1, .h2, besideLinks: true) }, mainHeadings: mainHeadings,
            isSite: { Self.isSite($0, named: site, host: host) })
        text = mainHeadings.count == 1 && Self.isLonger(mainHeadings[0], than: title) ? mainHeadings[0] : title
    }

    /// Whether a heading has all words of a title and more: `<title>` is often shortened for search engines.
    private static func isLonger(_ heading: String, than title: String) -> Bool {
        words(title) >= 3 && words(heading) > words(title) && similarity(of: title, to: heading) == 1
    }

    private static func trimmed(_ text: String) -> String {
        let start = String(decoding: text.utf8.prefix(PageMetadata.maxBytes), as: UTF8.self)
        return start.split(whereSeparator: isSpace).joined(separator: " ")
    }

    /// Whether a character is white space as in HTML, or a no-break space; ideographic ones belong to a title.
    static func isSpace(_ character: Character) -> Bool {
        character == "\u{A0}" || character.isASCII && character.isWhitespace
    }

    private static func words(_ text: some StringProtocol) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    /// Removes the name of the site from a title.
    private static func short(
        _ full: String, headings: () -> [String], mainHeadings: [String], isSite: (Substring) -> Bool
    ) -> String {
        if mainHeadings.contains(full) { return full }
        if let part = partBesideSite(full, mainHeadings, headings, isSite) { return part }
        if let heading = mainHeadings.first(where: { isBeginning($0, of: full) }) { return heading }
        var title = full
        var isHierarchy = false
        let separators = full.indices.filter { index in
            guard separatorSigns.contains(full[index]), index > full.startIndex else { return false }
            let after = full.index(after: index)
            return full[full.index(before: index)].isWhitespace && after < full.endIndex && full[after].isWhitespace
        }
        if let last = separators.last, let first = separators.first {
            isHierarchy = separators.contains { "\\/>»".contains(full[$0]) }
            title = trimmed(String(full[..<last]))
            // The heading of the page may say more.
            if mainHeadings.count == 1, let heading = mainHeadings.first, words(heading) > max(2, words(title)),
                similarity(of: title, to: heading) > 0.75
            {
                return heading
            }
            if words(title) < 3 { title = trimmed(String(full[full.index(after: first)...])) }
        } else if let last = full.ranges(of: ": ").last, let first = full.firstIndex(of: ":") {
            if isSite(full[..<first]), !headings().contains(full) {
                title = String(full[last.upperBound...])
                if words(title) < 3 {
                    title = trimmed(String(full[full.index(after: first)...]))
                } else if words(full[..<first]) > 5 {
                    title = full
                }
            }
        } else if full.count > 150 || full.count < 15 {
            if mainHeadings.count == 1 { title = mainHeadings[0] }
        }
        // So few words are probably the site's name.
        let allWords = full.split(whereSeparator: \.isWhitespace).count { !$0.allSatisfy(separatorSigns.contains) }
        if words(title) <= 4, !isHierarchy || words(title) != allWords - 1 { return full }
        return title
    }

    /// A title without the name of the site, which the page tells.
    static func withoutSite(_ title: String, named site: String?) -> String {
        partBesideSite(title, [], { [] }) { isSite($0, named: site, host: nil) } ?? title
    }

    /// The title without the name of the site at its end or beginning, which the page tells, as it does by a heading that is
    /// the rest, and not shorter: the name of a site may be a heading, too.
    private static func partBesideSite(
        _ full: String, _ headings: [String], _ allHeadings: () -> [String], _ isSite: (Substring) -> Bool
    ) -> String? {
        let words = full.split(separator: " ")
        let separators = words.indices.filter { words[$0].allSatisfy(separatorSigns.contains) }
        guard let first = separators.first, let last = separators.last, last + 1 < words.count, first > 0 else {
            return nil
        }
        let (start, end) = (words[..<last].joined(separator: " "), words[(last + 1)...].joined(separator: " "))
        let (beginning, rest) = (words[..<first].joined(separator: " "), words[(first + 1)...].joined(separator: " "))
        if isSite(Substring(end)) { return start }
        if isSite(Substring(beginning)) { return rest }
        func isTitle(_ part: String, besides other: String) -> Bool {
            if headings.contains(part) {
                return Self.words(part) >= Self.words(other)
                    || headings.count == 1 && allHeadings().contains(part) && !allHeadings().contains(other)
            }
            // The main heading is that of the site.
            return headings == [other] && allHeadings().contains(part)
        }
        return isTitle(start, besides: end) ? start : isTitle(rest, besides: beginning) ? rest : nil
    }

    /// Whether the words before a colon are the name of the site, and not the subject of the title.
    private static func isSite(_ words: Substring, named site: String?, host: String?) -> Bool {
        func letters(_ text: some StringProtocol) -> String {
            Folding.searchable(String(text)).filter { $0.isLetter || $0.isNumber }
        }
        let name = letters(words)
        guard !name.isEmpty else { return false }
        let labels = host?.split(separator: ".").map(letters) ?? []
        return site.map(letters) == name || labels.contains(name) || labels.contains("the" + name)
    }

    /// Whether a heading is all of a title before a separator, and not the name of the site.
    private static func isBeginning(_ heading: String, of title: String) -> Bool {
        guard title.hasPrefix(heading + " ") else { return false }
        let rest = title.dropFirst(heading.count).split(separator: " ")
        return rest.first?.allSatisfy(separatorSigns.contains) == true && words(heading) >= max(3, rest.count - 1)
    }

    private static let separatorSigns = "|-–—\\/>»•·"

    /// The fraction of a text that consists of words in a title.
    static func similarity(of text: String, to title: String) -> Double {
        func tokens(_ text: String) -> [Substring] {
            text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
        }
        func length(_ words: [Substring]) -> Double { Double(words.reduce(-1) { $0 + $1.count + 1 }) }
        let (titleWords, words) = (Set(tokens(title)), tokens(text))
        guard !titleWords.isEmpty, !words.isEmpty else { return 0 }
        let missing = words.filter { !titleWords.contains($0) }
        return missing.isEmpty ? 1 : 1 - length(missing) / length(words)
    }
}
