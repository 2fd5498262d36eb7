import BlogModel
import BlogStore
import BlogTestSupport
import Testing

@Suite("A search for hostile text") struct HostileSearchTests {
    static let joined: [(String, [String])] = [
        ("\"a b\"\u{200D}", ["1"]), ("\"a b\u{200D}\"", ["1"]), ("\"a b\"\u{301}", ["1"]),
        ("a\"\u{301} in:b", []), ("a\"\u{200D}b", ["1"]), ("a \u{301}b", ["1"]), ("-\u{301}a b", []),
        ("title:\u{200D}a", ["1"]), ("author:\u{301}a", []), ("\u{600}\"a b\u{600}\"", ["1"]), ("a*\u{301}", ["1"]),
        ("a\r\nb", ["1"]),
    ]

    @Test("recognizes quotes even next to combining characters", arguments: joined)
    func quotes(words: String, ids: [String]) async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1", title: "a b", summary: nil)])
        #expect(try await store.ids(Query(words: words)) == ids)
    }

    @Test("accepts operators and brackets in any order")
    func operators() async throws {
        let store = try PostStore()
        try await store.list([sample(id: "1", title: "a b", summary: nil)])
        var random = SplitMix(state: 3)
        let pieces = [
            "a", "OR", "AND", "NOT", "(", ")", "-", "\"", "*", " ", " ", "title:", "b", "NEAR", "^", "+", "\u{301}",
        ]
        for _ in 0..<Mutation.count(800) {
            let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            await #expect(throws: Never.self, "\(words.debugDescription)") {
                _ = try await store.posts(Query(limit: 3, words: words))
            }
        }
    }

    @Test("accepts any text, and cuts snippets from any text")
    func anything() async throws {
        let store = try PostStore()
        var random = SplitMix(state: 11)
        try await store.list((0..<40).map { try sample(id: "\($0)", title: HostileText.next(&random)) })
        for id in 0..<40 { try await store.store(HostileText.next(&random) + " word a", of: "\(id)") }
        let snippets = try await store.posts(Query(words: "word")).map { $0.snippet?.marked("[", "]") ?? "" }
        #expect(snippets.count == 40 && snippets.allSatisfy { $0.contains("[word]") })
        for _ in 0..<Mutation.count(400) {
            let words = (0..<2).map { _ in HostileText.next(&random) }.joined(separator: " ")
            await #expect(throws: Never.self, "\(words.debugDescription)") {
                _ = try await store.posts(Query(limit: 3, words: words))
            }
        }
    }
}
