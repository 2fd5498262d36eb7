import BlogStore
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A library with many sources") struct ManySourcesTests {
    private static let feed = """
        <rss version="2.0"><channel><title>Feed</title>\
        <item><guid>1</guid><title>One</title><description>Text</description></item></channel></rss>
        """

    /// A library whose sources have one post each.
    private struct Site {
        let store: PostStore
        let library: Library
        let addresses: [String]

        init(_ count: Int) throws {
            store = try PostStore()
            library = Library(
                store: store, client: .impatient(StubTransport(chunks: [ManySourcesTests.feed])),
                defaultSource: SourceID(kind: "blog", address: "http://default"))
            addresses = (1...count).map { "http://127.0.0.1:9/\($0)/feed.xml" }
        }

        func follow() async throws {
            var names: Set<String> = []
            for await report in library.follow(addresses.map { FollowRequest($0) }) {
                names.insert(try report.get().name)
            }
            #expect(names.count == addresses.count)
        }
    }

    /// Work to be done once all sources are followed.
    enum Work: CaseIterable {
        case follow
        case followAgain
        case list
        case sources
        case sync
        case unfollow
        case exportAndImport
    }

    /// The number of SQLite instructions that the work takes with `count` sources.
    private func steps(_ work: Work, _ count: Int) async throws -> Int {
        let site = try Site(count)
        if work == .follow {
            try await site.follow()
            return try await site.store.steps
        }
        try await site.follow()
        let before = try await site.store.steps
        switch work {
        case .follow: break
        case .followAgain: try await site.follow()
        case .list:
            let list = try await site.library.list(Query(limit: 10))
            #expect(try await list.posts.reduce(0) { count, _ in count + 1 } == 10)
        case .sources: #expect(try await site.library.sources().count == count)
        case .sync: #expect(try await site.library.sync().count == count)
        case .unfollow:
            for address in site.addresses { _ = try await site.library.unfollow(address) }
            #expect(try await site.store.followedSources().isEmpty)
        case .exportAndImport:
            let other = try Archive()
            for source in try await site.store.namedSources().compactMap({ ExportedSource($0) }) {
                // The same name for each, as if all had the same host.
                #expect(try await other.merge(source.named("same")))
            }
            return try await other.store.steps
        }
        return try await site.store.steps - before
    }

    @Test("does at most 2.5 times as much work in SQL for twice as many", arguments: Work.allCases)
    func statements(work: Work) async throws {
        let (one, two) = (try await steps(work, 60), try await steps(work, 120))
        #expect(one > 60)
        #expect(Double(two) < 2.5 * Double(one), "\(one) and \(two)")
    }

    @Test("finds a free name in few attempts", arguments: [100, 1000, 10_000])
    func names(taken: Int) throws {
        let names = Set(["example"] + (2...taken).map { "example-\($0)" })
        var lookups = 0
        let name = try SourceName.of(SourceID(kind: "feed", address: "http://example.org/")) { name in
            lookups += 1
            return names.contains(name)
        }
        #expect(name == "example-\(taken + 1)")
        #expect(lookups < 40)
    }

    @Test("finds the free name in a gap between taken ones")
    func gap() throws {
        let names = Set(["example", "example-2", "example-4"])
        let name = try SourceName.of(SourceID(kind: "feed", address: "http://example.org/"), isTaken: names.contains)
        #expect(!names.contains(name) && name.hasPrefix("example-"))
    }
}

extension PostStore {
    fileprivate var steps: Int { get throws { connection.database.steps } }
}

extension ExportedSource {
    fileprivate func named(_ name: String) throws -> ExportedSource {
        let json = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(self)) as? [String: Any])
        let data = try JSONSerialization.data(withJSONObject: json.merging(["name": name]) { $1 })
        return try JSONDecoder().decode(ExportedSource.self, from: data)
    }
}
