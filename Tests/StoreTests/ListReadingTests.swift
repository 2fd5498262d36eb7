import BlogTestSupport
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("Reading a list") struct ListReadingTests {
    @Test("leaves nothing open in the store if it ends early")
    func early() async throws {
        let store = try PostStore()
        try await store.list((1...1000).map { try sample(id: String($0)) })
        for _ in 1...3 {
            for try await post in try await store.opened() {
                #expect(!post.metadata.id.isEmpty)
                break
            }
        }
        while await store.openListCount > 0 { await Task.yield() }
    }

    @Test("returns the posts as they were when it began, whatever is marked meanwhile", arguments: [false, true])
    func marking(isInMemory: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try isInMemory ? PostStore() : PostStore(path: folder.path("s"))
        try await store.list((1...3000).map { try sample(id: String($0)) })
        let ids = (1...3000).map { PostID(source: .one, local: String($0)) }
        for filter in [Filter(), Filter(isUnread: true)] {
            var (count, read) = (0, 0)
            for try await post in try await store.opened(Query(filter: filter)) {
                if count % 500 == 0 { _ = try await store.mark(.read, ids: ids) }
                count += 1
                read += post.state.isRead ? 1 : 0
            }
            #expect(count == 3000)
            #expect(read == 0)
            _ = try await store.mark(.unread, ids: ids)
        }
    }

    @Test("goes on if the disk is full, and marks that aren't kept fail")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("s"))
        try await store.list((1...1000).map { try sample(id: String($0)) })
        try await store.limitPages()
        var count = 0
        for try await post in try await store.opened() {
            if count == 200 {
                let summary = String(repeating: "x", count: 100_000)
                let posts = try (1...1000).map { try sample(id: String($0), summary: summary) }
                #expect(try await store.list(posts).updated == 1000)
                await #expect(throws: StoreError(path: folder.path("s"), reason: .notStored(.diskFull))) {
                    try await store.mark(.saved, ids: .one("7"))
                }
            }
            count += 1
            #expect(post.metadata.summary == "A summary.")
        }
        #expect(count == 1000)
        #expect(await store.notice == .diskFull)
        #expect(try await PostStore(path: folder.path("s")).ids(Query()).count == 1000)
    }

    @Test("returns every post even if only its iterator is retained")
    func iterator() async throws {
        let store = try PostStore()
        try await store.list((1...1000).map { try sample(id: String($0)) })
        var posts = try await store.opened().makeAsyncIterator()
        var count = 0
        while try await posts.next() != nil { count += 1 }
        #expect(count == 1000)
    }

    @Test("can continue after any post, even if sources share IDs and dates", arguments: [false, true])
    func ties(isReversed: Bool) async throws {
        let store = try PostStore()
        let posts = try ["1", "2", "3"].map { try sample(id: $0) }
        for source in [SourceID.one, .two] { try await store.list(posts, of: source) }
        let scope = SourceScope(try await store.read { try Sources($0).all() })
        func list(after position: ListPosition?, _ count: Int?) async throws -> [StoredPost] {
            var query = Query(arrangement: Arrangement(isReversed: isReversed))
            (query.after, query.limit) = (position, count)
            let list = try await store.openList(query, in: scope).number
            return try await PostList.Posts(store: store, list: list).reduce(into: []) { $0.append($1) }
        }
        let all = try await list(after: nil, nil).map { "\($0.source.address) \($0.metadata.id)" }
        var (paged, last): ([String], ListPosition?) = ([], nil)
        while let post = try await list(after: last, 1).first {
            paged.append("\(post.source.address) \(post.metadata.id)")
            last = post.position
        }
        #expect(Set(all).count == 6)
        #expect(paged == all)
    }

    @Test("names the authors and tags of listed posts only")
    func names() async throws {
        let store = try PostStore()
        let posts = try ["Ann", "Bob"].map { name in
            try sample(id: name, author: name, details: .entry(EntryDetails(tags: [name.lowercased()])))
        }
        for list in [posts, [posts[0]]] { try await store.list(list) }
        let scope = try await store.scope()
        let settled = try await store.settleRules()
        #expect(try await store.read { try ListCounting($0).authors(in: scope, settled) } == ["Ann"])
        #expect(try await store.read { try ListCounting($0).tags(in: scope, settled) } == ["ann"])
    }

    @Test("treats a tag with a line break, from an import, as one tag", arguments: [("a b", ["1"]), ("b", [])])
    func tagOfTwoLines(tag: String, ids: [String]) async throws {
        let store = try PostStore()
        try await store.list([sample(details: .entry(EntryDetails(tags: ["a\nb"])))])
        #expect(try await store.ids(Query(filter: Filter(tag: tag))) == ids)
    }

    @Test("finds the story of each comment of a deep thread in linear time")
    func deepThread() async throws {
        func steps(_ depth: Int) async throws -> Int {
            let store = try PostStore()
            try await store.list(
                try (1...depth).map { number in
                    let parent = number == 1 ? nil : "\(number - 1)"
                    return try sample(id: "\(number)", details: .discussion(Discussion(parent: parent, replies: [])))
                })
            return try await store.stepsToStories(above: (1..<depth).map { "\($0)" })
        }
        let (one, two) = (try await steps(200), try await steps(400))
        #expect(one > 200 && Double(two) < 2.5 * Double(one), "\(one) and \(two)")
    }

    @Test("leaves out details that aren't wanted, but not the story of a comment")
    func brief() async throws {
        let store = try PostStore()
        let comment = Details.discussion(Discussion(parent: "1", replies: []))
        try await store.list([
            sample(id: "1", title: "A story"), sample(id: "2", details: comment),
            sample(id: "3", details: .entry(EntryDetails(tags: ["a"]))),
        ])
        for hasDetails in [false, true] {
            var query = Query(arrangement: Arrangement(sorting: .title, grouping: .author))
            if !hasDetails { query.parts.remove(.details) }
            for limit in [nil, 3] {
                query.limit = limit
                let posts = try await store.posts(query).sorted { $0.metadata.id < $1.metadata.id }
                #expect(posts.map { $0.metadata.details != nil } == [false, hasDetails, hasDetails])
                #expect(posts.map(\.story?.title) == [nil, "A story", nil])
            }
        }
    }
}

extension PostStore {
    /// The SQLite instructions that it takes to find the story above each of some comments, which must be the same.
    fileprivate func stepsToStories(above comments: [String]) throws -> Int {
        let database = connection.database
        let key = try #require(try SourceRow.find(.one, in: database)?.key)
        let before = database.steps
        var known: [String: Story?] = [:]
        let stories = try comments.map { try Posts(database).story(above: $0, key, known: &known)?.id }
        #expect(Set(stories) == ["1"])
        return database.steps - before
    }
}
