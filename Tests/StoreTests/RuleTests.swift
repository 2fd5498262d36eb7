import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogStore

@Suite("A rule in the store") struct RuleTests {
    private let store: PostStore

    init() async throws {
        store = try PostStore()
        try await store.list([sample(id: "1", title: "Alpha"), sample(id: "2", title: "Beta")])
    }

    private func add(_ words: String, marks: [Mark] = [], expires: Date? = nil) async throws -> StoredRule {
        let rule = Rule(words: words, isHiding: marks.isEmpty, marks: marks, expires: expires)
        return try #require(try await store.add(rule)).0
    }

    @Test("ends at its date, and its posts are shown again")
    func expires() async throws {
        _ = try await add("alpha", expires: .day(3))
        try await store.expireRules(at: .day(2))
        #expect(try await store.ids() == ["2"])
        try await store.expireRules(at: .day(3))
        #expect(try await store.ids().sorted() == ["1", "2"])
        #expect(try await store.read { try Rules($0).stored() }.map(\.isExpired) == [true])
        // The same one can be added anew.
        _ = try await add("alpha")
        #expect(try await store.ids() == ["2"])
    }

    @Test("is gone for good if its removal was interrupted")
    func interrupted() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("posts.sqlite3")
        let store = try PostStore(path: path)
        try await store.list([sample(id: "1", title: "Alpha")])
        for words in ["alpha", "beta"] { _ = try await store.add(Rule(words: words, isHiding: true)) }
        try Database(path: path, mode: .readWrite).execute("UPDATE rules SET is_expired = 2")
        #expect(try await store.read { try Rules($0).stored() }.isEmpty)
        try await store.expireRules(at: .day(1))
        #expect(try await store.ids() == ["1"])
        let rows = try Database(path: path, mode: .readWrite).integer("SELECT count(*) FROM rules")
        #expect(rows == 0)
    }

    @Test("finds posts by their sources and folders as these are now")
    func moved() async throws {
        func follow(_ folder: String, as name: String) async throws {
            _ = try await store.writeToDisk {
                try Sources($0).follow(.one, in: folder, site: nil, at: .day(1)) { _ in name }
            }
        }
        try await follow("news", as: "one")
        _ = try await add("folder:news beta")
        #expect(try await store.ids() == ["1"])
        try await follow("fun", as: "one")
        #expect(try await store.ids().count == 2)
        try await follow("news/daily", as: "one")
        #expect(try await store.ids() == ["1"])
        _ = try await add("source:one alpha")
        #expect(try await store.ids() == [])
        try await follow("news", as: "two")
        #expect(
            try await store.read { try Rules($0).stored() }.map(\.rule.words) == [
                "folder:news beta", "source:two alpha",
            ])
        #expect(try await store.ids() == [])
        try await store.writeToDisk { try Sources($0).unfollow(.one) }
        #expect(try await store.ids() == ["2"])
    }

    @Test("looks at bodies and articles when they arrive, and only at posts")
    func bodies() async throws {
        _ = try await add("gamma OR delta")
        #expect(try await store.ids().count == 2)
        try await store.store("gamma", of: "1")
        #expect(try await store.ids() == ["2"])
        try await store.storeArticle("delta", of: PostID(source: .one, local: "2"))
        #expect(try await store.ids() == [])
        try await store.store("gone", of: "1")
        #expect(try await store.ids() == ["1"])
    }

    @Test("whose search can't be understood does nothing")
    func unknown() async throws {
        _ = try await store.writeToDisk { try Rules($0).merge(Rule(words: "is:unread alpha", isHiding: true)) }
        _ = try await store.writeToDisk { try Rules($0).merge(Rule(words: "-alpha", isHiding: true)) }
        #expect(try await store.ids().count == 2)
    }
}
