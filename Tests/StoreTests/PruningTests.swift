import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Pruning a store") struct PruningTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    /// Ten items, one a day; the feed lists the last three.
    private func followed(_ body: String? = "words") async throws {
        for day in 1...10 {
            let window = max(1, day - 2)...day
            try await store.feed(window.map { .item("g\($0)", day: $0, body: body) }, on: day)
        }
    }

    @Test("deletes posts that left their feed before the cutoff, with everything about them")
    func old() async throws {
        try await followed()
        #expect(try await store.ids(Query(words: "words"), of: .feed).count == 10)
        // The fifth left the feed on the eighth day.
        #expect(try await store.prune(olderThan: 3, on: 11) == PruneCounts(posts: 4))
        #expect(try await store.ids(of: .feed) == ["10", "9", "8", "7", "6", "5"])
        #expect(try await store.ids(Query(words: "words"), of: .feed).count == 6)
        #expect(try await store.read { try Sources($0).find(.feed) }?.posts == 6)
        #expect(try await store.read { try Sources($0).find(.feed) }?.unread == 6)
        #expect(try await store.facts().bodies == 6)
        #expect(try await store.check() == [])
    }

    @Test("clears the post read last if it is deleted")
    func lastRead() async throws {
        try await followed()
        let (old, kept) = (PostID(source: .feed, local: "1"), PostID(source: .feed, local: "10"))
        try await store.noteReading(of: [old])
        try await store.prune(olderThan: 3, on: 11)
        #expect(try await store.read { try Marks($0).lastRead() } == nil)
        try await store.noteReading(of: [kept])
        try await store.prune(olderThan: 3, on: 11)
        #expect(try await store.read { try Marks($0).lastRead() } == kept)
        let source = try #require(try await store.read { try Sources($0).find(.feed) })
        _ = try await store.prune(source.key, before: nil, at: .day(12))
        #expect(try await store.read { try Marks($0).lastRead() } == nil)
        #expect(try await store.check() == [])
    }

    @Test("keeps listed posts, however old, and saved ones")
    func kept() async throws {
        try await followed()
        _ = try await store.mark(.saved, ids: [PostID(source: .feed, local: "2")])
        #expect(try await store.prune(olderThan: 1, on: 1000) == PruneCounts(posts: 6))
        #expect(try await store.ids(of: .feed) == ["10", "9", "8", "2"])
        #expect(try await store.check() == [])
    }

    @Test("keeps all posts of a complete list, and those delisted lately")
    func complete() async throws {
        func list(_ ids: [String], on day: Int) async throws {
            try await store.list(ids.map { try sample(id: $0) }, at: TimeInterval(day * 86_400))
        }
        // The posts are from 2018.
        try await list(["1", "2", "3", "4"], on: 20_000)
        try await list(["1", "2", "4"], on: 20_010)
        try await list(["1", "4"], on: 20_020)
        #expect(try await store.prune(.one, olderThan: 15, on: 20_030) == PruneCounts(posts: 1))
        #expect(try await store.read { try Posts($0).metadata("3", of: .one) } == nil)
        #expect(try await store.read { try Posts($0).metadata("2", of: .one) } != nil)
        #expect(try await store.prune(.one, olderThan: 15, on: 20_040) == PruneCounts(posts: 1))
        #expect(try await store.ids().sorted() == ["1", "4"])
    }

    @Test("keeps the number and the read mark of a post that its feed lists again", arguments: [1, nil])
    func again(day: Int?) async throws {
        try await store.feed([.item("old", day: day), .item("other", day: 2)], on: 2)
        _ = try await store.mark(.read, ids: [PostID(source: .feed, local: "1")])
        try await store.feed([.item("new", day: 3)], on: 3)
        #expect(try await store.prune(olderThan: 30, on: 100) == PruneCounts(posts: 2))
        try await store.feed([.item("old", day: day), .item("new", day: 3), .item("newer", day: 101)], on: 101)
        #expect(try await store.ids(of: .feed).first == "4")
        #expect(try await store.read { try Posts($0).metadata("1", of: .feed) }?.postId == "old")
        #expect(try await store.ids(Query(filter: Filter(isUnread: true)), of: .feed).sorted() == ["3", "4"])
        #expect(try await store.read { try Sources($0).find(.feed) }?.unread == 2)
        // Its record is gone, so that the next post doesn't get its number.
        try await store.feed([.item("newest", day: 102)], on: 102)
        #expect(try await store.read { try Posts($0).metadata("5", of: .feed) }?.postId == "newest")
        #expect(try await store.check() == [])
    }

    @Test(
        "tells a post that its feed lists again from another one with its GUID",
        arguments: [
            ("http://a/1", "https://a/1/", "Storm", "1"), ("http://A/1", "http://a/1", "Storm", "1"),
            ("alert", "alert", "Flood", "3"),
        ])
    func other(before: String, after: String, title: String, id: String) async throws {
        try await store.feed([.item(before, day: 1, title: "Storm")], on: 2)
        _ = try await store.mark(.read, ids: [PostID(source: .feed, local: "1")])
        try await store.feed([.item("new", day: 3)], on: 3)
        #expect(try await store.prune(olderThan: 30, on: 100) == PruneCounts(posts: 1))
        try await store.feed([.item(after, day: 101, title: title), .item("new", day: 3)], on: 101)
        #expect(try await store.ids(of: .feed).contains(id))
        #expect(try await store.ids(Query(filter: Filter(isUnread: true)), of: .feed).contains(id) == (id != "1"))
    }

    @Test("doesn't reuse a number that an import has taken meanwhile")
    func takenNumber() async throws {
        try await store.feed([.item("old", day: 1)], on: 1)
        try await store.feed([.item("new", day: 2)], on: 2)
        let exported = try await store.read { try Exporting($0).find(1, withBody: true) }
        try await store.prune(olderThan: 30, on: 100)
        var imported = try #require(exported)
        imported.metadata = Entry.item("imported", day: 1).metadata
        imported.metadata.mapIDs { _ in "1" }
        _ = try await store.merge([imported])
        try await store.feed([.item("old", day: 1)], on: 101)
        #expect(try await store.read { try Posts($0).metadata("1", of: .feed) }?.postId == "imported")
        #expect(try await store.read { try Posts($0).metadata("3", of: .feed) }?.postId == "old")
    }

    @Test("remembers a limited number of deleted posts, those listed last, however old")
    func bounded() async throws {
        let count = PrunedPosts.maxCount
        try await store.feed((1...count).map { .item("a\($0)", day: 1) }, on: 1)
        try await store.feed((1...100).map { .item("b\($0)", day: 0) }, on: 2)
        try await store.feed([.item("c", day: 3)], on: 3)
        #expect(try await store.prune(olderThan: 30, on: 100) == PruneCounts(posts: count + 100))
        #expect(try await store.prunedCount == count)
        try await store.feed([.item("b1", day: 0), .item("c", day: 3)], on: 101)
        #expect(try await store.read { try Posts($0).metadata(String(count + 1), of: .feed) }?.postId == "b1")
    }

    @Test("deletes comments with their post, unless one of them is saved")
    func comments() async throws {
        try await store.write { try Items($0).save(Self.threads, of: .one, at: .day(1)) }
        try await store.write { try Rankings($0).save(["4"], of: "top", .one, at: .day(1)) }
        _ = try await store.mark(.saved, ids: .one("22"))
        #expect(try await store.ids(Query(words: "words")).count == 9)
        let key = try #require(try await store.read { try Sources($0).find(.one) }?.key)
        #expect(try await store.prunable(key, before: .day(70)).counts == PruneCounts(posts: 1, comments: 3))
        // The last one has the key that the next post would get.
        #expect(try await store.prune(.one, olderThan: 30, on: 100) == PruneCounts(posts: 1, comments: 3))
        #expect(try await store.ids(Query(words: "words")).sorted() == ["2", "21", "22", "4", "5"])
        #expect(try await store.read { try Sources($0).find(.one) }?.comments == 2)
        #expect(try await store.check() == [])
    }

    @Test("keeps comments on a saved post, and posts with a saved comment, when forgetting a source")
    func forgottenThreads() async throws {
        try await store.write { try Items($0).save(Self.threads, of: .one, at: .day(1)) }
        _ = try await store.mark(.saved, ids: .one("1"))
        _ = try await store.mark(.saved, ids: .one("22"))
        let key = try #require(try await store.read { try Sources($0).find(.one) }?.key)
        #expect(try await store.prune(key, before: nil, at: .day(2)) == PruneCounts(posts: 2, comments: 1))
        #expect(try await store.ids(Query(words: "words")).sorted() == ["1", "11", "12", "2", "21", "22"])
        #expect(try await store.check() == [])
    }

    /// Two posts with nested comments, a comment on a post that isn't stored, and two posts without comments.
    private static let threads = [
        entry("1", on: nil), entry("11", on: "1"), entry("12", on: "11"), entry("2", on: nil), entry("21", on: "2"),
        entry("22", on: "21"), entry("31", on: "3"), entry("4", on: nil), entry("5", on: nil),
    ]

    private static func entry(_ id: String, on parent: String?) -> Entry {
        Entry(
            PostMetadata(
                id: id, title: "", publishDate: Timestamp(secondsSince1970: 86_400), postId: id, summary: nil,
                author: Author(name: "a"), details: .discussion(Discussion(parent: parent, replies: []))),
            content: Entry.Content("words", .html))
    }

    @Test("can be estimated without deleting anything")
    func estimate() async throws {
        try await followed(String(repeating: "word ", count: 20_000))
        let key = try #require(try await store.read { try Sources($0).find(.feed) }?.key)
        let (counts, bytes) = try await store.prunable(key, before: .day(1000))
        #expect(counts == PruneCounts(posts: 7))
        #expect((700_000..<800_000).contains(bytes))
        #expect(try await store.ids(of: .feed).count == 10)
    }

    @Test("leaves the marks that undo reverts consistent")
    func undo() async throws {
        try await followed()
        func id(_ number: Int) -> PostID { PostID(source: .feed, local: String(number)) }
        _ = try await store.mark(.read, ids: [id(1), id(10)])
        _ = try await store.mark(.read, ids: [id(2)])
        try await store.prune(olderThan: 1, on: 1000)
        #expect(try await Marks.last(10, in: store).map(\.changed) == [1])
        let undone = try #require(try await store.undoMarking())
        #expect(undone.changed == 1 && undone.titles == ["Item"])
        #expect(try await store.read { try Sources($0).find(.feed) }?.unread == 3)
        #expect(try await store.undoMarking() == nil)
    }

    @Test("can forget a source except for saved posts, and then treats its posts as new")
    func forget() async throws {
        try await followed()
        try await store.list([sample(title: "One")])
        _ = try await store.mark(.saved, ids: [PostID(source: .feed, local: "2")])
        _ = try await store.mark(.read, ids: [PostID(source: .feed, local: "3")])
        try await store.writeToDisk { try Sources($0).setRetention(.age(1, .years), of: .feed) }
        let sources = SourceScope(try await store.read { try Sources($0).all() })
        #expect(try await store.ids(Query(words: "words"), of: .feed).count == 10)
        let lastSeen = try await store.openList(Query(newFor: "cron"), in: sources).lastSeen
        try await store.writeToDisk { try Cursors($0).move("cron", in: sources, to: lastSeen) }
        for source in sources.sources { _ = try await store.prune(source.key, before: nil, at: .day(11)) }
        #expect(try await store.read { try Sources($0).all() }.map(\.id) == [.feed])
        #expect(try await store.read { try Sources($0).find(.feed) }?.keep == nil)
        #expect(try await store.facts().posts == 1)
        #expect(try await store.read { try Sources($0).find(.feed) }?.posts == 1)
        try await store.feed([.item("g3", day: 3, body: "words")], on: 12)
        #expect(try await store.ids(Query(newFor: "cron"), of: .feed) == ["11"])
        #expect(try await store.ids(Query(words: "words"), of: .feed).sorted() == ["11", "2"])
        #expect(try await store.ids(Query(filter: Filter(isUnread: true)), of: .feed).contains("11"))
        #expect(try await store.check() == [])
    }

    @Test("skips posts that were saved or changed in the meantime")
    func meanwhile() async throws {
        try await followed()
        _ = try await store.ids(Query(words: "words"), of: .feed)
        let done = try await store.pruneAround { store in
            _ = try await store.mark(.saved, ids: [PostID(source: .feed, local: "1")])
            try await store.store("other", of: "2", .feed)
        }
        #expect(done == PruneCounts(posts: 5))
        #expect(try await store.ids(Query(words: "other"), of: .feed) == ["2"])
        #expect(try await store.check() == [])
    }
}

extension PostStore {
    fileprivate var prunedCount: Int {
        get throws { try connection.database.first("SELECT count(*) FROM pruned") { Int($0.integer(0)) } ?? 0 }
    }

    /// Prunes all posts that a feed no longer lists, and does other work just before they are deleted.
    fileprivate func pruneAround(_ work: (PostStore) async throws -> Void) async throws -> PruneCounts {
        guard let key = try read({ try Sources($0).find(.feed) })?.key else { return PruneCounts() }
        let database = connection.database
        let pruning = Pruning(database: database, sourceKey: key, cutoff: .day(1000))
        let batch = pruning.prepare(try pruning.candidates()[...], for: .seconds(3600))
        try await work(self)
        return try database.transaction { try pruning.apply(batch) }
    }
}
