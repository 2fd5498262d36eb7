import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A source's name", .serialized) struct SourceNamingTests {
    private let store: PostStore
    private let library: Library

    init() throws {
        store = try PostStore()
        library = Library(store: store, client: HTTPClient(transport: StubTransport(chunks: [])))
    }

    private func follow(_ kind: String, _ number: Int, name: String? = nil, title: String? = nil) async throws
        -> SourceID
    {
        let id = SourceID(kind: kind, address: "https://\(number).example/feed")
        _ = try await store.writeToDisk {
            try Sources($0).follow(id, in: nil, site: nil, label: title, at: Date()) { _ in name ?? "n\(number)" }
        }
        return id
    }

    private func ids(_ name: String) async throws -> [SourceID] {
        guard case .sources(let ids) = try await library.scope(named: [name]) else { return [] }
        return ids
    }

    /// Those of which there may be several sources.
    static let kinds = SourceRegistry.kinds.filter { !$0.isLocal }.map(\.name)

    @Test("may be its kind, if it is the only one of that kind", arguments: kinds)
    func onlyOne(kind: String) async throws {
        let other = try #require(Self.kinds.first { $0 != kind })
        _ = try await follow(other, 1)
        let only = try await follow(kind, 2)
        // A blog without a name is the one that is read while nothing is followed.
        let expected = library.defaultSource.kind == kind ? library.defaultSource : only
        #expect(try await ids(kind) == [expected])
        guard !expected.isService else {
            // A service has no posts of its own.
            await #expect(throws: LibraryError.self) { try await library.postID(kind + ":7") }
            return
        }
        #expect(try await library.postID(kind + ":7") == PostID(source: expected, local: "7"))
    }

    @Test("isn't its kind if there are several, unless that kind has a default address", arguments: kinds)
    func several(kind: String) async throws {
        let followed = [try await follow(kind, 1), try await follow(kind, 2), try await follow(kind, 3)]
        guard let usual = SourceRegistry.kind(named: kind)?.source(at: nil) else {
            await #expect(throws: LibraryError.self) { try await ids(kind) }
            await #expect(throws: LibraryError.self) { try await library.postID(kind + ":7") }
            return
        }
        #expect(!followed.contains(usual))
        #expect(try await ids(kind) == [usual])
        #expect(try await library.postID(kind + ":7") == PostID(source: usual, local: "7"))
    }

    /// What is typed, and the number of the matching source; none if it is rejected.
    static let words: [(String, Int?)] = [
        ("Daring Fireball", 1), ("daring fireball", 1), ("DARING", 1), ("df", 1), ("d", nil), ("da", nil),
        ("Daily", nil), ("Daily Planet", 2), ("Daily Bugle", 3), ("Café", 4), ("cafe", 4), ("x", nil), ("Same", nil),
        ("exact", 7), ("", nil), ("zz", nil), ("n", 4), ("p", 2), ("e1", 7),
    ]

    @Test("may be replaced with its title or a unique beginning of either", arguments: words)
    func titles(word: String, number: Int?) async throws {
        let titles = [
            "Daring Fireball", "Daily Planet", "Daily Bugle", "Café Noir", "Same", "Same", "Exact", "Exactly",
        ]
        let names = ["df", "planet", "bugle", "noir", "same-1", "same-2", "e1", "e2"]
        var followed: [SourceID] = []
        for (index, title) in titles.enumerated() {
            followed.append(try await follow("feed", index, name: names[index], title: title))
        }
        if let number {
            #expect(try await ids(word) == [followed[number - 1]])
            // A beginning is enough for reading, but not for unfollowing.
            let isWhole = word == names[number - 1] || word.lowercased() == titles[number - 1].lowercased()
            if !isWhole { await #expect(throws: LibraryError.self) { try await library.unfollow(word) } }
            if isWhole { _ = try await library.unfollow(word) }
            #expect(try await library.sources().count == titles.count - (isWhole ? 1 : 0))
        } else {
            await #expect(throws: LibraryError.self) { try await ids(word) }
            await #expect(throws: LibraryError.self) { try await library.unfollow(word) }
        }
    }

    /// What is typed before the colon of an ID, and the number of the matching source; none if it is rejected.
    static let prefixes: [(String, Int?)] = [
        ("gardening-by-the-sea", 1), ("gardening-b", 1), ("g", nil), ("ga", 1), ("ga…", 1), ("swift", 2), ("swift-", 3),
        ("swift-…", 3), ("sw", nil), ("x", nil), ("", nil), ("…", nil),
    ]

    @Test("may be abbreviated before the colon of an ID", arguments: prefixes)
    func ids(prefix: String, number: Int?) async throws {
        var followed: [SourceID] = []
        for (index, name) in ["gardening-by-the-sea", "swift", "swift-evolution", "gnome"].enumerated() {
            followed.append(try await follow("feed", index, name: name))
        }
        guard let number else {
            await #expect(throws: LibraryError.self) { try await library.postID(prefix + ":7") }
            return
        }
        #expect(try await library.postID(prefix + ":7") == PostID(source: followed[number - 1], local: "7"))
    }

    /// An ID, a width, and the ID shortened to that width.
    static let cut = [
        ("gardening-by-the-sea:3", 12, "gardening…:3"), ("gardening-by-the-sea:3", 22, "gardening-by-the-sea:3"),
        ("gardening-by-the-sea:12345678", 12, "ga…:12345678"),
        ("gardening-by-the-sea:1234567890", 12, "gardening-by-the-sea:1234567890"),
        ("swift-evolution:12", 12, "swift-ev…:12"), ("swift-evolution:123456", 12, "swift-evolution:123456"),
        ("hn-of-mine:1234567", 12, "hn-…:1234567"), ("hn-of-mine:1234567", 11, "hn-of-mine:1234567"),
        ("other:1234567890", 4, "other:1234567890"),
    ]

    @Test("is shortened in an ID only as far as it can still be typed", arguments: cut)
    func shortened(id: String, width: Int, short: String) async throws {
        for (index, name) in ["gardening-by-the-sea", "swift", "swift-evolution", "hn-of-mine"].enumerated() {
            _ = try await follow("feed", index, name: name)
        }
        let shortIDs = try await library.shortIDs()
        #expect(shortIDs.shortened(id, to: width) == short)
        if short != id { #expect(try await library.postID(short) == library.postID(id)) }
    }

    /// A feed's address, its title, and its name.
    static let named: [(address: String, title: String?, name: String)] = [
        ("https://feeds.feedburner.com/x", "Coding Horror", "coding-horror"),
        ("https://www.youtube.com/feeds/videos.xml?channel_id=UC1", "Technology Connections", "technology"),
        ("https://www.reddit.com/r/swift/.rss", "r/swift: all about it", "r-swift-all-about-it"),
        ("https://jane.github.io/feed.xml", "Jane’s Ünusual Notes", "jane-s-unusual-notes"),
        ("https://jane.blogspot.co.uk/feed", "Jane", "jane"), ("https://medium.com/feed/@x", nil, "medium"),
        ("https://x.substack.com/feed", "日本語", "x"), ("https://a.tumblr.com/rss", "feed", "feed-2"),
        ("https://a.wordpress.com/feed", "Supercalifragilisticexpialidocious", "supercalifragilistic"),
        ("https://daringfireball.net/feeds/main", "Daring Fireball", "daringfireball"),
        ("https://jane.github.io/feed.xml", "Abcdefghij Klmnopqrst", "abcdefghij"),
        ("https://jane.github.io/feed.xml", "Abcdefghij Klmnopqrs", "abcdefghij-klmnopqrs"),
        ("https://notmedium.com/feed", "Title", "notmedium"), ("https://a.wordpress.com/feed", "Taken", "taken-2"),
    ]

    @Test("comes from its title if many feeds share its host, and has at most 20 letters", arguments: named)
    func names(address: String, title: String?, name: String) throws {
        let id = SourceID(kind: "feed", address: address)
        let chosen = try SourceName.chosen(for: id, FollowRequest(address), before: nil, title: title) { $0 == "taken" }
        #expect(chosen == name)
        #expect(chosen.count <= 20)
    }

    @Test(
        "may be chosen: letters, digits and dashes, up to 40 of them",
        arguments: [
            (String(repeating: "a", count: 40), true), (String(repeating: "a", count: 41), false), ("a-1", true),
            ("-a", false), ("a b", false), ("A", false), ("ä", false), ("", false),
        ])
    func choice(name: String, isAllowed: Bool) {
        #expect(((try? SourceName.check(name)) != nil) == isAllowed)
    }

    @Test(
        "has its folder, its file or its port if its host's name is taken",
        arguments: [
            ("https://taken.example/ann/feed", "taken-ann"), ("https://taken.example/ann/index.xml", "taken-ann"),
            ("https://taken.example/feed", "taken-feed"), ("https://taken.example/ann/atom", "taken-ann"),
            ("https://taken.example/ann/rss", "taken-ann"), ("https://taken.example/ann/news", "taken-news"),
            ("https://taken.example:8080", "taken-8080"), ("https://taken.example", "taken-2"),
        ])
    func namesOnHost(address: String, name: String) throws {
        let id = SourceID(kind: "feed", address: address)
        #expect(try SourceName.of(id) { $0 == "taken" } == name)
    }
}

@Suite("A source's address") struct SourceAddressTests {
    @Test(
        "is normalized",
        arguments: [
            ("http://localhost:8106", "http://localhost:8106"), ("HTTP://LocalHost:8106/", "http://localhost:8106"),
            ("https://example.org:443/api/", "https://example.org/api"),
            ("http://example.org:80", "http://example.org"),
            ("http://example.org:8080", "http://example.org:8080"), (" http://a/b ", "http://a/b"),
        ])
    func spelling(text: String, url: String) {
        #expect(SourceAddress.url(text)?.absoluteString == url)
    }

    @Test(
        "must be http or https with a host",
        arguments: [
            "", "localhost:8106", "file:///etc/passwd", "ftp://a", "http://", "http:///x", "http://a/?q",
            "http://u:p@a", "http://a:99999", "http://a:0",
        ])
    func refused(text: String) {
        #expect(SourceAddress.url(text) == nil)
    }

    @Test("doesn't make its name a reserved word", arguments: ["last", "latest", "next"])
    func words(word: String) throws {
        let id = SourceID(kind: "feed", address: "https://\(word).example/feed.xml")
        var request = FollowRequest(id.address)
        let chosen = try SourceName.chosen(for: id, request, before: nil, title: word) { _ in false }
        #expect(chosen != word && chosen.hasPrefix(word))
        request.name = word
        #expect(throws: LibraryError.self) {
            try SourceName.chosen(for: id, request, before: nil, title: nil) { _ in false }
        }
    }
}
