import BlogTestSupport
import Foundation
import Testing
@testable import BlogFeeds
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A picture in a private network") struct SourceNetworksTests {
    private static let picture = Data("GIF89a".utf8) + Data([1, 0, 1, 0, 0, 0, 0])
    private static let rss = Data("<rss version='2.0'><channel><item><title>t</title></item></channel></rss>".utf8)

    /// The feed's address, its response, the picture's address, and whether the picture is fetched.
    private static let cases: [(feed: String, gives: Data, picture: String, isFetched: Bool)] = [
        ("10.0.0.5", rss, "10.0.0.5", true),
        // The feed and the picture have the same host name, but it resolves to another address.
        ("10.0.0.5", rss, "10.0.0.6", false), ("8.8.8.8", rss, "192.168.1.1", false),
        ("8.8.8.8", rss, "127.0.0.1", false),
        ("8.8.8.8", rss, "8.8.4.4", true),
        // The feed's host name resolves to another machine by now, which has no feed.
        ("192.168.1.1", Data("<html>A router".utf8), "192.168.1.1", false),
    ]

    @Test("is fetched only from the address where its source's feed was found", arguments: cases)
    func place(feed: String, gives: Data, picture: String, isFetched: Bool) async throws {
        let image = HTTPHead(status: 200, headers: ["Content-Type": "image/gif"])
        let network = PeersByAddress(
            ["http://blog.example/feed": (feed, HTTPHead(status: 200)), "http://blog.example/x.gif": (picture, image)],
            bodies: ["http://blog.example/feed": gives, "http://blog.example/x.gif": Self.picture])
        let source = SourceID(kind: "feed", address: "http://blog.example/feed")
        let store = try PostStore()
        // It was followed in an earlier process, when there was a feed.
        _ = try await store.writeToDisk {
            try Sources($0).follow(source, in: nil, site: nil, at: Date()) { _ in "feed" }
        }
        let library = Library(store: store, client: HTTPClient(transport: network))
        let url = try #require(URL(string: "http://blog.example/x.gif"))
        for _ in 1...2 {
            let found = try? await library.pictures.picture(url, of: source)
            #expect((found != nil) == isFetched)
        }
        // The source is requested at most once, and only if that can decide anything.
        #expect(network.connected.count { $0 == feed } <= (feed == picture && isFetched ? 3 : 1))
        #expect(network.connected.contains(picture) == (isFetched || feed == picture))
    }
}

@Suite("A list of feeds at an address") struct ListNetworksTests {
    @Test(
        "leads into a private network only from within one",
        arguments: [("8.8.8.8", false), ("10.0.0.5", true), ("proxy", false)])
    func place(peer: String, isKept: Bool) async throws {
        let outlines = ["http://127.0.0.1/feed", "http://wiki.local/feed", "http://blog.example/feed"].map {
            "<outline type='rss' xmlUrl='\($0)'/>"
        }
        let address = "http://lists.example/a.opml"
        let network = PeersByAddress(
            [address: (peer, HTTPHead(status: 200))],
            bodies: [address: Data("<opml><body>\(outlines.joined())</body></opml>".utf8)])
        let library = Library(store: try PostStore(), client: HTTPClient(transport: network))
        let input = try await FollowInput([address], like: FollowRequest("")).fetchingLists(with: library)
        #expect(input.requests.count == (isKept ? 3 : 1))
        #expect(input.flaws.count == (isKept ? 0 : 1))
    }
}
