import BlogEssentials
import BlogMarkup
import BlogModel

/// Posts of several sources about the same story, which lists of several sources show once.
///
/// `story` is the number of the story's address, and `twin` what lists need to know: a bit for whether another source may
/// have a post of the story, and above it, whether the post is the site's own. Of the posts of a story, the one with the lowest
/// `twin`, or else the oldest, is shown.
package struct Stories {
    private let database: Database

    package init(_ database: Database) { self.database = database }

    /// Whether another source has a post of the same story.
    static let hasTwin: Int64 = 1

    /// The values of `twin` without the bit: how the post belongs to its site.
    enum Origin: Int64 {
        /// The source is at the story's site.
        case site = 0
        /// The source says that it is of the story's site.
        case named = 2
        /// The source links to another site, as a link aggregator does: reading the post isn't reading the story.
        case elsewhere = 4
    }

    /// What is known about a source to tell which links lead to its own site.
    struct Site {
        /// The host of its own address.
        fileprivate let address: String?
        /// The host that the user named, or that the list says it is of, with reason: feeds are often on a server of their own.
        fileprivate private(set) var named: String?
        /// The host that the list says it is of, as long as no posts show whether that is so.
        private var claimed: String?
        /// The canonical address of the feed, also if a service follows it.
        let feed: String
        fileprivate let isOfService: Bool

        /// - Parameter home: what the list that arrives says; nil for what is stored.
        init(of sourceKey: Int64, home: String?, in database: Database) throws {
            let values = try database.first(
                "SELECT ifnull(feed, address), site, ifnull(?, home), service FROM sources WHERE key = ?",
                [DatabaseValue(home), .integer(sourceKey)]
            ) { ($0.text(0), $0.text(1), $0.text(2), $0.optionalInteger(3)) }
            address = values?.0.flatMap { StoryAddress($0)?.host }
            feed = Entry.canonical(values?.0 ?? "")
            isOfService = values?.3 != nil
            named = values?.1.flatMap { StoryAddress($0)?.host }
            guard named == nil, let home = values?.2.flatMap({ StoryAddress($0)?.host }), home != address else {
                return
            }
            claimed = home
            let links = try database.all(
                "SELECT link FROM posts WHERE source = ? AND link IS NOT NULL ORDER BY key DESC LIMIT \(Self.maxLinks)",
                [.integer(sourceKey)]
            ) { $0.text(0) }
            confirm(by: links.compactMap(\.self))
        }

        /// Takes what a list says of itself for true if at least half of its posts are there: one said that it was of
        /// another site, and its few links to that would have hidden those of others, and marked them.
        mutating func confirm(by links: some Sequence<String>) {
            guard let home = claimed else { return }
            let hosts = links.prefix(Self.maxLinks).map { StoryAddress($0)?.host }
            guard !hosts.isEmpty else { return }
            claimed = nil
            if 2 * hosts.count(where: { $0 == home }) >= hosts.count { named = home }
        }

        private static let maxLinks = 40
    }

    /// The story that a post says it is, or links to.
    struct Claim {
        let address: StoryAddress
        let origin: Origin
        fileprivate let title: String
        fileprivate let date: Timestamp?
        /// The GUID; nil if it isn't known, as services don't pass it on.
        fileprivate let guid: String?
        /// The canonical address of the feed.
        fileprivate let feed: String

        /// Whether another post of the same address can be of the same story.
        ///
        /// Many sites share a host, a source can say that it is of any site, and comments have the address of their post.
        /// So posts that say they are the story itself are the same one only if they are in all that identifies a post.
        fileprivate func agrees(with other: Claim) -> Bool {
            if origin == .elsewhere || other.origin == .elsewhere { return true }
            guard origin == other.origin, title == other.title else { return false }
            // The same feed, followed here and by a service; a changelog may have one address and title for all its posts.
            if guid == nil || other.guid == nil { return feed == other.feed && date?.date == other.date?.date }
            return identity == other.identity
        }

        /// The GUID; nil if that is the address, which has many spellings, but for a place in the page, as comments have.
        private var identity: String? {
            let guid = Entry.withoutDistinction(guid ?? "")
            return !guid.contains("#") && StoryAddress(guid) == address ? nil : guid
        }
    }

    /// The story that a post is or links to; nil for a post that can't have duplicates.
    static func story(of metadata: PostMetadata, _ content: Entry.Content?, _ site: Site) -> Claim? {
        place(of: metadata, content, site).map {
            Claim(
                address: $0, origin: $1, title: metadata.title, date: metadata.publishDate,
                guid: site.isOfService ? nil : metadata.postId, feed: site.feed)
        }
    }

    private static func place(
        of metadata: PostMetadata, _ content: Entry.Content?, _ site: Site
    ) -> (address: StoryAddress, origin: Origin)? {
        guard metadata.canHaveStory, let link = metadata.link.flatMap({ StoryAddress($0) }), !link.isHome else {
            return nil
        }
        if metadata.discussion != nil { return (link, .elsewhere) }
        if let origin = origin(of: link, site) { return (link, origin) }
        let text = content ?? metadata.summary.map { Entry.Content($0, .plain) }
        guard let text, isLong(text) else { return (link, .elsewhere) }
        // A post with a text of its own is about what it links to.
        guard let own = StoryAddress(Entry.withoutDistinction(metadata.postId)), !own.isHome, own != link,
            origin(of: own, site) == .site
        else { return nil }
        return (own, .site)
    }

    /// Whether an address is on the site of a source.
    static func isOwn(_ address: StoryAddress, of site: Site) -> Bool { origin(of: address, site) != nil }

    private static func origin(of story: StoryAddress, _ site: Site) -> Origin? {
        if let address = site.address, story.isOnSite(address) { return .site }
        // What a feed says of itself counts for this host only: one said that it was of https://com/.
        if let named = site.named, story.host == named { return .named }
        return nil
    }

    private static func isLong(_ content: Entry.Content) -> Bool {
        let beginning = String(content.text.prefix(20 * maxLength))
        let words = BodyText.plainText(of: beginning, format: content.format).split(whereSeparator: \.isWhitespace)
        var length = 0
        for word in words where !word.contains("://") { length += word.count + 1 }
        return length > maxLength
    }

    /// A link aggregator says no more about a link, besides addresses.
    private static let maxLength = 100

    /// What is to be stored with a post of a story.
    struct Place {
        /// Nil for no story.
        var story: Int64?
        var twin: Int64 = 0
        /// Whether the story was read in another source.
        var isRead = false
    }

    /// The place of a post among those of its story; nil for no story.
    ///
    /// - Parameter post: nil for a new one.
    func place(_ story: Claim?, of post: Int64?, _ sourceKey: Int64) throws -> Place {
        guard let story else { return Place() }
        let hash = story.address.hash
        var place = Place(story: hash, twin: story.origin.rawValue)
        let others = try database.all(
            """
            SELECT source, twin, is_read AND is_archived <> 1, posts.title, iif(service IS NULL, post_id, NULL), ifnull(feed, address),
                publish_date
            FROM posts JOIN sources ON sources.key = source WHERE story = ? AND posts.key IS NOT ?
            """, [.integer(hash), DatabaseValue(post)]
        ) { row in
            let claim = Claim(
                address: story.address, origin: Origin(rawValue: row.integer(1) & ~Self.hasTwin) ?? .elsewhere,
                title: row.text(3) ?? "", date: row.text(6).flatMap { Timestamp($0) }, guid: row.text(4),
                feed: Entry.canonical(row.text(5) ?? ""))
            return (source: row.integer(0), claim: claim, isRead: row.bool(2))
        }
        // If a source has an address several times, it says nothing about its posts.
        if others.contains(where: { $0.source == sourceKey }) { return Place() }
        guard others.allSatisfy({ story.agrees(with: $0.claim) }) else { return Place() }
        if !others.isEmpty { place.twin |= Self.hasTwin }
        place.isRead = others.contains {
            $0.isRead && ($0.claim.origin != .elsewhere || $0.claim.feed == story.feed)
        }
        return place
    }

    /// Completes the storing of a post with its place.
    func join(_ place: Place, of post: Int64) throws {
        guard let story = place.story, place.twin & Self.hasTwin != 0 else { return }
        try database.run("UPDATE posts SET twin = twin | 1 WHERE story = ? AND NOT twin & 1", [.integer(story)])
        // Who has read the story has read what arrives of it.
        if place.isRead {
            try Marking.set(.read, [post], in: database) { _ in }
        }
    }

    /// Notes which story a stored post belongs to; nil for none.
    func note(_ story: Claim?, of post: Int64, _ sourceKey: Int64) throws {
        var place = try place(story, of: post, sourceKey)
        let known = try database.integer("SELECT story FROM posts WHERE key = ?", [.integer(post)])
        // An edited post that has been in the story may have been marked as unread.
        if place.story == known { place.isRead = false }
        try move(post, to: place)
    }

    private func move(_ post: Int64, to place: Place) throws {
        try database.run(
            "UPDATE posts SET (story, twin) = (?, ?) WHERE key = ?",
            [DatabaseValue(place.story), .integer(place.twin), .integer(post)])
        try join(place, of: post)
    }

    /// Notes the address that the page of a post names for its story.
    package func note(_ address: StoryAddress, of post: PostID) throws {
        guard let post = try PostRow.key(of: post, in: database) else { return }
        let sql = "SELECT story, source, title, post_id, publish_date FROM posts WHERE key = ?"
        let known = try database.first(sql, [.integer(post)]) { row in
            (
                story: row.optionalInteger(0), source: row.integer(1), title: row.text(2) ?? "",
                guid: row.text(3) ?? "", date: row.text(4).flatMap { Timestamp($0) }
            )
        }
        guard let known, known.story != nil, known.story != address.hash, !address.isHome else { return }
        let site = try Site(of: known.source, home: nil, in: database)
        let origin = Self.origin(of: address, site) ?? .elsewhere
        var place = try place(
            Claim(
                address: address, origin: origin, title: known.title, date: known.date,
                guid: site.isOfService ? nil : known.guid, feed: site.feed), of: post, known.source)
        guard place.story != nil else { return }
        // A page can name any address, which must not mark a post that nobody has seen.
        place.isRead = false
        try move(post, to: place)
    }

    /// The other posts of the stories of some posts, except hidden ones.
    func twins(of posts: some Sequence<Int64>) throws -> [Int64] {
        let sql = """
            SELECT twin.key FROM posts JOIN posts AS twin ON twin.story = posts.story
            WHERE posts.key = ? AND posts.twin & 1 AND twin.twin & 1 AND twin.source <> posts.source
                AND twin.is_hidden = 0
            """
        return try posts.flatMap { post in try database.all(sql, [.integer(post)]) { $0.integer(0) } }
    }

    /// Those of a post's twins that whoever read the post has read: all if it is the story itself, and else those of the same
    /// feed, followed here and by a service.
    func readTwins(of post: Int64) throws -> [Int64] {
        let twins = try twins(of: [post])
        if try twins.isEmpty || isStory(post) { return twins }
        let sql = "SELECT ifnull(feed, address) FROM posts JOIN sources ON sources.key = source WHERE posts.key = ?"
        func feed(_ post: Int64) throws -> String? {
            try database.first(sql, [.integer(post)]) { $0.text(0) }?.map { Entry.canonical($0) }
        }
        let own = try feed(post)
        return try twins.filter { try feed($0) == own }
    }

    /// Whether reading a post is reading its story, and not only about it.
    private func isStory(_ post: Int64) throws -> Bool {
        try database.exists(
            "SELECT 1 FROM posts WHERE key = ? AND twin < \(Origin.elsewhere.rawValue)", [.integer(post)])
    }

    /// The posts of other sources of a scope about the same story.
    package func duplicates(of post: PostID, in scope: SourceScope) throws -> [Duplicate] {
        guard let key = try PostRow.key(of: post, in: database) else { return [] }
        return try duplicates(of: key, in: scope)
    }

    /// The other posts of a post's story in a scope, the sources in the order of their names.
    func duplicates(of post: Int64, in scope: SourceScope) throws -> [Duplicate] {
        let sql = """
            SELECT kind, address, twin.id, twin.score, twin.comment_count
            FROM posts JOIN posts AS twin ON twin.story = posts.story JOIN sources ON sources.key = twin.source
            WHERE posts.key = ? AND twin.twin & 1 AND twin.source <> posts.source AND twin.is_hidden = 0
                AND \(scope.condition(onPosts: "twin", isIndexed: false))
            ORDER BY sources.name, twin.key
            """
        return try database.all(sql, [.integer(post)]) { row in
            Duplicate(
                id: row.postID(0), score: row.optionalInteger(3).map { Int($0) },
                commentCount: row.optionalInteger(4).map { Int($0) })
        }
    }
}

extension PostMetadata {
    /// Whether it can be about a story: comments, photos and users can't.
    fileprivate var canHaveStory: Bool { discussion?.parent == nil && photo == nil && !isUser }
}
