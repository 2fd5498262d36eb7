import BlogModel

/// How many unread posts lists have: what `list --unread` lists, of one source or of several.
///
/// The plain way is to count each list (``ListCounting``), which would read all unread posts for each folder. This takes the
/// stored counts of the sources, less the posts that posts of other sources stand for. `UnreadCountsTests` holds both equal.
package struct UnreadCounts: Sendable {
    /// How many there are in the list of each source alone, by key.
    private let alone: [Int64: Int]
    /// How many of each source there are among those of others, by key: of a ranking those on its front page.
    private let among: [Int64: Int]
    /// The sources of the unread posts of each story that is in several, those first that stand for the others.
    private let stories: [[Int64]]

    /// - Parameter scope: all sources that are counted.
    package init(_ scope: SourceScope, in database: Database, _ settled: SettledRules) throws {
        var (alone, among): ([Int64: Int], [Int64: Int]) = ([:], [:])
        var fronts: [Int64: Set<String>] = [:]
        for source in scope.sources {
            guard let section = scope.frontPages[source.key] else {
                (alone[source.key], among[source.key]) = (source.unread, source.unread)
                continue
            }
            var query = Query(filter: Filter(isUnread: true))
            query.section = section
            let only = SourceScope([source])
            alone[source.key] = try ListCounting(database).counts(of: query, in: only, settled)?.posts ?? 0
            let front = try Self.frontPage(section, of: source.key, in: database)
            (among[source.key], fronts[source.key]) = (front.count, front)
        }
        (self.alone, self.among) = (alone, among)
        stories = try Self.stories(of: scope, fronts, in: database)
    }

    /// How many unread posts the list of a source alone has.
    package func count(_ source: Int64) -> Int { alone[source] ?? 0 }

    /// How many unread posts the list of some sources has.
    package func count(_ sources: [Int64]) -> Int {
        if sources.count == 1 { return count(sources[0]) }
        let all = Set(sources)
        return stories.reduce(all.reduce(0) { $0 + (among[$1] ?? 0) }) { count, story in
            let own = story.filter(all.contains)
            // Posts of the first source stand for those of others, but not for each other.
            return count - own.drop { $0 == own[0] }.count
        }
    }

    private static let isUnread =
        "listed = 1 AND \(ListStatement.isNotHidden) AND is_read = 0 AND \(ListStatement.isNotRemoved)"

    private static func frontPage(_ section: String, of source: Int64, in database: Database) throws -> Set<String> {
        Set(
            try database.texts(
                """
                SELECT posts.id FROM \(ListStatement.rankedPosts)
                WHERE ranks.source = ? AND section = ? AND place <= \(Ranking.frontPageCount) AND \(isUnread)
                """, [.integer(source), .text(section)]))
    }

    private static func stories(
        of scope: SourceScope, _ fronts: [Int64: Set<String>], in database: Database
    ) throws -> [[Int64]] {
        let posts = try database.all(
            "SELECT story, source, id FROM posts WHERE twin & 1 AND \(isUnread) ORDER BY story, twin, key"
        ) { (story: $0.integer(0), source: $0.integer(1), id: $0.text(2) ?? "") }
        var stories: [[Int64]] = []
        var last: Int64?
        for post in posts where scope.id(of: post.source) != nil && fronts[post.source]?.contains(post.id) != false {
            if post.story == last {
                stories[stories.count - 1].append(post.source)
            } else {
                stories.append([post.source])
            }
            last = post.story
        }
        return stories.filter { $0.count > 1 }
    }
}
