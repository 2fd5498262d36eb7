import BlogLibrary
import BlogModel
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("A list of posts", .serialized) struct PostIndexesTests {
    static let queries: [(Query, String)] = [
        (Query(limit: 20), "posts_by_date"),
        (Query(arrangement: Arrangement(sorting: .title), limit: 20), "posts_by_title"),
        (Query(arrangement: Arrangement(sorting: .author), limit: 20), "posts_by_author"),
        (Query(arrangement: Arrangement(grouping: .author)), "posts_by_author"),
        (Query(filter: Filter(isUnread: true), limit: 20), "posts_unread"),
        (Query(filter: Filter(isSaved: true), limit: 20), "posts_saved"),
    ]

    @Test("is read by an index that is created on first use, if it is long", arguments: queries)
    func indexes(query: Query, name: String) async throws {
        let store = try PostStore()
        try await store.list((1...2500).map { try sample(id: "\($0)", title: "Title \(2500 - $0)") })
        let before = try await store.plan(query)
        #expect(before.contains(name) == (name == "posts_saved"), "\(before)")
        let ids = try await store.ids(query)
        let plan = try await store.plan(query)
        #expect(plan.contains("USING INDEX \(name)"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
        #expect(try await store.ids(query) == ids)
    }

    static let filters: [(Query, isScan: Bool)] = [
        (Query(filter: Filter(author: "kim")), true),
        (Query(filter: Filter(title: "title 7")), true),
        (Query(filter: Filter(author: "kim"), limit: 20), false),
        (Query(filter: Filter(author: "kim", isSaved: true)), false),
        (Query(filter: Filter(author: "kim", isUnread: true)), false),
        (Query(filter: Filter(author: "kim", label: "later")), false),
        (Query(filter: Filter(title: "title 7", since: Date(timeIntervalSince1970: 0))), false),
    ]

    @Test(
        "of several sources is read as stored if only words leave few of all posts, and by an index if not",
        arguments: filters)
    func words(query: Query, isScan: Bool) async throws {
        let store = try PostStore()
        for source in [SourceID.one, .two] {
            let posts = try (1...1500).map {
                try sample(id: "\($0)", title: "Title \($0)", author: $0 % 500 == 0 ? "Kim" : "Lee")
            }
            try await store.list(posts, of: source)
        }
        let count = query.isOfKept ? 0 : query.filter.author == nil ? 2 : 6
        #expect(try await store.idsOfAll(query).count == count)
        let plan = try await store.planOfAll(query)
        #expect(plan.split(separator: "\n").contains("SCAN posts") == isScan, "\(plan)")
    }

    @Test("of several sources is looked up by source if they have few posts, and needs no index")
    func fewOfMany() async throws {
        let store = try PostStore()
        for source in [SourceID.one, .two] {
            try await store.list((1...10).map { try sample(id: "\($0)") }, of: source)
        }
        try await store.list((1...2500).map { try sample(id: "\($0)") }, of: .feed)
        let scope = SourceScope(try await store.read { try Sources($0).find([.one, .two]) })
        _ = try await store.openList(Query(limit: 20), in: scope)
        let plan = try await store.plan(Query(limit: 20), in: scope)
        #expect(plan.contains("(source=?") && !plan.contains("all_by"), "\(plan)")
    }

    @Test("needs no index if it is short")
    func few() async throws {
        let store = try PostStore()
        try await store.list((1...10).map { try sample(id: "\($0)") })
        #expect(try await store.ids(Query()).count == 10)
        #expect(try await !store.plan().contains("posts_by"))
    }

    @Test("is shown even if its index can't be created")
    func busy() async throws {
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("s"))
        try await store.list((1...2500).map { try sample(id: "\($0)") })
        let other = try Database(path: folder.path("s"), mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        #expect(try await store.opened().reduce(into: 0) { count, _ in count += 1 } == 2500)
        #expect(try await !store.plan().contains("posts_by"))
    }
}

extension PostStore {
    /// SQLite's query plan for a list.
    fileprivate func plan(_ query: Query = Query()) async throws -> String { try await plan(query, in: try scope()) }

    fileprivate func planOfAll(_ query: Query) async throws -> String {
        try await plan(query, in: SourceScope(try read { try Sources($0).all() }))
    }

    fileprivate func idsOfAll(_ query: Query) async throws -> [String] {
        let list = try await openList(query, in: SourceScope(try read { try Sources($0).all() }))
        return try nextBatch(list.number).map(\.metadata.id)
    }

    fileprivate func plan(_ query: Query, in scope: SourceScope) async throws -> String {
        let database = connection.database
        let list = ListStatement(query, in: scope, settled: try await settleRules())
        return try database.all("EXPLAIN QUERY PLAN " + list.posts, list.values) { $0.text(3) ?? "" }
            .joined(separator: "\n")
    }
}
