import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A feed with numbered posts", .serialized) struct FeedNumberTests: FeedFollowing {
    let fixture: FeedFixture

    init() throws { fixture = try FeedFixture() }

    private func item(_ name: String) -> String { "<item><guid>\(name)</guid><title>\(name)</title></item>" }

    @Test(
        "keeps an imported number up to a billion, if it is written as numbers are",
        arguments: [("1000000000", 1_000_000_000), ("1000000001", nil), ("007", nil), ("+7", nil), ("0", nil)])
    func importedForm(id: String, number: Int64?) {
        #expect(EntryNumbers.number(id) == number)
    }

    static let extremes = [
        "9223372036854775807", "9223372036854775806", "-9223372036854775808", "-1", "0", "1000000000", "1000000000000",
        "1000000000001", "007", "+7", "1e308", "x", "3",
    ]

    @Test("gives its new posts unique numbers after an import of any ID", arguments: extremes)
    func importedNumber(id: String) async throws {
        serve(item("a"), item("b"))
        let source = try await follow("/feeds/feed.xml").source
        let post = try #require(try await store.exported().first)
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

    @Test("keeps its marks, and gets no duplicates, when exported to another store and followed there")
    func travel() async throws {
        let folder = try TemporaryFolder()
        let id = try await follow("/feeds/feed.xml").source
        _ = try await library().mark(.saved, ids: [PostID(source: id, local: "2")])
        let exported = try await store.exported()
        let other = try PostStore(path: folder.path("s"))
        #expect(try await other.merge(exported).new == 4)
        #expect(try await other.merge(exported).unchanged == 4)
        let library = library(store: other)
        _ = try await library.follow(id.address)
        #expect(try await library.page(Query(), after: nil, count: 100).count == 4)
        #expect(
            try await library.page(Query(filter: Filter(isSaved: true)), after: nil, count: 9).map(\.metadata.id) == [
                "2"
            ])
    }

    @Test("sorts imported posts with a future date by when they last changed", arguments: [false, true])
    func futureDate(isStored: Bool) async throws {
        let date = "<pubDate>Mon, 04 Jan 2100 00:00:00 GMT</pubDate>"
        serve("<item><guid>b</guid><title>b</title>\(date)</item>")
        let seen = Date(timeIntervalSince1970: 1_700_000_000)
        let id = try await library(now: { seen }).follow(
            FollowRequest(server.address + "/feeds/feed.xml", name: "feed")
        ).source
        var future = try #require(try await store.exported().first)
        #expect(future.numbered == true)
        var past = future
        past.metadata = PostMetadata(
            id: "2", title: "a", publishDate: Timestamp(secondsSince1970: 1_750_000_000), postId: "a", summary: nil,
            author: future.metadata.author, details: future.metadata.details)
        past.changedAt = 1_760_000_000_000
        let other = try PostStore()
        if isStored {
            _ = try await other.merge([future])
            future.saved = true
        }
        _ = try await other.merge([future, past])
        #expect(try await other.posts(Query(), of: id).map(\.metadata.title) == ["a", "b"])
    }

    @Test("has every post once after a merge with a store that numbered them differently")
    func renumbered() async throws {
        serve(item("a"), item("b"))
        let id = try await follow("/feeds/feed.xml").source
        let other = try PostStore()
        serve(item("d"), item("b"))
        let library = library(store: other)
        _ = try await library.follow(FollowRequest(id.address, kind: "feed", name: "feed"))
        let theirs = try await other.exported()
        #expect(try await store.merge(theirs).new == 1)
        #expect(try await store.merge(theirs).total == 2)
        func numbers(_ store: PostStore) async throws -> [String: String] {
            try await store.posts(of: id).reduce(into: [:]) { $0[$1.metadata.title] = $1.metadata.id }
        }
        let first = try await numbers(store)
        #expect(first.keys.sorted() == ["a", "b", "d"])
        #expect(Set(first.values) == ["1", "2", "3"] && first["d"] == "3")
        #expect(try await other.merge(store.exported()).new == 1)
        #expect(try await numbers(other).keys.sorted() == ["a", "b", "d"])
        // The next post gets an unused number.
        serve(item("e"), item("d"), item("a"), item("b"))
        try await refresh()
        #expect(try await numbers(store)["e"] == "4")
        #expect(try await numbers(store).count == 4)
    }
}
