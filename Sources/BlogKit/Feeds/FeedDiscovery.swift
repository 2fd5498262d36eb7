import BlogEssentials
import BlogMarkup

/// Finds the feeds of a web page, by autodiscovery (https://www.rssboard.org/rss-autodiscovery,
/// https://html.spec.whatwg.org/multipage/links.html#rel-alternate) and by its links.
package enum FeedDiscovery {
    package static let maxCandidates = 20

    /// The possible addresses of a page's feeds, the likeliest first, without duplicates and the page itself.
    ///
    /// Takes linear time, and reads at most 2 MiB.
    ///
    /// - Parameters:
    ///   - url: the address of the page, after all redirects.
    ///   - charset: the encoding in the response's header.
    ///   - header: the response's `Link` header.
    package static func candidates(
        in page: Data, at url: URL, charset: String? = nil, header: String? = nil
    ) -> [FeedCandidate] {
        var links = FeedLinks(page: url)
        for attributes in LinkHeader.links(in: header ?? "") { links.add(.open(name: "link", attributes: attributes)) }
        let text = CharacterDecoding.page([UInt8](page.prefix(maxBytes)), charset: charset)
        HTMLToken.forEach(in: text, leavingOut: HTMLToken.scripts) { links.add($0) }
        return best(KnownSites.feeds(for: url) + links.finish(), excluding: url)
    }

    /// The usual addresses of feeds, in the folder of a page and at the root of its site.
    ///
    /// They are guesses: fetch them with ``RequestOptions/probe``.
    package static func wellKnown(for page: URL) -> [URL] {
        guard var root = URLComponents(url: page.absoluteURL, resolvingAgainstBaseURL: true),
            PageAddress.isWeb(root)
        else { return [] }
        (root.user, root.password, root.query, root.fragment) = (nil, nil, nil, nil)
        let folder = folder(of: root.percentEncodedPath)
        var urls: [URL] = []
        for start in folder == "/" ? ["/"] : [folder, "/"] {
            for path in usualPaths {
                root.percentEncodedPath = start + path
                if let url = root.url { urls.append(url) }
            }
        }
        return urls
    }

    /// The most common first.
    private static let usualPaths = [
        "feed/", "feed.xml", "rss.xml", "atom.xml", "index.xml", "feed", "rss/", "rss", "feed.json",
    ]

    /// The folder of a path, with a slash at both ends; a last segment without a dot counts as a folder, like `/blog`.
    private static func folder(of path: String) -> String {
        var parts = path.split(separator: "/")
        if let last = parts.last, last.contains("."), !path.hasSuffix("/") { parts.removeLast() }
        return parts.isEmpty ? "/" : "/" + parts.joined(separator: "/") + "/"
    }

    /// The best candidates; equally good ones stay in the page's order.
    private static func best(_ found: [FeedCandidate], excluding page: URL) -> [FeedCandidate] {
        let sorted = found.enumerated().sorted { first, second in
            (-first.element.score, first.offset) < (-second.element.score, second.offset)
        }
        var seen: Set<URL> = PageAddress.normalized(page).map { [$0] } ?? []
        return Array(sorted.map(\.element).filter { seen.insert($0.url).inserted }.prefix(maxCandidates))
    }

    /// Pages link to their feeds near the beginning.
    private static let maxBytes = 2 << 20
}

/// A possible address of a feed, from an untrusted page.
package struct FeedCandidate: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        /// The page's own address, on a known site.
        case site
        /// A `link` of the page.
        case alternate
        /// An `a` of the page whose address looks like a feed's.
        case anchor
        /// An `a` of the page whose text says that it leads to a feed.
        case named
    }

    /// The likely subject of a feed, by its title and address.
    package enum Subject: Hashable, Sendable {
        case posts
        case podcast
        case comments
    }

    /// An http or https address, without user name and fragment.
    package let url: URL
    /// The title in the page, on one line and not sanitized; nil if there is none.
    package let title: String?
    package let origin: Origin
    package let subject: Subject
    /// Whether it is on another host than the page, like the feeds in a blogroll.
    package let isElsewhere: Bool

    /// The likelihood that this is the page's main feed; higher is better.
    ///
    /// A linked feed of posts ranks above a feed of comments in a `link`.
    package var score: Int {
        let origin =
            switch origin {
            case .site: 200
            case .alternate: 100
            // Many sites host their feed elsewhere, but then use a `link`.
            case .anchor: isElsewhere ? 20 : 50
            case .named: 10
            }
        return switch subject {
        case .posts: origin
        case .podcast: origin - 20
        case .comments: origin - 60
        }
    }
}

/// Recognizes feeds by their addresses.
package enum FeedAddress {
    /// A quick check that rejects most links of a page before ``isLikely(_:)``.
    static func mayBeLikely(_ attribute: String) -> Bool {
        let text = attribute.lowercased()
        return ["feed", "rss", "atom", "rdf", "index.xml"].contains(where: text.contains)
    }

    /// Whether an address looks like a feed's.
    package static func isLikely(_ url: URL) -> Bool {
        let path = url.path().lowercased()
        // A service that is passed a feed's address: “add to …”, “share”.
        guard !["http:", "https:", "http%3a", "https%3a"].contains(where: path.contains) else { return false }
        let parts = path.split(separator: "/")
        if let last = parts.last, names.contains(String(last)) || endings.contains(where: last.hasSuffix) {
            return true
        }
        // Blogger.
        if path.hasSuffix("/feeds/posts/default") { return true }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return items.contains { ["feed", "format", "alt"].contains($0.name) && queries.contains($0.value ?? "") }
    }

    static func subject(of url: URL, title: String?) -> FeedCandidate.Subject {
        let words = Set(
            ((url.path() + " " + (title ?? "")).lowercased()).split { !$0.isLetter && !$0.isNumber }.map(String.init))
        if !words.isDisjoint(with: commentWords) { return .comments }
        return words.isDisjoint(with: podcastWords) ? .posts : .podcast
    }

    private static let names: Set<String> = [
        "feed", "rss", "rss2", "atom", "atom.xml", "index.xml", "feed.xml", "rss.xml", "index.rdf", "feed.json",
    ]
    private static let endings = [".rss", ".atom", ".rdf", ".rss.xml", ".atom.xml"]
    private static let queries: Set<String> = ["rss", "rss2", "atom", "feed", "rdf"]

    /// The words that WordPress uses in its most common languages.
    private static let commentWords: Set<String> = [
        "comments", "comment", "kommentare", "kommentar", "commentaires", "comentarios", "comentários", "commenti",
        "reacties", "комментарии", "コメント", "评论",
    ]
    private static let podcastWords: Set<String> = ["podcast", "podcasts", "audio", "episodes"]
}

/// URLs in the attributes of pages.
enum PageAddress {
    /// The normalized URL in an attribute; nil if it isn't http or https, has no host, or has a user name.
    ///
    /// The scheme `feed` means http, or precedes another URL (https://en.wikipedia.org/wiki/Feed_URI_scheme).
    static func url(_ attribute: String, relativeTo base: URL) -> URL? {
        var text = String(Substring(attribute.trimmed).withoutTabsAndLineBreaks)
        guard !text.isEmpty, text.utf8.count <= maxBytes, !text.unicodeScalars.contains(where: Sanitizer.isControl)
        else { return nil }
        if text.lowercased().hasPrefix("feed:") {
            text.removeFirst("feed:".count)
            if text.hasPrefix("//") { text = "http:" + text }
        }
        return URL(address: text, relativeTo: base).flatMap(normalized)
    }

    /// A URL without its fragment, and with scheme and host in lower case, to recognize duplicates; nil if
    /// ``url(_:relativeTo:)`` doesn't accept it.
    static func normalized(_ url: URL) -> URL? {
        guard var parts = URLComponents(url: url.absoluteURL, resolvingAgainstBaseURL: true), isWeb(parts),
            parts.user == nil, parts.password == nil
        else { return nil }
        parts.scheme = parts.scheme?.lowercased()
        parts.host = parts.host?.lowercased()
        parts.fragment = nil
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
        return parts.url
    }

    static func isWeb(_ parts: URLComponents) -> Bool {
        ["http", "https"].contains(parts.scheme?.lowercased()) && parts.host?.isEmpty == false
    }

    /// About the longest URL that browsers and servers accept.
    private static let maxBytes = 8192
}
