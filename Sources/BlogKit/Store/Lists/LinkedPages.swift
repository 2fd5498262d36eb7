import BlogEssentials
import BlogMarkup
import BlogModel

/// A page that posts of several sources link to.
package struct LinkedPage: Sendable {
    /// Its address as the first post has it.
    package let link: String
    /// What posts call it; nil if they only have its address.
    package let title: String?
    /// When the first post that links to it was published.
    package let date: Timestamp
    /// The posts that link to it, the first one of each source.
    package let linking: [Duplicate]
    /// The key of the post since which several sources link to it.
    package let arrival: Int64
    /// ``StoryAddress/hash``.
    fileprivate let story: Int64
}

/// The pages that posts of two or more sources linked to in the last seven days.
///
/// A link counts if people can see it in the text of a post, or if the post is about it, as that of a link aggregator. Not
/// counted are links to the home page of a site and to the source's own site, and those that most posts of the source have.
/// Of posts that are copies of each other, as a blog and a planet have them, the first one counts.
package struct LinkedPages {
    private let database: Database
    private let scope: SourceScope

    package init(_ database: Database, in scope: SourceScope, _: SettledRules) {
        (self.database, self.scope) = (database, scope)
    }

    /// The pages: first those that most sources link to, then those with the newest link.
    package func find(at now: Date) throws -> [LinkedPage] {
        var reader = LinkReader(database)
        let since = now.addingTimeInterval(-Self.period).millisecondsSince1970
        let posts = try reader.posts(
            """
            \(scope.condition(onPosts: "posts", isIndexed: scope.isReadBySource)) AND date_key >= ? ORDER BY posts.key
            """, [.integer(since)])
        var linking: [Int64: [Int]] = [:]
        for (index, post) in posts.enumerated() {
            for link in post.links { linking[link.story, default: []].append(index) }
        }
        var habits = Habits(posts, before: since)
        var pages: [(page: LinkedPage, newest: Int64)] = []
        for (story, indexes) in linking where indexes.count > 1 && Self.first(posts, indexes).count > 1 {
            let rest = try indexes.filter { try !habits.has(story, of: posts[$0], &reader) }
            let first = Self.first(posts, rest)
            guard first.count > 1, let newest = first.map({ posts[$0].sortDate }).max() else { continue }
            pages.append((page(story, first.map { posts[$0] }, rest.map { posts[$0] }), newest))
        }
        pages.sort {
            ($0.page.linking.count, $0.newest, $0.page.story) > ($1.page.linking.count, $1.newest, $1.page.story)
        }
        return pages.prefix(Self.maxPages).map(\.page)
    }

    private static let period: TimeInterval = 7 * 86_400
    private static let maxPages = 500

    /// Those of some posts that are the first of their source, without copies.
    private static func first(_ posts: [LinkingPost], _ indexes: [Int]) -> [Int] {
        var (copies, feeds): (Set<Int64>, Set<String>) = ([], [])
        return indexes.filter { copies.insert(posts[$0].copy).inserted && feeds.insert(posts[$0].feed).inserted }
    }

    /// - Parameters:
    ///   - first: the first post of each source, in the order of their arrival.
    ///   - all: all posts that link to it.
    private func page(_ story: Int64, _ first: [LinkingPost], _ all: [LinkingPost]) -> LinkedPage {
        let links = all.compactMap { $0.link(to: story) }
        // A link aggregator has the title of the page, and others words of theirs: the longest say most.
        let named = links.first(where: \.isOfPost) ?? links.filter(\.isName).max { $0.words.count < $1.words.count }
        return LinkedPage(
            link: links[0].target, title: named?.words, date: first[0].date,
            linking: first.compactMap { post in
                scope.id(of: post.source).map {
                    Duplicate(
                        id: PostID(source: $0, local: post.id), score: post.score, commentCount: post.commentCount)
                }
            },
            arrival: first[1].key, story: story)
    }

    /// The stored posts that are the pages, by their indexes: of a source in the scope, or of one of single pages.
    ///
    /// - Parameter sources: those whose posts are single pages.
    package func posts(of pages: [LinkedPage], or sources: [SourceID]) throws -> [Int: Int64] {
        let single = try sources.compactMap { try SourceRow.find($0, in: database)?.key }.map(String.init)
        let sql = """
            SELECT key FROM posts
            WHERE story = ? AND parent IS NULL AND (
                twin < \(Stories.Origin.elsewhere.rawValue) AND \(scope.condition(onPosts: "posts", isIndexed: false))
                OR source IN (\(single.joined(separator: ","))))
            ORDER BY twin, key LIMIT 1
            """
        var posts: [Int: Int64] = [:]
        for (index, page) in pages.enumerated() {
            posts[index] = try database.integer(sql, [.integer(page.story)])
        }
        return posts
    }
}

/// A post with what it links to.
private struct LinkingPost {
    let key: Int64
    let id: String
    let source: Int64
    /// The canonical address of its feed, which may be followed here and by a service.
    let feed: String
    /// A number that copies of the post share.
    let copy: Int64
    let date: Timestamp
    let sortDate: Int64
    let score: Int?
    let commentCount: Int?
    /// Each page once.
    let links: [Link]

    struct Link {
        let story: Int64
        let target: String
        let words: String
        /// Whether it is the link of the post, and not one in its text.
        let isOfPost: Bool

        /// Whether its words may be the name of a page, rather than "here" or its address.
        var isName: Bool { words.contains(" ") && !words.contains("://") }
    }

    func link(to story: Int64) -> Link? { links.first { $0.story == story } }
}

/// Reads what posts link to.
private struct LinkReader {
    private let database: Database
    private var sites: [Int64: (site: Stories.Site, feed: String)] = [:]

    init(_ database: Database) { self.database = database }

    /// The newest posts of a source before a date that have the name of a host in their text, or their link, and how many
    /// posts they are among: most older posts needn't be read.
    mutating func posts(
        naming host: String, of source: Int64, before: Int64, atMost limit: Int
    ) throws -> (posts: [LinkingPost], of: Int) {
        let newest = """
            SELECT posts.key FROM posts
            WHERE source = ? AND \(Self.areListed) AND date_key < ? ORDER BY date_key DESC LIMIT ?
            """
        let keys = try database.all(newest, [.integer(source), .integer(before), .integer(Int64(limit))]) {
            String($0.integer(0))
        }
        let naming = "posts.key IN (\(keys.joined(separator: ","))) AND (instr(body, ?) OR instr(link, ?))"
        return (try posts(naming, [.text(host), .text(host)]), keys.count)
    }

    private static let areListed =
        "listed = 1 AND \(ListStatement.isNotHidden) AND parent IS NULL AND \(ListStatement.isNotRemoved)"

    /// The listed posts that meet a condition.
    mutating func posts(_ condition: String, _ values: [DatabaseValue]) throws -> [LinkingPost] {
        let rows = try database.statement(
            """
            SELECT \(PostRow.columns), posts.key, posts.source, date_key, body, format
            FROM posts LEFT JOIN bodies ON bodies.post = posts.key
            WHERE \(Self.areListed) AND \(condition)
            """, values)
        var posts: [LinkingPost] = []
        while try rows.step() {
            if let post = try post(rows) { posts.append(post) }
        }
        return posts
    }

    /// The post of a row; nil if it can't be read.
    private mutating func post(_ row: Statement) throws -> LinkingPost? {
        guard let metadata = try? PostRow.metadata(of: row) else { return nil }
        let others = PostRow.columnCount
        let (key, source) = (row.integer(others), row.integer(others + 1))
        let (site, feed) = try site(of: source)
        let address = metadata.link.flatMap { StoryAddress($0) }
        let format = row.text(others + 4).flatMap { BodyFormat(rawValue: $0) }
        let content = row.text(others + 3).map { Entry.Content($0, format) }
        // Of a planet's post it isn't known whether it is about its link, or a copy of it.
        let isAbout =
            address.map { !Stories.isOwn($0, of: site) } == true && Stories.story(of: metadata, content, site) != nil
        var links: [LinkingPost.Link] = []
        var known: Set<Int64> = []
        func add(_ target: String, _ words: String, isOfPost: Bool) {
            guard let target = LinkTarget.web(target), let page = StoryAddress(target), !page.isHome,
                !Stories.isOwn(page, of: site), isOfPost || isAbout || page.host != address?.host,
                known.insert(page.hash).inserted
            else { return }
            links.append(LinkingPost.Link(story: page.hash, target: target, words: words, isOfPost: isOfPost))
        }
        if isAbout, let link = metadata.link { add(link, metadata.title, isOfPost: true) }
        for link in content.map({ BodyText.links(in: $0.text, format: $0.format) })?.prefix(Self.maxLinks) ?? [] {
            add(link.target, link.words, isOfPost: false)
        }
        return LinkingPost(
            key: key, id: metadata.id, source: source, feed: feed, copy: isAbout ? key : address?.hash ?? key,
            date: metadata.publishDate, sortDate: row.integer(others + 2), score: metadata.score,
            commentCount: metadata.commentCount, links: links)
    }

    /// More than a text has that is about what it links to.
    private static let maxLinks = 500

    private mutating func site(of source: Int64) throws -> (site: Stories.Site, feed: String) {
        if let known = sites[source] { return known }
        let site = try Stories.Site(of: source, home: nil, in: database)
        sites[source] = (site, site.feed)
        return (site, site.feed)
    }
}

/// What most posts of a source link to, such as where to support it.
private struct Habits {
    /// The recent posts of each source.
    private let recent: [Int64: [LinkingPost]]
    private let before: Int64
    /// The older posts of a source that name a host, by both.
    private var older: [Place: (posts: [LinkingPost], of: Int)] = [:]

    private struct Place: Hashable {
        let source: Int64
        let host: String
    }

    /// - Parameters:
    ///   - posts: recent posts.
    ///   - before: the sort date of the oldest of them, before which further ones may be read.
    init(_ posts: [LinkingPost], before: Int64) {
        recent = Dictionary(grouping: posts, by: \.source)
        self.before = before
    }

    /// Whether most posts of the source of a post have a link that it has.
    mutating func has(_ story: Int64, of post: LinkingPost, _ reader: inout LinkReader) throws -> Bool {
        let own = recent[post.source] ?? []
        var (having, all) = (own.count { $0.link(to: story) != nil }, own.count)
        if all < Self.enough, let host = post.link(to: story).flatMap({ URL(address: $0.target)?.host }) {
            let place = Place(source: post.source, host: host)
            let further =
                try older[place]
                ?? reader.posts(
                    naming: host, of: post.source, before: before, atMost: Self.enough - all)
            older[place] = further
            having += further.posts.count { $0.link(to: story) != nil }
            all += further.of
        }
        return all >= Self.fewest && 2 * having > all
    }

    /// So many posts show what a source has in most of them.
    private static let enough = 10
    /// Of fewer posts, nothing can be said.
    private static let fewest = 3
}
