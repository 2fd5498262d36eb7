import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A long body", .serialized) struct LongBodiesTests {
    private static let text = (1...20_000).map { "Zeile \($0) – ö" }.joined(separator: "\n")

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func stored(_ content: (PostStore) async throws -> BodyContent) async throws -> PostStore {
        let store = try PostStore(path: folder.path(UUID().uuidString))
        try await store.list([try sample(), try sample(id: "2")])
        try await store.store(FetchedBody(content: content(store), fetchedAt: Date()), ofPost: "1", of: .one)
        return store
    }

    private func text(_ store: PostStore) async throws -> String? { try await store.body(id: "1", of: .one)?.text }

    private func parts(_ text: any LongText) throws -> [String] {
        var (parts, place) = ([String](), 0)
        while let part = try text.part(at: &place) { parts.append(part) }
        return parts
    }

    /// Content that arrives in pieces.
    private func arriving(_ text: String) throws -> BodyContent {
        var body = BodyBuffer()
        var rest = text[...]
        while !rest.isEmpty {
            try body.append(String(rest.prefix(50_000)))
            rest = rest.dropFirst(50_000)
        }
        return try body.finish()
    }

    @Test("is stored whole, from memory or from a file, and is searchable")
    func whole() async throws {
        for store in [
            try await stored { _ in .text(Self.text) }, try await stored { _ in try arriving(Self.text) },
        ] {
            #expect(try await text(store) == Self.text)
            #expect(try await store.ids(Query(words: "zeile 4711")) == ["1"])
            #expect(try await store.check() == [])
        }
    }

    @Test("is collected in a file, not in memory")
    func file() throws {
        // Characters of several bytes straddle the end of every part.
        for text in [Self.text, String(repeating: "–", count: PostStore.partSize)] {
            guard case .long(let file) = try arriving(text) else {
                return #expect(Bool(false), "expected a body in a file")
            }
            let parts = try parts(file)
            #expect(parts.joined() == text)
            #expect(parts.allSatisfy { $0.utf8.count <= PostStore.partSize })
        }
        guard case .text("short") = try arriving("short") else {
            return #expect(Bool(false), "expected a body in memory")
        }
    }

    @Test("can be replaced with another, long or short, and stays if it is unchanged")
    func replaced() async throws {
        let store = try await stored { _ in .text(Self.text) }
        _ = try await store.ids(Query(words: "x"))
        func put(_ content: BodyContent) async throws {
            try await store.store(FetchedBody(content: content, fetchedAt: Date()), ofPost: "1", of: .one)
            #expect(try await store.check() == [])
        }
        try await put(.unchanged)
        #expect(try await text(store) == Self.text)
        let short = try arriving(String(repeating: "short ", count: 30_000))
        try await put(short)
        #expect(try await text(store)?.hasPrefix("short short") == true)
        try await put(.text("short"))
        #expect(try await text(store) == "short")
        try await put(.text(""))
        #expect(try await text(store) == "")
        #expect(try await store.ids(Query(words: "zeile")) == [])
        try await put(.text(Self.text + "!"))
        #expect(try await text(store) == Self.text + "!")
        #expect(try await store.ids(Query(words: "zeile")) == ["1"])
    }

    @Test("is exported and merged whole")
    func travel() async throws {
        let store = try await stored { _ in .text(Self.text) }
        let other = try PostStore()
        for try await post in try await ExportedPosts(of: store) {
            _ = try await other.merge([post])
        }
        #expect(try await text(other) == Self.text)
    }
}
