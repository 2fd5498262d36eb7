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
        linking = linking.filter { $1.count > 1 && Self.first(posts, $1).count > 1 }
        var habits: [Int64: Set<Int64>] = [:]
        for (source, posts) in Dictionary(grouping: posts, by: \.source) {
            let links = posts.flatMap(\.links).filter { linking[$0.story] != nil }
            habits[source] = try reader.habits(of: source, posts, links, before: since)
        }
        var pages: [(page: LinkedPage, newest: Int64)] = []
        for (story, indexes) in linking {
            let rest = indexes.filter { habits[posts[$0].source]?.contains(story) != true }
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
    private static let maxPages = 200

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

    /// Those of some links that most posts of a source have, such as where to support it.
    ///
    /// - Parameters:
    ///   - recent: its recent posts.
    ///   - before: the sort date of the oldest of them, before which further ones are read.
    mutating func habits(
        of source: Int64, _ recent: [LinkingPost], _ links: [LinkingPost.Link], before: Int64
    ) throws -> Set<Int64> {
        if links.isEmpty { return [] }
        var all = recent.count
        var having = Dictionary(grouping: recent.flatMap(\.links), by: \.story).mapValues(\.count)
        // Most older posts have no such link, and needn't be read.
        let hosts = Set(links.compactMap { URL(address: $0.target)?.host }).map { Array($0.utf8) }
        if all < Self.enough {
            let rows = try database.statement(
                Self.select("posts.source = ? AND date_key < ? ORDER BY date_key DESC LIMIT ?"),
                [.integer(source), .integer(before), .integer(Int64(Self.enough - all))])
            while try rows.step() {
                all += 1
                func names(_ column: Int32) -> Bool {
                    rows.withText(column) { text in hosts.contains { text.position(of: $0) != nil } }
                }
                guard names(Self.body) || names(Self.link), let post = try post(rows) else { continue }
                for link in post.links { having[link.story, default: 0] += 1 }
            }
        }
        guard all >= Self.fewest else { return [] }
        return Set(links.map(\.story).filter { 2 * having[$0, default: 0] > all })
    }

    /// So many posts show what a source has in most of them.
    private static let enough = 10
    /// Of fewer posts, nothing can be said.
    private static let fewest = 3

    private static let areListed =
        "listed = 1 AND \(ListStatement.isNotHidden) AND parent IS NULL AND \(ListStatement.isNotRemoved)"

    /// The listed posts that meet a condition.
    mutating func posts(_ condition: String, _ values: [DatabaseValue]) throws -> [LinkingPost] {
        let rows = try database.statement(Self.select(condition), values)
        var posts: [LinkingPost] = []
        while try rows.step() {
            if let post = try post(rows) { posts.append(post) }
        }
        return posts
    }

    private static func select(_ condition: String) -> String {
        """
        SELECT \(PostRow.columns), posts.key, posts.source, date_key, link, body, format
        FROM posts LEFT JOIN bodies ON bodies.post = posts.key
        WHERE \(areListed) AND \(condition)
        """
    }

    private static let (link, body) = (PostRow.columnCount + 3, PostRow.columnCount + 4)

    /// The post of a row; nil if it can't be read.
    private mutating func post(_ row: Statement) throws -> LinkingPost? {
        guard let metadata = try? PostRow.metadata(of: row) else { return nil }
        let others = PostRow.columnCount
        let (key, source) = (row.integer(others), row.integer(others + 1))
        let (site, feed) = try site(of: source)
        let address = metadata.link.flatMap { StoryAddress($0) }
        let format = row.text(Self.body + 1).flatMap { BodyFormat(rawValue: $0) }
        let content = row.text(Self.body).map { Entry.Content($0, format) }
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
