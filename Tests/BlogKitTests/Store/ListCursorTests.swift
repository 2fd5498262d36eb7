import BlogKit
import Testing

@Suite("The reading of a list") struct ListCursorTests {
    @Test("leaves nothing open in the store when it ends early", .timeLimit(.minutes(5)))
    func early() async throws {
        let store = try PostStore()
        try await store.list((1...1000).map { try sample(id: String($0)) })
        let blog = try #require(await store.source(.one))
        for _ in 1...3 {
            let cursor = try await store.openList(Query(), in: SourceScope([blog])).cursor
            for try await post in PostList.Posts(store: store, cursor: cursor) {
                #expect(!post.metadata.id.isEmpty)
                break
            }
        }
        while await store.openLists > 0 { await Task.yield() }
    }

    @Test("gives every post even where only its iterator is kept")
    func iterator() async throws {
        let store = try PostStore()
        try await store.list((1...1000).map { try sample(id: String($0)) })
        let blog = try #require(await store.source(.one))
        var posts = PostList.Posts(
            store: store, cursor: try await store.openList(Query(), in: SourceScope([blog])).cursor
        )
        .makeAsyncIterator()
        var count = 0
        while try await posts.next() != nil { count += 1 }
        #expect(count == 1000)
    }
}
