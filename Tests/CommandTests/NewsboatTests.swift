import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogStore

@Suite("A folder of newsboat's", .serialized) struct NewsboatTests {
    private let site: TestSite

    init() throws {
        site = try TestSite(NoPages())
        serve("One", "Two", "Three")
    }

    private var feed: String { "\(site.server.address)/feed.xml" }

    private func serve(_ titles: String..., at path: String = "/feed.xml") {
        let items = titles.map { title in
            """
            <item><guid>urn:\(title)</guid><title>\(title)</title><link>http://a.example/\(title)</link>\
            <pubDate>Fri, 01 Nov 2024 10:00:00 GMT</pubDate><description>Text of \(title)</description></item>
            """
        }
        let text = "<rss version='2.0'><channel><title>Feed</title>\(items.joined())</channel></rss>"
        site.server.setFault(.body(Data(text.utf8)), for: path)
    }

    /// Writes newsboat's files, with articles as SQL: guid, title, url, unread, flags, deleted.
    private func write(
        urls: String, in config: String = ".newsboat", cacheIn data: String = ".newsboat", _ articles: [String]
    ) throws {
        try site.writeNewsboat(urls: urls, in: config, cacheIn: data, articles, of: feed)
    }

    private static let articles = [
        "'urn:Old', 'Old', 'http://a.example/Old', 0, 'f', 0",
        "'http://a.example/PlainFri, 01 Nov 2024 10:00:00 GMT', 'Plain', 'http://a.example/Plain', 1, NULL, 0",
        "'urn:Gone', 'Gone', 'http://a.example/Gone', 0, NULL, 1",
        "'urn:One', 'One', 'http://a.example/One', 0, NULL, 0",
        "'urn:Two', 'Two', 'http://a.example/Two', 1, 'x', 0",
    ]

    private func posts(_ options: String...) async throws -> Set<String> {
        Set(try await site.blog(["list", "--offline", "--fields", "title"] + options).lines)
    }

    /// Where newsboat keeps its list and its articles, and the folder that is named.
    static let places = [
        (".newsboat", ".newsboat", ".newsboat"), (".config/newsboat", ".local/share/newsboat", ".config/newsboat"),
        (".config/newsboat", ".local/share/newsboat", ".local/share/newsboat/"),
    ]

    @Test("is followed with what was read, flagged and deleted, once and again", arguments: places.indices)
    func all(place: Int) async throws {
        let (config, data, folder) = Self.places[place]
        try write(urls: "\(feed) news daily\n", in: config, cacheIn: data, Self.articles)
        let run = try await site.blog("follow", site.home.path + "/" + folder)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("tags not kept: “daily” in line 1"))
        #expect(run.errors.contains("blog: From newsboat: added 4 posts, marked 2 as read, saved 2.\n"))
        #expect(try await posts() == ["Old", "Plain", "One", "Two", "Three"])
        #expect(try await posts("--unread") == ["Plain", "Two", "Three"])
        #expect(try await posts("--saved") == ["Old", "Two"])
        #expect(try await site.blog("sources", "--fields", "folder").lines == ["news"])
        let authors = try await site.blog("list", "--saved", "--offline", "--fields", "title,author").lines
        #expect(Set(authors) == ["Old\tAnn", "Two\tFeed"])
        let old = try await site.blog("list", "--saved", "--title", "Old", "--format", "ids").lines.first
        #expect(try await site.blog("read", old ?? "", "--offline", "--raw").output.contains("http://a.example/b"))
        let before = try await site.blog("list", "--offline", "--fields", "id,title,read,saved").output
        let again = try await site.blog("follow", site.home.path + "/" + folder)
        #expect(again.code == 0)
        #expect(try await site.blog("list", "--offline", "--fields", "id,title,read,saved").output == before)
        #expect(again.errors.contains("Already following"))
    }

    @Test(
        "finds articles without GUID and link again, and none of its articles counts as changed",
        arguments: ["<pubDate>Fri, 01 Nov 2024 10:00:00 GMT</pubDate>", ""])
    func withoutIdentity(date: String) async throws {
        let items = ["One", "Two"].map { title in
            """
            <item><title>\(title)</title>\(date)<description>Kept \(title)</description><content:encoded>&lt;p&gt;Kept text&lt;/p&gt;</content:encoded></item>
            """
        }
        let text = """
            <rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><title>Feed</title>\
            \(items.joined())</channel></rss>
            """
        site.server.setFault(.body(Data(text.utf8)), for: "/feed.xml")
        try write(urls: "\(feed)\n", [])
        let database = try Database(path: site.home.appending(path: ".newsboat/cache.db").path, mode: .readWrite)
        for title in ["One", "Two"] {
            try database.execute(
                """
                INSERT INTO rss_item (guid, title, url, unread, flags, deleted, author, feedurl, pubDate, content)
                VALUES ('\(title)', '\(title)', '', 0, 'f', 0, '', '\(feed)', 1730455200, '<p>Kept text</p>')
                """)
        }
        #expect(try await site.blog("follow", site.home.path + "/.newsboat").code == 0)
        let posts = try await site.blog("list", "--offline", "--fields", "title,read,saved,changed").lines
        #expect(Set(posts) == ["One\ttrue\ttrue\t", "Two\ttrue\ttrue\t"])
    }

    @Test("names the articles that it leaves out")
    func others() async throws {
        try write(urls: "http://127.0.0.1:1/other.xml\nexec:cat x\n", Self.articles)
        let run = try await site.blog("follow", site.home.path + "/.newsboat/")
        #expect(
            run.errors.contains(
                "/cache.db: left out 4 articles of 1 feed that can't be followed or isn't in the list, 2 of them flagged"
            ))
        #expect(run.errors.contains("line 2 not followed: “exec:cat x”"))
    }

    @Test("adds its marks to posts that are followed already, and removes none")
    func known() async throws {
        #expect(try await site.blog("follow", feed, "--as", "mine").code == 0)
        #expect(try await site.blog("mark", "read", "mine:2").code == 0)
        let before = try await site.blog("list", "--offline", "--format", "ids").lines
        try write(urls: "\(feed)\n", Self.articles)
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(
            run.errors.contains("blog: From newsboat: added 2 posts, marked 2 as read, saved 2.\n"))
        #expect(Set(try await site.blog("list", "--offline", "--format", "ids").lines).isSuperset(of: before))
        #expect(try await posts("--unread") == ["Plain", "Three"])
        #expect(try await posts("--saved") == ["Old", "Two"])
    }

    @Test("marks deleted articles that are still in the feed as read")
    func deleted() async throws {
        serve("One", "Gone")
        try write(urls: "\(feed)\n", Self.articles)
        #expect(try await site.blog("follow", site.home.path + "/.newsboat").code == 0)
        #expect(try await posts("--unread") == ["Plain", "Two"])
    }

    @Test("is followed even if its feeds are down, with their articles")
    func down() async throws {
        site.server.setFault(.status(503), for: "/feed.xml")
        try write(urls: "\(feed)\n", Self.articles)
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(run.errors.contains("(followed anyway)"))
        #expect(try await posts() == ["Old", "Plain", "One", "Two"])
    }

    @Test(
        "has its deleted articles read and its title, though its feed is down at first, and isn't followed twice after a move"
    )
    func downAtFirst() async throws {
        site.server.setFault(.status(404), for: "/feed.xml")
        try write(urls: "\(feed)\n", Self.articles)
        try Database(path: site.home.appending(path: ".newsboat/cache.db").path, mode: .readWrite).execute(
            "INSERT INTO rss_feed VALUES ('\(feed)', '', 'Old blog')")
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(run.errors.contains("(followed anyway)"))
        #expect(try await site.blog("sources", "--fields", "title").lines == ["Old blog"])
        let name = try await site.blog("sources", "--fields", "name").lines[0]
        serve("One", "Gone", "Two", at: "/new.xml")
        let moved = try await site.blog("follow", name, "--address", "\(site.server.address)/new.xml")
        #expect(moved.code == 0, "\(moved.errors)")
        #expect(try await posts("--unread") == ["Plain", "Two"])
        let before = try await site.blog("list", "--offline", "--fields", "id,title,read,saved").output
        let again = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(again.code == 0 && again.errors.contains("Already following"), "\(again.errors)")
        #expect(try await site.blog("sources", "--fields", "name").lines == [name])
        #expect(try await site.blog("list", "--offline", "--fields", "id,title,read,saved").output == before)
    }

    @Test("keeps the flagged articles of a feed with too many, and says how many it leaves out")
    func tooMany() async throws {
        try write(urls: "\(feed)\n", [])
        try Database(path: site.home.appending(path: ".newsboat/cache.db").path, mode: .readWrite).execute(
            """
            WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 25010)
            INSERT INTO rss_item (guid, title, url, unread, flags, author, feedurl, pubDate, content)
            SELECT 'urn:' || i, 'T' || i, 'http://a.example/' || i, 1, iif(i <= 5, 'f', ''), '', '\(feed)', 1700000000 + i, ''
            FROM n
            """)
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        let added =
            "From newsboat: added 25,000 posts, saved 5, left out 10 (at most 25,000 of a feed, flagged ones first)."
        #expect(run.errors.contains(added), "\(run.errors)")
        #expect(try await posts("--saved") == ["T1", "T2", "T3", "T4", "T5"])
    }

    /// Tables that could take any time or memory, as SQL, and what is said of them.
    static let unusualTables = [
        ("ALTER TABLE rss_item RENAME TO items; CREATE VIEW rss_item AS SELECT * FROM items", "rss_item"),
        ("ALTER TABLE rss_item ADD COLUMN huge AS (hex(zeroblob(400000000)))", "rss_item"),
        ("DROP TABLE rss_feed; CREATE TABLE rss_feed (rssurl, title AS (hex(zeroblob(400000000))) STORED)", "rss_feed"),
        (
            """
            DROP TABLE rss_item; CREATE VIEW endless AS WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i FROM n)
            SELECT i AS id, i AS feedurl FROM n;
            CREATE VIRTUAL TABLE rss_item USING fts5(id, feedurl, content=endless)
            """, "rss_item"
        ),
    ]

    @Test("is rejected whole unless its articles are in ordinary tables", arguments: unusualTables)
    func tables(sql: String, table: String) async throws {
        try write(urls: "\(feed)\n", [])
        try Database(path: site.home.appending(path: ".newsboat/cache.db").path, mode: .readWrite).execute(sql)
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(run.code == 2)
        #expect(run.errors.hasSuffix("/cache.db: \(table) isn't an ordinary table\n"), "\(run.errors)")
        #expect(site.server.requests.isEmpty)
    }

    @Test("is rejected whole if an article is huge")
    func huge() async throws {
        try write(urls: "\(feed)\n", [Self.articles[0]])
        try Database(path: site.home.appending(path: ".newsboat/cache.db").path, mode: .readWrite).execute(
            "UPDATE rss_item SET content = CAST(zeroblob(33 << 20) AS TEXT)")
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(run.errors.contains("/cache.db: an article has more than 32 MiB"), "\(run.errors)")
    }

    @Test(
        "is rejected whole, without waiting, if one of its files is a pipe",
        arguments: ["urls", "cache.db", "cache.db-wal"])
    func pipes(name: String) async throws {
        try write(urls: "\(feed)\n", Self.articles)
        let path = site.home.appending(path: ".newsboat/\(name)").path
        unlink(path)
        #expect(mkfifo(path, 0o600) == 0)
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(run.code == 2 && run.errors.contains("regular file"), "\(run.errors)")
        #expect(site.server.requests.isEmpty)
    }

    @Test("is refused by its database alone, or without its list", arguments: ["cache.db", "empty"])
    func wrongFile(name: String) async throws {
        try write(urls: "\(feed)\n", Self.articles)
        let folder = site.home.appending(path: ".newsboat")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "empty"), withIntermediateDirectories: true)
        let run = try await site.blog("follow", folder.appending(path: name).path)
        #expect(run.code == 2 && site.server.requests.isEmpty)
        #expect(run.errors.contains(name == "empty" ? "a folder without newsboat's list" : "name its folder"))
    }

    @Test("is pointed out when only its list is followed")
    func list() async throws {
        try write(urls: "\(feed)\n", Self.articles)
        let run = try await site.blog("follow", site.home.path + "/.newsboat/urls")
        #expect(run.code == 0)
        #expect(run.errors.contains("/.newsboat/cache.db. To import that, too: blog follow "))
    }

    @Test("is rejected whole if its articles can't be read")
    func damaged() async throws {
        try write(urls: "\(feed)\n", [])
        try Data("nothing".utf8).write(to: site.home.appending(path: ".newsboat/cache.db"))
        let run = try await site.blog("follow", site.home.path + "/.newsboat")
        #expect(run.code == 2)
        #expect(run.errors.hasSuffix("/cache.db: it isn't newsboat's, or it is damaged\n"), "\(run.errors)")
        #expect(try await site.blog("sources", "--fields", "kind").lines.allSatisfy { $0 != "feed" })
    }
}

extension TestSite {
    /// Writes newsboat's files, with articles of a feed as SQL: guid, title, url, unread, flags, deleted.
    func writeNewsboat(
        urls: String, in config: String = ".newsboat", cacheIn data: String = ".newsboat", _ articles: [String],
        of feed: String
    ) throws {
        for folder in [config, data] {
            try FileManager.default.createDirectory(
                at: home.appending(path: folder), withIntermediateDirectories: true)
        }
        try Data(urls.utf8).write(to: home.appending(path: config + "/urls"))
        let database = try Database(path: home.appending(path: data + "/cache.db").path, mode: .readWrite)
        try database.execute(
            """
            CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL,
                title VARCHAR(1024) NOT NULL);
            CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL,
                title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
                feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL,
                unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
                enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0,
                base VARCHAR(128) NOT NULL DEFAULT "");
            """)
        for article in articles {
            try database.execute(
                """
                INSERT INTO rss_item (guid, title, url, unread, flags, deleted, author, feedurl, pubDate, content)
                VALUES (\(article), 'Ann', '\(feed)', 1730455200, '<p>Kept <a href="b">text</a></p>')
                """)
        }
    }
}

private struct NoPages: MockSite {
    func response(to request: MockRequest) -> MockResponse? { nil }
}
