import Foundation
import MockServer
import Testing
@testable import BlogLibrary
@testable import HTTP
@testable import Model
@testable import Rendering
@testable import Store

extension FeedSourceTests {
    @Test("travels to another store, where its posts keep their marks and get no second number")
    func travel() async throws {
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let id = try await follow("/feeds/feed.xml").source
        _ = try await library().mark(.saved, ids: [PostID(source: id, local: "2")])
        let exported = try await exported(store)
        let other = try PostStore(path: folder.path("s"))
        #expect(try await other.merge(exported).new == 4)
        #expect(try await other.merge(exported).unchanged == 4)
        let library = Library(
            store: other, client: HTTPClient(transport: TransportKind.used.make(), slack: 120), freshness: .refresh)
        _ = try await library.follow(id.address)
        #expect(try await library.page(Query(), after: nil, count: 100).count == 4)
        #expect(
            try await library.page(Query(filter: Filter(isSaved: true)), after: nil, count: 9).map(\.metadata.id) == [
                "2"
            ])
    }

    func exported(_ store: PostStore) async throws -> [ExportedPost] {
        var posts: [ExportedPost] = []
        for key in try await store.exportKeys() ?? [] {
            if let post = try await store.exported(key, withBody: true) { posts.append(post) }
        }
        return posts
    }

    @Test("has all posts of two stores that gave the same numbers to different ones, each once")
    func renumbered() async throws {
        defer { server.stop() }
        func item(_ name: String) -> String { "<item><guid>\(name)</guid><title>\(name)</title></item>" }
        serve(item("a"), item("b"))
        let id = try await follow("/feeds/feed.xml").source
        let other = try PostStore()
        serve(item("d"), item("b"))
        let library = Library(
            store: other, client: HTTPClient(transport: TransportKind.used.make(), slack: 120), freshness: .refresh)
        _ = try await library.follow(FollowRequest(id.address, kind: "feed", name: "feed"))
        let theirs = try await exported(other)
        #expect(try await store.merge(theirs).new == 1)
        #expect(try await store.merge(theirs).total == 2)
        func numbers(_ store: PostStore) async throws -> [String: String] {
            try await store.posts(of: id).reduce(into: [:]) { $0[$1.metadata.title] = $1.metadata.id }
        }
        let first = try await numbers(store)
        #expect(first.keys.sorted() == ["a", "b", "d"])
        #expect(Set(first.values) == ["1", "2", "3"] && first["d"] == "3")
        #expect(try await other.merge(exported(store)).new == 1)
        #expect(try await numbers(other).keys.sorted() == ["a", "b", "d"])
        // What comes next gets a number that none of them has.
        serve(item("e"), item("d"), item("a"), item("b"))
        try await refresh()
        #expect(try await numbers(store)["e"] == "4")
        #expect(try await numbers(store).count == 4)
    }
}
