import BlogEssentials
import BlogMarkup

/// Sites with feeds at known addresses.
package enum KnownSites {
    /// The feeds of a page, without a request; empty for most pages.
    ///
    /// | page | feed |
    /// | --- | --- |
    /// | `www.youtube.com/channel/ID` | `/feeds/videos.xml?channel_id=ID` |
    /// | the same, without Shorts | `/feeds/videos.xml?playlist_id=UULF…`, with the rest of the channel's ID |
    /// | `www.youtube.com/playlist?list=ID` | `/feeds/videos.xml?playlist_id=ID` |
    /// | `github.com/OWNER/REPO`, `/OWNER/REPO/tags` | `/OWNER/REPO/releases.atom`, `/OWNER/REPO/tags.atom` |
    /// | `gitlab.com/GROUP/…/PROJECT` | `/GROUP/…/PROJECT/-/releases.atom` |
    /// | `www.reddit.com/r/NAME`, `/user/NAME` | `/r/NAME/.rss`, `/user/NAME/.rss` |
    /// | `medium.com/@NAME` | `/feed/@NAME` |
    package static func feeds(for page: URL) -> [FeedCandidate] {
        guard let url = PageAddress.normalized(page), let host = url.host() else { return [] }
        let parts = url.path().split(separator: "/").map(String.init)
        // These sites have no names with other characters, which must not get into addresses.
        guard parts.allSatisfy(isName) else { return [] }
        let found: Found? =
            switch host.withoutWWW {
            case "youtube.com", "m.youtube.com": youTube(parts, url)
            case "github.com": gitHub(parts)
            case "gitlab.com": gitLab(parts)
            case "reddit.com", "old.reddit.com": reddit(parts)
            case "medium.com": medium(parts)
            default: nil
            }
        return ([found].compactMap(\.self) + withoutShorts(parts, host)).compactMap { address, title in
            URL(address: address).map {
                FeedCandidate(url: $0, title: title, origin: .site, subject: .posts, isElsewhere: false)
            }
        }
    }

    private typealias Found = (address: String, title: String?)

    private static func youTube(_ parts: [String], _ url: URL) -> Found? {
        let feeds = "https://www.youtube.com/feeds/videos.xml"
        if parts.count >= 2, parts[0] == "channel" { return ("\(feeds)?channel_id=\(parts[1])", nil) }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        guard parts == ["playlist"], let list = items.first(where: { $0.name == "list" })?.value, isName(list) else {
            return nil
        }
        return ("\(feeds)?playlist_id=\(list)", nil)
    }

    /// The feed of a channel's long videos, which YouTube has as a playlist.
    private static func withoutShorts(_ parts: [String], _ host: String) -> [Found] {
        guard ["youtube.com", "m.youtube.com"].contains(host.withoutWWW), parts.count >= 2, parts[0] == "channel",
            parts[1].hasPrefix("UC")
        else { return [] }
        let address = "https://www.youtube.com/feeds/videos.xml?playlist_id=UULF" + parts[1].dropFirst(2)
        return [(address, "Videos without Shorts")]
    }

    private static func gitHub(_ parts: [String]) -> Found? {
        guard parts.count >= 2, !gitHubPages.contains(parts[0]) else { return nil }
        let repository = parts[1].hasSuffix(".git") ? String(parts[1].dropLast(4)) : parts[1]
        let name = "\(parts[0])/\(repository)"
        switch parts.dropFirst(2).first {
        case nil, "releases": return ("https://github.com/\(name)/releases.atom", "Releases of \(name)")
        case "tags": return ("https://github.com/\(name)/tags.atom", "Tags of \(name)")
        // Files, issues and discussions aren't about releases.
        default: return nil
        }
    }

    private static func gitLab(_ parts: [String]) -> Found? {
        let project = Array(parts.prefix { $0 != "-" })
        let rest = Array(parts.dropFirst(project.count + 1))
        guard (2...20).contains(project.count), !gitLabPages.contains(project[0]),
            rest.isEmpty || rest.first == "releases"
        else { return nil }
        let name = project.joined(separator: "/")
        return ("https://gitlab.com/\(name)/-/releases.atom", "Releases of \(name)")
    }

    private static func reddit(_ parts: [String]) -> Found? {
        guard parts.count == 2, ["r", "user", "u"].contains(parts[0]) else { return nil }
        let kind = parts[0] == "u" ? "user" : parts[0]
        return ("https://www.reddit.com/\(kind)/\(parts[1])/.rss", "\(kind)/\(parts[1])")
    }

    private static func medium(_ parts: [String]) -> Found? {
        guard parts.count == 1, parts[0].hasPrefix("@") else { return nil }
        return ("https://medium.com/feed/\(parts[0])", parts[0])
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 200
            && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || Array("-_.@".utf8).contains($0) }
    }

    /// GitHub's own pages, which have no owner.
    private static let gitHubPages: Set<String> = [
        "about", "apps", "collections", "contact", "customer-stories", "enterprise", "events", "explore", "features",
        "login", "marketplace", "notifications", "orgs", "organizations", "readme", "search", "security", "settings",
        "site", "sponsors", "stars", "topics", "trending", "users",
    ]
    private static let gitLabPages: Set<String> = ["-", "explore", "groups", "help", "users"]
}
