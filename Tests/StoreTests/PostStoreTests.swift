import BlogLibrary
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("The store", .serialized) struct PostStoreTests {
    static let blog = SourceID(kind: "blog", address: "http://a")
    static let other = SourceID(kind: "blog", address: "http://b")

    private func mark(_ digest: String? = nil) -> RefreshMark {
        RefreshMark(
            Checkpoint(validators: CacheValidators(etag: "\"1\"", lastModified: nil), digest: digest, maxAge: 60),
            refreshedAt: Date(timeIntervalSince1970: 1000))
    }

    private func body(_ text: String) -> FetchedBody { FetchedBody(text: text, fetchedAt: Date()) }

    private func posts() throws -> [PostMetadata] {
        try [
            sample(id: "1", title: "Part 10", date: "2018-01-31T00:00:00Z", author: "Zoë"),
            sample(id: "2", title: "Part 2", date: "2018-03-01T00:00:00Z", author: "kim"),
            sample(id: "10", title: "Éclairs", date: "2018-03-02T00:00:00Z", author: "Kim"),
            sample(id: "9", title: "“Done”", date: "2018-03-02T00:00:00Z", author: "Zoë"),
        ]
    }

    private func read(_ query: Query, _ store: PostStore, of address: SourceID = blog) async throws -> [ListedPost] {
        guard let blog = try await store.source(address) else { return [] }
        let list = try await store.openList(query, in: SourceScope([blog])).number
        return try await PostList.Posts(store: store, list: list).reduce(into: []) { $0.append($1) }
    }

    static let arrangements: [(Arrangement, [String])] = [
        (Arrangement(), ["9", "10", "2", "1"]),
        (Arrangement(isReversed: true), ["1", "2", "10", "9"]),
        (Arrangement(sorting: .title), ["9", "10", "2", "1"]),
        (Arrangement(sorting: .author), ["10", "2", "9", "1"]),
        (Arrangement(sorting: .author, isReversed: true), ["1", "9", "2", "10"]),
        (Arrangement(grouping: .date), ["9", "10", "2", "1"]),
        (Arrangement(sorting: .title, grouping: .author), ["10", "2", "9", "1"]),
        (Arrangement(sorting: .date, grouping: .title), ["9", "10", "2", "1"]),
        (Arrangement(sorting: .date, grouping: .title, areGroupsReversed: true), ["2", "1", "10", "9"]),
        (Arrangement(sorting: .date, grouping: .title, isReversed: true), ["9", "10", "1", "2"]),
    ]

    @Test("returns posts in the requested order", arguments: arrangements)
    func order(arrangement: Arrangement, ids: [String]) async throws {
        let store = try PostStore()
        _ = try await store.store(try posts(), of: Self.blog, mark: mark())
        #expect(try await read(Query(arrangement: arrangement), store).map(\.metadata.id) == ids)
    }

    @Test("skips as many posts as the offset says", arguments: [nil, 2, 9] as [Int?])
    func offset(limit: Int?) async throws {
        let store = try PostStore()
        try await store.list((1...5).map { try sample(id: String($0)) })
        var query = Query(limit: limit)
        query.offset = 2
        #expect(try await store.ids(query) == Array(["3", "4", "5"].prefix(limit ?? 3)))
    }

    @Test("applies the limit first, then groups")
    func limit() async throws {
        let store = try PostStore()
        _ = try await store.store(try posts(), of: Self.blog, mark: mark())
        let query = Query(arrangement: Arrangement(grouping: .author), limit: 3)
        #expect(try await read(query, store).map(\.metadata.id) == ["10", "2", "9"])
        let blog = try #require(try await store.source(Self.blog))
        let groups = try await store.openList(query, in: SourceScope([blog])).groups
        #expect(
            groups == [
                PostGroup(name: "Kim", count: 1), PostGroup(name: "kim", count: 1), PostGroup(name: "Zoë", count: 1),
            ])
    }

    @Test("groups by month, as in March 2018")
    func months() async throws {
        let store = try PostStore()
        _ = try await store.store(try posts(), of: Self.blog, mark: mark())
        let query = Query(arrangement: Arrangement(grouping: .date))
        #expect(
            try await read(query, store).map(\.group) == ["March 2018", "March 2018", "March 2018", "January 2018"])
    }

    static let filters: [(Filter, [String])] = [
        (Filter(author: "zoe"), ["9", "1"]), (Filter(author: "zo"), []), (Filter(author: "!"), []),
        (Filter(title: "ÉCLAIR*"), ["10"]), (Filter(title: "ÉCLAIR"), []), (Filter(title: "part"), ["2", "1"]),
        (Filter(title: "100%"), []),
        (Filter(title: "*art 1*"), ["1"]), (Filter(title: "art 1"), []),
        (Filter(since: Timestamp("2018-03-02T00:00:00Z")?.date), ["9", "10"]),
        (Filter(before: Timestamp("2018-03-01T00:00:00Z")?.date), ["1"]),
        (Filter(author: "kim", title: "2"), ["2"]),
        (Filter(since: .distantPast, before: .distantFuture), ["9", "10", "2", "1"]),
    ]

    @Test("filters by author, title and date", arguments: filters)
    func filter(filter: Filter, ids: [String]) async throws {
        let store = try PostStore()
        _ = try await store.store(try posts(), of: Self.blog, mark: mark())
        #expect(try await read(Query(filter: filter), store).map(\.metadata.id) == ids)
    }

    @Test("keeps listed posts whose records can't be read")
    func flawed() async throws {
        let store = try PostStore()
        let all = try posts()
        _ = try await store.store(all, of: Self.blog, mark: mark())
        _ = try await store.store([all[0]], unread: ["10", "x"], of: Self.blog, mark: mark())
        #expect(try await read(Query(), store).map(\.metadata.id) == ["10", "1"])
        _ = try await store.store([all[1]], unread: [nil], of: Self.blog, mark: mark())
        #expect(try await read(Query(), store).map(\.metadata.id) == ["10", "2", "1"])
    }

    @Test("treats a body as outdated if it was requested before its metadata changed")
    func race() async throws {
        let store = try PostStore()
        let before = try sample()
        _ = try await store.store([before], of: Self.blog, mark: mark())
        _ = try await store.store([try sample(title: "New")], of: Self.blog, mark: mark())
        let late = FetchedBody(content: .text("old"), fetchedAt: Date(), metadata: before)
        try await store.store(late, ofPost: "1", of: Self.blog)
        #expect(try await store.body(id: "1", of: Self.blog)?.isCurrent == false)
    }

    @Test("doesn't list a post that was only read, or take it for the blog's list")
    func unlisted() async throws {
        let store = try PostStore()
        try await store.store(try sample(), of: Self.blog, at: Date())
        #expect(try await read(Query(), store).isEmpty)
        #expect(try await store.source(Self.blog)?.hasList == false)
        _ = try await store.store([], of: Self.blog, mark: mark())
        #expect(try await store.source(Self.blog)?.hasList == true)
        _ = try await store.store([try sample()], of: Self.blog, mark: mark())
        #expect(try await read(Query(), store).count == 1)
    }

    @Test("doesn't confirm a list that another process has changed since")
    func confirmation() async throws {
        let store = try PostStore()
        _ = try await store.store([], of: Self.blog, mark: mark("one"))
        let known = try #require(try await store.source(Self.blog))
        _ = try await store.store([], of: Self.blog, mark: mark("two"))
        try await store.confirm(known, mark: mark("one"))
        #expect(try await store.source(Self.blog)?.digest == "two")
    }

    @Test("keeps delisted posts readable by id")
    func delisted() async throws {
        let store = try PostStore()
        let all = try posts()
        _ = try await store.store(all, of: Self.blog, mark: mark())
        try await store.store(body("the body"), ofPost: "1", of: Self.blog)
        let changes = try await store.store(Array(all.dropFirst()), of: Self.blog, mark: mark())
        #expect(changes == ListChanges(new: 0, updated: 0, unchanged: 3, delisted: 1))
        #expect(try await read(Query(), store).map(\.metadata.id) == ["9", "10", "2"])
        #expect(try await store.metadata(id: "1", of: Self.blog) == all[0])
        #expect(try await store.body(id: "1", of: Self.blog)?.text == "the body")
        let back = try await store.store(all, of: Self.blog, mark: mark())
        #expect(back == ListChanges(new: 0, updated: 0, unchanged: 4, delisted: 0))
        #expect(try await read(Query(), store).count == 4)
    }

    @Test("treats a body as outdated once its metadata has changed")
    func outdated() async throws {
        let store = try PostStore()
        _ = try await store.store([try sample()], of: Self.blog, mark: mark())
        try await store.store(body("first"), ofPost: "1", of: Self.blog)
        #expect(try await store.body(id: "1", of: Self.blog)?.isCurrent == true)
        let changes = try await store.store([try sample(title: "New Title")], of: Self.blog, mark: mark())
        #expect(changes == ListChanges(new: 0, updated: 1, unchanged: 0, delisted: 0))
        #expect(try await store.body(id: "1", of: Self.blog)?.isCurrent == false)
        try await store.store(body("second"), ofPost: "1", of: Self.blog)
        #expect(try await store.body(id: "1", of: Self.blog)?.text == "second")
        #expect(try await store.body(id: "1", of: Self.blog)?.isCurrent == true)
    }

    @Test("keeps addresses apart")
    func addresses() async throws {
        let store = try PostStore()
        _ = try await store.store([try sample(title: "here")], of: Self.blog, mark: mark())
        _ = try await store.store([try sample(title: "there")], of: Self.other, mark: mark())
        #expect(try await store.metadata(id: "1", of: Self.blog)?.title == "here")
        #expect(try await read(Query(), store, of: Self.other).map(\.metadata.title) == ["there"])
    }

    @Test("stores the validators, the digest and the dates of a response")
    func marks() async throws {
        let store = try PostStore()
        #expect(try await store.source(Self.blog) == nil)
        _ = try await store.store([], of: Self.blog, mark: mark("digest"))
        let blog = try #require(try await store.source(Self.blog))
        #expect(blog.validators.etag == "\"1\"")
        #expect(blog.digest == "digest")
        #expect(blog.refreshedAt == Date(timeIntervalSince1970: 1000))
        #expect(blog.currentUntil == Date(timeIntervalSince1970: 1060))
    }

    @Test(
        "returns any text unchanged", arguments: ["", "a\0b", "'; DROP TABLE posts; --", "🚀\u{202E}\u{1B}", "%_\\"])
    func anyText(text: String) async throws {
        let store = try PostStore()
        let metadata = try sample(id: "x" + text, title: text, summary: text, author: text, role: text)
        _ = try await store.store([metadata], of: Self.blog, mark: mark())
        try await store.store(body(text), ofPost: metadata.id, of: Self.blog)
        #expect(try await read(Query(), store).first?.metadata == metadata)
        #expect(try await store.body(id: metadata.id, of: Self.blog)?.text == text)
    }

    @Test("shows a list as it was when reading began")
    func snapshot() async throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try PostStore(path: folder.path("s")), try PostStore(path: folder.path("s")))
        let many = try (1...600).map { try sample(id: String($0)) }
        _ = try await store.store(many, of: Self.blog, mark: mark())
        let blog = try #require(try await store.source(Self.blog))
        let list = try await store.openList(Query(), in: SourceScope([blog])).number
        #expect(try await store.nextBatch(list).first?.metadata.id == "1")
        _ = try await other.store([], of: Self.blog, mark: mark())
        let rest = try await PostList.Posts(store: store, list: list).reduce(into: 0) { count, _ in count += 1 }
        #expect(rest == 600 - 128)
    }

    @Test("finds the newest of several posts with a link, but rather one of a followed source")
    func links() async throws {
        let store = try PostStore()
        func post(_ id: String) -> PostMetadata {
            PostMetadata(
                id: id, title: id, publishDate: Timestamp(secondsSince1970: 5), postId: id, summary: nil,
                author: Author(name: "a"), link: "https://a.example/")
        }
        try await store.list([post("1"), post("2"), post("3")], of: .two)
        try await store.list([post("4"), post("5")])
        #expect(try await store.post(withLink: "https://a.example/") == PostID(source: .one, local: "5"))
        _ = try await store.follow(.two, in: nil, site: nil, at: .day(1)) { _ in "two" }
        #expect(try await store.post(withLink: "https://a.example/") == PostID(source: .two, local: "3"))
    }

    @Test("reads a list of long texts a few posts at a time, each once")
    func longTexts() async throws {
        let text = String(repeating: "x", count: 400_000)
        let store = try PostStore()
        try await store.list((1...20).map { try sample(id: "\($0)", summary: text) })
        let blog = try #require(try await store.source(.one))
        let list = try await store.openList(Query(), in: SourceScope([blog])).number
        var sizes: [Int] = []
        while case let batch = try await store.nextBatch(list), !batch.isEmpty { sizes.append(batch.count) }
        #expect(sizes.reduce(0, +) == 20)
        #expect(sizes.allSatisfy { $0 <= 4 })
    }
}
