import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A reader of single items", .serialized) struct SourceReaderItemsTests {
    private let server: MockServer
    private let running: RunningServers
    private let store: PostStore

    init() throws {
        server = try MockServer(sites: [Repository.hackerNewsSite.get()])
        running = RunningServers(server)
        store = try PostStore()
    }

    private func reader(
        _ freshness: Freshness = .normal, of other: MockServer? = nil, in store: PostStore? = nil,
        timeout: TimeInterval = 60, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> SourceReader {
        let client = HTTPClient(transport: TransportKind.used.make(), timeout: timeout)
        let address = try #require(URL(string: (other ?? server).address + "/v0"))
        return SourceReader(
            source: HackerNewsSource(address: address, client: client), store: store ?? self.store,
            freshness: freshness, clock: .patient(now: now))
    }

    private func query(_ sorting: Sorting = .rank, limit: Int? = nil, filter: Filter = Filter()) -> Query {
        Query(filter: filter, arrangement: Arrangement(sorting: sorting), limit: limit)
    }

    private func posts(_ list: PostList) async throws -> [StoredPost] {
        var posts: [StoredPost] = []
        for try await post in list.posts { posts.append(post) }
        return posts
    }

    private func comments(_ reader: SourceReader, of id: String) async throws -> (
        all: [BlogModel.Comment], missing: Int
    ) {
        let stream = reader.comments(on: try await reader.read(id: id))
        var comments: [BlogModel.Comment] = []
        for try await comment in stream { comments.append(comment) }
        return (comments, stream.missing.count)
    }

    @Test("lists the front page by rank, whatever the order of the responses")
    func rankOrder() async throws {
        let server = try MockServer(sites: [
            HackerNewsSite(
                folder: Repository.mockHackerNews,
                hostile: Repository.root.appending(path: "mocks/data/hostile/hackernews"))
        ])
        server.setDelays { path in path.utf8.reduce(0) { ($0 * 31 + Int($1)) % 90 } }
        let list = try await reader(of: server).list(query(limit: 69))
        let shown = try await posts(list)
        // Four of the first are dead or deleted: others take their places, and all keep their ranks.
        #expect(shown.count == 69)
        let ranks = shown.compactMap(\.rank)
        #expect(ranks == ranks.sorted() && Set(ranks).count == 69 && ranks.last == 73)
        #expect(shown.map(\.metadata.id).prefix(3) == ["8863", "500000", "2000000"])
        var last = query(limit: 2)
        last.offset = 67
        let end = try await posts(reader(of: server).list(last))
        #expect(end.map(\.rank) == [72, 73])
        #expect(end.map(\.metadata.id) == shown.suffix(2).map(\.metadata.id))
    }

    @Test("gives up on a server that keeps closing the connection", arguments: [Fault.refuse, .reset])
    func gone(fault: Fault) async throws {
        server.setFault(fault, for: "/v0/item/*")
        let list = try await reader().list(query(.title))
        #expect(try await posts(list).isEmpty)
        #expect(list.missing.count == 500)
        // Three attempts for each request in progress when it gave up.
        #expect(server.requests.count < 200)
    }

    @Test("requests each item once, over persistent connections")
    func requests() async throws {
        _ = try await posts(try await reader().list(query()))
        _ = try await comments(reader(), of: "500000")
        #expect(Set(server.requestLines).count == server.requestLines.count)
        #expect(server.connectionCount < server.requestLines.count / 4)
    }

    @Test("lists comments in the order of the tree, whatever the order of the responses", arguments: UInt64(1)...6)
    func treeOrder(seed: UInt64) async throws {
        let tree = RandomThread(comments: 60, seed: seed)
        let server = try MockServer(sites: [tree])
        defer { server.stop() }
        server.setDelays { path in path.utf8.reduce(Int(seed)) { ($0 * 31 + Int($1)) % 40 } }
        let all = try await comments(reader(of: server), of: "1").all
        #expect(all.map { "\($0.id)@\($0.depth)" } == tree.expected)
    }

    @Test("lists the comments that arrive, and counts the missing ones")
    func faults() async throws {
        for (index, id) in (500_001...500_500).enumerated() {
            let fault: Fault? = index % 20 == 7 ? .status(500) : index % 20 == 3 ? .null : index == 18 ? .stall : nil
            if let fault { server.setFault(fault, for: "/v0/item/\(id).json") }
        }
        try await EnoughTime.from(1) { seconds in
            let (all, missing) = try await comments(reader(timeout: seconds), of: "500000")
            // The replies to a missing comment are unknown.
            #expect(missing > 20)
            #expect(Set(all.map(\.id)).count == all.count)
            return all.count > 200
        }
    }

    @Test(
        "shows stored comments, with their replies, that can't be fetched again",
        arguments: [Fault.status(500), .null, .refuse])
    func outdated(fault: Fault) async throws {
        let before = try await comments(reader(), of: "500000").all.map(\.id)
        // One has replies.
        for id in ["500001", "500008"] { server.setFault(fault, for: "/v0/item/\(id).json") }
        let reader = try reader(.refresh)
        let stream = reader.comments(on: try await reader.read(id: "500000"))
        let after = try await stream.reduce(into: []) { $0.append($1.id) }
        #expect(after == before && stream.missing.count == 0)
        // With null, the server says that it has no such item.
        #expect(stream.missing.outdated == (fault == .null ? 0 : 2))
        #expect((stream.missing.firstError == nil) == (fault == .null))
    }

    @Test("fetches comments again after five minutes, until replies are closed")
    func freshness() async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600 + 3600)
        _ = try await comments(reader(now: { start }), of: "500000")
        server.clearRequests()
        _ = try await comments(reader(now: { start.addingTimeInterval(200) }), of: "500000")
        #expect(server.requestLines.isEmpty)
        _ = try await comments(reader(now: { start.addingTimeInterval(400) }), of: "500000")
        #expect(server.requestLines.count > 480)
        let later = start.addingTimeInterval(20 * 86_400)
        _ = try await comments(reader(now: { later }), of: "500000")
        server.clearRequests()
        _ = try await comments(reader(now: { later.addingTimeInterval(86_400) }), of: "500000")
        #expect(server.requestLines.isEmpty)
        _ = try await reader(.refresh).read(id: "500000")
        #expect(server.requestLines == ["GET /v0/item/500000.json"])
    }

    @Test("reads a synced thread offline, and finds words in its comments")
    func offline() async throws {
        let report = try await reader().sync(SyncOptions(limit: 2, withComments: true)) { _ in }
        #expect(report.new == 2 + 12 + 500)
        server.stop()
        let offline = try reader(.offline)
        #expect(try await comments(offline, of: "500000").all.count > 480)
        var query = Query(arrangement: Arrangement(sorting: .relevance), words: "quireignore")
        query.filter.kind = .comments
        #expect(try await store.ids(query, of: offline.sourceID) == ["8871"])
        query.filter.kind = .posts
        #expect(try await store.ids(query, of: offline.sourceID).isEmpty)
    }

    @Test("counts a comment that can't be synced as a failed comment, not as a post")
    func failedComment() async throws {
        server.setFault(.status(403), for: "/v0/item/8871.json")
        let report = try await reader().sync(SyncOptions(limit: 2, withComments: true)) { _ in }
        #expect(report.failed == 1)
        #expect(report.total - report.comments == 2)
    }

    @Test("marks comments as new that came after the last reading")
    func news() async throws {
        #expect(try await comments(reader(), of: "1001").all.allSatisfy { !$0.isNew })
        let seen = try await comments(reader(), of: "1001").all
        try await store.noteSeen(seen.dropLast().map(\.id), of: reader().sourceID)
        try await store.noteReading(of: [PostID(source: reader().sourceID, local: "1001")])
        #expect(try await comments(reader(), of: "1001").all.filter(\.isNew).map(\.id) == [seen.last?.id])
    }

    @Test("keeps the text of a comment that its author deletes")
    func deleted() async throws {
        let before = try await reader().read(id: "8877").post.body
        let gone = #"{"id":8877,"deleted":true,"type":"comment","parent":8863,"time":1770635750,"kids":[8878]}"#
        server.setFault(.body(Data(gone.utf8)), for: "/v0/item/8877.json")
        _ = try await comments(reader(.refresh), of: "8863")
        let kept = try await comments(reader(.offline), of: "8863").all.first { $0.id == "8877" }
        #expect(kept?.body == before)
        #expect(kept?.removal == .deleted)
    }

    @Test("sorts and filters the whole section, not only the front page")
    func arranged() async throws {
        let list = try await reader().list(query(.score, limit: 3))
        let scores = try await posts(list).compactMap(\.metadata.score)
        #expect(scores == scores.sorted(by: >))
        let found = try await posts(try await reader().list(query(filter: Filter(title: "show hn"))))
        #expect(found.count > 6)
        #expect(found.compactMap(\.rank) == found.compactMap(\.rank).sorted())
    }

    /// The options of some lists.
    static let lists: [(Sorting, isReversed: Bool, limit: Int?, offset: Int, title: String?)] = [
        (.rank, true, 5, 0, nil), (.rank, true, 5, 3, nil), (.rank, false, 5, 40, nil), (.rank, false, 4, 0, "show"),
        (.rank, true, 4, 2, "show"), (.date, false, 5, 0, nil), (.date, true, 5, 2, nil), (.score, true, 3, 1, nil),
        (.title, false, 3, 480, nil),
    ]

    @Test("lists the same with an empty store as with everything stored")
    func empty() async throws {
        _ = try await posts(try await reader().list(query(.title)))
        for list in Self.lists {
            var query = query(list.0, limit: list.limit, filter: Filter(title: list.title))
            query.arrangement.isReversed = list.isReversed
            query.offset = list.offset
            let first = try await posts(try await reader(in: PostStore()).list(query))
            let again = try await posts(try await reader(.offline).list(query))
            #expect(first.map(\.metadata.id) == again.map(\.metadata.id), "\(list)")
            #expect(first.map(\.rank) == again.map(\.rank), "\(list)")
            #expect(!first.isEmpty, "\(list)")
        }
    }

    @Test("reports the first of several reasons for missing posts")
    func firstReason() {
        let missing = MissingItems()
        let reasons = [nil, "first", "second", nil].map { $0.map { StoreError(path: $0, reason: .busy) } }
        for reason in reasons { missing.note(.missing(id: "1", reason)) }
        #expect(missing.count == 4)
        #expect((missing.firstError as? StoreError)?.path == "first")
    }

    @Test("falls back on stored posts if the server is gone, and fails without any")
    func unreachable() async throws {
        _ = try await posts(try await reader().list(query(limit: 30)))
        server.stop()
        let list = try await reader(now: { Date().addingTimeInterval(600) }).list(query(limit: 30))
        guard case .failed = list.refreshes[0].report.outcome else {
            return #expect(Bool(false), "the refresh should have failed")
        }
        #expect(try await posts(list).count == 30)
        await #expect(throws: LibraryError.self) { try await reader(.offline).read(id: "2001000") }
    }
}
