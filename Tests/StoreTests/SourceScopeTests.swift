import BlogModel
@testable import BlogStore
import BlogTestSupport
import Testing

@Suite("The sources of a list") struct SourceScopeTests {
    @Test(
        "select their own posts, whether they are looked up or compared",
        arguments: [
            [], [7], Array(1...3), [1, 3, 4, 9], Array(stride(from: 1, to: 40, by: 2)),
            Array(2...250).filter { $0 != 17 },
        ])
    func condition(keys: [Int64]) throws {
        let scope = SourceScope(
            keys.shuffled().map { key in
                ListedSource(
                    key: key, id: SourceID(kind: "feed", address: "\(key)"), name: nil, title: nil, isFollowed: true,
                    posts: 1, unread: 0, bodies: 0)
            })
        let database = try Database(path: "", mode: .memory)
        for isIndexed in [true, false] {
            let selected = try database.all(
                """
                WITH RECURSIVE posts(source) AS (SELECT 0 UNION ALL SELECT source + 1 FROM posts WHERE source < 300)
                SELECT source FROM posts WHERE \(scope.condition(on: "posts.source", isIndexed: isIndexed))
                """
            ) { $0.integer(0) }
            #expect(selected == keys)
        }
    }
}
