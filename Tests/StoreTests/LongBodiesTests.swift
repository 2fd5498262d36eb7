import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A long body") struct LongBodiesTests {
    private static let text = (1...20_000).map { "Zeile \($0) – ö" }.joined(separator: "\n")

    private func stored() async throws -> PostStore {
        let store = try PostStore()
        try await store.list([try sample(), try sample(id: "2")])
        try await store.store(Self.text, of: "1")
        return store
    }

    private func text(_ store: PostStore) async throws -> String? {
        try await store.read { try Bodies($0).find("1", of: .one) }?.text
    }

    @Test("is stored whole, and is searchable")
    func whole() async throws {
        let store = try await stored()
        #expect(try await text(store) == Self.text)
        #expect(try await store.ids(Query(words: "zeile 4711")) == ["1"])
        #expect(try await store.check() == [])
    }

    @Test("can be replaced with another, long or short, and stays if it is unchanged")
    func replaced() async throws {
        let store = try await stored()
        _ = try await store.ids(Query(words: "x"))
        let texts: [BodyContent] = [
            .unchanged, .text(String(repeating: "short ", count: 30_000)), .text("short"), .text(""),
            .text(Self.text + "!"),
        ]
        var expected = Self.text
        for content in texts {
            if case .text(let text) = content { expected = text }
            try await store.write {
                try Bodies($0).save([("1", FetchedBody(content: content, fetchedAt: Date()))], of: .one)
            }
            #expect(try await text(store) == expected)
            #expect(try await store.check() == [])
            #expect(try await store.ids(Query(words: "zeile")) == (expected.contains("Zeile") ? ["1"] : []))
        }
    }

    @Test("is exported and merged whole")
    func travel() async throws {
        let store = try await stored()
        let other = try PostStore()
        for try await post in try await ExportedPosts(of: store) {
            _ = try await other.merge([post])
        }
        #expect(try await text(other) == Self.text)
    }
}
