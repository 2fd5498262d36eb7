import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// A sync server that was restored from a backup or installed anew: the same posts have other IDs, and the same IDs other posts.
@Suite("A sync server with an older or a new database") struct ServiceRestoredTests {
    private func titles(_ rig: ServiceRig, isSaved: Bool = false) async throws -> [String] {
        let list = try await rig.library.offline.list(Query(filter: Filter(isSaved: isSaved)), in: .everything)
        return try await list.posts.reduce(into: []) { $0.append($1.metadata.title) }.sorted()
    }

    private func starred(_ rig: ServiceRig) -> [String] {
        rig.site.items.values.filter(\.isStarred).map(\.title).sorted()
    }

    /// Marks the newest posts as saved, and returns their titles.
    private func save(_ count: Int, in rig: ServiceRig) async throws -> [String] {
        let posts = try await rig.posts().sorted { $0.key > $1.key }.prefix(count)
        _ = try await rig.library.mark(.saved, ids: posts.map(\.value.id))
        try await rig.sync(isWhole: true)
        return try await titles(rig, isSaved: true)
    }

    @Test(
        "keeps what was lost there, with its marks, though its IDs are those of other posts now",
        arguments: [
            (30, 12, 1), (30, 12, 5), (30, 3, 3), (30, 20, 20), (30, 1, 1), (1, 20, 19), (5, 900, 1), (3, 40, 0),
        ])
    func restored(old: Int, lost: Int, arriving: Int) async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: old)
        rig.site.addItems(lost, to: 1)
        try await rig.sync(isWhole: true)
        let before = try await titles(rig)
        let saved = try await save(min(lost, 4), in: rig)
        rig.site.restoreBackup(withoutNewest: lost)
        for _ in 0..<3 {
            rig.site.addItems(arriving, to: 1, edition: 1)
            #expect(try await rig.sync(isWhole: true).refresh.failure == nil)
        }
        #expect(try await titles(rig, isSaved: true) == saved)
        #expect(starred(rig) == [])
        #expect(try await titles(rig).count == before.count + 3 * arriving)
        #expect(try await rig.differences(except: []).filter { !$0.hasSuffix("at home only") } == [])
        // What is marked now is sent to nothing else.
        let marked = try await rig.library.mark(.labelled("x"), all: Filter(isSaved: true))
        #expect(marked.changed == saved.count)
        try await rig.sync()
        #expect(starred(rig) == [])
    }

    @Test("has the posts that it fetches again, with their marks", arguments: [1, 7])
    func fetchedAgain(atOnce: Int) async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 5)
        rig.site.addItems(14, to: 2)
        try await rig.sync()
        let saved = try await save(4, in: rig)
        let lost = rig.site.items.values.sorted { $0.id < $1.id }.suffix(14)
        rig.site.restoreBackup(withoutNewest: 14)
        // Others come first, so that they have other IDs.
        rig.site.addItems(3, to: 1, edition: 1)
        for index in stride(from: 0, to: 14, by: atOnce) {
            try await rig.sync()
            rig.site.addAgain(lost.dropFirst(index).prefix(atOnce))
        }
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig, isSaved: true) == saved)
        #expect(starred(rig) == saved)
        #expect(try await rig.posts().count == 27)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "has the posts that were kept if it was installed anew, whether it is forgotten first or not",
        arguments: [false, true], [false, true])
    func installedAnew(isForgotten: Bool, areFeedsRenumbered: Bool) async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 3, items: 5)
        let saved = try await save(3, in: rig)
        if areFeedsRenumbered { rig.site.renumberFeeds() }
        rig.site.exchangeItems()
        if isForgotten {
            _ = try await rig.library.forget("home")
            _ = try await rig.follow()
        }
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig).count == 15)
        #expect(try await titles(rig, isSaved: true) == saved)
        #expect(starred(rig) == saved)
        #expect(try await rig.differences() == [])
    }

    @Test("has no posts of another account, though they are the same")
    func otherAccount() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 3, items: 5)
        let saved = try await save(3, in: rig)
        rig.site.exchangeItems()
        rig.site.set(account: "bob")
        #expect(try await rig.sync().refresh.failure != nil)
        _ = try await rig.library.forget("home")
        _ = try await rig.follow()
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig).count == 18)
        #expect(try await titles(rig, isSaved: true) == saved)
        #expect(starred(rig) == [])
    }

    @Test(
        "has the same posts under other IDs, though their dates or addresses are others",
        arguments: ServiceSite.Software.allCases, 0..<3)
    func changed(software: ServiceSite.Software, change: Int) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 3)
        let saved = try await save(2, in: rig)
        rig.site.renumber()
        switch change {
        case 0: rig.site.change(dates: 86_400)
        case 1: rig.site.change { $0.replacing("https://", with: "http://") }
        default: rig.site.change { $0.replacing("blog-", with: "www.blog-") }
        }
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig).count == 6)
        #expect(starred(rig) == saved)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "has no post twice after the import of an export from before, and gets its marks",
        arguments: ServiceSite.Software.allCases, [false, true])
    func imported(software: ServiceSite.Software, isNewStore: Bool) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 3)
        let saved = try await save(2, in: rig)
        let folder = try TemporaryFolder()
        try await Data(rig.store.export().utf8).write(to: folder.url.appending(path: "archive"))
        rig.site.renumber()
        rig.site.renumberFeeds()
        if isNewStore { _ = try await rig.library.forget("home") }
        let unsaved = try await rig.posts().values.map(\.id)
        if isNewStore { _ = try await rig.library.mark(.unsaved, ids: unsaved) }
        if isNewStore { _ = try await rig.follow() }
        try await rig.sync()
        _ = try await Archive(path: rig.storePath).importPosts(from: folder.path("archive"))
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig).count == 6)
        #expect(try await titles(rig, isSaved: true) == saved)
        #expect(starred(rig) == saved)
        #expect(try await rig.differences() == [])
    }

    @Test("is sent and takes nothing while it doesn't say what its items are", arguments: [500, 200], [false, true])
    func unanswered(status: Int, isMarkWaiting: Bool) async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 10)
        rig.site.addItems(6, to: 1)
        try await rig.sync()
        let saved = try await save(4, in: rig)
        let newest = try #require(try await rig.posts().max { $0.key < $1.key })
        if isMarkWaiting { _ = try await rig.library.mark(.read, ids: [newest.value.id]) }
        rig.site.restoreBackup(withoutNewest: 6)
        rig.site.addItems(6, to: 2, edition: 1)
        let fault: Fault = status == 200 ? .body(Data(#"{"items":[]}"#.utf8)) : .status(status)
        rig.server.setFault(fault, for: rig.path("stream/items/contents"))
        _ = try await rig.sync()
        #expect(starred(rig) == [] && !rig.site.items.values.contains(where: \.isRead))
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig, isSaved: true) == saved)
        #expect(starred(rig) == [] && !rig.site.items.values.contains(where: \.isRead))
        #expect(try await titles(rig).count == 32)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "says that posts were read which it has under other IDs by now",
        arguments: ServiceSite.Software.allCases.filter(\.isRecognized), [false, true])
    func readUnderNewID(software: ServiceSite.Software, haveFeedsOtherIDs: Bool) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 3)
        rig.site.renumber()
        if haveFeedsOtherIDs { rig.site.renumberFeeds() }
        let read = rig.site.items.values.filter { $0.title.hasSuffix("2") }.map(\.id)
        rig.site.change(read) { $0.isRead = true }
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(read.isEmpty == false)
        #expect(try await rig.posts().values.count { $0.state.isRead } == read.count)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "loses no item because its contents come without it for a moment: what was taken back there is",
        arguments: [1, 4])
    func emptyContents(saved: Int) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 10)
        _ = try await save(saved, in: rig)
        rig.site.change(rig.site.items.keys) { $0.isStarred = false }
        let fault = Fault.body(Data(#"{"items":[]}"#.utf8))
        rig.server.setFault(fault, for: rig.path("stream/items/contents"))
        _ = try await rig.sync()
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(starred(rig) == [])
        #expect(try await titles(rig, isSaved: true) == [])
    }

    @Test("gives the IDs of posts to others with the same title, as all of a feed may have")
    func sameTitles() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 10)
        func add(edition: Int) {
            let before = Set(rig.site.items.keys)
            rig.site.addItems(6, to: 1, edition: edition)
            rig.site.change(Set(rig.site.items.keys).subtracting(before)) { $0.title = "Weekly links" }
        }
        add(edition: 0)
        try await rig.sync()
        #expect(try await save(4, in: rig) == Array(repeating: "Weekly links", count: 4))
        rig.site.restoreBackup(withoutNewest: 6)
        add(edition: 1)
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig, isSaved: true).count == 4)
        #expect(starred(rig) == [])
        #expect(try await titles(rig).count == 32)
    }

    @Test("has marks waiting for posts whose IDs are those of others, which count as such")
    func waiting() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 10)
        rig.site.addItems(4, to: 1)
        try await rig.sync()
        let newest = try await rig.posts().sorted { $0.key > $1.key }.prefix(2)
        let old = newest.compactMap { rig.site.items[$0.key] }
        _ = try await rig.library.mark(.saved, ids: newest.map(\.value.id))
        rig.site.restoreBackup(withoutNewest: 4)
        rig.site.addItems(4, to: 1, edition: 1)
        for _ in 0..<2 {
            try await rig.sync()
            #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 2)
        }
        #expect(starred(rig) == [])
        rig.site.addAgain(old)
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 0)
        #expect(starred(rig) == old.map(\.title).sorted())
        #expect(try await rig.differences() == [])
    }

    @Test(
        "gives the ID of a feed that it has no more to another one, and has that one again",
        arguments: ServiceSite.Software.allCases.filter(\.isRecognized))
    func feedIDTaken(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 3)
        rig.site.follow("https://own.example/feed.xml")
        try await rig.sync()
        let own = try #require(try await rig.library.sources().first { $0.feed == "https://own.example/feed.xml" })
        let posts = try await rig.library.offline.list(Query(), in: .sources([own.id])).posts
            .reduce(into: []) { $0.append($1.id) }
        #expect(posts.count == 3)
        _ = try await rig.library.mark(.saved, ids: posts)
        try await rig.sync()
        rig.site.removeFeed(3)
        rig.site.forgetLastFeed()
        rig.site.follow("https://other.example/feed.xml")
        rig.site.retitle("https://other.example/feed.xml", "Other")
        try await rig.sync()
        rig.site.follow("https://own.example/feed.xml")
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        let sources = try await rig.library.sources()
        #expect(sources.first { $0.feed == "https://own.example/feed.xml" }?.name == own.name)
        #expect(sources.contains { $0.feed == "https://other.example/feed.xml" && $0.name != own.name })
        #expect(try await titles(rig, isSaved: true).count == 3)
        #expect(try await titles(rig).count == 12)
    }

    @Test("has an edited post once, though its title and its link are others", arguments: [false, true])
    func edited(isRead: Bool) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 3)
        let (item, post) = try #require(try await rig.posts().min { $0.key < $1.key })
        _ = try await rig.library.mark(isRead ? .read : .saved, ids: [post.id])
        try await rig.sync()
        rig.site.change(page: { $0.hasSuffix("/\(item)") ? $0 + "/moved" : $0 })
        rig.site.change([item]) { ($0.title, $0.isRead) = ("Another title", false) }
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await titles(rig).count == 6)
        #expect(try await rig.differences() == [])
    }
}
