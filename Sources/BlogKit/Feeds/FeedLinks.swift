import BlogEssentials
import BlogMarkup
import BlogModel

/// Collects the links of a page that may be feeds.
struct FeedLinks {
    private let page: URL
    private var base: URL
    private var hasBase = false
    private var found: [FeedCandidate] = []
    /// The number of addresses checked.
    private var addressCount = 0
    /// The open link and its text so far.
    private var anchor: (href: String, title: String)?
    /// Whether an attribute of the open link says that it leads to a feed.
    private var isNamed = false

    init(page: URL) {
        self.page = page
        base = page
    }

    /// Whether a limit was reached that no real page reaches.
    private var isFull: Bool { found.count >= Self.maxFound || addressCount >= Self.maxAddresses }

    mutating func add(_ token: HTMLToken) {
        guard !isFull else { return }
        switch token {
        case .text(let text):
            if let open = anchor, open.title.utf8.count < Self.maxTitle { anchor?.title = open.title + text }
        case .open("base", let attributes): setBase(attributes)
        case .open("link", let attributes): addAlternate(attributes)
        case .open("a", let attributes):
            endAnchor()
            beginAnchor(attributes)
        case .open("img", let attributes):
            if let open = anchor, let words = attributes["alt"] { anchor?.title = "\(open.title) \(words) " }
        case .close("a"): endAnchor()
        case .open, .close: break
        }
    }

    /// The candidates in the page's order.
    mutating func finish() -> [FeedCandidate] {
        endAnchor()
        return found
    }

    /// Only the first `base` counts (https://html.spec.whatwg.org/multipage/semantics.html#the-base-element).
    private mutating func setBase(_ attributes: ElementAttributes) {
        guard !hasBase, let href = attributes["href"] else { return }
        hasBase = true
        if let url = PageAddress.url(href, relativeTo: page) { base = url }
    }

    /// Adds the feed that a `link` leads to, or a link in the text of the page with the same attributes.
    private mutating func addAlternate(_ attributes: ElementAttributes, _ origin: FeedCandidate.Origin = .alternate) {
        let relations = (attributes["rel"] ?? "").lowercased().utf8
        let (isFeed, isBare) = (relations.hasWord("feed"), relations.isBlank)
        guard isFeed || isBare || relations.hasWord("alternate"), !relations.hasWord("stylesheet"),
            let type = attributes["type"].map({ MediaType($0)?.name ?? "" }) ?? (isFeed ? "" : nil),
            let url = attributes["href"].flatMap({ address($0) }), !Self.isAPI(url)
        else { return }
        let title = attributes["title"].flatMap(Self.line)
        guard
            Self.feedTypes.contains(type) || isFeed && type.isEmpty
                || !isBare && Self.xmlTypes.contains(type)
                || !isBare && type == "application/json" && Self.mentionsFeed(url, title)
        else { return }
        add(url, title, origin)
    }

    private mutating func beginAnchor(_ attributes: ElementAttributes) {
        addAlternate(attributes, .anchor)
        guard let href = attributes["href"] else { return }
        anchor = (href, attributes["title"].map { $0 + " " } ?? "")
        // A picture has no text.
        isNamed = ["title", "aria-label", "class"].contains { attributes[$0].map(Self.namesFeed) ?? false }
    }

    /// Adds a link whose address looks like that of a feed, or that is said to be one and stays on the site.
    private mutating func endAnchor() {
        guard let (href, title) = anchor else { return }
        anchor = nil
        let (isNamed, mayBeLikely) = (isNamed || Self.namesFeed(title), FeedAddress.mayBeLikely(href))
        guard isNamed || mayBeLikely, let url = address(href), !Self.isAPI(url) else { return }
        if mayBeLikely, FeedAddress.isLikely(url) {
            add(url, Self.line(title), .anchor)
        } else if isNamed, !isElsewhere(url) {
            add(url, Self.line(title), .named)
        }
    }

    /// Whether a text or class says that a link leads to a feed.
    private static func namesFeed(_ text: String) -> Bool {
        let words = text.utf8.prefix(maxTitle).split { !$0.isASCIILetter }.map { Array($0).text.lowercased() }
        return words.contains("rss") || words.contains("atom") && words.contains("feed")
    }

    private mutating func address(_ attribute: String) -> URL? {
        addressCount += 1
        return PageAddress.url(attribute, relativeTo: base)
    }

    private mutating func add(_ url: URL, _ title: String?, _ origin: FeedCandidate.Origin) {
        found.append(
            FeedCandidate(
                url: url, title: title, origin: origin, subject: FeedAddress.subject(of: url, title: title),
                isElsewhere: isElsewhere(url)))
    }

    private func isElsewhere(_ url: URL) -> Bool { url.host()?.lowercased() != page.host()?.lowercased() }

    /// Whether a `link` leads to WordPress's API.
    private static func isAPI(_ url: URL) -> Bool { url.path().contains("/wp-json/") }

    private static func mentionsFeed(_ url: URL, _ title: String?) -> Bool {
        (url.absoluteString + " " + (title ?? "")).lowercased().contains("feed")
    }

    /// A title on one line, truncated; nil if it is blank.
    private static func line(_ text: String) -> String? {
        FeedText.line(text.utf8).map { String($0.prefix(maxTitle)) }
    }

    private static let feedTypes: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
        "application/rss", "application/atom", "text/rss+xml", "text/atom+xml",
    ]
    private static let xmlTypes: Set<String> = ["application/xml", "text/xml"]

    private static let maxFound = 500
    private static let maxAddresses = 5000
    private static let maxTitle = 200
}

/// The `Link` header of a response (https://www.rfc-editor.org/rfc/rfc8288#section-3).
enum LinkHeader {
    /// The attributes of each link, as a `link` of a page would have them.
    static func links(in header: String) -> [ElementAttributes] {
        var links: [ElementAttributes] = []
        var rest = header[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = rest[rest.index(after: start)..<end]
            let parameters = rest[rest.index(after: end)...]
            let next = endOfParameters(parameters)
            var attributes: ElementAttributes = ["href": String(target).trimmed]
            for parameter in parameters[..<next].split(separator: ";") {
                let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
                guard parts.count == 2 else { continue }
                let name = parts[0].lowercased()
                attributes.append(name, parts[1].trimmed { $0 == "\"" })
            }
            links.append(attributes)
            rest = header[next...]
        }
        return links
    }

    /// The next comma outside of quotes, or the end.
    private static func endOfParameters(_ text: Substring) -> String.Index {
        var isQuoted = false
        return text.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        } ?? text.endIndex
    }
}
