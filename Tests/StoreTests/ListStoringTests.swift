import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A list that is stored") struct ListStoringTests {
    private struct CutOff: Error {}

    private func batch(_ ids: ClosedRange<Int>) throws -> EntryBatch {
        EntryBatch(try ids.map { Entry(try sample(id: String($0))) })
    }

    @Test(
        "is rolled back if it is cut off", arguments: [true, false])
    func cutOff(isNew: Bool) async throws {
        let store = try PostStore()
        if !isNew { try await store.list([try sample(id: "1"), try sample(id: "9000")]) }
        let before = try await store.ids()
        let batches = Batches([try batch(1...3), try batch(4...9500)], error: CutOff())
        await #expect(throws: CutOff.self) { try await store.storeList(of: .one, mark: .sample(), batches) }
        #expect(try await store.ids() == before)
        try await store.list([try sample(id: "7")])
        #expect(try await store.ids() == ["7"])
    }

    @Test("dates the posts that left a feed by it, but not those that stay")
    func dates() async throws {
        let store = try PostStore()
        try await store.feed([.item("a", day: 1), .item("b", day: 1)], on: 1)
        try await store.feed([.item("c", day: 2), .item("b", day: 1)], on: 2)
        var days: [String: Date] = [:]
        for post in try await store.exported() {
            days[post.metadata.postId] = Date(millisecondsSince1970: post.changedAt)
        }
        #expect(days == ["a": .day(2), "b": .day(1), "c": .day(2)])
    }

    @Test("takes another format of the same text for a change, as of a feed that forgot to say that it is HTML")
    func format() async throws {
        let store = try PostStore()
        let post = Entry.item("a", day: 1, body: "<p>One</p>")
        let plain = Entry(post.metadata, content: Entry.Content("<p>One</p>", .plain), numbering: post.numbering)
        try await store.feed([plain], on: 1)
        try await store.feed([post], on: 2)
        let body = try await store.read { try Bodies($0).find("1", of: .feed) }
        #expect(body?.format == .html)
    }

    @Test("reports duplicate ids, within a batch or across, and keeps the last record", arguments: [true, false])
    func duplicates(isNew: Bool) async throws {
        let store = try PostStore()
        if !isNew { try await store.list([try sample(id: "1", title: "last"), try sample(id: "3")]) }
        let batches = Batches([
            EntryBatch(
                [try sample(id: "1", title: "first"), try sample(id: "2"), try sample(id: "2", title: "two")]
                    .map { Entry($0) }),
            EntryBatch([Entry(try sample(id: "1", title: "last"))]),
        ])
        let list = try await store.storeList(of: .one, mark: .sample(), batches)
        #expect(Set(list.flaws.duplicateIDs) == ["1", "2"])
        #expect(Set(try await store.posts().map(\.metadata.title)) == ["last", "two"])
        #expect(try await store.check() == [])
    }

    @Test("may repeat an id long after its post was written, and keeps the last record")
    func lateDuplicate() async throws {
        let store = try PostStore()
        // So many that they are written before the list ends.
        let ids = (1...8192).map(String.init)
        try await store.list(try (ids + ["last"]).map { try sample(id: $0, title: "old") })
        let batches = Batches([
            EntryBatch(try ids.map { Entry(try sample(id: $0, title: "new")) }),
            EntryBatch(
                try ["last", "1", "1"].enumerated().map { Entry(try sample(id: $1, title: "new \($0)")) }),
        ])
        let list = try await store.storeList(of: .one, mark: .sample(), batches)
        #expect(list.flaws.duplicateIDs == ["1"])
        #expect(list.changes == ListChanges(updated: 8193))
        #expect(try await store.read { try Posts($0).metadata("1", of: .one) }?.title == "new 2")
        #expect(try await store.read { try Posts($0).metadata("last", of: .one) }?.title == "new 0")
        #expect(try await store.posts().count { $0.metadata.title == "new" } == 8191)
    }
}
