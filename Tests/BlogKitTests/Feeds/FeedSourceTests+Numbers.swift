import Foundation
import MockServer
import Testing
@testable import BlogLibrary
@testable import HTTP
@testable import Model
@testable import Rendering
@testable import SQLite
@testable import Store

extension FeedSourceTests {
    private func item(_ name: String) -> String { "<item><guid>\(name)</guid><title>\(name)</title></item>" }

    private static let extremes = [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808", "-1", "0", "1000000000", "1000000000000",
        "1000000000001", "007", "+7", "1e308", "x", "3",
    ]

    @Test("gives each new post a number of its own after an import of any id", arguments: extremes)
    private func importedNumber(id: String) async throws {
        defer { server.stop() }
        serve(item("a"), item("b"))
        let source = try await follow("/feeds/feed.xml").source
        let post = try #require(try await exported(store).first)
        for isNumbered in [true, false] {
            var other = post
            other.numbered = isNumbered ? true : nil
            other.metadata = PostMetadata(
                id: id, title: "imported \(isNumbered)", publishDate: post.metadata.publishDate,
                postId: "imported \(isNumbered)", summary: nil, author: post.metadata.author,
                details: post.metadata.details)
            _ = try await store.merge([other])
        }
        let imported = try await store.posts(of: source).count
        serve(item("a"), item("b"), item("c"), item("d"))
        try await refresh()
        serve(item("a"), item("b"), item("c"), item("d"), item("e"))
        try await refresh()
        let posts = try await store.posts(Query(), of: source)
        let titles = Dictionary(grouping: posts, by: \.metadata.title)
        #expect(Set(posts.map(\.metadata.id)).count == posts.count)
        for title in ["a", "b", "c", "d", "e"] { #expect(titles[title]?.count == 1, "\(title)") }
        #expect(imported >= 3)
        #expect(try await store.check() == [])
    }

    @Test("numbers new posts where an earlier import left the last number out of range, which a check finds")
    func damagedNumber() async throws {
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("s"))
        func library() -> Library {
            Library(
                store: store, client: HTTPClient(transport: TransportKind.used.make(), slack: 120), freshness: .refresh)
        }
        serve(item("a"), item("b"))
        let id = try await library().follow(FollowRequest(server.address + "/feeds/feed.xml", name: "feed")).source
        try Database(path: folder.path("s"), mode: .readWrite).execute(
            """
            UPDATE posts SET (id, number) = ('9223372036854775807', 9223372036854775807) WHERE title = 'b';
            UPDATE blogs SET (last_number, followed_at) = (9.3e18, -9223372036854775808);
            """)
        #expect(try await store.check() == [PostStore.unsoundNumbers])
        #expect(Archive.mendable.contains(PostStore.unsoundNumbers))
        serve(item("a"), item("b"), item("c"), item("d"))
        _ = await library().refresh([id], onlyDue: false, deadline: nil)
        let kept = try #require(try await store.posts(of: id).first { $0.metadata.title == "a" }?.metadata.id)
        let next = (1...2).compactMap { offset in Int(kept).map { String($0 + offset) } }
        #expect(Set(try await store.ids(of: id)) == Set([kept, "9223372036854775807"] + next))
        try await store.vacuum()
        #expect(try await store.check() == [])
        #expect(try await store.ids(of: id).allSatisfy { Int($0) ?? .max < 10 })
        #expect(try await Set(store.ids(of: id)).count == 4)
        #expect(try await store.posts(of: id).map(\.metadata.title).sorted() == ["a", "b", "c", "d"])
    }
}
