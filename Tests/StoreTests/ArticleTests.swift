import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogStore

@Suite("A stored article", .serialized) struct ArticleTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        try await store.list([sample(id: "1"), sample(id: "2")])
    }

    private func article(_ id: String = "1") async throws -> StoredArticle? {
        try await store.read { try Articles($0).find(of: PostID(source: .one, local: id)) }
    }

    static let articles = [
        Article.sample("Words."),
        Article(
            address: "https://b.example/é?q=1", title: "A \"Title\"", author: "Ann", site: "B",
            publishDate: Timestamp("2026-11-01T10:00:00+02:00"), language: "en-GB", body: "a\r\n\0\u{2028}<b>b</b>",
            format: .html, isComplete: false, fetchedAt: Date(timeIntervalSince1970: 1_700_000_000.5)),
    ]

    @Test("reads back as it was stored", arguments: articles)
    func roundTrip(stored: Article) async throws {
        #expect(try await article() == nil)
        let validators = CacheValidators(etag: "\"1\"", lastModified: "Sun, 22 Nov 2026 10:00:00 GMT")
        try await store.write { try Articles($0).save(stored, validators, of: .one("1")) }
        let found = try #require(try await article())
        #expect(found.article == stored)
        #expect(found.validators == validators)
        #expect(found.problem == nil && found.failedAt == nil && found.failures == 0)
        #expect(try await article("2") == nil)
        #expect(try await store.facts().articles == 1)
        #expect(try await store.check() == [])
    }

    @Test("may have several megabytes")
    func long() async throws {
        let text = String(repeating: "A long text. ", count: 300_000)
        try await store.storeArticle(text, of: .one("1"))
        // Compared so that a failure doesn't print them.
        #expect(try await article()?.article?.body.elementsEqual(text) == true)
        #expect(try await store.ids(Query(words: "long")) == ["1"])
    }

    @Test("needs a post, as does a failure")
    func unknownPost() async throws {
        let (post, elsewhere) = (PostID.one("9"), PostID(source: .two, local: "1"))
        for id in [post, elsewhere] {
            try await store.storeArticle("Words.", of: id)
            try await store.writeIfFree { try Articles($0).note(.gone, of: id, at: .day(1)) }
            try await store.writeIfFree { try Articles($0).confirm(of: id, at: .day(1)) }
            #expect(try await store.read { try Articles($0).find(of: id) } == nil)
        }
        #expect(try await store.read { try Sources($0).all() }.map(\.id) == [.one])
        #expect(try await store.check() == [])
    }

    @Test("is replaced with a newer one, which clears its failures")
    func replaced() async throws {
        try await store.storeArticle("Old words.", of: .one("1"))
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(2)) }
        let new = Article.sample("New words.")
        try await store.write {
            try Articles($0).save(new, CacheValidators(etag: nil, lastModified: nil), of: .one("1"))
        }
        let found = try #require(try await article())
        #expect(found.article == new)
        #expect(found.validators.isEmpty && found.problem == nil && found.failedAt == nil && found.failures == 0)
    }

    @Test("that fails has a reason and a count, and keeps its older text", arguments: [true, false])
    func failed(isStored: Bool) async throws {
        if isStored { try await store.storeArticle("Words.", of: .one("1")) }
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(2)) }
        try await store.writeIfFree { try Articles($0).note(.gone, of: .one("1"), at: .day(3)) }
        let found = try #require(try await article())
        #expect(found.problem == .gone && found.failedAt == .day(3) && found.failures == 2)
        #expect(found.article?.body == (isStored ? "Words." : nil))
        #expect(found.validators.isEmpty != isStored)
        #expect(try await store.facts().articles == (isStored ? 1 : 0))
        #expect(try await store.check() == [])
    }

    @Test("that is unchanged gets the new date, and its failures are cleared")
    func confirmed() async throws {
        try await store.storeArticle("Words.", of: .one("1"))
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(2)) }
        try await store.writeIfFree { try Articles($0).confirm(of: .one("1"), at: .day(3)) }
        let found = try #require(try await article())
        #expect(found.article == .sample("Words.", fetchedAt: .day(3)))
        #expect(found.problem == nil && found.failedAt == nil && found.failures == 0)
        #expect(found.validators.etag == "\"a\"")
    }

    @Test("can't be confirmed as unchanged if there is none")
    func confirmedWithoutText() async throws {
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(2)) }
        try await store.writeIfFree { try Articles($0).confirm(of: .one("1"), at: .day(3)) }
        #expect(try await article()?.problem == .failed)
    }

    @Test("is fetched anew if its post gets another link, and kept until then")
    func otherLink() async throws {
        func list(_ link: String) async throws { try await store.list([.linked("1", to: link)]) }
        try await list("https://a.example/1")
        try await store.storeArticle("Words.", of: .one("1"))
        try await store.writeIfFree { try Articles($0).note(.gone, of: .one("1"), at: .day(2)) }
        try await list("https://a.example/2")
        let found = try #require(try await article())
        #expect(found.article?.body == "Words.")
        #expect(found.validators.isEmpty && found.problem == nil && found.failedAt == nil && found.failures == 0)
    }

    @Test("is deleted with its post, and so is the reason for a failure")
    func pruned() async throws {
        try await store.feed([.item("a", day: 1), .item("b", day: 1)], on: 1)
        for id in ["1", "2"] {
            try await store.writeIfFree {
                try Articles($0).note(.failed, of: PostID(source: .feed, local: id), at: .day(1))
            }
        }
        try await store.storeArticle(String(repeating: "word ", count: 20_000), of: PostID(source: .feed, local: "1"))
        #expect(try await store.ids(Query(words: "word"), of: .feed) == ["1"])
        try await store.feed([.item("c", day: 2)], on: 2)
        let key = try #require(try await store.read { try Sources($0).find(.feed) }?.key)
        #expect((100_000..<110_000).contains(try await store.prunable(key, before: .day(30)).bytes))
        #expect(try await store.prune(olderThan: 30, on: 100) == PruneCounts(posts: 2))
        #expect(try await store.facts().articles == 0)
        #expect(try await store.ids(Query(words: "word"), of: .feed) == [])
        #expect(try await store.check() == [])
    }

    @Test("is deleted when its source is, unless its post is saved")
    func forgotten() async throws {
        for id in ["1", "2"] { try await store.storeArticle("Words.", of: .one(id)) }
        _ = try await store.mark(.saved, ids: .one("1"))
        try await store.writeToDisk { try Articles($0).choose(.always, body: "main", drop: ".ad", of: .one) }
        let key = try #require(try await store.read { try Sources($0).find(.one) }?.key)
        #expect(try await store.prune(key, before: nil, at: .day(2)) == PruneCounts(posts: 1))
        let source = try #require(try await store.read { try Sources($0).find(.one) })
        #expect(source.article == nil && source.articleBody == nil && source.articleDrop == nil)
        #expect(try await article()?.article?.body == "Words.")
        #expect(try await store.facts().articles == 1)
        #expect(try await store.check() == [])
    }

    @Test("survives a vacuum")
    func vacuum() async throws {
        let folder = try TemporaryFolder()
        let file = try PostStore(path: folder.path("s"))
        try await file.list([sample()])
        try await file.storeArticle("Words.", of: .one("1"))
        try await file.vacuum()
        #expect(try await file.read { try Articles($0).find(of: .one("1")) }?.article == .sample("Words."))
        #expect(
            try await PostStore(reading: folder.path("s")).read { try Articles($0).find(of: .one("1")) }?.article
                == .sample("Words."))
    }

    @Test("is kept in memory if the disk is full")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let file = try PostStore(path: folder.path("s"))
        try await file.list([sample()])
        try await file.limitPages()
        let text = String(repeating: "Words. ", count: 20_000)
        try await file.storeArticle(text, of: .one("1"))
        #expect(await file.notice == .diskFull)
        #expect(try await file.read { try Articles($0).find(of: .one("1")) }?.article?.body.elementsEqual(text) == true)
        try await file.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(2)) }
        #expect(try await file.read { try Articles($0).find(of: .one("1")) }?.problem == .failed)
        #expect(try await PostStore(path: folder.path("s")).read { try Articles($0).find(of: .one("1")) } == nil)
    }

    @Test("can't be stored in a store opened for reading")
    func readOnly() async throws {
        let folder = try TemporaryFolder()
        try await PostStore(path: folder.path("s")).list([sample()])
        let file = try PostStore(reading: folder.path("s"))
        await #expect(throws: StoreError.self) { try await file.storeArticle("Words.", of: .one("1")) }
        #expect(try await file.read { try Articles($0).find(of: .one("1")) } == nil)
    }
}

@Suite("A plan for syncing articles") struct ArticlePlanTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    private func plan(limit: Int? = nil) async throws -> [String] {
        try await store.read { try Articles($0).plan(of: .one, limit: limit) }.map(\.post.local)
    }

    @Test("has listed posts that are unread or saved, the newest first")
    func posts() async throws {
        try await store.list((1...6).map { .linked(String($0), to: "https://a.example/\($0)", day: $0) })
        _ = try await store.mark(.read, ids: .one("2", "3", "6"))
        _ = try await store.mark(.saved, ids: .one("3", "4", "6"))
        #expect(try await plan() == ["6", "5", "4", "3", "1"])
        try await store.list([1, 2, 3, 4].map { .linked(String($0), to: "https://a.example/\($0)", day: $0) })
        #expect(try await plan() == ["4", "3", "1"])
        #expect(try await store.read { try Articles($0).plan(of: .two, limit: nil) }.isEmpty)
    }

    @Test("looks only at the newest posts")
    func limit() async throws {
        try await store.list((1...6).map { .linked(String($0), to: "https://a.example/\($0)", day: $0) })
        _ = try await store.mark(.read, ids: .one("6", "4"))
        #expect(try await plan(limit: 3) == ["5"])
        #expect(try await plan(limit: 4) == ["5", "3"])
        #expect(try await plan(limit: 0) == [])
    }

    static let links: [(link: String?, isPage: Bool)] = [
        ("https://a.example", true), ("http://a", true), ("HTTP://A.EXAMPLE", true), (nil, false), ("", false),
        ("https://", false), ("mailto:a@b.example", false), ("/relative", false), ("ftp://a.example", false),
        ("javascript:alert(1)", false), ("httpx://a", false),
    ]

    @Test("has only posts that link to web pages", arguments: links)
    func pages(link: String?, isPage: Bool) async throws {
        try await store.list([.linked("1", to: link)])
        #expect(
            try await store.read { try Articles($0).plan(of: .one, limit: nil) }.map(\.link) == (isPage ? [link] : []))
    }

    @Test("has what is stored, and what failed when")
    func state() async throws {
        try await store.list(["1", "2", "3"].map { .linked($0, to: "https://a.example/\($0)") })
        try await store.storeArticle("Words.", of: .one("1"))
        try await store.writeIfFree { try Articles($0).note(.failed, of: .one("1"), at: .day(2)) }
        try await store.writeIfFree { try Articles($0).note(.gone, of: .one("2"), at: .day(3)) }
        let plan = try await store.read { try Articles($0).plan(of: .one, limit: nil) }
        #expect(plan.map(\.hasArticle) == [true, false, false])
        #expect(plan.map(\.problem) == [.failed, .gone, nil])
        #expect(plan.map(\.failedAt) == [.day(2), .day(3), nil])
    }

    @Test("follows the source's settings, which can be reset", arguments: [nil] + ArticleChoice.allCases)
    func choice(choice: ArticleChoice?) async throws {
        try await store.list([sample()])
        try await store.writeToDisk {
            try Articles($0).choose(choice, body: "article.post", drop: ".ad, aside", of: .one)
        }
        let source = try #require(try await store.read { try Sources($0).find(.one) })
        #expect(source.article == choice && source.articleBody == "article.post" && source.articleDrop == ".ad, aside")
        try await store.writeToDisk { try Articles($0).choose(nil, body: nil, drop: nil, of: .one) }
        let reset = try #require(try await store.read { try Sources($0).find(.one) })
        #expect(reset.article == nil && reset.articleBody == nil && reset.articleDrop == nil)
    }
}

@Suite("A page stored by its address") struct NumberedPageTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    @Test("gets the next number of its source, and is listed")
    func numbers() async throws {
        let ids = [
            try await store.write {
                try Posts($0).addNumbered(.item("https://a.example/1", day: 1, body: "<p>One"), to: .one, at: .day(3))
            },
            try await store.write {
                try Posts($0).addNumbered(.item("https://a.example/2", title: "Two"), to: .one, at: .day(4))
            },
        ]
        #expect(ids == .one("1", "2"))
        #expect(try await store.ids() == ["2", "1"])
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.text == "<p>One")
        #expect(try await store.read { try Posts($0).metadata("2", of: .one) }?.publishDate.moment == .day(4))
        let source = try #require(try await store.read { try Sources($0).find(.one) })
        #expect(source.posts == 2 && source.unread == 2 && source.bodies == 1)
        #expect(try await store.check() == [])
    }

    @Test("keeps its number, date and marks when it is updated")
    func again() async throws {
        _ = try await store.write {
            try Posts($0).addNumbered(.item("g", title: "Old", body: "old"), to: .one, at: .day(1003))
        }
        _ = try await store.write { try Posts($0).addNumbered(.item("h"), to: .one, at: .day(1003)) }
        _ = try await store.mark(.saved, ids: .one("1"))
        let again = try await store.write {
            try Posts($0).addNumbered(.item("g", title: "New", body: "new"), to: .one, at: .day(1005))
        }
        #expect(again == .one("1"))
        let post = try #require(try await store.read { try Posts($0).marked(again) })
        #expect(post.metadata.title == "New" && post.metadata.publishDate.moment == .day(1003) && post.state.isSaved)
        #expect(try await store.ids(Query(words: "new")) == ["1"])
        #expect(try await store.ids(Query(words: "old")) == [])
        #expect(try await store.read { try Sources($0).find(.one) }?.posts == 2)
        #expect(try await store.check() == [])
    }

    @Test("is found by its GUID, in its own source only")
    func guid() async throws {
        let post = try await store.write { try Posts($0).addNumbered(.item("g"), to: .one, at: .day(3)) }
        #expect(try await store.read { try Posts($0).find(withGUID: "g", of: .one) } == post)
        #expect(try await store.read { try Posts($0).find(withGUID: "1", of: .one) } == nil)
        #expect(try await store.read { try Posts($0).find(withGUID: "g", of: .two) } == nil)
    }

    @Test("may have an article, which is searchable")
    func article() async throws {
        let post = try await store.write { try Posts($0).addNumbered(.item("g"), to: .one, at: .day(3)) }
        try await store.storeArticle("Some words.", of: post)
        #expect(try await store.ids(Query(words: "words")) == ["1"])
    }
}
