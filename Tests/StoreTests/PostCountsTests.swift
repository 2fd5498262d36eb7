import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Stored numbers of posts") struct PostCountsTests {
    @Test("follow changes to posts", arguments: [10, 2500])
    func counts(count: Int) async throws {
        let store = try PostStore()
        func numbers() async throws -> [Int] {
            let state = try #require(try await store.read { try Sources($0).all() }.first)
            #expect(try await store.check() == [])
            return [state.posts, state.bodies, state.unread]
        }
        try await store.list((1...count).map { try sample(id: "\($0)") })
        #expect(try await numbers() == [count, 0, count])
        _ = try await store.mark(.read, ids: .one("1", "2"))
        try await store.write { try Bodies($0).save([("1", FetchedBody(text: "body", fetchedAt: Date()))], of: .one) }
        #expect(try await numbers() == [count, 1, count - 2])
        try await store.list((2...count + 2).map { try sample(id: "\($0)", title: "new") })
        try await store.write { try Posts($0).save(try sample(id: "beside"), of: .one, at: Date()) }
        #expect(try await numbers() == [count + 1, 0, count])
    }
    @Test("tell comments from posts in a list with both")
    func comments() async throws {
        let store = try PostStore()
        let reply = Details.discussion(Discussion(parent: "1", replies: []))
        try await store.list([try sample(id: "1"), try sample(id: "2", details: reply)])
        #expect(try await store.read { try Sources($0).all() }.map(\.comments) == [1])
        #expect(try await store.check() == [])
    }
}

@Suite("The number of posts in a list") struct ListCountsTests {
    private func counts(_ query: Query, _ store: PostStore) async throws -> ListCounts? {
        try await store.counts(of: query, in: SourceScope(try await store.read { try Sources($0).all() }))
    }

    @Test("ignores the limit, but not the filters")
    func filters() async throws {
        let store = try PostStore()
        try await store.list((1...5).map { try sample(id: "\($0)", title: $0 < 3 ? "one" : "two") })
        _ = try await store.mark(.read, ids: .one("1", "3"))
        #expect(try await counts(Query(limit: 2), store) == ListCounts(posts: 5, unread: 3))
        #expect(try await counts(Query(filter: Filter(title: "two")), store) == ListCounts(posts: 3, unread: 2))
        #expect(try await counts(Query(words: "two"), store) == nil)
    }

    @Test("includes posts of a ranking that were never fetched")
    func ranking() async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1"), sample(id: "2")])
        try await store.write { try Rankings($0).save(["3", "1", "2", "4"], of: "top", .one, at: Date()) }
        _ = try await store.mark(.read, ids: .one("1"))
        var query = Query(limit: 1)
        query.section = "top"
        #expect(try await counts(query, store) == ListCounts(posts: 4, unread: 3))
        query.filter.isUnread = true
        #expect(try await counts(query, store) == ListCounts(posts: 1, unread: 1))
    }

    @Test("are those of a ranking without the posts that a rule hides")
    func hiddenInRanking() async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1", title: "one"), sample(id: "2", title: "two")])
        try await store.write { try Rankings($0).save(["3", "1", "2", "4"], of: "top", .one, at: Date()) }
        _ = try await store.add(Rule(words: "two", isHiding: true))
        var query = Query()
        query.section = "top"
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        #expect(try await store.counts(of: query, in: scope) == ListCounts(posts: 3, unread: 3))
    }
}
