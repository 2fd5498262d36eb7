import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A post that changes", .serialized) struct PostChangesTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    private func list(_ posts: PostMetadata..., at seconds: TimeInterval) async throws {
        try await store.list(posts, at: seconds)
    }

    private func body(_ text: String, _ format: BodyFormat?, at seconds: TimeInterval) async throws {
        let body = FetchedBody(text: text, format: format, fetchedAt: Date(timeIntervalSince1970: seconds))
        try await store.write { try Bodies($0).save([("1", body)], of: .one) }
    }

    private func changed() async throws -> [String: String] {
        try await store.posts().reduce(into: [:]) { $0[$1.metadata.id] = $1.changed?.utc }
    }

    @Test("is dated when its title, summary or author changes, and keeps its marks")
    func words() async throws {
        try await list(sample(), sample(id: "2"), at: 1000)
        #expect(try await changed() == [:])
        _ = try await store.mark(.read, ids: .one("1"))
        try await list(sample(title: "Other"), sample(id: "2"), at: 2000)
        #expect(try await changed() == ["1": "1970-01-01T00:33:20Z"])
        #expect(try await store.posts().filter(\.state.isRead).map(\.metadata.id) == ["1"])
        try await list(sample(title: "Other"), sample(id: "2", author: "Lee"), at: 3000)
        #expect(try await changed() == ["1": "1970-01-01T00:33:20Z", "2": "1970-01-01T00:50:00Z"])
    }

    @Test("isn't changed by markup, a tracking pixel or the author's role")
    func invisible() async throws {
        try await list(sample(), at: 1000)
        try await body("<p class='a'>Hello</p>", .html, at: 1500)
        #expect(try await changed() == [:])
        try await list(sample(role: "Boss"), at: 2000)
        try await body("<p class='b'>Hello<img src='?7'></p>", .html, at: 2500)
        #expect(try await changed() == [:])
        try await body("<p>Hello you</p>", .html, at: 3000)
        #expect(try await changed() == ["1": "1970-01-01T00:50:00Z"])
    }

    @Test("isn't changed by the text of a discussion, which has the votes of a poll")
    func votes() async throws {
        let poll = PostMetadata(
            id: "1", title: "Poll", publishDate: Timestamp(secondsSince1970: 5), postId: "1", summary: nil,
            author: Author(name: "a"), details: .discussion(Discussion(parent: nil, replies: [])))
        for (second, text) in [(1000.0, "Yes: 1"), (2000, "Yes: 2")] {
            let content = Entry.Content(text, .html)
            try await store.write {
                try Items($0).save([Entry(poll, content: content)], of: .one, at: Date(timeIntervalSince1970: second))
            }
        }
        #expect(try await changed() == [:])
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.text == "Yes: 2")
    }

    @Test("may change in its body only, of any length")
    func long() async throws {
        try await list(sample(), at: 1000)
        let text = String(repeating: "a long text ", count: 20_000)
        try await body(text, nil, at: 1500)
        try await body(text, nil, at: 2500)
        #expect(try await changed() == [:])
        try await body(text + "!", nil, at: 3000)
        #expect(try await changed() == ["1": "1970-01-01T00:50:00Z"])
    }

    @Test("isn't changed by a list that always has two records of it")
    func twice() async throws {
        try await list(sample(title: "A"), sample(title: "B"), at: 1000)
        for second in 2...4 { try await list(sample(title: "A"), sample(title: "B"), at: Double(second) * 1000) }
        #expect(try await changed() == [:])
        #expect(try await store.posts().map(\.metadata.title) == ["B"])
    }

    @Test("is new again for each cursor, even if the clock was set back")
    func cursors() async throws {
        try await list(sample(), sample(id: "2"), sample(id: "3"), at: 9000)
        let blog = try await store.scope()
        func see() async throws {
            let seen = try await store.openList(Query(newFor: "cron"), in: blog).lastSeen
            try await store.writeToDisk { try Cursors($0).move("cron", in: blog, to: seen) }
        }
        try await see()
        try await list(sample(), sample(id: "2", title: "Other"), sample(id: "3"), at: 8000)
        #expect(try await store.ids(Query(newFor: "cron")) == ["2"])
        try await see()
        #expect(try await store.ids(Query(newFor: "cron")) == [])
        // A list that was read before ends later.
        try await store.writeToDisk { try Cursors($0).move("cron", in: blog, to: LastSeen(post: 3, change: 0)) }
        #expect(try await store.ids(Query(newFor: "cron")) == [])
        try await list(sample(title: "Other"), sample(id: "2", title: "Other"), sample(id: "3"), at: 7000)
        #expect(try await store.ids(Query(newFor: "cron")) == ["1"])
    }

    @Test("is new for a cursor even if the post that changed last was deleted")
    func prunedChange() async throws {
        try await list(sample(), sample(id: "2"), sample(id: "3"), at: 1000)
        try await list(sample(), sample(id: "2", title: "Other"), sample(id: "3"), at: 2000)
        let blog = try await store.scope()
        let seen = try await store.openList(Query(newFor: "cron"), in: blog).lastSeen
        try await store.writeToDisk { try Cursors($0).move("cron", in: blog, to: seen) }
        try await list(sample(), sample(id: "3"), at: 3000)
        let key = try #require(try await store.read { try Sources($0).find(.one) }?.key)
        let later = Date(timeIntervalSince1970: 2_000_000_000)
        #expect(try await store.prune(key, before: later, at: later).posts == 1)
        try await list(sample(title: "Other"), sample(id: "3"), at: 6000)
        #expect(try await store.ids(Query(newFor: "cron")) == ["1"])
    }
}
