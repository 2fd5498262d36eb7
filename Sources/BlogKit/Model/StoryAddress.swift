import BlogEssentials

/// The address of a story in a form that is the same for its usual spellings: with either scheme, with `www.` or for
/// mobile devices, as an AMP page, with a fragment, or with parameters that only say where a reader comes from.
package struct StoryAddress: Hashable, Sendable {
    /// The host, the path and the query, such as `example.org/story?id=7`.
    package let text: String
    /// The host alone.
    package let host: String

    /// Nil for anything that isn't an address on the web.
    package init?(_ link: String) { self.init(link, depth: 0) }

    private init?(_ link: String, depth: Int) {
        guard link.utf8.count <= Self.maxLength, depth < 3,
            let start = ["https://", "http://"].first(where: { link.prefix($0.count).lowercased() == $0 })
        else { return nil }
        let rest = Self.withoutFragment(link.dropFirst(start.count))
        let end = rest.firstIndex { "/?\\".contains($0) } ?? rest.endIndex
        guard let host = Self.host(rest[..<end]) else { return nil }
        let query = rest[end...].firstIndex(of: "?") ?? rest.endIndex
        let path = rest[end..<query]
        if let page = Self.pageBehind(path, at: host) {
            guard let story = StoryAddress(page, depth: depth + 1) else { return nil }
            self = story
            return
        }
        var names = Self.names(in: path)
        var items = Self.items(in: rest[query...].dropFirst())
        Self.unify(host, &names, &items)
        self.host = Self.aliases[host] ?? host
        text =
            self.host + names.map { "/" + $0 }.joined()
            + (items.isEmpty ? "" : "?" + items.sorted().joined(separator: "&"))
    }

    /// A number that stands for the address.
    package var hash: Int64 { Int64(bitPattern: ContentDigest.hash(of: text)) }

    /// Whether an address is on the same site as a host: one is a part of the other.
    package func isOnSite(_ site: String) -> Bool {
        site == host || site.hasSuffix("." + host) || host.hasSuffix("." + site)
    }

    private static let maxLength = 4096

    // MARK: Parts

    /// A fragment that begins like a path names a page of its own.
    private static func withoutFragment(_ address: Substring) -> Substring {
        guard let hash = address.firstIndex(of: "#") else { return address }
        let fragment = address[hash...].dropFirst()
        return fragment.hasPrefix("!") || fragment.hasPrefix("/") ? address : address[..<hash]
    }

    /// The host without a port that says nothing, and without prefixes for devices; nil with a login.
    private static func host(_ authority: Substring) -> String? {
        guard !authority.contains("@") else { return nil }
        var host = authority.lowercased()
        for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.count) }
        if host.hasSuffix(".") { host.removeLast() }
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let ascii = URL(address: "http://" + host)?.host else { return nil }
            host = ascii
        }
        while let prefix = prefixes.first(where: { host.hasPrefix($0) && host.dropFirst($0.count).contains(".") }) {
            host.removeFirst(prefix.count)
        }
        return host.isEmpty ? nil : host.replacing(".m.wikipedia.org", with: ".wikipedia.org")
    }

    private static let prefixes = ["www.", "m.", "mobile.", "amp."]

    /// The names in a path, without an index page.
    private static func names(in path: Substring) -> [String] {
        var names = path.split { "/\\".contains($0) }.map(normalized).filter { $0 != "." }
        if let last = names.last, indexes.contains(last) { names.removeLast() }
        // A page of AMP is that of a story, whose name is more than a word.
        func isStory(_ name: String?) -> Bool { name?.contains { $0 == "-" || $0 == "_" || $0.isNumber } ?? false }
        if names.count > 1, ["amp", "amp.html"].contains(names.last), isStory(names.dropLast().last) {
            names.removeLast()
        } else if names.count > 1, names.first == "amp", isStory(names.last) {
            names.removeFirst()
        } else if let last = names.last, isStory(last) {
            for (end, other) in [(".amp.html", ".html"), (".amp", "")] where last.hasSuffix(end) {
                names[names.count - 1] = last.dropLast(end.count) + other
                break
            }
        }
        return names
    }

    private static let indexes: Set<String> = ["index.html", "index.htm", "index.php"]

    /// The parameters of a query, without those that say where the reader comes from.
    private static func items(in query: Substring) -> [String] {
        query.split { $0 == "&" || $0 == ";" }.compactMap { item in
            let name = item.prefix { $0 != "=" }.lowercased()
            guard !trackers.contains(name), !trackerPrefixes.contains(where: name.hasPrefix) else { return nil }
            let (key, value) = (item.prefix { $0 != "=" }, item.drop { $0 != "=" }.dropFirst())
            guard !(name == "outputtype" && value == "amp") else { return nil }
            return normalized(key) + (value.isEmpty ? "" : "=" + normalized(value.replacing("+", with: "%20")[...]))
        }
    }

    /// A part of an address with escapes only where they are needed, in capitals.
    private static func normalized(_ part: Substring) -> String {
        guard part.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 0x80 }) else { return String(part) }
        let decoded = part.percentDecoded.map { Array($0.utf8) } ?? Array(part.utf8)
        return decoded.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            if byte < 0x80, byte > 0x20, !"/?#&=%+".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    // MARK: Sites

    /// The page that an AMP cache shows (https://developers.google.com/amp/cache/overview); nil for no such page.
    private static func pageBehind(_ path: Substring, at host: String) -> String? {
        let names = path.split(separator: "/", omittingEmptySubsequences: true)
        if host == "google.com", names.first == "amp" { return page(names.dropFirst()) }
        if host.hasSuffix(".cdn.ampproject.org") || host == "cdn.ampproject.org",
            let kind = names.first, ["c", "v", "wp"].contains(kind)
        {
            return page(names.dropFirst())
        }
        return nil
    }

    private static func page(_ names: ArraySlice<Substring>) -> String? {
        let isSecure = names.first == "s"
        let rest = isSecure ? names.dropFirst() : names
        return rest.isEmpty ? nil : "https://" + rest.joined(separator: "/")
    }

    /// Sites that have several addresses for one page.
    private static func unify(_ host: String, _ names: inout [String], _ items: inout [String]) {
        switch host {
        case "youtu.be" where names.count == 1: (names, items) = (["watch"], ["v=" + names[0]])
        case "youtube.com" where names == ["watch"]: items = items.filter { $0.hasPrefix("v=") }
        case "youtube.com" where names.count == 2 && ["shorts", "live", "embed"].contains(names[0]):
            (names, items) = (["watch"], ["v=" + names[1]])
        case "twitter.com", "x.com": items = []
        default: break
        }
    }

    private static let aliases = [
        "youtu.be": "youtube.com", "twitter.com": "x.com", "old.reddit.com": "reddit.com",
        "new.reddit.com": "reddit.com",
        "np.reddit.com": "reddit.com",
    ]

    /// Parameters by which sites and mailings tell where readers come from.
    private static let trackers: Set<String> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "li_fat_id",
        "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "hsctatracking", "vero_id", "vero_conv",
        "_ga", "_gl", "ref", "ref_src", "ref_url", "referrer", "referer", "cmp", "cmpid", "ncid", "ocid", "icid",
        "cid_source",
        "smid", "smtyp", "s_cid", "sr_share", "xtor", "mbid", "intcmp", "soc_src", "soc_trk", "guccounter",
        "guce_referrer", "guce_referrer_sig", "__twitter_impression", "wt_mc", "wt.mc_id", "spm", "trk", "share_id",
        "unlocked_article_code", "amp", "amp_js_v", "amp_gsa", "usqp", "ck_subscriber_id", "feature", "si", "app",
        "triedredirect", "publication_id", "post_id_source", "isfreemail", "showwelcomeonshare", "partner", "rss",
        "ref_cta", "ref_loc", "ref_page", "via", "__s", "sh", "sk_source", "source_rss", "cmpcc", "sref",
    ]
    private static let trackerPrefixes = [
        "utm_", "utm-", "at_", "ns_", "pk_", "mtm_", "piwik_", "matomo_", "oly_", "hsa_", "itm_", "stm_", "hss_", "_hs",
    ]
}
