import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A web page given by its address", .serialized) struct PageReadingTests {
    private let feed: LanternFeed

    init() throws {
        feed = try LanternFeed()
    }

    private func id(_ post: PostID) async throws -> String { try await feed.library().shortIDs().text(post) }

    @Test("becomes a post of the source “pages”, and is fetched once")
    func added() async throws {
        for _ in 1...2 {
            let page = try await feed.library().pages.postOrPage(feed.address("lens.html"))
            #expect(page.problem == nil)
            #expect(try await id(page.post) == "pages:1")
            let read = try await feed.library().read(page.post)
            #expect(read.post.metadata.title == "A lens with 1,008 faces")
            #expect(read.post.metadata.author.name == "Signe Abara")
            #expect(read.post.metadata.link == feed.address("lens.html"))
            #expect(read.post.body.contains("in forty crates"))
        }
        #expect(feed.requested == ["lens.html"])
        #expect(try await id(feed.library().pages.postOrPage(feed.address("fog.html")).post) == "pages:2")
        #expect(try await feed.store.read { try Sources($0).followed() }.map(\.name) == ["pages"])
    }

    @Test("is back in the lists when the source of pages is followed again")
    func followedAgain() async throws {
        let page = try await feed.library().pages.postOrPage(feed.address("lens.html"))
        _ = try await feed.library().unfollow("pages")
        #expect(try await feed.store.read { try Sources($0).followed() }.isEmpty)
        try await feed.library(.offline).pages.follow()
        #expect(try await feed.store.read { try Sources($0).followed() }.map(\.name) == ["pages"])
        #expect(try await id(page.post) == "pages:1")
    }

    @Test("is the post that links to it, if there is one", arguments: ["lens.html", "lens.html#what", "moved.html"])
    func known(page: String) async throws {
        try await feed.follow()
        feed.server.setFault(.redirect("/feeds/lantern/lens.html"), for: "/feeds/lantern/moved.html")
        #expect(try await feed.library().pages.postOrPage(feed.address(page)).post == feed.post("lens.html"))
        #expect(try await feed.store.read { try Sources($0).followed() }.map(\.name) == ["lantern"])
    }

    @Test("stays the same post, also offline, when a feed lists it later", arguments: ["lens.html", "lens.html#what"])
    func listedLater(page: String) async throws {
        let added = try await feed.library().pages.postOrPage(feed.address(page))
        try await feed.follow()
        let offline = feed.library(.offline)
        #expect(try await offline.pages.postOrPage(feed.address(page)).post == added.post)
        #expect(try await offline.postID(feed.address(page)) == added.post)
        #expect(try await offline.read(added.post).post.body.contains("in forty crates"))
        _ = try await offline.unfollow("pages")
        #expect(try await offline.postID(feed.address(page)) == feed.post("lens.html"))
    }

    @Test(
        "isn't added if it can't be read, unless its address is to be kept",
        arguments: [
            ("entry.html", nil), ("fog.html", Fault.status(500)), ("fog.html", .refuse),
            ("fog.html", .body(Data("%PDF".utf8), headers: ["Content-Type": "application/pdf"])),
        ])
    func unreadable(page: String, fault: Fault?) async throws {
        feed.server.setFault(fault, for: "/feeds/lantern/" + page)
        await #expect(throws: (any Error).self) { try await feed.library().pages.postOrPage(feed.address(page)) }
        #expect(try await feed.store.read { try Sources($0).followed() }.isEmpty)
        let kept = try await feed.library().pages.postOrPage(feed.address(page), keepsUnreadable: true)
        #expect(kept.problem != nil)
        #expect(try await id(kept.post) == "pages:1")
        #expect(try await feed.library().storedMetadata(of: kept.post)?.title == feed.address(page))
        let again = try await feed.library().pages.postOrPage(feed.address(page), keepsUnreadable: true)
        #expect(again.post == kept.post && again.problem == nil)
    }

    @Test("can be added offline, and read once there is a network")
    func offline() async throws {
        let address = feed.address("fog.html")
        await #expect(throws: PageError.notStored(try #require(URL(string: address)))) {
            try await feed.library(.offline).pages.postOrPage(address)
        }
        let kept = try await feed.library(.offline).pages.postOrPage(address, keepsUnreadable: true)
        #expect(kept.problem as? PageError == .notStored(try #require(URL(string: address))))
        #expect(feed.requested == [])
        let read = try await feed.library().read(kept.post)
        #expect(read.post.body.contains("Behind the diaphragm"))
    }

    @Test(
        "must be a complete web address", arguments: ["ftp://a.example/", "fog.html", "99"])
    func noAddress(typed: String) async throws {
        try await feed.follow()
        _ = try? await feed.library().pages.postOrPage(typed, keepsUnreadable: true)
        #expect(feed.requested == [])
        #expect(try await feed.store.read { try Sources($0).followed() }.map(\.name) == ["lantern"])
    }

    @Test("is rejected if its address contains a login")
    func login() async throws {
        let typed = "http://me:secret@127.0.0.1:\(feed.server.port)/feeds/lantern/fog.html"
        await #expect(throws: LibraryError.self) { try await feed.library().pages.postOrPage(typed) }
        #expect(feed.requested == [])
    }

    @Test("is removed with the source of pages, and restored as the same post")
    func unfollowed() async throws {
        let page = try await feed.library().pages.postOrPage(feed.address("fog.html"))
        _ = try await feed.library().mark(.saved, ids: [page.post])
        _ = try await feed.library().unfollow("pages")
        #expect(try await feed.store.read { try Sources($0).followed() }.isEmpty)
        #expect(try await feed.library().pages.postOrPage(feed.address("fog.html")).post == page.post)
    }
}
