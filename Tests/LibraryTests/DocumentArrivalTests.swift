import BlogEssentials
import BlogMockServer
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// Each kind of document that is stored, whichever source or service it is of.
enum ArrivingDocument: CaseIterable {
    case blogList, blogBody, ranking, item, photos, feed, contents, article

    /// Whether what is left of it when it is cut off can't be read.
    var isJSON: Bool { self != .feed && self != .article }
}

/// Sends requests, and counts the bytes that arrive.
private final class CountingTransport: Transport {
    private let transport = TransportKind.used.make()
    private let counts = Mutex<[String: Int]>([:])

    /// How many bytes have arrived from a path.
    func count(from path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await transport.send(request)
        let path = request.url.path
        let body = ResponseBody {
            guard let chunk = try await response.body.next() else { return nil }
            self.counts.withLock { $0[path, default: 0] += chunk.count }
            return chunk
        }
        return HTTPResponse(url: response.url, head: response.head, body: body, peer: response.peer)
    }
}

/// A server with a document of a kind, and a store on disk that it arrives in.
private final class ArrivalRig {
    let server: MockServer
    /// The path of the document on the server.
    let path: String
    let transport: CountingTransport
    /// Requests the document and stores it.
    let request: @Sendable () async throws -> Void
    private let storePath: String
    private let folder: TemporaryFolder

    init(_ document: ArrivingDocument, posts: Int = 40) async throws {
        folder = try TemporaryFolder()
        storePath = folder.path("s")
        let (store, transport) = (try PostStore(path: storePath), CountingTransport())
        self.transport = transport
        let service = ServiceSite(.freshRSS, feeds: 2, items: 10)
        let server = try MockServer(sites: [
            MadeUpSite(posts: posts), try Repository.hackerNewsSite.get(), try Repository.photoSite.get(),
            FeedSite(folder: Repository.mockFeeds), service,
        ])
        self.server = server
        let client = HTTPClient.impatient(transport)
        func reader(_ source: (URL, HTTPClient) -> any Source, at path: String) throws -> SourceReader {
            let url = try #require(URL(string: server.address + path))
            return SourceReader(source: source(url, client), store: store, freshness: .refresh, clock: .patient())
        }
        let library = Library(
            store: store, client: client, freshness: .refresh,
            logins: { _ in ServiceLogin(user: "alice", password: "apipass1") })
        let query = Query(limit: 10)
        switch document {
        case .blogList, .blogBody:
            let reader = try reader({ BlogAPISource(address: $0, client: $1) }, at: "")
            // Not part of a body's document.
            if document == .blogBody { _ = try await reader.refreshed() }
            path = document == .blogList ? "/post-metadata" : "/post/\(MadeUpSite.postId(1))"
            request = {
                if document == .blogList {
                    _ = try await reader.refreshed()
                } else {
                    _ = try await reader.read(id: "1")
                }
            }
        case .ranking, .item:
            let reader = try reader({ HackerNewsSource(address: $0, client: $1) }, at: "/v0")
            path = document == .ranking ? "/v0/topstories.json" : "/v0/item/8863.json"
            request = {
                if document == .ranking {
                    _ = try await reader.list(query)
                } else {
                    _ = try await reader.read(id: "8863")
                }
            }
        case .photos:
            let reader = try reader({ PhotoSource(address: $0, client: $1) }, at: "/v1")
            path = "/v1/photos"
            request = { _ = try await reader.list(query) }
        case .feed:
            let reader = try reader({ FeedSource(address: $0, client: $1) }, at: "/feeds/lantern/feed.xml")
            path = "/feeds/lantern/feed.xml"
            request = { _ = try await reader.refreshed() }
        case .contents:
            path = "/api/greader.php/reader/api/0/stream/items/contents"
            let followed = try await library.follow(server.address, as: "home")
            var options = SyncOptions()
            options.isWhole = true
            request = { [options] in
                service.addItems(1, to: 1)
                _ = try await library.sync(options, in: .sources([followed.source]))
            }
        case .article:
            path = "/feeds/lantern/fog.html"
            let address = server.address
            _ = try await library.follow(address + "/feeds/lantern/feed.xml", as: "lantern")
            request = {
                _ = try await library.read(library.postID(address + "/feeds/lantern/fog.html"), article: .always)
            }
        }
    }

    deinit { server.stop() }

    /// The document as the server sends it.
    func document() async throws -> [UInt8] {
        // Only the requests of a sync get those of a service.
        if path.contains("greader") { return Array(#"{"items":[{"id":"tag:google.com,2005:reader/item/1"}]}"#.utf8) }
        let url = try #require(URL(string: server.address + path + "?feature=popular&sort=rating"))
        return try await HTTPClient.impatient().get(url, limit: 64 << 20).body.bytes
    }

    func database() throws -> Database { try Database(path: storePath, mode: .readWrite) }

    /// All that is stored of posts, row by row.
    func stored() throws -> [String] {
        let database = try database()
        return try [
            "SELECT id || title || listed || revision || ifnull(digest, '') FROM posts ORDER BY key",
            "SELECT post || body FROM bodies ORDER BY key", "SELECT section || place || id FROM ranks",
            "SELECT post || body FROM articles WHERE body IS NOT NULL", "SELECT item FROM mark_queue",
        ].flatMap { try database.texts($0) }
    }
}

@Suite("A document that arrives", .serialized) struct DocumentArrivalTests {
    @Test(
        "is refused as a whole if it ends too early, at every tenth of it, and changes nothing that is stored",
        arguments: ArrivingDocument.allCases, [true, false])
    func cutOff(document: ArrivingDocument, isStored: Bool) async throws {
        let rig = try await ArrivalRig(document)
        if isStored { try await rig.request() }
        let (before, bytes) = (try rig.stored(), try await rig.document())
        for tenth in 0..<10 {
            let part = Data(bytes.prefix(bytes.count * tenth / 10))
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n".utf8)
            var faults = [Fault.raw(head + part)]
            if document.isJSON { faults.append(.body(part)) }
            for fault in faults {
                rig.server.setFault(fault, for: rig.path)
                try? await rig.request()
                #expect(try rig.stored() == before, "\(document) at \(tenth) tenths")
            }
        }
        rig.server.setFault(nil, for: rig.path)
        try await rig.request()
        let isSame = try rig.stored() == before
        #expect(isSame == (isStored && document != .contents))
    }

    @Test("is waited for without a lock on the store", arguments: ArrivingDocument.allCases)
    func lock(document: ArrivingDocument) async throws {
        // A list of more than 4 MB, which goes to a file.
        let rig = try await ArrivalRig(document, posts: document == .blogList ? 12_000 : 40)
        rig.server.setFault(.stall, for: rig.path)
        let (request, path) = (rig.request, rig.path)
        let start = rig.transport.count(from: path)
        let task = Task { try? await request() }
        while rig.transport.count(from: path) == start { await Task.yield() }
        let other = try rig.database()
        other.setBusyTimeout(milliseconds: 0)
        try other.execute("BEGIN IMMEDIATE")
        try other.execute("ROLLBACK")
        task.cancel()
        await task.value
    }
}
