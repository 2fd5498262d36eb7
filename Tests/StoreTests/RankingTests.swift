import BlogModel
import BlogStore
import BlogTestSupport
import Foundation
import Testing

@Suite("A stored ranking") struct RankingTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        for source in [SourceID.one, .two] {
            try await store.list(["a", "b", "c", "d"].map { try sample(id: $0) }, of: source)
        }
    }

    private func ranked(_ section: String, _ source: SourceID = .one, isReversed: Bool = false) async throws -> [String]
    {
        var query = Query(arrangement: Arrangement(sorting: .rank, isReversed: isReversed))
        query.section = section
        return try await store.posts(query, of: source).map { "\($0.metadata.id)\($0.rank ?? 0)" }
    }

    static let rankings: [([String], [String])] = [
        (["a", "b", "c"], ["b", "a"]), (["a", "b", "c"], ["c", "a"]), (["a"], ["d", "c", "b", "a"]),
        (["a", "b"], []), (["a", "b", "c"], ["a", "c", "b"]), (["a", "b"], ["a", "x", "b"]),
    ]

    @Test("is replaced whole by the next, longer or shorter", arguments: rankings)
    func replaced(first: [String], second: [String]) async throws {
        try await store.write { try Rankings($0).save(first, of: "top", .one, at: Date()) }
        try await store.write { try Rankings($0).save(second, of: "top", .one, at: Date()) }
        let expected = second.enumerated().filter { $0.element != "x" }.map { "\($0.element)\($0.offset + 1)" }
        #expect(try await ranked("top") == expected)
        #expect(try await ranked("top", isReversed: true) == expected.reversed())
        #expect(try await store.read { try Rankings($0).find("top", of: .one) }?.ids == second)
    }

    @Test("ends the failures of its source")
    func failures() async throws {
        try await store.writeIfFree {
            try Sources($0).save(
                RequestRecord(lastFailure: .day(1), problem: .failed, failures: 1, dueAt: .day(2)), of: .one)
        }
        #expect(try await store.read { try Sources($0).find(.one) }?.problem == .failed)
        try await store.write { try Rankings($0).save(["a"], of: "top", .one, at: .day(2)) }
        let source = try #require(try await store.read { try Sources($0).find(.one) })
        #expect((source.problem, source.failedAt, source.failures) == (nil, nil, 0))
    }

    @Test("doesn't change other sections or sources")
    func others() async throws {
        try await store.write { try Rankings($0).save(["a", "b"], of: "top", .one, at: Date()) }
        try await store.write { try Rankings($0).save(["c"], of: "new", .one, at: Date()) }
        try await store.write { try Rankings($0).save(["d", "a"], of: "top", .two, at: Date()) }
        try await store.write { try Rankings($0).save(["b"], of: "top", .one, at: Date()) }
        #expect(try await ranked("top") == ["b1"])
        #expect(try await ranked("new") == ["c1"])
        #expect(try await ranked("top", .two) == ["d1", "a2"])
    }

    @Test("is filtered before it is limited")
    func filters() async throws {
        try await store.write { try Rankings($0).save(["d", "c", "x", "b", "a"], of: "top", .one, at: Date()) }
        _ = try await store.mark(.read, ids: .one("c"))
        var query = Query(filter: Filter(isUnread: true), arrangement: Arrangement(sorting: .rank), limit: 2)
        query.section = "top"
        query.offset = 1
        #expect(try await store.ids(query) == ["b", "a"])
        query.arrangement.isReversed = true
        #expect(try await store.ids(query) == ["b", "d"])
    }
}

@Suite("A deleted comment") struct DeletedItemsTests {
    @Test("keeps its text, author and type, and gets new replies")
    func deletedComment() async throws {
        let store = try PostStore()
        @Sendable func comment(_ replies: [String], _ removal: Discussion.Removal? = nil) -> PostMetadata {
            PostMetadata(
                id: "2", title: "", publishDate: Timestamp(secondsSince1970: 5), postId: "2", summary: nil,
                author: Author(name: removal == nil ? "kim" : ""),
                details: .discussion(
                    Discussion(parent: "1", replies: replies, removal: removal, type: removal == nil ? .comment : nil)))
        }
        try await store.write {
            try Items($0).save([Entry(comment(["3"]), content: Entry.Content("words", .html))], of: .one, at: Date())
        }
        try await store.write { try Items($0).save([Entry(comment(["3", "4"], .deleted))], of: .one, at: Date()) }
        let item = try #require(await store.read { try Items($0).find(["2"], of: .one) }["2"])
        #expect(item.entry.text == "words")
        #expect(item.entry.metadata.author.name == "kim")
        #expect(item.entry.metadata.discussion?.removal == .deleted)
        #expect(item.entry.metadata.discussion?.type == .comment)
        #expect(item.entry.metadata.discussion?.replies == ["3", "4"])
    }
}
