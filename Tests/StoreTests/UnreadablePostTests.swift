import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("An unreadable post") struct UnreadablePostTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    /// Three posts; the second is corrupted.
    private func storeCorrupted(_ column: String = "details") async throws {
        try await store.list((1...3).map { try sample(id: String($0), title: "Word") })
        for id in 1...3 { try await store.store("text", of: String(id)) }
        try await store.execute("UPDATE posts SET \(column) = '[]' WHERE id = '2'")
    }

    @Test("is left out of lists and searches, and reported", arguments: ["details", "publish_date"])
    func lists(column: String) async throws {
        try await storeCorrupted(column)
        #expect(try await store.ids() == ["1", "3"])
        #expect(try await store.ids(Query(words: "text")) == ["1", "3"])
        #expect(await store.unreadable == [UnreadablePost(key: 2, id: PostID(source: .one, local: "2"))])
    }

    @Test("may be the first of a list, or any other", arguments: [["1"], ["1", "2", "3"]])
    func first(ids: [String]) async throws {
        try await storeCorrupted()
        for id in ids { try await store.execute("UPDATE posts SET details = '[]' WHERE id = '\(id)'") }
        #expect(try await store.ids() == (ids.count == 1 ? ["3"] : []))
    }

    @Test("is repaired by the next list that has it")
    func repairedByFeed() async throws {
        try await storeCorrupted()
        try await store.list((1...3).map { try sample(id: String($0), title: "Word") })
        #expect(try await store.ids() == ["1", "2", "3"])
        #expect(try await store.ids(Query(words: "word")) == ["1", "2", "3"])
        #expect(try await store.check() == [])
    }

    @Test("is repaired by its feed, and keeps its number", arguments: ["details", "publish_date"])
    func feed(column: String) async throws {
        try await store.feed([.item("a", day: 1), .item("b", day: 2)], on: 2)
        try await store.execute("UPDATE posts SET \(column) = '[]' WHERE id = '1'")
        try await store.feed([.item("a", day: 1), .item("b", day: 2)], on: 3)
        #expect(try await store.ids(of: .feed) == ["2", "1"])
        #expect(try await store.check() == [])
    }

    @Test("is skipped by a sync")
    func sync() async throws {
        try await storeCorrupted()
        let settled = try await store.settleRules()
        let plan = try await store.read { try SyncPlan($0).items(of: .one, Query(), settled) }
        #expect(try await store.planned(plan).map(\.metadata.id) == ["1", "3"])
        #expect(await store.unreadable.count == 1)
    }

    @Test("is missing from the items, so that it is fetched again")
    func items() async throws {
        try await storeCorrupted()
        #expect(try await Set(store.read { try Items($0).find(["1", "2", "3"], of: .one) }.keys) == ["1", "3"])
    }

    @Test("is reported by a check, and doesn't prevent a vacuum")
    func maintenance() async throws {
        try await storeCorrupted()
        #expect(try await store.check() == ["the post 2 of http://a can't be read"])
        try await store.vacuum()
        #expect(try await store.ids() == ["1", "3"])
    }

    @Test("isn't confused with a long HTML body, which is searched to its end")
    func longHTML() async throws {
        try await store.list([sample(id: "1")])
        let text = "<p>" + String(repeating: "many words ", count: 20_000) + " <i>last</i>"
        try await store.write {
            try Bodies($0).save([("1", FetchedBody(text: text, format: .html, fetchedAt: .day(1)))], of: .one)
        }
        #expect(try await store.ids(Query(words: "last")) == ["1"])
        #expect(try await store.ids(Query(words: "i")) == [])
        let snippet = try await store.posts(Query(words: "last")).first?.snippet
        #expect(snippet?.pieces.contains { $0.isHit && $0.text == "last" } == true)
        #expect(try await store.check() == [])
    }
}

extension PostStore {
    fileprivate func execute(_ sql: String) throws { try connection.database.execute(sql) }
}
