import Foundation

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
