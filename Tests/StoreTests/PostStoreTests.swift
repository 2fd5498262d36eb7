import BlogLibrary
import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("The store", .serialized) struct PostStoreTests {
    private let store: PostStore

    init() throws {
        store = try PostStore()
    }

    private func posts() throws -> [PostMetadata] {
        try [
            sample(id: "1", title: "Part 10", date: "2018-01-31T00:00:00Z", author: "Zoë"),
            sample(id: "2", title: "Part 2", date: "2018-03-01T00:00:00Z", author: "kim"),
            sample(id: "10", title: "Éclairs", date: "2018-03-02T00:00:00Z", author: "Kim"),
            sample(id: "9", title: "“Done”", date: "2018-03-02T00:00:00Z", author: "Zoë"),
        ]
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
        try await store.list(try posts())
        #expect(try await store.ids(Query(arrangement: arrangement)) == ids)
    }

    @Test("skips as many posts as the offset says", arguments: [nil, 2, 9] as [Int?])
    func offset(limit: Int?) async throws {
        try await store.list((1...5).map { try sample(id: String($0)) })
        var query = Query(limit: limit)
        query.offset = 2
        #expect(try await store.ids(query) == Array(["3", "4", "5"].prefix(limit ?? 3)))
    }

    @Test("applies the limit first, then groups")
    func limit() async throws {
        try await store.list(try posts())
        let query = Query(arrangement: Arrangement(grouping: .author), limit: 3)
        #expect(try await store.ids(query) == ["10", "2", "9"])
        let groups = try await store.openList(query, in: store.scope()).groups
        #expect(
            groups == [
                PostGroup(name: "Kim", count: 1), PostGroup(name: "kim", count: 1), PostGroup(name: "Zoë", count: 1),
            ])
    }

    @Test("groups by month, as in March 2018")
    func months() async throws {
        try await store.list(try posts())
        let query = Query(arrangement: Arrangement(grouping: .date))
        #expect(
            try await store.posts(query).map(\.group) == ["March 2018", "March 2018", "March 2018", "January 2018"])
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
        try await store.list(try posts())
        #expect(try await store.ids(Query(filter: filter)) == ids)
    }

    @Test("keeps listed posts whose records can't be read")
    func flawed() async throws {
        let all = try posts()
        try await store.list(all)
        try await store.store([all[0]], unread: ["10", "x"], of: .one, mark: .sample())
        #expect(try await store.ids() == ["10", "1"])
        try await store.store([all[1]], unread: [nil], of: .one, mark: .sample())
        #expect(try await store.ids() == ["10", "2", "1"])
    }

    @Test("treats a body as outdated if it was requested before its metadata changed")
    func race() async throws {
        let before = try sample()
        try await store.list([before])
        try await store.list([try sample(title: "New")])
        let late = FetchedBody(content: .text("old"), fetchedAt: Date(), metadata: before)
        try await store.write { try Bodies($0).save([("1", late)], of: .one) }
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.isCurrent == false)
    }

    @Test("doesn't list a post that was only read, or take it for the blog's list")
    func unlisted() async throws {
        try await store.write { try Posts($0).save(try sample(), of: .one, at: Date()) }
        #expect(try await store.posts().isEmpty)
        #expect(try await store.read { try Sources($0).find(.one) }?.hasList == false)
        try await store.list([])
        #expect(try await store.read { try Sources($0).find(.one) }?.hasList == true)
        try await store.list([try sample()])
        #expect(try await store.posts().count == 1)
    }

    @Test("doesn't confirm a list that another process has changed since")
    func confirmation() async throws {
        _ = try await store.store([], of: .one, mark: .sample(digest: "one"))
        let known = try #require(try await store.read { try Sources($0).find(.one) })
        _ = try await store.store([], of: .one, mark: .sample(digest: "two"))
        try await store.writeIfFree { try Sources($0).confirm(known, mark: .sample(digest: "one")) }
        #expect(try await store.read { try Sources($0).find(.one) }?.digest == "two")
    }

    @Test("keeps delisted posts readable by id")
    func delisted() async throws {
        let all = try posts()
        try await store.list(all)
        try await store.store("the body", of: "1")
        let changes = try await store.list(Array(all.dropFirst()))
        #expect(changes == ListChanges(new: 0, updated: 0, unchanged: 3, delisted: 1))
        #expect(try await store.ids() == ["9", "10", "2"])
        #expect(try await store.read { try Posts($0).metadata("1", of: .one) } == all[0])
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.text == "the body")
        let back = try await store.list(all)
        #expect(back == ListChanges(new: 0, updated: 0, unchanged: 4, delisted: 0))
        #expect(try await store.posts().count == 4)
    }

    @Test("treats a body as outdated once its metadata has changed")
    func outdated() async throws {
        try await store.list([try sample()])
        try await store.store("first", of: "1")
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.isCurrent == true)
        let changes = try await store.list([try sample(title: "New Title")])
        #expect(changes == ListChanges(new: 0, updated: 1, unchanged: 0, delisted: 0))
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.isCurrent == false)
        try await store.store("second", of: "1")
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.text == "second")
        #expect(try await store.read { try Bodies($0).find("1", of: .one) }?.isCurrent == true)
    }

    @Test("keeps addresses apart")
    func addresses() async throws {
        try await store.list([try sample(title: "here")])
        try await store.list([try sample(title: "there")], of: .two)
        #expect(try await store.read { try Posts($0).metadata("1", of: .one) }?.title == "here")
        #expect(try await store.posts(of: .two).map(\.metadata.title) == ["there"])
    }

    @Test("stores the validators, the digest and the dates of a response")
    func marks() async throws {
        #expect(try await store.read { try Sources($0).find(.one) } == nil)
        _ = try await store.store([], of: .one, mark: .sample(digest: "digest"))
        let blog = try #require(try await store.read { try Sources($0).find(.one) })
        #expect(blog.validators.etag == "\"1\"")
        #expect(blog.digest == "digest")
        #expect(blog.refreshedAt == Date(timeIntervalSince1970: 1000))
        #expect(blog.currentUntil == Date(timeIntervalSince1970: 1060))
    }

    @Test(
        "returns any text unchanged", arguments: ["", "a\0b", "'; DROP TABLE posts; --", "🚀\u{202E}\u{1B}", "%_\\"])
    func anyText(text: String) async throws {
        let metadata = try sample(id: "x" + text, title: text, summary: text, author: text, role: text)
        try await store.list([metadata])
        try await store.store(text, of: metadata.id)
        #expect(try await store.posts().first?.metadata == metadata)
        #expect(try await store.read { try Bodies($0).find(metadata.id, of: .one) }?.text == text)
    }

    @Test("shows a list as it was when reading began")
    func snapshot() async throws {
        let folder = try TemporaryFolder()
        let (store, other) = (try PostStore(path: folder.path("s")), try PostStore(path: folder.path("s")))
        let many = try (1...600).map { try sample(id: String($0)) }
        try await store.list(many)
        let list = try await store.openList(Query(), in: store.scope()).number
        #expect(try await store.nextBatch(list).first?.metadata.id == "1")
        try await other.list([])
        let rest = try await PostList.Posts(store: store, list: list).reduce(into: 0) { count, _ in count += 1 }
        #expect(rest == 600 - 128)
    }

    @Test("finds the newest of several posts with a link, but rather one of a followed source")
    func links() async throws {
        func post(_ id: String) -> PostMetadata {
            PostMetadata(
                id: id, title: id, publishDate: Timestamp(secondsSince1970: 5), postId: id, summary: nil,
                author: Author(name: "a"), link: "https://a.example/")
        }
        try await store.list([post("1"), post("2"), post("3")], of: .two)
        try await store.list([post("4"), post("5")])
        #expect(
            try await store.read { try Posts($0).find(withLink: "https://a.example/") }
                == PostID(source: .one, local: "5"))
        _ = try await store.writeToDisk { try Sources($0).follow(.two, in: nil, site: nil, at: .day(1)) { _ in "two" } }
        #expect(
            try await store.read { try Posts($0).find(withLink: "https://a.example/") }
                == PostID(source: .two, local: "3"))
    }

    @Test("keeps when a source was followed if it is followed again")
    func followedAgain() async throws {
        for day in 1...2 {
            _ = try await store.writeToDisk {
                try Sources($0).follow(.two, in: nil, site: nil, at: .day(day)) { _ in "two" }
            }
        }
        #expect(try await store.read { try Sources($0).find(.two) }?.followedAt == .day(1))
    }

    @Test("reads a list of long texts a few posts at a time, each once")
    func longTexts() async throws {
        let text = String(repeating: "x", count: 32_000)
        try await store.list((1...200).map { try sample(id: "\($0)", summary: text) })
        let list = try await store.openList(Query(), in: store.scope()).number
        var sizes: [Int] = []
        while case let batch = try await store.nextBatch(list), !batch.isEmpty { sizes.append(batch.count) }
        #expect(sizes.reduce(0, +) == 200)
        #expect(sizes.allSatisfy { $0 <= 40 })
    }
}
