import BlogMockServer
import Foundation
import Synchronization
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// A library that follows the mock feed of summaries, whose pages are on the same server, and a clock.
package final class LanternFeed: Sendable {
    package let server: MockServer
    package let store: PostStore
    private let clock = TestClock(.day(20_600))

    /// - Parameter path: where the store is; nil for one in memory.
    package init(storePath path: String? = nil) throws {
        server = try MockServer(sites: [FeedSite(folder: Repository.mockFeeds)])
        store = try path.map { try PostStore(path: $0) } ?? PostStore()
    }

    deinit { server.stop() }

    package func library(
        _ freshness: Freshness = .normal, netrc: String = "",
        transport: any Transport = TransportKind.used.make()
    ) -> Library {
        Library(store: store, client: .impatient(transport, netrc: netrc, clock: clock.wall), freshness: freshness)
    }

    /// Advances the clock.
    package func wait(hours: Double) { clock.pass(hours * 3600) }

    /// Follows the feed, and forgets the requests made for that.
    package func follow(_ settings: ArticleSetting...) async throws {
        var request = FollowRequest(server.address + "/feeds/lantern/feed.xml", name: "lantern")
        request.articles = settings
        _ = try await library().follow(request)
        server.clearRequests()
    }

    /// The address of a page: `fog.html` and `lens.html` are articles, and `entry.html` is missing.
    package func address(_ page: String) -> String { server.address + "/feeds/lantern/" + page }

    /// The post that links to a page.
    package func post(_ page: String = "fog.html") async throws -> PostID { try await library().postID(address(page)) }

    /// Reads the post that links to a page.
    package func read(
        _ page: String = "fog.html", _ choice: ArticleChoice = .always, _ freshness: Freshness = .normal
    ) async throws -> ReadResult {
        try await library(freshness).read(post(page), article: choice)
    }

    /// Serves something else at the address of a page.
    package func serve(
        _ body: String, as headers: [String: String] = ["Content-Type": "text/html"], at page: String = "fog.html"
    ) {
        serve(Data(body.utf8), as: headers, at: page)
    }

    /// Serves a feed with other items.
    package func serve(items: String...) {
        serve(Self.rss(items), as: ["Content-Type": "application/rss+xml"], at: "feed.xml")
    }

    package static func rss(_ items: [String]) -> String {
        "<rss version='2.0'><channel>\(items.joined())</channel></rss>"
    }

    package func serve(_ body: Data, as headers: [String: String], at page: String = "fog.html") {
        server.setFault(.body(body, headers: headers), for: "/feeds/lantern/" + page)
    }

    /// The paths that were requested since the feed was followed.
    package var requested: [String] { server.requests.map { $0.path.replacing("/feeds/lantern/", with: "") } }

    /// A web page with one paragraph.
    package static func page(_ words: String, head: String = "") -> String {
        """
        <html><head><title>Title of a page</title>\(head)</head><body><div class="nav"><a href="/">Menu</a></div>
        <article><p>\(words)</p></article></body></html>
        """
    }

    /// More than enough text for an article, with this beginning.
    package static func words(_ beginning: String) -> String {
        beginning + String(repeating: " and then, as far as anybody knows, nothing else happened;", count: 20) + "."
    }
}
