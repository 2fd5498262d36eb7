import Foundation
import HTTP
import Markup

/// Finds the feeds that a web page names, as https://www.rssboard.org/rss-autodiscovery and
/// https://html.spec.whatwg.org/multipage/links.html#rel-alternate have it, and as pages do it.
package enum FeedDiscovery {
    /// How many candidates there are at most.
    package static let maxCandidates = 20

    /// The addresses at which there may be feeds of a page, the likeliest first, each once; never the page itself.
    ///
    /// It takes time in proportion to the page's length, of which at most 2 MiB count, whatever the page.
    ///
    /// - Parameters:
    ///   - page: the bytes of the page, in any encoding that has ASCII in it.
    ///   - url: where the page was found, behind all redirects.
    package static func candidates(in page: Data, at url: URL) -> [FeedCandidate] {
        var links = FeedLinks(page: url)
        HTMLToken.forEach(in: text(of: page.prefix(maxBytes)), leavingOut: HTMLToken.scripts) { links.add($0) }
        return best(KnownSites.feeds(for: url) + links.finish(), besides: url)
    }

    /// The usual addresses of feeds, beside a page and at the root of its site, to be tried one after the other.
    ///
    /// They are guesses. Fetch them with ``RequestOptions/probe``, as sites redirect unknown addresses to their front page.
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

    /// The most frequent first.
    private static let usualPaths = [
        "feed/", "feed.xml", "rss.xml", "atom.xml", "index.xml", "feed", "rss/", "rss", "feed.json",
    ]

    /// The folder that a path is in, with a slash at both ends: a last part without a dot is taken for a folder, as
    /// `/blog` mostly is one.
    private static func folder(of path: String) -> String {
        var parts = path.split(separator: "/")
        if let last = parts.last, last.contains("."), !path.hasSuffix("/") { parts.removeLast() }
        return parts.isEmpty ? "/" : "/" + parts.joined(separator: "/") + "/"
    }

    /// The best of all that was found, in the page's order where they are as good.
    private static func best(_ found: [FeedCandidate], besides page: URL) -> [FeedCandidate] {
        let sorted = found.enumerated().sorted { first, second in
            (-first.element.score, first.offset) < (-second.element.score, second.offset)
        }
        var seen: Set<URL> = PageAddress.plain(page).map { [$0] } ?? []
        return Array(sorted.map(\.element).filter { seen.insert($0.url).inserted }.prefix(maxCandidates))
    }

    /// What isn't UTF-8 is mostly what browsers take it for where none is named; the addresses are ASCII in any case.
    private static func text(of page: Data) -> String {
        String(data: page, encoding: .utf8) ?? String(data: page, encoding: .windowsCP1252)
            ?? String(decoding: page, as: UTF8.self)
    }

    /// Feeds are named at the beginning, and pages of more than this are data.
    private static let maxBytes = 2 << 20
}

/// An address at which there may be a feed.
///
/// It was named by a page that can't be trusted: what it leads to is a feed only once it has been read.
package struct FeedCandidate: Hashable, Sendable {
    /// How an address was found, best first.
    package enum Origin: Hashable, Sendable {
        /// It follows from the page's address, by a rule of its site.
        case site
        /// The page names it as its feed, in a `link`.
        case alternate
        /// The page links to it, and it ends as feeds do.
        case anchor
    }

    /// What a feed seems to be about, by its title and address.
    package enum Subject: Hashable, Sendable {
        case posts
        case podcast
        case comments
    }

    /// An address of http or https, without a user name or a fragment.
    package let url: URL
    /// What the page calls it, in one line; nil where it doesn't.
    ///
    /// It is the page's text: whoever shows it has to make it harmless.
    package let title: String?
    package let origin: Origin
    package let subject: Subject
    /// Whether it is on another host than the page, as the feeds of other people in a list of links are.
    package let isElsewhere: Bool

    package init(
        url: URL, title: String? = nil, origin: Origin, subject: Subject = .posts, isElsewhere: Bool = false
    ) {
        self.url = url
        self.title = title
        self.origin = origin
        self.subject = subject
        self.isElsewhere = isElsewhere
    }

    /// How likely it is what somebody wants who names the page; the higher, the likelier.
    ///
    /// A feed of posts that is linked to counts before a feed of comments that is named as the page's own.
    package var score: Int {
        var score =
            switch origin {
            case .site: 200
            case .alternate: 100
            case .anchor: 50
            }
        switch subject {
        case .posts: break
        case .podcast: score -= 20
        case .comments: score -= 60
        }
        // Many sites leave their feed to a service, but name it as their own then.
        if isElsewhere && origin == .anchor { score -= 30 }
        return score
    }
}

/// What can be told of an address alone.
package enum FeedAddress {
    /// Whether a link can be one that ``isLikely(_:)`` accepts; it is quick to tell, and most links of a page can't.
    static func mayBeLikely(_ attribute: String) -> Bool {
        let text = attribute.lowercased()
        return ["feed", "rss", "atom", "rdf", "index.xml"].contains(where: text.contains)
    }

    /// Whether an address ends as those of feeds do.
    package static func isLikely(_ url: URL) -> Bool {
        let path = url.path().lowercased()
        // A service that takes the address of a feed: “add to …”, “share”.
        guard !["http:", "https:", "http%3a", "https%3a"].contains(where: path.contains) else { return false }
        let parts = path.split(separator: "/")
        if let last = parts.last, names.contains(String(last)) || endings.contains(where: last.hasSuffix) {
            return true
        }
        // Blogger's, and those of sites that have nothing but their index.php.
        if path.hasSuffix("/feeds/posts/default") { return true }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return items.contains { ["feed", "format", "alt"].contains($0.name) && queries.contains($0.value ?? "") }
    }

    /// What a feed seems to be about.
    static func subject(of url: URL, title: String?) -> FeedCandidate.Subject {
        let words = Set(
            ((url.path() + " " + (title ?? "")).lowercased()).split { !$0.isLetter && !$0.isNumber }.map(String.init))
        if !words.isDisjoint(with: commentWords) { return .comments }
        return words.isDisjoint(with: podcastWords) ? .posts : .podcast
    }

    private static let names: Set<String> = [
        "feed", "rss", "rss2", "atom", "atom.xml", "index.xml", "feed.xml", "rss.xml", "index.rdf",
        "feed.json",
    ]
    private static let endings = [".rss", ".atom", ".rdf", ".rss.xml", ".atom.xml"]
    private static let queries: Set<String> = ["rss", "rss2", "atom", "feed", "rdf"]

    /// As WordPress writes in the languages that most of it is written in, where that differs.
    private static let commentWords: Set<String> = [
        "comments", "comment", "kommentare", "kommentar", "commentaires", "comentarios", "comentários", "commenti",
        "reacties", "комментарии", "コメント", "评论",
    ]
    private static let podcastWords: Set<String> = ["podcast", "podcasts", "audio", "episodes"]
}

/// Addresses as pages write them.
enum PageAddress {
    /// The address that an attribute of a page names; nil for anything but http and https with a host, or with a user
    /// name.
    ///
    /// The scheme `feed` stands for http, or before another address (https://en.wikipedia.org/wiki/Feed_URI_scheme).
    ///
    /// - Parameter base: the address that others of the page are relative to.
    static func url(_ attribute: String, relativeTo base: URL) -> URL? {
        // As https://url.spec.whatwg.org has it: around an address white space doesn't count, nor do breaks within it.
        var text = attribute.trimmingCharacters(in: .whitespacesAndNewlines)
        text.unicodeScalars.removeAll { "\t\n\r".unicodeScalars.contains($0) }
        guard !text.isEmpty, text.utf8.count <= maxBytes, !text.unicodeScalars.contains(where: Sanitizer.isControl)
        else { return nil }
        if text.lowercased().hasPrefix("feed:") {
            text.removeFirst("feed:".count)
            if text.hasPrefix("//") { text = "http:" + text }
        }
        return URL(string: text, relativeTo: base).flatMap(plain)
    }

    /// An address without its fragment, and with scheme and host in lower case, so that one is known when it comes
    /// again; nil for what ``url(_:relativeTo:)`` doesn't take.
    static func plain(_ url: URL) -> URL? {
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

    /// The longest address that browsers and servers agree on, roughly.
    private static let maxBytes = 8192
}
