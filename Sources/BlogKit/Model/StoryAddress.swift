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
        let bytes = Array(link.utf8)
        guard bytes.count <= Self.maxLength, depth < Self.maxDepth, let start = Self.lengthOfScheme(bytes) else {
            return nil
        }
        let rest = Self.withoutFragment(bytes[start...])
        let end = rest.firstIndex(where: Self.endsHost) ?? rest.endIndex
        guard let host = Self.host(rest[..<end]) else { return nil }
        let query = rest[end...].firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        let path = rest[end..<query]
        if let page = Self.pageBehind(path, at: host) {
            guard let story = StoryAddress(page, depth: depth + 1) else { return nil }
            self = story
            return
        }
        var names = Self.names(in: path)
        var items =
            query == rest.endIndex
            ? [] : Self.items(in: rest[query...].dropFirst(), ofArticle: names.last.map(Self.isArticle) ?? false)
        Self.unify(host, &names, &items)
        self.host = Self.aliases[host] ?? host
        var text = self.host
        for name in names {
            text += "/"
            text += name
        }
        if !items.isEmpty { text += "?" + items.sorted().joined(separator: "&") }
        self.text = text
    }

    /// Whether it is the home page of a site, which is no story, but the link of many posts.
    package var isHome: Bool { text == host }

    /// A number that stands for the address.
    package var hash: Int64 { Int64(bitPattern: ContentDigest.hash(of: text)) }

    /// Whether an address is on the same site as a host: one is a part of the other.
    package func isOnSite(_ site: String) -> Bool {
        site == host || site.hasSuffix("." + host) || host.hasSuffix("." + site)
    }

    /// Whether a page may name this address as its own: it is on the page's site, and not a page above it.
    package func isNamed(byPageAt page: StoryAddress) -> Bool {
        isOnSite(page.host) && !(page.text + "/").hasPrefix(text + "/") || text == page.text
    }

    private static let maxLength = 4096
    private static let maxDepth = 3

    private typealias Bytes = ArraySlice<UInt8>

    // MARK: Parts

    /// The length of "http://" or "https://"; nil for another beginning.
    private static func lengthOfScheme(_ bytes: [UInt8]) -> Int? {
        func begins(_ scheme: StaticString) -> Bool {
            bytes.count > scheme.utf8CodeUnitCount
                && (0..<scheme.utf8CodeUnitCount).allSatisfy { bytes[$0].lowercased == scheme.utf8Start[$0] }
        }
        return begins("https://") ? 8 : begins("http://") ? 7 : nil
    }

    private static func endsHost(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
    }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A fragment like a path names a page of its own.
    private static func withoutFragment(_ address: Bytes) -> Bytes {
        guard let hash = address.firstIndex(of: UInt8(ascii: "#")) else { return address }
        let fragment = address[hash...].dropFirst()
        // A text to look for, as in "#:~:text=and/or".
        let isText = fragment.first == UInt8(ascii: ":")
        let isPath = fragment.first == UInt8(ascii: "!") || fragment.contains(UInt8(ascii: "/"))
        return isPath && !isText ? address : address[..<hash]
    }

    /// The host without a port that says nothing, and without prefixes for devices; nil with a login.
    private static func host(_ authority: Bytes) -> String? {
        guard !authority.contains(UInt8(ascii: "@")) else { return nil }
        var host = text(authority)
        if authority.contains(where: { $0 >= 0x80 }) {
            guard let ascii = URL(address: "http://" + host)?.host else { return nil }
            host = ascii
        }
        if host.utf8.contains(where: { $0.lowercased != $0 }) { host = host.lowercased() }
        for port in [":80", ":443"] where host.hasSuffix(port) { host.removeLast(port.utf8.count) }
        if host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
        while !hosters.contains(where: host.hasSuffix),
            let prefix = prefixes.first(where: {
                host.hasPrefix($0) && host.utf8.dropFirst($0.utf8.count).contains(UInt8(ascii: "."))
            })
        {
            host.removeFirst(prefix.utf8.count)
        }
        if host.isEmpty { return nil }
        return host.hasSuffix(mobileWikipedia) ? host.dropLast(mobileWikipedia.utf8.count) + ".wikipedia.org" : host
    }

    private static let prefixes = ["www.", "m.", "mobile.", "amp."]
    /// Sites where each name is a weblog.
    private static let hosters = [
        ".wordpress.com", ".blogspot.com", ".substack.com", ".tumblr.com", ".github.io", ".livejournal.com",
        ".typepad.com",
    ]
    private static let mobileWikipedia = ".m.wikipedia.org"

    /// The names in a path, without an index page.
    private static func names(in path: Bytes) -> [String] {
        var names = path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.map(normalized)
        if path.contains(UInt8(ascii: ";")), let last = names.last, let session = last.firstRange(of: ";jsessionid=") {
            names[names.count - 1] = String(last[..<session.lowerBound])
        }
        if names.contains(".") { names.removeAll { $0 == "." } }
        guard let last = names.last else { return names }
        if last.utf8.contains(UInt8(ascii: ".")), indexes.contains(last.lowercased()) {
            names.removeLast()
            return names
        }
        guard names.contains(where: { $0.hasSuffix("amp") || $0.hasSuffix("amp.html") }) else { return names }
        // A page of AMP is that of a story, whose name is more than a word.
        if let amp = names.lastIndex(where: { $0 == "amp" || $0 == "amp.html" }), names.count > 1,
            let name = names.last(where: { $0 != names[amp] }), isStory(name)
        {
            names.remove(at: amp)
            if amp > 0, amp < names.count, ["platform", "google"].contains(names[amp - 1]) {
                names.remove(at: amp - 1)
            }
            return names
        }
        for (end, other) in [(".amp.html", ".html"), ("~amp.html", ".html"), (".amp", ""), ("-amp", "")]
        where last.hasSuffix(end) && isStory(String(last.dropLast(end.utf8.count))) {
            names[names.count - 1] = last.dropLast(end.utf8.count) + other
            break
        }
        return names
    }

    private static func isStory(_ name: String) -> Bool {
        name.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || isDigit($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether a name is that of an article, so that parameters hardly ever select another one: it has three words, or a
    /// long number, and isn't a program's.
    private static func isArticle(_ name: String) -> Bool {
        guard !programs.contains(where: name.hasSuffix) else { return false }
        let words = name.utf8.count { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        return words > 1 || name.utf8.count(where: isDigit) > 5
    }

    private static let programs = [".php", ".cgi", ".asp", ".aspx", ".jsp", ".do", ".pl", ".cfm", ".dll", ".exe"]

    private static let indexes: Set<String> = [
        "index.html", "index.htm", "index.php", "index.shtml", "default.asp", "default.aspx",
    ]

    /// The parameters of a query, without those that say where the reader comes from.
    ///
    /// - Parameter isArticle: whether the path names an article: then only numbers and names of things select another.
    private static func items(in query: Bytes, ofArticle isArticle: Bool) -> [String] {
        query.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }.compactMap { item in
            let key = item.prefix { $0 != UInt8(ascii: "=") }
            let name = text(key).lowercased()
            let value = Bytes(
                item.dropFirst(key.count + 1).flatMap { $0 == UInt8(ascii: "+") ? Array("%20".utf8) : [$0] })
            // A number, or a branch of a repository, says what to show, and not where the reader comes from.
            if name == "ref", value.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }), value.count > 4 {
                return normalized(key) + "=" + normalized(value)
            }
            guard !isTracker(name) else { return nil }
            // Feeds that say that they are one.
            if text(value).hasPrefix("rss"), name != "q" { return nil }
            if name == "outputtype", text(value) == "amp" { return nil }
            // The session of a forum, rather than the number of a story.
            if name == "sid", value.count == 32 { return nil }
            if isArticle, !value.allSatisfy(isDigit) || value.isEmpty, !selects(name) { return nil }
            return normalized(key) + (value.isEmpty ? "" : "=" + normalized(value))
        }
    }

    private static func isTracker(_ name: String) -> Bool {
        trackers.contains(name) || trackerPrefixes.contains(where: name.hasPrefix)
            || trackerEnds.contains(where: name.hasSuffix)
    }

    /// Whether a parameter with this name may select one of several pages of a name.
    private static func selects(_ name: String) -> Bool {
        name.hasSuffix("id") || name.hasSuffix("key") || name.hasSuffix("code") || selectors.contains(name)
    }

    private static let selectors: Set<String> = [
        "page", "p", "q", "query", "search", "v", "version", "lang", "language", "hl", "locale", "date", "day", "month",
        "year", "name", "title", "article", "story", "item", "product", "sku", "slug", "doc", "document", "file",
        "path",
        "url", "uri", "tag", "category", "cat", "topic", "thread", "post", "comment", "issue", "chapter", "section",
        "view", "action", "oldid", "diff", "number", "no", "nr", "hash", "symbol", "isbn", "edition", "source", "ver",
        "rev",
        "revision", "branch", "color", "colour", "variant", "size", "model", "type", "format", "episode", "ep",
        "season",
        "entry", "tab", "n", "i", "k", "t", "c", "w", "event", "location", "city", "country", "region", "from", "to",
    ]

    /// A part of an address with escapes only where they are needed, in capitals.
    private static func normalized(_ part: Bytes) -> String {
        guard part.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 0x80 }) else { return text(part) }
        let decoded = text(part).percentDecoded.map { Array($0.utf8)[...] } ?? part
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
    private static func pageBehind(_ path: Bytes, at host: String) -> String? {
        let isGoogle = host == "google.com"
        guard isGoogle || host.hasSuffix("cdn.ampproject.org") else { return nil }
        let names = path.split(separator: UInt8(ascii: "/")).map(text)
        guard let kind = names.first, isGoogle ? kind == "amp" : ["c", "v", "wp"].contains(kind) else { return nil }
        let rest = names.dropFirst(names.dropFirst().first == "s" ? 2 : 1)
        return rest.isEmpty ? nil : "https://" + rest.joined(separator: "/")
    }

    /// Sites that have several addresses for one page.
    private static func unify(_ host: String, _ names: inout [String], _ items: inout [String]) {
        switch host {
        case "youtu.be" where names.count == 1: (names, items) = (["watch"], ["v=" + names[0]])
        case "youtube.com" where names == ["watch"]: items = items.filter { $0.hasPrefix("v=") }
        case "youtube.com" where names.count == 2 && ["shorts", "live", "embed"].contains(names[0]):
            (names, items) = (["watch"], ["v=" + names[1]])
        case "twitter.com", "x.com": if names.count > 2, names[1] == "status" { items = [] }
        case "cnn.com": if names.count > 1, names[0] == "cnn" { names.removeFirst() }
        case _ where host.hasSuffix(".substack.com"): items.removeAll { $0.hasPrefix("post_id=") || $0.hasPrefix("r=") }
        case _ where host.hasSuffix(".blogspot.com"): items.removeAll { $0 == "m=1" || $0.hasPrefix("showComment=") }
        default:
            guard let own = trackersOfSites[host] else { break }
            items.removeAll { item in own.contains { item == $0 || item.hasPrefix($0 + "=") } }
        }
    }

    /// Parameters that mean nothing on some sites, although they may on others.
    private static let trackersOfSites = [
        "nytimes.com": ["_r", "pagewanted"], "washingtonpost.com": ["tid"], "forbes.com": ["sh"],
        "nikkei.com": ["unlock"],
        "stackoverflow.com": ["rq", "lq"], "reddit.com": ["rdt", "context"], "businessinsider.com": ["op"],
        "github.com": ["tab=readme-ov-file"], "medium.com": ["sk", "source"], "open.spotify.com": ["si"],
        "sciencedirect.com": ["via"], "dailymail.co.uk": ["ito"],
        "ebay.com": ["campid", "toolid"], "ebay.de": ["campid", "toolid"],
    ]

    private static let aliases = [
        "youtu.be": "youtube.com", "twitter.com": "x.com", "old.reddit.com": "reddit.com",
        "new.reddit.com": "reddit.com",
        "np.reddit.com": "reddit.com",
    ]

    /// Parameters by which sites and mailings tell where readers come from.
    private static let trackers: Set<String> = [
        "fbclid", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "li_fat_id",
        "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "hsctatracking", "vero_id", "vero_conv",
        "_ga", "_gl", "ref", "ref_src", "ref_url", "referrer", "referer", "referringsource", "emc", "iref", "wprov",
        "fsrc", "traffic_source", "maca",
        "ftag", "bhid", "_amp", "reflink", "xtref", "attribution_id", "attribution_type", "pfmredir", "akamai-rum",
        "dcmp",
        "srnd", "vd_source", "spm_id_from", "share_source", "publication_id", "showcomment", "srsltid", "ef_id", "epik",
        "tduid", "awc", "cjevent", "zanpid", "mibextid", "inf_contact_key", "n_tw", "isappinstalled", "wt.ec_id",
        "sap-outbound-id", "wickedid", "mkwid", "pcrid", "trackingid", "midtoken", "omnisendcontactid", "phpsessid",
        "nb",
        "dicbo", "tblci", "_openstat", "dm_i", "_kx", "replytocom", "_x_tr_sl", "_x_tr_tl", "cmp", "cmpid", "ncid",
        "ocid", "icid",
        "cid_source",
        "smid", "smtyp", "s_cid", "sr_share", "xtor", "mbid", "intcmp", "soc_src", "soc_trk", "guccounter",
        "guce_referrer", "guce_referrer_sig", "__twitter_impression", "wt_mc", "wt.mc_id", "spm", "share_id",
        "unlocked_article_code", "amp", "amp_js_v", "amp_gsa", "usqp", "ck_subscriber_id",
        "triedredirect", "post_id_source", "isfreemail", "showwelcomeonshare",
        "ref_cta", "ref_loc", "ref_page", "__s", "sk_source", "cmpcc", "sref",
    ]
    /// Identifiers of clicks and campaigns.
    private static let trackerEnds = ["clid", "clickid", "clkid", "_cid", "_ecid", "kwcid"]
    private static let trackerPrefixes = [
        "utm_", "utm-", "at_", "ns_", "pk_", "mtm_", "piwik_", "matomo_", "oly_", "hsa_", "itm_", "stm_", "hss_", "_hs",
        "__h",
        "gad_", "elq", "_bta_", "bsft_", "ml_subscriber", "cx_", "trk_", "_branch_", "relatedposts_", "mkcid", "mkevt",
        "mkrid",
    ]
}
