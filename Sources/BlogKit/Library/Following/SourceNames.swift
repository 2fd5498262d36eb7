import BlogEssentials
import BlogModel
import BlogStore

/// The names of sources, which are the prefixes of their post IDs.
enum SourceName {
    /// Throws ``LibraryError/badName(_:reason:)`` for an invalid name.
    static func check(_ name: String) throws {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let areValid = parts.allSatisfy { part in
            !part.isEmpty && part.count <= maxLength && part.utf8.allSatisfy(isAllowed) && !part.hasPrefix("-")
        }
        guard areValid, parts.count <= 2 else {
            throw LibraryError.badName(
                name,
                reason: "use 1 to \(maxLength) letters a to z, digits and dashes, not starting with a dash")
        }
    }

    /// Throws ``LibraryError/badName(_:reason:)`` for a name that sources of this kind can't have.
    ///
    /// - Parameter before: its name until now.
    private static func check(_ name: String, for source: SourceID, before: String? = nil) throws {
        try check(name)
        func service(_ name: String) -> Substring? { name.contains("/") ? name.prefix { $0 != "/" } : nil }
        // An import may bring the feeds of a service before the service itself.
        let isNew = before == nil && source.service != nil && service(name) != nil
        guard isNew || service(name) == before.flatMap(service) else {
            let reason =
                before.flatMap(service).map { "the name of a feed of this server begins with \($0)/" }
                ?? "only feeds of a sync server have a slash in their names"
            throw LibraryError.badName(name, reason: reason)
        }
        if words.contains(name) {
            throw LibraryError.badName(name, reason: "it stands for posts, as in: blog read \(name)")
        }
        guard let owner = SourceRegistry.kind(named: name), owner.name != source.kind else { return }
        throw LibraryError.badName(name, reason: "reserved for \(owner.description)")
    }

    private static func isReserved(_ name: String) -> Bool {
        words.contains(name) || SourceRegistry.kind(named: name) != nil
    }

    /// Words for posts that are used in place of an ID, also with a number: `latest:2`.
    private static let words: Set = ["last", "latest", "next"]

    /// The name of a source from now on: the requested one, its current one, the suggested one if it is free, or one
    /// derived from its title or host.
    ///
    /// Throws ``LibraryError/badName(_:reason:)`` if the requested name can't be used.
    ///
    /// - Parameter isTaken: whether another source has a name.
    static func chosen(
        for source: SourceID, _ request: FollowRequest, before: String?, title: String? = nil,
        isTaken: (String) throws -> Bool
    ) throws -> String {
        if let name = request.name {
            try check(name, for: source, before: before)
            if try isTaken(name) {
                throw LibraryError.badName(
                    name, reason: "a source or a search has it that you follow, or have posts of")
            }
            return name
        }
        if let before { return before }
        if let name = request.suggestedName, (try? check(name, for: source)) != nil, try !isTaken(name) { return name }
        // `blog follow blog` follows what `BLOG_URL` says under this name.
        if SourceRegistry.kind(named: request.address)?.name == source.kind, try !isTaken(request.address) {
            return request.address
        }
        if let word = source.localWord, let name = try of(title: word, isTaken: isTaken) { return name }
        let titles = [request.title, title].compactMap(\.self)
        if let title = titles.first(where: { !$0.isEmpty }), prefersTitle(URL(address: source.address)?.host() ?? ""),
            let name = try of(title: title, isTaken: isTaken)
        {
            return name
        }
        return try of(source, isTaken: isTaken)
    }

    /// A free name of at most 20 characters derived from a title: `daring-fireball`; nil for a title without ASCII
    /// letters or digits.
    static func of(title: String, isTaken: (String) throws -> Bool) throws -> String? {
        let words = Folding.searchable(title).split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return nil }
        var name = String(first.prefix(maxTitleLength))
        for word in words.dropFirst() {
            guard name.count + word.count < maxTitleLength else { break }
            name += "-" + word
        }
        if try !isTaken(name), !isReserved(name) { return name }
        let start = name.prefix(maxTitleLength - 5)
        let number = try freeNumber { try isTaken("\(start)-\($0)") }
        return number < 10_000 ? "\(start)-\(number)" : nil
    }

    /// Whether the title of a blog identifies it better than its host.
    private static func prefersTitle(_ host: String) -> Bool { isShared(host) || of(host: host).hasPrefix("xn-") }

    /// Whether a host serves the blogs of many people, so that its name doesn't identify one.
    private static func isShared(_ host: String) -> Bool {
        let labels = host.lowercased().split(separator: ".").map(String.init)
        return labels.indices.contains { sharedHosts.contains(labels[$0...].joined(separator: ".")) }
            || labels.contains("blogspot")
    }

    /// A free name for a feed of a service: `home/swift`.
    static func of(_ feed: ServiceFeed, in service: String, isTaken: (String) throws -> Bool) throws -> String {
        func isUsed(_ name: String) throws -> Bool { try isTaken("\(service)/\(name)") }
        let source = SourceID(kind: FeedSource.kind.name, address: feed.address)
        if prefersTitle(URL(address: feed.address)?.host() ?? ""), let name = try of(title: feed.title, isTaken: isUsed)
        {
            return "\(service)/\(name)"
        }
        return "\(service)/\(try of(source, isTaken: isUsed))"
    }

    private static let maxTitleLength = 20
    private static let sharedHosts: Set = [
        "youtube.com", "reddit.com", "feedburner.com", "feedproxy.google.com", "medium.com", "substack.com",
        "github.io", "gitlab.io", "github.com", "gitlab.com", "codeberg.page", "codeberg.org", "wordpress.com",
        "tumblr.com", "blogger.com", "typepad.com", "livejournal.com", "dreamwidth.org", "dev.to", "hashnode.dev",
        "ghost.io", "bearblog.dev", "micro.blog", "write.as", "neocities.org", "netlify.app", "vercel.app",
        "pages.dev", "herokuapp.com", "buttondown.com", "beehiiv.com", "feedpress.me", "libsyn.com", "podbean.com",
        "simplecast.com", "megaphone.fm", "transistor.fm", "acast.com", "anchor.fm", "soundcloud.com", "vimeo.com",
        "google.com", "bsky.app", "tinyletter.com", "squarespace.com", "posthaven.com", "rsshub.app",
        "kill-the-newsletter.com",
    ]

    /// A free name for a source: `swift` for `https://www.swift.org`.
    static func of(_ source: SourceID, isTaken: (String) throws -> Bool) throws -> String {
        let kind = SourceRegistry.kind(named: source.kind)
        if let short = kind?.aliases.first, kind?.source(at: nil) == source, try !isTaken(short) { return short }
        let url = URL(address: source.address)
        let name = of(host: url?.host() ?? "")
        let parts = parts(of: url) + [url?.port.map(String.init)].compactMap { $0 }
        for candidate in [name] + parts.map({ "\(name)-\($0)" }) {
            if try !isTaken(candidate), !isReserved(candidate) { return candidate }
        }
        return "\(name)-\(try freeNumber { try isTaken("\(name)-\($0)") })"
    }

    /// A free number whose predecessor is taken, from 2 up, found by doubling and then bisecting.
    private static func freeNumber(_ isTaken: (Int) throws -> Bool) throws -> Int {
        var (taken, free) = (1, 2)
        while free < 1 << 40, try isTaken(free) { (taken, free) = (free, free * 2) }
        while free - taken > 1 {
            let middle = (taken + free) / 2
            if try isTaken(middle) { taken = middle } else { free = middle }
        }
        return free
    }

    /// The parts of an address that distinguish the sources of a host: the folder of a feed, then its file name without
    /// the extension.
    private static func parts(of url: URL?) -> [String] {
        let parts = (url?.path() ?? "").split(separator: "/").map(String.init)
        guard let last = parts.last else { return [] }
        let file = last.split(separator: ".").first.map(String.init) ?? last
        let isFeed = last.contains(".") || ["feed", "rss", "atom"].contains(last)
        let folder = isFeed ? parts.dropLast().last : nil
        return ([folder, file].compactMap { $0 }.map(cleaned)).filter { !$0.isEmpty }
    }

    /// The distinguishing part of a host: `example` of `blog.example.co.uk`, `jane` of `jane.github.io`, `bucher` of
    /// `xn--bcher-kva.example`.
    static func of(host: String) -> String {
        var labels = host.lowercased().split(separator: ".").map(String.init)
        let isAddress = host.contains(":") || labels.allSatisfy { Int($0) != nil }
        guard labels.count > 1, !isAddress else { return cleaned(host) }
        labels.removeLast()
        if labels.count > 1, secondLevelDomains.contains(labels[labels.count - 1]) { labels.removeLast() }
        if labels.count > 1, hostingServices.contains(labels[labels.count - 1]) { labels.removeLast() }
        let label = labels[labels.count - 1]
        let plain = Folding.searchable(HostName.shown(label))
        return cleaned(plain.utf8.allSatisfy { $0 < 0x80 } ? plain : label)
    }

    private static func cleaned(_ text: String) -> String {
        let name = String(
            decoding: text.lowercased().utf8.map { isAllowed($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self
        )
        .split(separator: "-").joined(separator: "-")
        return name.isEmpty ? "blog-1" : String(name.prefix(maxLength))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }

    /// Domains under which names are registered one level down, as in `example.co.uk`.
    private static let secondLevelDomains: Set = ["co", "com", "org", "net", "ac", "gov", "edu"]
    /// Services that give every user a host.
    private static let hostingServices: Set = [
        "github", "gitlab", "blogspot", "wordpress", "medium", "substack", "tumblr", "ghost", "bearblog", "micro",
        "netlify", "vercel", "pages", "hashnode", "dreamwidth", "livejournal", "write",
    ]
    private static let maxLength = 40
}

/// Finds sources by titles and prefixes of names.
enum SourceLookup {
    /// The sources with a title; if there are none, those whose name or title starts with the text.
    ///
    /// - Parameter isExact: whether a prefix is not enough.
    static func sources(_ text: String, among sources: [StoredSource], isExact: Bool = false) -> [StoredSource] {
        let text = Folding.searchable(text)
        guard !text.isEmpty else { return [] }
        let titled = sources.map { (source: $0, title: Folding.searchable($0.title ?? "")) }
        let exact = titled.filter { $0.title == text }
        guard exact.isEmpty, !isExact else { return exact.map(\.source) }
        return titled.filter { $0.title.hasPrefix(text) || $0.source.name?.hasPrefix(text) == true }.map(\.source)
    }

    /// The only source that a text refers to; nil if there is none.
    ///
    /// Throws ``LibraryError/severalSources(_:names:)``.
    static func source(_ text: String, among sources: [StoredSource], isExact: Bool = false) throws -> StoredSource? {
        try only(self.sources(text, among: sources, isExact: isExact), text)
    }

    /// The only source whose name starts with the prefix of an ID, as it is typed or shortened by
    /// ``ShortIDs/shortened(_:to:)``; nil if there is none.
    ///
    /// Throws ``LibraryError/severalSources(_:names:)``.
    static func source(ofID prefix: String, among sources: [StoredSource]) throws -> StoredSource? {
        let start = prefix.hasSuffix("…") ? String(prefix.dropLast()) : prefix
        guard !start.isEmpty else { return nil }
        return try only(sources.filter { $0.name?.hasPrefix(start) == true }, start)
    }

    private static func only(_ found: [StoredSource], _ text: String) throws -> StoredSource? {
        guard found.count <= 1 else {
            throw LibraryError.severalSources(text, names: found.map { $0.name ?? $0.id.address })
        }
        return found.first
    }
}
