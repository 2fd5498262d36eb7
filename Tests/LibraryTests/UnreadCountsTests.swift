import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("The numbers of unread posts") struct UnreadCountsTests {
    private static let ranked = SourceID(kind: "hackernews", address: "https://hn.example/v0")

    /// A store with blogs, a ranking and a service's feeds in folders, whose posts are about the same few stories, and some of
    /// which are read or hidden.
    private func store(_ random: inout SplitMix) async throws -> PostStore {
        let store = try PostStore()
        func posts(_ count: Int, _ name: String) throws -> [PostMetadata] {
            try (1...count).map { number in
                let story = Int.random(in: 1...30, using: &random)
                return try sample(
                    id: "\(number)", postId: "\(name)\(number)",
                    link: story < 25 ? "https://site\(story % 3).example/story/\(story)" : nil)
            }
        }
        for number in 1...Int.random(in: 0...5, using: &random) + 1 {
            let source = SourceID(kind: "blog", address: "https://site\(number).example")
            try await store.list(posts(Int.random(in: 1...20, using: &random), "p\(number)"), of: source)
            let folder = ["", "a", "a/b", "c"].randomElement(using: &random)
            _ = try await store.write {
                try Sources($0).follow(source, in: folder, site: nil, at: Date()) { _ in "s\(number)" }
            }
        }
        if Bool.random(using: &random) {
            let listed = try posts(50, "r")
            let ids = listed.map(\.id).shuffled(using: &random)
            try await store.write {
                try Rankings($0).save(ids, listed.map { Entry($0) }, of: "top", Self.ranked, at: Date())
            }
            _ = try await store.write {
                try Sources($0).follow(Self.ranked, in: "a", site: nil, at: Date()) { _ in "news" }
            }
        }
        let all = try await store.read { try $0.all("SELECT key FROM posts", []) { $0.integer(0) } }
        for key in all {
            let (isRead, isHidden) = (Bool.random(using: &random), Int.random(in: 0...9, using: &random) == 0)
            try await store.write {
                try $0.run(
                    "UPDATE posts SET (is_read, is_hidden) = (?, ?) WHERE key = ?",
                    [.bool(isRead), .bool(isHidden), .integer(key)])
            }
        }
        return store
    }

    /// How many posts `list --unread` lists.
    private func listed(_ scope: Scope, _ library: Library) async throws -> Int {
        let list = try await library.offline.list(Query(filter: Filter(isUnread: true)), in: scope)
        return try await list.posts.reduce(0) { count, _ in count + 1 }
    }

    @Test(
        "are those that lists have, of a source, a folder and all, and none is left once all are read",
        arguments: 0..<30)
    func same(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let library = Library(store: try await store(&random), client: .impatient())
        let overview = try await library.overview(of: library.resolve(.everything))
        for source in overview.sources {
            #expect(try await listed(.sources([source.id]), library) == source.unread, "\(source.name)")
        }
        for (folder, unread) in overview.unreadByFolder {
            #expect(try await listed(.folder(folder), library) == unread, "\(folder)")
        }
        let all = try await listed(.everything, library)
        #expect(overview.unread == all)
        #expect(overview.sources.reduce(0) { $0 + $1.unread } >= all)
        #expect(try await library.counts(of: Query(), in: .everything)?.unread == all)
        #expect(try await library.mark(.read, all: Filter(), in: .everything).changed == all)
        #expect(try await library.overview(of: library.resolve(.everything)).unread == 0)
        #expect(try await listed(.everything, library) == 0)
    }

    @Test("are those of a list whose posts are read, though a duplicate that it hides isn't")
    func unreadTwin() async throws {
        let (a, b) = (
            SourceID(kind: "blog", address: "https://a.example"), SourceID(kind: "blog", address: "https://b.example")
        )
        let store = try PostStore()
        let link = "https://c.example/story"
        try await store.list([sample(id: "1", postId: "x", link: link)], of: a)
        try await store.list([sample(id: "1", postId: "y", link: link)], of: b)
        for (source, name) in [(a, "a"), (b, "b")] {
            _ = try await store.write { try Sources($0).follow(source, in: "", site: nil, at: Date()) { _ in name } }
        }
        try await store.write {
            try $0.run("UPDATE posts SET is_read = 1 WHERE key = (SELECT min(key) FROM posts)", [])
        }
        let library = Library(store: store, client: .impatient())
        let listed = try await library.offline.list(Query(filter: Filter(isUnread: true)), in: .everything)
        let count = try await listed.posts.reduce(0) { count, _ in count + 1 }
        #expect(count == 1)
        #expect(try await library.counts(of: Query(), in: .everything) == ListCounts(posts: 1, unread: count))
    }
}
