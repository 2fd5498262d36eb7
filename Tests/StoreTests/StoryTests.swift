import BlogLibrary
import BlogModel
@testable import BlogStore
import BlogTestSupport
import Foundation
import Testing

/// What a source says of a story at https://site.example.
private enum Teller: String, CaseIterable, CustomTestStringConvertible {
    /// The site's own feed.
    case site
    /// A feed on a server of its own, which says that it is of the site, as most of its posts are.
    case named
    /// One that says so, although most of its posts are elsewhere.
    case pretender
    /// A link aggregator.
    case link

    var testDescription: String { rawValue }

    /// Another source of the same kind, for pairs of a kind.
    func source(isSecond: Bool) -> SourceID {
        let host = self == .site ? "site.example" : "\(rawValue).example"
        return SourceID(kind: "feed", address: "https://\(host)/\(isSecond ? "second" : "first").xml")
    }

    var home: String? { self == .named || self == .pretender ? "https://site.example/" : nil }

    /// A post of the story, and two others.
    func posts() throws -> [PostMetadata] {
        let host = self == .site || self == .named ? "site.example" : "\(rawValue).example"
        let guid = self == .site || self == .named ? "story" : "\(rawValue)-1"
        return try [
            sample(id: "1", title: "A story", postId: guid, summary: nil, link: "https://site.example/story"),
            sample(id: "2", postId: "\(rawValue)-2", link: "https://\(host)/\(rawValue)-2"),
            sample(id: "3", postId: "\(rawValue)-3", link: "https://\(host)/\(rawValue)-3"),
        ]
    }

    /// Whether a reader who has read the story here has read the post of another source.
    func hasRead(_ other: Teller) -> Bool {
        switch (self, other) {
        // Two that say they are the story itself are believed only if they say so with equal reason.
        case (.site, .named), (.named, .site): false
        case (.site, _), (.named, _): true
        // Who has seen a link hasn't read what it leads to.
        case (.link, _), (.pretender, _): false
        }
    }
}

@Suite("A story in several sources") struct StoryTests {
    private let store: PostStore

    init() throws { store = try PostStore() }

    private static let pairs = Teller.allCases.flatMap { first in Teller.allCases.map { (first, $0) } }

    private func arrive(_ teller: Teller, isSecond: Bool) async throws -> PostID {
        let mark = RefreshMark(
            Checkpoint(validators: CacheValidators(), digest: nil, home: teller.home),
            refreshedAt: Date(timeIntervalSince1970: 1000))
        let source = teller.source(isSecond: isSecond)
        try await store.store(teller.posts(), of: source, mark: mark)
        return PostID(source: source, local: "1")
    }

    private func isRead(_ post: PostID) async throws -> Bool {
        try await store.posts(of: post.source).contains { $0.metadata.id == post.local && $0.state.isRead }
    }

    @Test("is read when it arrives only if the story itself was read before", arguments: pairs)
    private func arriving(read: Teller, arriving: Teller) async throws {
        let first = try await arrive(read, isSecond: false)
        _ = try await store.mark(.read, ids: [first])
        let second = try await arrive(arriving, isSecond: true)
        #expect(try await isRead(second) == read.hasRead(arriving))
        #expect(try await isRead(first))
    }

    @Test("is read in another source, too, only if it is the story itself that is read", arguments: pairs)
    private func reading(read: Teller, other: Teller) async throws {
        for isFirst in [true, false] {
            let fresh = StoryTests(store: try PostStore())
            let before = isFirst ? try await fresh.arrive(other, isSecond: true) : nil
            let post = try await fresh.arrive(read, isSecond: false)
            let after = try await fresh.arrive(other, isSecond: true)
            try await fresh.store.noteReading(of: [post])
            #expect(try await fresh.isRead(before ?? after) == read.hasRead(other), "\(isFirst)")
        }
    }

    @Test("stays unread at its site if all links of another source are marked as read", arguments: pairs)
    private func markingAll(marked: Teller, other: Teller) async throws {
        let second = try await arrive(other, isSecond: true)
        let first = try await arrive(marked, isSecond: false)
        #expect(try await store.mark(.read, all: Query(), in: store.scope(first.source)).changed == 3)
        #expect(try await isRead(second) == marked.hasRead(other))
    }

    @Test("is done with once one of its posts is marked", arguments: pairs)
    private func marking(marked: Teller, other: Teller) async throws {
        let second = try await arrive(other, isSecond: true)
        let first = try await arrive(marked, isSecond: false)
        _ = try await store.mark(.read, ids: [first])
        #expect(try await isRead(second) == (Set([marked, other]) != [.site, .named]))
    }

    private init(store: PostStore) { self.store = store }

    @Test("hides no post of another source that only says it is of that site", arguments: pairs)
    private func listing(first: Teller, second: Teller) async throws {
        _ = try await arrive(first, isSecond: false)
        _ = try await arrive(second, isSecond: true)
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        let list = try await store.openList(Query(), in: scope).number
        let listed = try await PostList.Posts(store: store, list: list).reduce(into: []) { $0.append($1) }
            .filter { $0.metadata.title == "A story" }
        let isOne = Set([first, second]) != [.site, .named]
        #expect(listed.count == (isOne ? 1 : 2))
        // The site's own post is shown, whichever came first.
        let best = [first, second].min { Self.rank($0) < Self.rank($1) }
        if isOne { #expect(listed.first.map(\.metadata.postId) == (try best?.posts()[0].postId)) }
    }

    /// A store with posts of two sources that link to the same page.
    private func linked(_ details: Details? = nil) async throws -> (store: PostStore, sources: [SourceID]) {
        let store = try PostStore()
        let sources = ["a", "b"].map { SourceID(kind: "feed", address: "https://\($0).example") }
        let link = "https://c.example/story"
        try await store.list([sample(id: "1", postId: "x", link: link, details: details)], of: sources[0])
        try await store.list([sample(id: "1", postId: "y", link: link)], of: sources[1])
        return (store, sources)
    }

    @Test("isn't that of a dead post, which is in no list")
    func dead() async throws {
        let (store, _) = try await linked(.discussion(Discussion(parent: nil, replies: [], removal: .dead)))
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        let list = try await store.openList(Query(), in: scope).number
        let ids = try await PostList.Posts(store: store, list: list).reduce(into: []) { $0.append($1.metadata.postId) }
        #expect(ids == ["y"])
        #expect(try await store.counts(of: Query(), in: scope) == ListCounts(posts: 1, unread: 1))
    }

    @Test("isn't read with one that a rule hides")
    func hidden() async throws {
        let (store, sources) = try await linked()
        try await store.write { try $0.run("UPDATE posts SET is_hidden = 1 WHERE post_id = 'y'", []) }
        _ = try await store.mark(.read, ids: [PostID(source: sources[0], local: "1")])
        #expect(try await store.read { try $0.texts("SELECT post_id FROM posts WHERE is_read") } == ["x"])
    }

    /// Which of several posts is shown; of equal ones, the first.
    private static func rank(_ teller: Teller) -> Int {
        switch teller {
        case .site: 0
        case .named: 1
        case .pretender, .link: 2
        }
    }
}
