import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A feed that redirects to another host") struct MovedFeedTests {
    /// A network in which a feed is at an address, to which others redirect.
    private final class Network: Transport {
        private let state = Mutex<(status: Int, address: String, items: [String])>((200, "", []))

        func set(_ items: [String], at address: String, _ status: Int) {
            state.withLock { $0 = (status, address, items) }
        }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let (status, address, items) = state.withLock { $0 }
            guard request.url.absoluteString == address else {
                let head = HTTPHead(status: status, headers: ["Location": address])
                return HTTPResponse(url: request.url, head: head, body: ResponseBody(Data()))
            }
            let host = request.url.host ?? ""
            let feed = "<rss version='2.0'><channel><title>\(host)</title>\(items.joined())</channel></rss>"
            return HTTPResponse(url: request.url, head: HTTPHead(status: 200), body: ResponseBody(Data(feed.utf8)))
        }
    }

    private static let old = "http://old.example/feed"
    private static let new = "http://new.example/rss"

    private static func item(_ id: Int, title: String? = nil) -> String {
        "<item><guid>http://x.example/\(id)</guid><title>\(title ?? "Post \(id)")</title></item>"
    }

    private let network = Network()
    private let store: PostStore
    private let library: Library

    init() throws {
        store = try PostStore()
        library = Library(store: store, client: .impatient(network))
    }

    /// Follows a feed with the posts 1 to 3.
    private func follow(_ status: Int = 200) async throws {
        network.set((1...3).map { Self.item($0) }, at: status == 200 ? Self.old : Self.new, status)
        _ = try await library.follow(FollowRequest(Self.old, kind: "feed", name: "feed"))
    }

    private func refresh() async throws -> RefreshReport {
        try await library.refresh(library.sourceIDs(in: .everything), onlyDue: false, deadline: nil)[0].report
    }

    private var source: SourceState { get async throws { try #require(try await library.sources().first) } }

    static let foreignLists = [
        [item(8), item(9)], [item(8), item(9, title: "Post 1")], [item(8, title: "Post 1"), item(9, title: "post 1")],
        [],
    ]

    @Test(
        "for good, to posts that it never had, brings nothing and is failing, with what to do", arguments: foreignLists)
    func foreign(items: [String]) async throws {
        try await follow()
        network.set(items, at: Self.new, 301)
        let (old, new) = (try #require(URL(string: Self.old)), try #require(URL(string: Self.new)))
        for _ in 1...2 {
            #expect(try await refresh().failure as? SourceError == .movedElsewhere(old, to: new))
        }
        let source = try await source
        #expect(source.posts == 3 && source.title == "old.example" && source.id.address == Self.old)
        #expect(source.problem == .moved && source.movedTo == Self.new)
        #expect(source.reason == "moved to another host: \(Self.new)")
        // Another failure in between changes nothing.
        network.set([], at: "http://nowhere.example", 500)
        _ = try await refresh()
        network.set(items, at: Self.new, 308)
        #expect(try await refresh().failure is SourceError)
        // The user accepts it.
        var request = FollowRequest(Self.old)
        request.newAddress = Self.new
        _ = try await library.follow(request)
        let moved = try await self.source
        #expect(moved.posts == 3 + items.count && moved.problem == nil)
    }

    static let knownLists = [
        [item(1), item(9)], [item(8, title: "Post 1"), item(9, title: "POST 2")],
    ]

    @Test("for good brings new posts if it has a stored one, or two of their titles", arguments: knownLists)
    func known(items: [String]) async throws {
        try await follow()
        network.set(items, at: Self.new, 301)
        #expect(try await refresh().failure == nil)
        let source = try await source
        #expect(source.posts > 3 && source.problem == nil && source.movedTo == Self.new)
    }

    static let others = [
        (302, new), (307, new), (301, "https://old.example/feed"), (308, "http://www.old.example:8080/feed"),
        (301, "http://old.example/another"),
    ]

    @Test("for now, or to the same host, brings new posts as any other", arguments: others)
    func temporary(status: Int, address: String) async throws {
        try await follow()
        // The window of a news feed has turned over.
        network.set([Self.item(8), Self.item(9)], at: address, status)
        #expect(try await refresh().failure == nil)
        #expect(try await source.posts == 5)
    }

    @Test("as it did when it was followed brings new posts")
    func always() async throws {
        try await follow(301)
        network.set([Self.item(8), Self.item(9)], at: Self.new, 301)
        #expect(try await refresh().failure == nil)
        #expect(try await source.posts == 5)
    }
}
