import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// Posts with the same title, address and text, as a status page has them, and other posts under the same IDs.
@Suite("Posts at a sync server that are easily taken for each other") struct ServiceRecurringTests {
    private static let day = 86_400
    private static let date = 1_777_000_000

    private func add(_ rig: ServiceRig, night: Int, id: Int64? = nil) -> Int64 {
        rig.site.addItem(
            "Backup failed", page: "https://blog-1.example/0", published: Self.date + night * Self.day, to: 1, id: id)
    }

    /// The marks of the posts with a title, in the order of their dates: "read", "saved", both or "".
    private func marks(_ rig: ServiceRig, _ title: String = "Backup failed") async throws -> [String] {
        let list = try await rig.library.offline.list(Query(), in: .everything)
        let posts = try await list.posts.reduce(into: []) { $0.append($1) }
        return posts.filter { $0.metadata.title.hasPrefix(title) }
            .sorted { $0.metadata.publishDate.moment < $1.metadata.publishDate.moment }
            .map { ($0.state.isRead ? "read" : "") + ($0.state.isSaved ? "saved" : "") }
    }

    private func mark(_ mark: Mark, item: Int64, _ rig: ServiceRig) async throws {
        let post = try #require(try await rig.posts()[item])
        _ = try await rig.library.mark(mark, ids: [post.id])
        try await rig.sync()
    }

    @Test("are new ones, whatever became of the old one", arguments: ServiceSite.Software.allCases, 1...3)
    func purged(software: ServiceSite.Software, nights: Int) async throws {
        let rig = try await ServiceRig(software, feeds: 1, items: 2)
        let first = add(rig, night: 0)
        try await rig.sync()
        try await mark(.read, item: first, rig)
        rig.site.purge([first])
        for night in 1...nights { _ = add(rig, night: night) }
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await marks(rig) == ["read"] + (1...nights).map { _ in "" })
        #expect(rig.site.items.values.allSatisfy { !$0.isRead })
    }

    @Test("are new ones though the old one is kept without its item", arguments: 1...2)
    func kept(nights: Int) async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 1, items: 2)
        let first = add(rig, night: 0)
        try await rig.sync()
        try await mark(.saved, item: first, rig)
        rig.site.reinstall()
        try await rig.sync()
        for night in 1...nights { _ = add(rig, night: night) }
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await marks(rig) == ["saved"] + (1...nights).map { _ in "" })
        #expect(rig.site.items.values.allSatisfy { !$0.isStarred })
    }

    @Test("are compared at programs that only have the address of FreshRSS, as the plugin FreshAPI has")
    func likeFreshRSS() async throws {
        let rig = try await ServiceRig(.freshRSS, feeds: 1, items: 0)
        for night in 0..<12 { _ = add(rig, night: night, id: Int64(night + 1)) }
        try await rig.sync()
        _ = try await rig.library.mark(.saved, ids: try await rig.posts().filter { $0.key < 5 }.map(\.value.id))
        rig.site.reinstall()
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(rig.site.items.values.allSatisfy { !$0.isStarred })
        #expect(try await marks(rig, "Anew") == Array(repeating: "", count: 12))
    }

    @Test(
        "are new ones if several come again on a later day, as yearly ones do", arguments: ServiceSite.Software.allCases
    )
    func yearly(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software, feeds: 1, items: 8)
        func add(year: Int) -> [Int64] {
            ["mail", "web"].map {
                rig.site.addItem(
                    "Maintenance of \($0)", page: "https://blog-1.example/\($0)",
                    published: Self.date + year * 365 * Self.day, to: 1)
            }
        }
        let first = add(year: 0)
        rig.site.addItems(12, to: 1)
        try await rig.sync()
        for item in first { try await mark(.read, item: item, rig) }
        rig.site.purge(first)
        _ = add(year: 1)
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await marks(rig, "Maintenance") == ["read", "read", "", ""])
        #expect(rig.site.items.values.allSatisfy { !$0.isRead })
    }

    @Test("are found again after a new installation, though all were marked as read there")
    func allRead() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 6)
        let saved = try await rig.posts().sorted { $0.key < $1.key }.prefix(3).map(\.value.id)
        _ = try await rig.library.mark(.saved, ids: saved)
        try await rig.sync()
        let titles = Set(rig.site.items.values.filter(\.isStarred).map(\.title))
        rig.site.exchangeItems()
        rig.site.change(Array(rig.site.items.keys)) { $0.isRead = true }
        for _ in 0..<4 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(Set(rig.site.items.values.filter(\.isStarred).map(\.title)) == titles)
        let list = try await rig.library.offline.list(Query(), in: .everything)
        let posts = try await list.posts.reduce(into: []) { $0.append($1) }
        #expect(posts.count == 12 && posts.allSatisfy(\.state.isRead))
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 0)
    }

    @Test(
        "are the same after a new installation that dates them by their arrival, with the marks of all, also of the read ones",
        arguments: [ServiceSite.Software.freshRSS, .miniflux],
        [(feeds: 2, items: 10, read: 4), (feeds: 2, items: 10, read: 1), (feeds: 15, items: 20, read: 20)])
    func datedByArrival(software: ServiceSite.Software, size: (feeds: Int, items: Int, read: Int)) async throws {
        let rig = try await ServiceRig(software, feeds: size.feeds, items: size.items)
        var options = SyncOptions()
        options.isWhole = true
        _ = try await rig.library.sync(options)
        let read = Dictionary(grouping: rig.site.items.values, by: \.feed).values.flatMap {
            $0.sorted { $0.id < $1.id }.prefix(size.read).map(\.id)
        }
        let posts = try await rig.posts()
        _ = try await rig.library.mark(.read, ids: read.compactMap { posts[$0]?.id })
        try await rig.sync()
        let titles = Set(rig.site.items.values.filter(\.isRead).map(\.title))
        #expect(titles.count == size.feeds * size.read)
        rig.site.renumber()
        // One keeps its date.
        let kept = try #require(rig.site.items.keys.min())
        rig.site.change(dates: 90 * Self.day, but: [kept])
        for _ in 0..<4 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(Set(rig.site.items.values.filter(\.isRead).map(\.title)) == titles)
        #expect(try await rig.posts().count == posts.count)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "have the marks that they say they have, though the list of unread ones was empty for a while",
        arguments: [ServiceSite.Software.freshRSS, .miniflux])
    func emptyList(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 8)
        let read = try await rig.posts().sorted { $0.key < $1.key }.prefix(3).map(\.value.id)
        _ = try await rig.library.mark(.read, ids: read)
        try await rig.sync()
        let titles = Set(rig.site.items.values.filter(\.isRead).map(\.title))
        rig.site.renumber()
        rig.site.hideUnread(true)
        try await rig.sync()
        rig.site.hideUnread(false)
        for _ in 0..<3 { try await rig.sync() }
        #expect(Set(rig.site.items.values.filter(\.isRead).map(\.title)) == titles)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "take and send no marks while the server fails to say what they are",
        arguments: [
            Fault.body(Data("<html>Proxy</html>".utf8)), .body(Data("{\"items\":[{\"id\":\"".utf8)), .status(413),
            .status(400), .status(504),
        ])
    func unusable(fault: Fault) async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 12)
        let posts = try await rig.posts().sorted { $0.key < $1.key }.map(\.value.id)
        _ = try await rig.library.mark(.read, ids: Array(posts.prefix(8)))
        _ = try await rig.library.mark(.saved, ids: Array(posts.suffix(4)))
        try await rig.sync()
        let titles = Set(rig.site.items.values.filter(\.isRead).map(\.title))
        let starred = Set(rig.site.items.values.filter(\.isStarred).map(\.title))
        rig.site.exchangeItems()
        rig.server.setFault(fault, for: rig.path("stream/items/contents"))
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure != nil) }
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        for _ in 0..<4 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(Set(rig.site.items.values.filter(\.isRead).map(\.title)) == titles)
        #expect(Set(rig.site.items.values.filter(\.isStarred).map(\.title)) == starred)
        #expect(try await rig.differences() == [])
    }

    @Test("are told apart by their marks, though the newest ones are the same")
    func partlySame() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 12)
        let before = rig.site.items.values.sorted { $0.id < $1.id }
        try await rig.sync()
        rig.site.reinstall()
        rig.site.restore(before.suffix(14))
        rig.site.change([before[2].id]) { $0.isRead = true }
        rig.site.change([before[3].id]) { $0.isStarred = true }
        for _ in 0..<2 { #expect(try await rig.sync(isWhole: true).refresh.failure == nil) }
        #expect(try await rig.differences() == [])
        let old = try await rig.library.offline.list(Query(), in: .everything)
        let titles = Set(before.prefix(10).map(\.title))
        let kept: [StoredPost] = try await old.posts.reduce(into: []) {
            if titles.contains($1.metadata.title) { $0.append($1) }
        }
        #expect(kept.count == 10)
        #expect(kept.allSatisfy { !$0.state.isRead && !$0.state.isSaved })
        // Those under their IDs have come: the one that is read has nothing to show.
        #expect(try await marks(rig, "Anew").count == 9)
    }

    @Test("aren't read because others are that have their IDs later")
    func absent() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 1, items: 20)
        try await rig.sync()
        let lost = rig.site.items.values.sorted { $0.id < $1.id }.suffix(5)
        rig.site.restoreBackup(withoutNewest: 5)
        try await rig.sync()
        rig.site.addItems(5, to: 1, edition: 1)
        rig.site.change(lost.map(\.id)) { $0.isRead = true }
        for _ in 0..<2 { #expect(try await rig.sync().refresh.failure == nil) }
        for item in lost { #expect(try await marks(rig, item.title) == [""]) }
    }

    @Test("keep their marks apart if two have had one ID, one after the other")
    func twice() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 1, items: 10)
        let old = rig.site.items.values.sorted { $0.id < $1.id }.suffix(3)
        let item = try #require(old.first)
        try await rig.sync()
        try await mark(.saved, item: item.id, rig)
        let starred = try #require(rig.site.items[item.id])
        rig.site.restoreBackup(withoutNewest: 3)
        rig.site.addItems(3, to: 1, edition: 1)
        for _ in 0..<2 { try await rig.sync() }
        let new = try #require(rig.site.items[item.id])
        try await mark(.saved, item: item.id, rig)
        let post = try #require(try await rig.posts()[item.id])
        _ = try await rig.library.mark(.unsaved, ids: [post.id])
        // The old backup again.
        rig.site.restore(Array(old.dropFirst()) + [starred])
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(rig.site.items[item.id]?.isStarred == true)
        #expect(try await marks(rig, item.title) == ["saved"])
        #expect(try await marks(rig, new.title) == [""])
    }
}
