import BlogTestSupport
import Foundation
import Testing
@testable import BlogModel
@testable import BlogStore

@Suite("The origins that the user has typed") struct StoredOriginsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("blog.sqlite3") }

    init() throws { folder = try TemporaryFolder() }

    private func follow(_ kind: String, _ address: String, in store: PostStore) async throws {
        _ = try await store.writeToDisk {
            try Sources($0).follow(SourceID(kind: kind, address: address), in: nil, site: nil, at: Date()) { _ in
                kind + address.filter { $0.isLetter || $0.isNumber }
            }
        }
    }

    /// An origin, and what an older store lets it be used for.
    static let followed: [(origin: String, use: OriginUse?)] = [
        ("http://a.example:8080", OriginUse()), ("https://b.example", OriginUse()),
        ("https://rss.example", OriginUse(isService: true)), ("http://localhost:8106", OriginUse()),
        ("http://a.example", nil), ("http://b.example", nil), ("https://listed.example", nil),
        ("https://seen.example", nil),
    ]

    @Test("are those of what is followed in a store from before they were recorded", arguments: [true, false])
    func migration(isReadOnly: Bool) async throws {
        let store = try PostStore(path: path)
        for (kind, address) in [
            ("feed", "http://a.example:8080/feed?a=1"), ("feed", "https://b.example/"),
            ("service", "https://rss.example/api/greader.php"), ("blog", "http://localhost:8106"),
            ("subscription", "https://listed.example/reader/api/0/stream/contents/feed%2F1"),
            ("page", "pages"), ("search", "swift"),
        ] {
            try await follow(kind, address, in: store)
        }
        // Read once, and never followed.
        try await store.list([sample(id: "1")], of: SourceID(kind: "blog", address: "https://seen.example"))
        try await store.downgrade(to: 12)
        let opened = isReadOnly ? try PostStore(reading: path) : try PostStore(path: path)
        for (origin, use) in Self.followed { #expect(await opened.use(of: [origin]) == use, "\(origin)") }
        #expect(await opened.hasService(atHost: "rss.example"))
        #expect(await !opened.hasService(atHost: "a.example"))
        let sources = try await opened.read { try Sources($0).all() }
        #expect(sources.count == 8 && sources.allSatisfy { $0.validators.origin == nil })
    }

    @Test("let what waited for one of them be asked, and nothing else")
    func waiting() async throws {
        let store = try PostStore(path: path)
        let addresses = ["http://a.example/1", "http://a.example/2", "http://a.example:81/", "http://a.examples/"]
        for address in addresses {
            try await follow("feed", address, in: store)
            let source = SourceID(kind: "feed", address: address)
            let requests = RequestRecord(lastFailure: Date(), problem: .unconfirmed, dueAt: Date() + 3600)
            try await store.writeIfFree { try Sources($0).save(requests, of: source) }
        }
        try await store.write { try StoredOrigins($0).add(OriginUse(), of: "http://a.example") }
        let waiting = try await store.read { try Sources($0).all() }.filter { $0.problem != nil }.map(\.id.address)
        #expect(Set(waiting) == Set(addresses.suffix(2)))
        #expect(try await store.read { try Sources($0).all() }.count { $0.dueAt == nil } == 2)
    }

    @Test("keep what they were typed for")
    func uses() async throws {
        let store = try PostStore(path: path)
        try await store.write { try StoredOrigins($0).add(OriginUse(isService: true), of: "https://a.example") }
        try await store.write { try StoredOrigins($0).add(OriginUse(allowsHTTP: true), of: "https://a.example") }
        try await store.write { try StoredOrigins($0).add(OriginUse(), of: "https://a.example") }
        #expect(await store.use(of: ["https://a.example"]) == OriginUse(isService: true, allowsHTTP: true))
        #expect(await store.use(of: ["http://a.example"]) == nil)
    }
}
