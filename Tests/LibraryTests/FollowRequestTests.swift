import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A follow request", .serialized) struct FollowRequestTests {
    private let blog: MockServer
    private let feeds: MockServer
    private let running: RunningServers
    private let library: Library

    init() throws {
        blog = try MockServer(sites: [try BlogSite(folder: Repository.mockBlog, isTimed: false)])
        feeds = try MockServer(sites: [try FeedSite(folder: Repository.mockFeeds)])
        running = RunningServers(blog, feeds)
        library = Library(
            store: try PostStore(), client: .impatient(), defaultSource: SourceID(kind: "blog", address: blog.address))
    }

    private func dryRun(_ address: String, kind: String? = nil, name: String? = nil) async throws -> FollowReport {
        var request = FollowRequest(address, kind: kind, name: name)
        request.isDryRun = true
        return try await library.follow(request)
    }

    static let refused = ["taken", "hn", "-x", "Upper", "", String(repeating: "x", count: 41)]

    @Test("is rejected for an invalid or taken name, in a dry run or not", arguments: refused)
    func names(name: String) async throws {
        _ = try await library.follow(blog.address, as: "taken")
        let feed = feeds.address + "/feeds/feed.xml"
        await #expect(throws: LibraryError.self) { try await dryRun(feed, name: name) }
        await #expect(throws: LibraryError.self) { try await library.follow(feed, as: name) }
        #expect(try await dryRun(feed, name: "free").name == "free")
        #expect(try await library.sources().count == 1)
    }

    @Test(
        "requests a feed once, whether its address was given or found on a page",
        arguments: ["feeds/feed.xml", "feeds/saltmarsh/"])
    func onlyOnce(path: String) async throws {
        let followed = try await library.follow("\(feeds.address)/\(path)")
        #expect(followed.posts > 0)
        let requests = feeds.requests.map(\.path)
        #expect(requests.count == Set(requests).count, "\(requests)")
    }

    @Test("follows a source again whose posts are stored, even if its server fails now")
    func unfollowed() async throws {
        _ = try await library.follow(feeds.address + "/feeds/feed.xml", as: "tide")
        _ = try await library.unfollow("tide")
        feeds.setFault(.status(500), for: "/feeds/feed.xml")
        #expect(try await library.follow("tide").outcome == .followed)
        #expect(try await library.sources().map(\.name) == ["tide"])
    }

    @Test("keeps the source's site when its name or folder changes")
    func site() async throws {
        var request = FollowRequest(blog.address, name: "nerds")
        request.site = "https://nerds.example/"
        _ = try await library.follow(request)
        _ = try await library.follow("nerds", as: "other")
        _ = try await library.follow(FollowRequest("other", folder: "work"))
        let source = try #require(try await library.sources().first)
        #expect((source.name, source.folder, source.site) == ("other", "work", "https://nerds.example/"))
    }

    static let changes: [(change: String, apply: @Sendable (inout FollowRequest) -> Void)] = [
        ("", { _ in }), ("name", { $0.name = "other" }), ("folder", { $0.folder = "work" }),
        ("site", { $0.site = "https://nerds.example/" }), ("title", { $0.title = "Nerds" }),
        ("keep", { $0.keep = .own(.forever) }), ("article", { $0.articles = [.choice(.always)] }),
        ("interval", { $0.every = .own(.never) }),
        ("article body", { $0.articles = [.body("main")] }), ("article drop", { $0.articles = [.drop("aside")] }),
    ]

    @Test("reports whether it changes a followed source", arguments: changes)
    func change(change: String, apply: @Sendable (inout FollowRequest) -> Void) async throws {
        _ = try await library.follow(FollowRequest(blog.address, name: "nerds"))
        var request = FollowRequest(blog.address)
        apply(&request)
        #expect(try await library.follow(request).outcome == (change.isEmpty ? .unchanged : .changed))
        #expect(try await library.follow(request).outcome == .unchanged)
    }

    @Test("can mark existing posts as read, whether the source is checked or trusted", arguments: [true, false])
    func read(isTrusted: Bool) async throws {
        var request = FollowRequest(feeds.address + "/feeds/feed.xml", kind: "feed")
        (request.isTrusted, request.isRead) = (isTrusted, true)
        _ = try await library.follow(request)
        let source = try #require(try await library.sources().first)
        #expect((source.posts, source.unread) == (4, 0))
    }

    @Test("from a file leaves a followed source and its unread posts as they are", arguments: [true, false])
    func imported(isTrusted: Bool) async throws {
        let address = feeds.address + "/feeds/feed.xml"
        var mine = FollowRequest(address, kind: "feed", folder: "sea")
        mine.title = "Tides"
        _ = try await library.follow(mine)
        var imported = FollowRequest(address, kind: "feed", folder: "from elsewhere")
        (imported.title, imported.site) = ("Another title", "https://elsewhere.example/")
        (imported.isImported, imported.isTrusted, imported.isRead) = (true, isTrusted, true)
        #expect(try await library.follow(imported).outcome == .unchanged)
        let source = try #require(try await library.sources().first)
        #expect((source.title, source.folder, source.unread) == ("Tides", "sea", 4))
        #expect(source.site != imported.site)
    }

    @Test("with --read leaves the posts of a followed source unread")
    func readAgain() async throws {
        var request = FollowRequest(feeds.address + "/feeds/feed.xml", kind: "feed")
        _ = try await library.follow(request)
        request.isRead = true
        _ = try await library.follow(request)
        #expect(try await library.sources().map(\.unread) == [4])
    }

    @Test(
        "made twice at once follows one source, with names that don't depend on timing",
        arguments: [true, false])
    func twice(isTrusted: Bool) async throws {
        let paths = ["/feeds/garden/feed.xml", "/feeds/feed.xml", "/feeds/garden/feed.xml"]
        feeds.setFault(.delay(300), for: paths[0])
        let requests = paths.map { path in
            var request = FollowRequest(feeds.address + path, kind: "feed")
            request.isTrusted = isTrusted
            return request
        }
        var reports: [FollowReport] = []
        for await result in library.follow(requests) { reports.append(try result.get()) }
        #expect(reports.map { $0.outcome == .followed } == [true, true, false])
        #expect(reports.map(\.name) == ["127-0-0-1", "127-0-0-1-feeds", "127-0-0-1"])
        #expect(try await library.sources().count == 2)
    }

    @Test("for another kind of source fails, in a dry run or not")
    func kinds() async throws {
        let address = blog.address + "/post-metadata"
        await #expect(throws: SourceError.self) { try await dryRun(address, kind: "feed") }
        await #expect(throws: SourceError.self) { try await library.follow(address, kind: "feed") }
        await #expect(throws: HTTPError.self) { try await library.follow(blog.address + "/nothing", kind: "feed") }
        #expect(try await library.sources().filter(\.isFollowed).isEmpty)
        #expect(try await library.follow(feeds.address + "/feeds/feed.xml", kind: "feed").posts == 4)
        #expect(try await library.sources().filter(\.isFollowed).count == 1)
    }

    @Test("that names a source renames it, moves it or follows it again")
    func again() async throws {
        _ = try await library.follow(blog.address, as: "nerds", folder: "work")
        #expect(try await library.follow("nerds", as: "blog-1", folder: "/").name == "blog-1")
        #expect(try await library.sources().map(\.folder) == [""])
        _ = try await library.unfollow("blog-1")
        #expect(try await library.follow("blog-1").source.address == blog.address)
        await #expect(throws: LibraryError.self) { try await library.follow("nerds") }
    }

    @Test("that is trusted keeps its suggested name while the server is down")
    func trusted() async throws {
        var request = FollowRequest(feeds.address + "/feeds/feed.xml", kind: "feed")
        (request.isTrusted, request.suggestedName) = (true, "mine")
        feeds.stop()
        let report = try await library.follow(request)
        #expect(report.name == "mine")
        #expect(report.refresh?.failure != nil)
        // This machine may have no network.
        #expect(try await library.sources().map(\.problem) == [nil])
        request.address = feeds.address + "/feeds/garden/feed.xml"
        #expect(try await library.follow(request).name == "127-0-0-1")
        request.suggestedName = "other"
        #expect(try await library.follow(request).name == "127-0-0-1")
    }
}
