import Foundation
import Testing
@testable import Model
@testable import Rendering
@testable import Store

@Suite("The numbers of posts that are kept") struct PostCountsTests {
    @Test("follow what happens to posts", arguments: [10, 2500])
    func counts(count: Int) async throws {
        let store = try PostStore()
        func numbers() async throws -> [Int] {
            let state = try #require(try await store.sources().first)
            #expect(try await store.check() == [])
            return [state.posts, state.bodies, state.unread]
        }
        try await store.list((1...count).map { try sample(id: "\($0)") })
        #expect(try await numbers() == [count, 0, count])
        _ = try await store.mark(.read, ids: .one("1", "2"))
        try await store.store(FetchedBody(text: "body", fetchedAt: Date()), ofPost: "1", of: .one)
        #expect(try await numbers() == [count, 1, count - 2])
        try await store.list((2...count + 2).map { try sample(id: "\($0)", title: "new") })
        try await store.store(try sample(id: "beside"), of: .one, at: Date())
        #expect(try await numbers() == [count + 1, 0, count])
    }
    @Test("tell comments from posts where a list brings both")
    func comments() async throws {
        let store = try PostStore()
        let reply = Details.discussion(Discussion(parent: "1", replies: []))
        try await store.list([try sample(id: "1"), try sample(id: "2", details: reply)])
        #expect(try await store.sources().map(\.comments) == [1])
        #expect(try await store.check() == [])
    }
}
