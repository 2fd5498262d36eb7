import Foundation
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
        for token in HTMLTokens(text(of: page.prefix(maxBytes)), leavingOut: HTMLToken.scripts) {
            links.add(token)
            if links.isFull { break }
        }
        return best(KnownSites.feeds(for: url) + links.finish(), besides: url)
    }

    /// The usual addresses of feeds, beside a page and at the root of its site, to be tried one after the other.
    ///
    /// They are guesses. Fetch them with ``RequestOptions/probe``, as a site redirects what it doesn't have to its front
    /// page.
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
