import BlogKit
import Foundation
import Testing

@Suite("A store that is filled at once") struct PostIndexesTests {
    @Test("has every index afterwards, and reads lists by them", arguments: [10, 6000])
    func indexes(count: Int) async throws {
        let store = try PostStore()
        try await store.list((1...count).map { try sample(id: "\($0)", title: "Title \($0)") })
        for sorting in [Sorting.date, .title, .author] {
            let plan = try await store.plan(Query(arrangement: Arrangement(sorting: sorting), limit: 20))
            #expect(plan.contains("USING INDEX posts_by_\(sorting.rawValue)"))
        }
        #expect(try await store.plan(Query(filter: Filter(isUnread: true), limit: 20)).contains("posts_unread"))
        #expect(try await store.check() == [])
    }
}
