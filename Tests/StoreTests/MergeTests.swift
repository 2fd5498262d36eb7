import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Export and import", .serialized) struct MergeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func store(_ name: String) throws -> PostStore { try PostStore(path: folder.path(name)) }

    private func export(_ name: String) async throws -> String {
        try await Archive(path: folder.path(name)).export().reduce(into: "") { $0 += ExportLine.text($1) }
    }

    private func merge(_ text: String, into name: String) async throws -> MergeReport {
        let posts = try text.split(separator: "\n").map {
            try JSONDecoder().decode(ExportedPost.self, from: Data($0.utf8))
        }
        return try await Archive(path: folder.path(name)).merge(posts)
    }

    @Test("write the store as it was when the export began")
    func snapshot() async throws {
        let one = try store("one")
        try await one.list((1...3).map { try sample(id: "\($0)", title: "old") }, at: 5)
        let before = try await export("one")
        var posts = try await Archive(path: folder.path("one")).export().makeAsyncIterator()
        var text = ExportLine.text(try #require(try await posts.next()))
        try await one.list((2...4).map { try sample(id: "\($0)", title: "new") }, at: 6)
        while let post = try await posts.next() { text += ExportLine.text(post) }
        #expect(text == before)
    }

    @Test("preserve discussions")
    func discussion() async throws {
        let one = try store("one")
        let story = PostMetadata(
            id: "1", title: "t", publishDate: Timestamp(secondsSince1970: 5), postId: "1", summary: nil,
            author: Author(name: "a"), link: "https://x.y", score: 3, commentCount: 2,
            details: .discussion(Discussion(parent: nil, replies: ["2", "\"3"], removal: nil)))
        let reply = PostMetadata(
            id: "2", title: "t", publishDate: Timestamp(secondsSince1970: 5), postId: "2", summary: nil,
            author: Author(name: "a"), details: .discussion(Discussion(parent: "1", replies: [], removal: .deleted)))
        try await one.write {
            try Items($0).save(
                [Entry(story, content: Entry.Content("", .html)), Entry(reply, content: Entry.Content("x", .html))],
                of: .one, at: Date())
        }
        #expect(try await merge(try await export("one"), into: "two").new == 2)
        #expect(try await export("two") == export("one"))
        let items = try await store("two").read { try Items($0).find(["1", "2"], of: .one) }
        #expect(items["1"]?.entry.metadata == story)
        #expect(items["2"]?.entry.metadata == reply)
    }

    @Test("preserve everything, and change nothing when repeated")
    func identical() async throws {
        let one = try store("one")
        let odd = try sample(id: "é/\0", title: "\u{1B}\u{202E}\"\n", summary: nil, author: "", role: nil)
        try await one.list([sample(), odd, sample(id: "3")])
        try await one.list([sample(), odd])
        try await one.list([sample(id: "1", title: "elsewhere")], of: .two)
        try await one.store("a\r\n\0\u{2028}b", of: "é/\0")
        try await one.store("old", of: "1")
        try await one.write {
            try Articles($0).save(
                ArticleTests.articles[1], CacheValidators(etag: "e", lastModified: nil), of: .one("1"))
        }
        try await one.storeArticle("a\r\n\0\u{2028}b", of: .one("é/\0"))
        try await one.writeIfFree { try Articles($0).note(.failed, of: .one("3"), at: .day(2)) }
        try await one.list([sample(id: "1", title: "new"), odd])
        _ = try await one.mark(.saved, ids: .one("1"))
        _ = try await one.mark(.read, ids: .one("3"))
        let text = try await export("one")
        #expect(text.split(separator: "\n").count == 4)
        #expect(try await merge(text, into: "two").new == 4)
        #expect(try await export("two") == text)
        let again = try await merge(text, into: "two")
        #expect(again.unchanged == 4 && again.new + again.changed == 0)
        #expect(try await store("two").read { try Bodies($0).find("1", of: .one) }?.isCurrent == false)
        let article = try #require(try await store("two").read { try Articles($0).find(of: .one("1")) })
        #expect(article.article == ArticleTests.articles[1] && article.validators.isEmpty)
        #expect(try await store("two").read { try Articles($0).find(of: .one("3")) } == nil)
        #expect(try await store("two").check() == [])
    }

    @Test("keep the article that was fetched later, in either direction, and index only that one")
    func articles() async throws {
        for (name, day) in [("a", 1), ("b", 2)] {
            let store = try store(name)
            try await store.list([sample()], at: 1000)
            let article = Article.sample("word of\(name)", fetchedAt: .day(day))
            try await store.write {
                try Articles($0).save(article, CacheValidators(etag: "e", lastModified: nil), of: .one("1"))
            }
            #expect(try await store.ids(Query(words: "word")) == ["1"])
        }
        let (a, b) = (try await export("a"), try await export("b"))
        #expect(try await merge(a, into: "b").unchanged == 1)
        #expect(try await merge(b, into: "a").changed == 1)
        #expect(try await export("a") == b)
        #expect(try await store("b").read { try Articles($0).find(of: .one("1")) }?.validators.etag == "e")
        #expect(try await store("a").ids(Query(words: "ofb")) == ["1"])
        #expect(try await store("a").ids(Query(words: "ofa")) == [])
        #expect(try await store("a").check() == [])
    }

    @Test("give the same result in either direction for articles of the same moment")
    func articlesOfOneMoment() async throws {
        for name in ["a", "b"] {
            let store = try store(name)
            try await store.list([sample()], at: 1000)
            try await store.storeArticle("word of \(name)", of: .one("1"))
        }
        let (a, b) = (try await export("a"), try await export("b"))
        _ = try await merge(a, into: "b")
        _ = try await merge(b, into: "a")
        #expect(try await export("a") == export("b"))
    }

    @Test("include a source's article settings, unless the other store has its own")
    func source() async throws {
        let (one, two) = (try store("one"), try store("two"))
        _ = try await one.writeToDisk { try Sources($0).follow(.one, in: nil, site: nil, at: .day(1)) { _ in "one" } }
        try await one.writeToDisk { try Sources($0).setRetention(.forever, of: .one) }
        try await one.writeToDisk { try Articles($0).choose(.always, body: "main", drop: "\"é\"", of: .one) }
        let stored = try #require(try await one.read { try Sources($0).find(.one) })
        let line = ExportLine.text(try #require(ExportedSource(stored)))
        let source = try JSONDecoder().decode(ExportedSource.self, from: Data(line.utf8))
        #expect(try await two.writeToDisk { try Importing($0).merge(source) { _ in "one" } })
        let merged = try #require(try await two.read { try Sources($0).find(.one) })
        #expect(merged.article == .always && merged.articleBody == "main" && merged.articleDrop == "\"é\"")
        #expect(merged.keep == .forever)
        try await two.writeToDisk { try Articles($0).choose(.never, body: "other", drop: nil, of: .one) }
        #expect(try await two.writeToDisk { try Importing($0).merge(source) { _ in "one" } } == false)
        let kept = try #require(try await two.read { try Sources($0).find(.one) })
        #expect(kept.article == .never && kept.articleBody == "other" && kept.articleDrop == "\"é\"")
    }

    @Test("keep every field of a source, and the user's title for it even if it is followed again and refreshed")
    func everyFieldOfSource() async throws {
        var source = ExportedSource(.one, name: "one", folder: "F/G")
        (source.title, source.label, source.site, source.keep) = ("Mine", "Mine", "http://s", "2w")
        (source.article, source.articleBody, source.articleDrop, source.followedAt) = ("always", "b", "d", 5)
        #expect(try JSONDecoder().decode(ExportedSource.self, from: Data(ExportLine.text(source).utf8)) == source)
        let two = try store("two")
        try await two.list([sample()])
        let isChanged = try await two.writeToDisk { [source] in try Importing($0).merge(source) { _ in "one" } }
        #expect(isChanged)
        #expect(try await two.read { try Sources($0).find(.one) }.flatMap { ExportedSource($0) } == source)
        _ = try await two.writeToDisk { try Sources($0).follow(.one, in: nil, site: nil, at: .day(1)) { _ in "one" } }
        let checkpoint = Checkpoint(validators: CacheValidators(), digest: nil, title: "Its own")
        try await two.store([], of: .one, mark: RefreshMark(checkpoint, refreshedAt: .day(2)))
        #expect(try await two.read { try Sources($0).find(.one) }?.title == "Mine")
    }

    @Test("delete nothing later of a source that is followed here")
    func retention() async throws {
        let two = try store("two")
        _ = try await two.writeToDisk { try Sources($0).follow(.one, in: nil, site: nil, at: .day(1)) { _ in "one" } }
        var source = ExportedSource(.one, name: "one", folder: "")
        source.keep = "1d"
        _ = try await two.writeToDisk { [source] in try Importing($0).merge(source) { _ in "one" } }
        #expect(try await two.read { try Sources($0).find(.one) }?.keep == nil)
    }

    @Test("don't tell a server to take back a mark that either store has")
    func unsent() async throws {
        let two = try store("two")
        func merge(_ marks: [String], saved: Bool, labels: [String]) async throws {
            var post = ExportedPost(
                source: SourceID.subscriptionKind,
                address: "https://rss.example/reader/api/0/stream/contents/feed%2F1", listed: true, read: false,
                saved: saved, labels: labels, changedAt: 5000, numbered: true, metadata: try sample(id: "1"))
            post.unsent = marks
            _ = try await two.merge([post])
        }
        func unsent() async throws -> [Mark] {
            let service = SourceID(kind: SourceID.serviceKind, address: "https://rss.example")
            guard let stored = try await two.read({ try Sources($0).find(service) }) else { return [] }
            let settled = try await two.settleRules()
            return try await two.read { try MarkQueue($0).unsent(of: stored.key, settled) }.map(\.mark)
        }
        try await merge([], saved: true, labels: ["later"])
        try await merge(["unsaved", "unlabelled later", "read"], saved: false, labels: [])
        #expect(try await unsent().isEmpty)
        try await merge(["saved", "unlabelled other", "unread"], saved: true, labels: ["later"])
        #expect(Set(try await unsent()) == [.saved, .unlabelled("other"), .unread])
    }

    @Test("keep every field of a post, each of whose times must be possible")
    func everyFieldOfPost() async throws {
        let date = Timestamp(secondsSince1970: 3)
        let file = Enclosure(url: "http://f", type: "a/b", length: 4, title: "f")
        let metadata = PostMetadata(
            id: "7", title: "t", publishDate: date, postId: "p", summary: "s",
            author: Author(name: "a", image: "i", title: "r"), link: "http://l", score: 1, commentCount: 2,
            details: .entry(EntryDetails(tags: ["x"], enclosures: [file], image: "i", updated: date, language: "de")))
        let article = Article(
            address: "http://a", title: "t", author: "a", site: "s", publishDate: date, language: "fr", body: "b",
            format: .html, isComplete: false, fetchedAt: .day(3))
        let post = ExportedPost(
            source: SourceID.one.kind, address: SourceID.one.address, listed: true, read: true, saved: true,
            changedAt: 5000, wordsChangedAt: 4000, numbered: true, metadata: metadata,
            body: ExportedPost.Body(text: "b", fetchedAt: 6000, isCurrent: true, format: "markdown"), article: article)
        let line = ExportLine.text(post)
        #expect(try await merge(line, into: "two").new == 1)
        #expect(try await store("two").exported() == [post])
        for time in ["4000", "5000", "6000", "259200000"] {
            let impossible = Data(line.replacing(":\(time)", with: ":-\(time)").utf8)
            #expect(try !Archive.accepts(JSONDecoder().decode(ExportedPost.self, from: impossible)), "\(time)")
        }
    }

    @Test("keep all marks and bodies of diverged stores, with the same result in either direction")
    func diverged() async throws {
        for (name, seconds, read, saved) in [("a", 1000.0, "1", "2"), ("b", 2000.0, "2", "1")] {
            let store = try store(name)
            try await store.list(
                [sample(id: "1", title: "Title of \(name)"), sample(id: "2"), sample(id: name)], at: seconds)
            try await store.store("body of \(name)", of: name)
            _ = try await store.mark(.read, ids: .one(read))
            _ = try await store.mark(.saved, ids: .one(saved))
        }
        let (a, b) = (try await export("a"), try await export("b"))
        let report = try await merge(a, into: "b")
        #expect(report.new == 1 && report.changed == 2 && report.unchanged == 0)
        _ = try await merge(b, into: "a")
        #expect(try await export("a") == export("b"))
        let store = try store("a")
        #expect(try await store.read { try Posts($0).metadata("1", of: .one) }?.title == "Title of b")
        #expect(try await store.read { try Bodies($0).find("b", of: .one) }?.text == "body of b")
        let marked = try await store.posts().filter { ["1", "2"].contains($0.metadata.id) }
        #expect(marked.map(\.state) == [PostState](repeating: PostState(isRead: true, isSaved: true), count: 2))
    }

    @Test(
        "make a body outdated if the merged metadata is newer, but not if it is older",
        arguments: [true, false])
    func staleBody(isNewer: Bool) async throws {
        let (one, two) = (try store("one"), try store("two"))
        try await one.list([sample(title: "theirs")], at: isNewer ? 3000 : 1000)
        try await two.list([sample(title: "ours")], at: 2000)
        try await two.store("our body", of: "1")
        _ = try await merge(try await export("one"), into: "two")
        #expect(try await two.read { try Posts($0).metadata("1", of: .one) }?.title == (isNewer ? "theirs" : "ours"))
        let body = try await two.read { try Bodies($0).find("1", of: .one) }
        #expect(body?.text == "our body")
        #expect(body?.isCurrent == !isNewer)
    }

    @Test("keep when a post's words changed, even if the other store has its latest metadata")
    func wordsChanged() async throws {
        let (one, two) = (try store("one"), try store("two"))
        try await one.list([sample(title: "Before")], at: 1000)
        try await one.list([sample(title: "After")], at: 2000)
        try await two.list([sample(title: "After", role: "Boss")], at: 3000)
        let (a, b) = (try await export("one"), try await export("two"))
        _ = try await merge(a, into: "two")
        _ = try await merge(b, into: "one")
        for store in [one, two] {
            let post = try #require(try await store.posts().first)
            #expect(post.metadata.author.title == "Boss")
            #expect(post.changed?.utc == "1970-01-01T00:33:20Z")
        }
    }

    @Test("drop the validators, so that the server's next list is compared with all that is stored")
    func validators() async throws {
        let one = try store("one")
        try await one.list([sample()])
        let text = try await export("one")
        let two = try store("two")
        try await two.list([])
        let date = Date(timeIntervalSince1970: 1001)
        #expect(try await two.read { try Sources($0).find(.one) }?.memory(at: date)?.validators != nil)
        _ = try await merge(text, into: "two")
        #expect(try await two.read { try Sources($0).find(.one) }?.memory(at: date)?.validators == nil)
    }

    /// A post of a feed, or of a service's feed.
    private static func exported(
        _ id: String, _ guid: String, title: String = "A", link: String? = "https://one.example/thread", day: Int = 1,
        text: String = "", numbered: Bool? = true, saved: Bool = false, isOfService: Bool = false
    ) throws -> ExportedPost {
        let feed = "https://rss.example/reader/api/0/stream/contents/feed%2F1"
        var post = ExportedPost(
            source: isOfService ? SourceID.subscriptionKind : SourceID.one.kind,
            address: isOfService ? feed : SourceID.one.address, listed: true, read: false, saved: saved, labels: [],
            changedAt: 5000, numbered: numbered,
            metadata: try sample(
                id: id, title: title, date: "2026-01-0\(day)T00:00:00Z", postId: guid, link: link))
        if !text.isEmpty {
            post.body = ExportedPost.Body(text: text, fetchedAt: 5000, isCurrent: true, format: "html")
        }
        return post
    }

    @Test(
        "have both posts with one GUID that differ in more than an edit does, and one of an edited one",
        arguments: [false, true],
        [
            (title: "A", link: "https://one.example/thread", day: 2, isSame: true),
            ("B", "https://one.example/thread", 1, true), ("A", "https://one.example/other", 1, true),
            ("A", "https://one.example/other", 2, false), ("B", "https://one.example/thread", 2, false),
            ("B", nil, 2, false), ("B", "https://one.example/other", 1, false),
        ])
    func reusedGUID(isOfService: Bool, other: (title: String, link: String?, day: Int, isSame: Bool)) async throws {
        let store = try PostStore()
        _ = try await store.merge([Self.exported("1", "1", isOfService: isOfService)])
        let arriving = try Self.exported(
            "1", "1", title: other.title, link: other.link, day: other.day, saved: true, isOfService: isOfService)
        let report = try await store.merge([arriving])
        #expect(report.new == (other.isSame ? 0 : 1))
        let posts = try await store.exported()
        #expect(posts.count == (other.isSame ? 1 : 2))
        #expect(posts.count(where: \.saved) == 1)
        #expect(posts.first { $0.metadata.postId == "1" }?.saved == other.isSame)
    }

    @Test("have both posts without links that have one GUID")
    func reusedGUIDWithoutLinks() async throws {
        let store = try PostStore()
        _ = try await store.merge([Self.exported("1", "1", link: nil)])
        let report = try await store.merge([Self.exported("1", "1", title: "B", link: nil, day: 2, saved: true)])
        #expect(report.new == 1)
    }

    @Test("have each of the posts that have one title, address and text, but dates of their own")
    func recurring() async throws {
        let text = String(repeating: "The backup failed again tonight. ", count: 3)
        let store = try PostStore()
        _ = try await store.merge([Self.exported("1", "g3", day: 3, text: text)])
        let report = try await store.merge([
            Self.exported("1", "g2", day: 2, text: text, saved: true), Self.exported("2", "g1", day: 1, text: text),
        ])
        #expect(report.new == 2)
        #expect(try await store.exported().filter(\.saved).map(\.metadata.postId) == ["g2"])
    }

    @Test("give a post of a service that its server knows by no ID a number of its own here")
    func unnumbered() async throws {
        let store = try PostStore()
        _ = try await store.merge([Self.exported("1", "0000000000000001", title: "New", isOfService: true)])
        let former = try Self.exported(
            "1", "former 1 0000000000000001", title: "Old", link: "https://one.example/old", numbered: nil, saved: true,
            isOfService: true)
        for _ in 0..<2 { _ = try await store.merge([former]) }
        let posts = try await store.exported()
        #expect(posts.map(\.metadata.title).sorted() == ["New", "Old"])
        #expect(posts.filter(\.saved).map(\.metadata.title) == ["Old"])
        #expect(posts.first { $0.saved }?.numbered == nil)
    }

    @Test("leave what a post of a service is to its server here", arguments: [true, nil], [true, nil])
    func numbered(here: Bool?, there: Bool?) async throws {
        let store = try PostStore()
        _ = try await store.merge([Self.exported("1", "0000000000000001", numbered: here, isOfService: true)])
        var post = try Self.exported("1", "0000000000000001", numbered: there, saved: true, isOfService: true)
        post.changedAt = 6000
        _ = try await store.merge([post])
        let posts = try await store.exported()
        #expect(posts.map(\.numbered) == [here] && posts.map(\.saved) == [true])
    }

    @Test("know a post again under the ID that another has in the archive")
    func exchangedIDs() async throws {
        func posts(_ ids: [String]) throws -> [ExportedPost] {
            try zip(ids, ["A", "B"]).map { id, title in
                try Self.exported(
                    title == "A" ? "1" : "2", id, title: title, link: "https://one.example/\(title)",
                    day: title == "A" ? 1 : 2, saved: title == "A", isOfService: true)
            }
        }
        let store = try PostStore()
        _ = try await store.merge(try posts(["0000000000000002", "0000000000000001"]))
        let report = try await store.merge(try posts(["0000000000000001", "0000000000000002"]))
        #expect(report.new == 0)
        #expect(try await store.exported().map(\.metadata.title).sorted() == ["A", "B"])
    }

    private func post(
        _ id: String, _ guid: String, saved: Bool = false, link: String = "https://one.example/thread"
    ) throws -> ExportedPost {
        ExportedPost(
            source: SourceID.one.kind, address: SourceID.one.address, listed: true, read: false, saved: saved,
            labels: [], changedAt: 5000, numbered: true, metadata: try sample(id: id, postId: guid, link: link))
    }

    @Test("leave a post read that was pruned, though it is unread in the archive")
    func pruned() async throws {
        let store = try PostStore()
        let first = try post("1", "guid-1")
        _ = try await store.merge([first, post("2", "guid-2", link: "https://one.example/2")])
        _ = try await store.mark(.read, ids: [PostID(source: .one, local: "1")])
        let key = try await store.write { database in
            try database.run("UPDATE posts SET listed = 0")
            return try SourceRow.key(of: .one, in: database)
        }
        let late = Date(timeIntervalSince1970: 4_000_000_000)
        _ = try await store.prune(key, before: late, at: late)
        #expect(try await store.exported().map(\.metadata.postId) == ["guid-2"])
        #expect(try await store.merge([first]).new == 1)
        #expect(try await store.exported().first { $0.metadata.postId == "guid-1" }?.read == true)
    }

    @Test(
        "count a post of an archive of its blog as read only if somebody has read it",
        arguments: [[], [Mark.unread], [.unread, .read]], [false, true])
    func archived(marks: [Mark], isInto: Bool) async throws {
        let (one, two) = (try PostStore(), try PostStore())
        var archived = try post("1", "guid-1")
        (archived.archived, archived.read) = (true, true)
        _ = try await one.merge([archived])
        for mark in marks { _ = try await one.mark(mark, ids: [PostID(source: .one, local: "1")]) }
        _ = try await two.merge([post("1", "guid-1")])
        let (from, into) = isInto ? (two, one) : (one, two)
        _ = try await into.merge(from.exported())
        #expect(try await into.exported().map(\.read) == [marks.last == .read])
    }

    @Test("keep episodes apart that have one title, page and date, but other files and texts")
    func episodes() async throws {
        func episode(_ number: Int, text: String) throws -> ExportedPost {
            let file = Enclosure(url: "https://one.example/\(number).mp3")
            return ExportedPost(
                source: SourceID.one.kind, address: SourceID.one.address, listed: true, read: false, saved: false,
                labels: [], changedAt: 5000, numbered: true,
                metadata: try sample(
                    id: "1", postId: "guid-\(number)", link: "https://one.example/podcast",
                    details: .entry(EntryDetails(enclosures: [file]))),
                body: ExportedPost.Body(text: text, fetchedAt: 5000, isCurrent: true, format: "html"))
        }
        let store = try PostStore()
        _ = try await store.merge([episode(1, text: "The morning")])
        #expect(try await store.merge([episode(2, text: "The evening")]).new == 1)
    }

    @Test("keep a numbered post whose number an archive gives to another one without a number")
    func unnumberedOther() async throws {
        let store = try PostStore()
        _ = try await store.merge([post("1", "guid-1", saved: true)])
        var other = try post("1", "guid-2", link: "https://one.example/other")
        other.numbered = nil
        _ = try await store.merge([other])
        #expect(try await store.exported().first { $0.metadata.postId == "guid-1" }?.saved == true)
    }

    @Test("keep sections of one page apart, though they have one title and date")
    func sections() async throws {
        let store = try PostStore()
        _ = try await store.merge([post("1", "guid-1", link: "https://one.example/notes#a")])
        #expect(try await store.merge([post("1", "guid-2", link: "https://one.example/notes#b")]).new == 1)
        #expect(try await store.merge([post("1", "guid-3", link: "https://one.example/notes#b")]).new == 0)
    }

    @Test(
        "have both of two posts that are the same but for their GUIDs, each with its marks, in whichever batches they come",
        arguments: [[["guid-2", "guid-1"]], [["guid-2"], ["guid-1"]], [["guid-1"], ["guid-2"]]])
    func bothOfAlike(batches: [[String]]) async throws {
        let store = try PostStore()
        _ = try await store.merge([post("1", "guid-1")])
        var progress = try await store.prepareForImport()
        var report = MergeReport()
        for batch in batches {
            let posts = try batch.map { try post($0 == "guid-1" ? "1" : "2", $0, saved: $0 == "guid-2") }
            report.add(try await store.merge(posts, &progress))
        }
        report.add(try await store.mergeRest(&progress))
        #expect(report.new == 1 && report.unchanged == 1)
        let posts = try await store.exported()
        #expect(posts.map(\.metadata.postId).sorted() == ["guid-1", "guid-2"])
        #expect(posts.filter(\.saved).map(\.metadata.postId) == ["guid-2"])
    }
}
