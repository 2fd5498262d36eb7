import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A sync server with another account or database than before") struct ServiceAccountTests {
    private enum Change: CaseIterable { case account, database }

    private func make(_ change: Change, at site: ServiceSite) {
        switch change {
        case .account: site.set(account: "bob")
        case .database: site.replaceFeeds()
        }
    }

    private func unsent(_ rig: ServiceRig) async throws -> Int? {
        try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks
    }

    private func states(_ rig: ServiceRig) async throws -> [Int64: PostState] {
        try await rig.posts().mapValues(\.state)
    }

    @Test("is sent nothing, and nothing is taken from it", arguments: Change.allCases, ServiceSite.Software.allCases)
    private func refused(change: Change, software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software)
        let posts = try await rig.posts()
        let id = try #require(posts.keys.sorted().first)
        _ = try await rig.library.mark(.saved, ids: [try #require(posts[id]?.id)])
        let before = try await states(rig)
        make(change, at: rig.site)
        rig.site.change(posts.keys) { $0.isRead = true }
        rig.server.clearRequests()
        let report = try await rig.sync()
        guard case ServiceError.otherAccount(_, name: "home")? = report.refresh.failure else {
            Issue.record("\(String(describing: report.refresh.failure))")
            return
        }
        #expect(!rig.server.requests.contains { $0.path.hasSuffix("edit-tag") })
        #expect(try await states(rig) == before)
        #expect(try await unsent(rig) == 1)
    }

    @Test("is synced again once it has the account of before, with the marks that waited")
    func back() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts()
        let id = try #require(posts.keys.sorted().first)
        _ = try await rig.library.mark(.saved, ids: [try #require(posts[id]?.id)])
        rig.site.set(account: "bob")
        #expect(try await rig.sync().refresh.failure != nil)
        rig.site.set(account: "alice")
        #expect(try await rig.sync().refresh.failure == nil)
        #expect(rig.site.items[id]?.isStarred == true)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "is the same if its feeds have each other's numbers, whose posts and marks stay theirs",
        arguments: [true, false])
    func renumbered(isNew: Bool) async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        let marked = try #require(posts.first)
        _ = try await rig.library.mark(.saved, ids: [marked.value.id])
        try await rig.sync()
        let before = try await rig.library.sources().map { "\($0.name) \($0.feed ?? "")" }
        rig.site.renumberFeeds()
        if isNew { rig.site.renumber() }
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await rig.library.sources().map { "\($0.name) \($0.feed ?? "")" } == before)
        #expect(rig.site.items.values.count(where: \.isStarred) == 1)
        #expect(try await rig.posts().count == posts.count)
        #expect(try await rig.differences() == [])
    }

    @Test("can be followed anew once the former one is forgotten", arguments: Change.allCases)
    private func anew(change: Change) async throws {
        let rig = try await ServiceRig()
        make(change, at: rig.site)
        #expect(try await rig.sync().refresh.failure != nil)
        _ = try await rig.library.forget("home")
        _ = try await rig.follow()
        #expect(try await rig.sync().refresh.failure == nil)
        #expect(try await rig.differences() == [])
    }

    @Test(
        "is told of a mark that waited if it is followed again after its posts were deleted", arguments: [true, false])
    func forgotten(isSame: Bool) async throws {
        let rig = try await ServiceRig()
        let (item, post) = try #require(try await rig.posts().sorted { $0.key < $1.key }.first)
        _ = try await rig.library.mark(.saved, ids: [post.id])
        _ = try await rig.library.forget("home")
        _ = try await rig.library.mark(.labelled("later"), ids: [post.id])
        if !isSame { rig.site.set(account: "bob") }
        _ = try await rig.follow()
        try await rig.sync()
        #expect(rig.site.items[item]?.isStarred == isSame && rig.site.items[item]?.labels == (isSame ? ["later"] : []))
        let saved = try await rig.library.offline.list(Query(filter: Filter(isSaved: true)), in: .everything)
        #expect(try await saved.posts.reduce(0) { count, _ in count + 1 } == 1)
        #expect(
            try await rig.library.list(Query(), in: .everything).posts.reduce(0) { count, _ in count + 1 }
                == (isSame ? 40 : 41))
        // From now on, another account isn't accepted.
        rig.site.set(account: "carol")
        #expect(try await rig.sync().refresh.failure != nil)
    }

    @Test("can have moved to another address, with its posts, their marks, and those that wait")
    func moved() async throws {
        let rig = try await ServiceRig()
        let id = try #require(try await rig.posts().keys.sorted().first)
        _ = try await rig.library.mark(.saved, ids: [try #require(try await rig.posts()[id]?.id)])
        let names = try await rig.library.sources().map(\.name)
        let new = try MockServer(sites: [rig.site])
        var request = FollowRequest("home")
        request.newAddress = new.address
        rig.server.stop()
        let report = try await rig.library.follow(request)
        #expect(report.formerAddress == rig.service.address && report.name == "home")
        #expect(report.refresh?.failure == nil)
        let sources = try await rig.library.sources()
        #expect(sources.map(\.name) == names && sources.allSatisfy { $0.id.address.hasPrefix(new.address) })
        #expect(rig.site.items[id]?.isStarred == true)
        let service = try #require(sources.first { $0.id.isService }?.id)
        let list = try await rig.library.list(Query(), in: .sources([service]))
        #expect(try await list.posts.reduce(0) { count, _ in count + 1 } == 40)
        #expect(list.refreshes.allSatisfy { $0.report.failure == nil })
    }

    @Test("doesn't move to a server with other posts under the same IDs", arguments: [ServiceSite.Software.miniflux])
    func notMovedToOthers(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software)
        let other = ServiceSite(software)
        other.reinstall()
        let new = try MockServer(sites: [other])
        let before = try await rig.store.export()
        var request = FollowRequest("home")
        request.newAddress = new.address
        await #expect(throws: ServiceError.self) { try await rig.library.follow(request) }
        #expect(try await rig.store.export() == before)
    }

    @Test("doesn't move to a server with another account or database, and isn't changed", arguments: Change.allCases)
    private func notMoved(change: Change) async throws {
        let rig = try await ServiceRig()
        let other = ServiceSite(.freshRSS)
        make(change, at: other)
        let new = try MockServer(sites: [other])
        let before = try await rig.store.export()
        var request = FollowRequest("home")
        request.newAddress = new.address
        await #expect(throws: ServiceError.self) { try await rig.library.follow(request) }
        #expect(!new.requestLines.contains { $0.hasSuffix("edit-tag") })
        #expect(try await rig.store.export() == before)
        let report = try await rig.sync()
        #expect(report.refresh.failure == nil)
    }

    @Test("doesn't move to a server that has none of its feeds")
    func emptyServer() async throws {
        let rig = try await ServiceRig()
        let new = try MockServer(sites: [ServiceSite(.freshRSS, feeds: 0)])
        var request = FollowRequest("home")
        request.newAddress = new.address
        await #expect(throws: ServiceError.self) { try await rig.library.follow(request) }
        #expect(try await rig.sync().refresh.failure == nil)
    }

    @Test("is the same as before if a backup was restored since when nothing arrived, or items were edited")
    func soundBackup() async throws {
        let rig = try await ServiceRig(.miniflux)
        rig.site.restoreBackup(withoutNewest: 5)
        rig.site.change(rig.site.items.keys) { $0.title = "New" }
        #expect(try await rig.sync().refresh.failure == nil)
    }

    @Test(
        "is sent the marks again if it has the posts under other IDs, and has one of each",
        arguments: ServiceSite.Software.allCases)
    func newIDs(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software)
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        _ = try await rig.library.mark(.saved, ids: [posts[0].value.id])
        try await rig.sync()
        _ = try await rig.library.mark(.read, ids: [posts[1].value.id])
        rig.site.renumber()
        for _ in 1...3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await rig.posts().count == 40)
        #expect(try await rig.differences() == [])
        #expect(rig.site.items.values.count { $0.isStarred } == 1 && rig.site.items.values.count { $0.isRead } == 1)
    }

    @Test(
        "has one post of each even if it doesn't tell at once that the former IDs are gone",
        arguments: ServiceSite.Software.allCases, [1, 2])
    func newIDsAndFailures(software: ServiceSite.Software, failures: Int) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 1)
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        _ = try await rig.library.mark(.saved, ids: [posts[0].value.id])
        try await rig.sync()
        rig.site.renumber()
        rig.site.fail(contentsOfMissing: 100)
        for _ in 0..<failures { _ = try await rig.sync() }
        rig.site.fail(contentsOfMissing: 0)
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await rig.posts().count == 2)
        #expect(try await rig.differences() == [])
        #expect(rig.site.items.values.count(where: \.isStarred) == 1)
    }

    @Test(
        "has the posts under other IDs, though they were read there meanwhile, and gets what is marked then",
        arguments: ServiceSite.Software.allCases)
    func newIDsOfRead(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software, feeds: 2, items: 3)
        let posts = try await rig.posts().sorted { $0.key < $1.key }.map(\.value.id)
        _ = try await rig.library.mark(.read, ids: [posts[1]])
        try await rig.sync()
        rig.site.renumber()
        // So no list but those of the feeds names them.
        rig.site.change(rig.site.items.keys) { $0.isRead = true }
        try await rig.sync()
        _ = try await rig.library.mark(.saved, ids: [posts[0]])
        _ = try await rig.library.mark(.unread, ids: [posts[1]])
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(rig.site.items.values.count(where: \.isStarred) == 1)
        #expect(rig.site.items.values.count { !$0.isRead } == 1)
        #expect(try await rig.posts().count == 6)
        #expect(try await unsent(rig) == 0)
    }

    @Test("takes marks back as before if its list of feeds once lacked one, and the sync ended there")
    func cutFeeds() async throws {
        let rig = try await ServiceRig(feeds: 2, items: 3)
        let (item, post) = try #require(try await rig.posts().max { $0.key < $1.key })
        _ = try await rig.library.mark(.saved, ids: [post.id])
        for _ in 0..<2 { try await rig.sync() }
        let first = #"{"id":"feed/1","title":"A","url":"https://blog-1.example/feed.xml","categories":[],"htmlUrl":""}"#
        let json = ["Content-Type": "application/json"]
        rig.server.setFault(
            .body(Data(#"{"subscriptions":[\#(first)]}"#.utf8), headers: json), for: rig.path("subscription/list"))
        rig.server.setFault(.status(500), for: rig.path("stream/items/ids"))
        #expect(try await rig.sync().refresh.failure != nil)
        for call in ["subscription/list", "stream/items/ids"] { rig.server.setFault(nil, for: rig.path(call)) }
        rig.site.change([item]) { $0.isStarred = false }
        for _ in 0..<2 { try await rig.sync() }
        #expect(rig.site.items[item]?.isStarred == false)
        #expect(try await rig.posts()[item]?.state.isSaved == false)
    }

    @Test("is sent no marks if it has others under the IDs of those, though the newest are the same")
    func exchanged() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 3, items: 5)
        for (feed, count) in [(1, 4), (2, 4), (3, 12)] { rig.site.addItems(count, to: feed) }
        try await rig.sync()
        let ids = rig.site.items.keys.sorted()
        let post = try #require(try await rig.posts()[ids[ids.count - 19]])
        _ = try await rig.library.mark(.saved, ids: [post.id])
        rig.site.restoreBackup(withoutNewest: 20)
        for (feed, count) in [(2, 4), (1, 4), (3, 12)] { rig.site.addItems(count, to: feed, edition: 1) }
        #expect(try await rig.sync().refresh.failure == nil)
        #expect(rig.site.items.values.count(where: \.isStarred) == 0)
    }

    @Test("is sent nothing while it has none of its feeds, and all once it has them again")
    func emptied() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        _ = try await rig.library.mark(.saved, ids: [posts[0].value.id])
        let empty = Data(#"{"subscriptions":[]}"#.utf8)
        rig.server.setFault(.body(empty), for: rig.path("subscription/list"))
        guard case ServiceError.otherAccount? = try await rig.sync().refresh.failure else {
            Issue.record("it was synced")
            return
        }
        rig.server.setFault(nil, for: rig.path("subscription/list"))
        try await rig.sync()
        #expect(rig.site.items[posts[0].key]?.isStarred == true)
    }

    @Test("is known by its login if the server doesn't tell whose it is")
    func untold() async throws {
        let rig = try await ServiceRig()
        rig.server.setFault(.status(404), for: rig.path("user-info"))
        #expect(try await rig.sync().refresh.failure == nil)
        let post = try #require(try await rig.posts().values.first?.id)
        _ = try await rig.library.mark(.saved, ids: [post])
        let bob = Library(
            store: rig.store, client: .impatient(), logins: { _ in ServiceLogin(user: "bob", password: "apipass1") })
        rig.site.set(user: "bob")
        let failure = try await bob.sync(SyncOptions(), in: .sources([rig.service]))[0].report.refresh.failure
        guard case ServiceError.otherAccount? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(rig.site.items.values.count { $0.isStarred } == 0)
    }

    @Test(
        "begins anew after a reinstallation as its message says, and no mark goes to another post",
        arguments: ServiceSite.Software.allCases.filter { $0 != .freshRSS })
    func reinstalled(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software)
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        _ = try await rig.library.mark(.saved, ids: posts.prefix(3).map(\.value.id))
        try await rig.sync()
        _ = try await rig.library.mark(.saved, ids: [posts[3].value.id])
        rig.site.reinstall()
        _ = try await rig.sync()
        _ = try await rig.library.forget("home")
        _ = try await rig.follow()
        try await rig.sync()
        #expect(rig.site.items.values.count { $0.isStarred } == 0)
        let saved = try await rig.library.offline.list(Query(filter: Filter(isSaved: true)), in: .everything)
        #expect(try await saved.posts.reduce(0) { count, _ in count + 1 } == 4)
        let all = try await rig.library.offline.list(Query(), in: .sources([rig.service]))
        let new = try await all.posts.filter { $0.metadata.title.hasPrefix("Anew") }.reduce(0) { count, _ in count + 1 }
        #expect(new == 40)
    }

    @Test("is sent no marks of another archive's account, in whatever order their lines come", arguments: 0..<4)
    func joinedArchives(order: Int) async throws {
        let rig = try await ServiceRig(feeds: 1)
        let alice = try await rig.store.export()
        _ = try await rig.library.mark(.saved, ids: [try #require(try await rig.posts().values.first?.id)])
        let bob = try await rig.store.export().replacing("\"account\":\"alice\"", with: "\"account\":\"bob\"")
        let lines = bob.split(separator: "\n").map(String.init)
        let (services, others) = (
            lines.filter { $0.contains("\"account\"") }, lines.filter { !$0.contains("\"account\"") }
        )
        let archive =
            switch order {
            case 0: alice + bob
            case 1: bob + alice
            case 2: others.joined(separator: "\n") + "\n"
            default: (others + services).joined(separator: "\n") + "\n"
            }
        let folder = try TemporaryFolder()
        let other = try PostStore(path: folder.path("other.sqlite3"))
        _ = try await library(other).follow(FollowRequest(rig.server.address))
        let report = try await imported(archive, in: folder).1
        _ = try await library(try PostStore(path: folder.path("other.sqlite3"))).sync(SyncOptions(), in: .everything)
        #expect(rig.site.items.values.count { $0.isStarred } == 0)
        #expect(report.otherAccounts == [rig.service.address])
    }

    @Test("is told of a mark that is taken back here after an import had brought it")
    func takenBack() async throws {
        let rig = try await ServiceRig()
        let (item, post) = try #require(try await rig.posts().first)
        _ = try await rig.library.mark(.read, ids: [post.id])
        let folder = try TemporaryFolder()
        let (store, _) = try await imported(try await rig.store.export(), in: folder)
        rig.site.change([item]) { $0.isRead = true }
        _ = try await library(store).mark(.unread, ids: [post.id])
        _ = try await library(store).follow(FollowRequest(rig.server.address))
        _ = try await library(store).sync(SyncOptions(), in: .everything)
        #expect(rig.site.items[item]?.isRead == false)
    }

    /// A store into which an archive of a rig's store is imported, and what the import reports.
    private func imported(_ archive: String, in folder: TemporaryFolder) async throws -> (PostStore, ImportReport) {
        try Data(archive.utf8).write(to: folder.url.appending(path: "archive"))
        let store = try PostStore(path: folder.path("other.sqlite3"))
        let report = try await Archive(path: folder.path("other.sqlite3")).importPosts(from: folder.path("archive"))
        return (store, report)
    }

    private func library(_ store: PostStore) -> Library {
        let login = ServiceLogin(user: "alice", password: "apipass1")
        return Library(store: store, client: .impatient(), logins: { _ in login })
    }

    @Test("isn't sent the marks in an archive of another account, also if that has one feed")
    func archiveOfAccount() async throws {
        let rig = try await ServiceRig(feeds: 1)
        _ = try await rig.library.mark(.saved, ids: [try #require(try await rig.posts().values.first?.id)])
        let folder = try TemporaryFolder()
        let (store, _) = try await imported(try await rig.store.export(), in: folder)
        rig.site.set(account: "bob")
        await #expect(throws: ServiceError.self) { try await library(store).follow(FollowRequest(rig.server.address)) }
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("edit-tag") })
    }

    @Test("brings nothing from an archive into a store that has its account")
    func archiveBesideAccount() async throws {
        let rig = try await ServiceRig(feeds: 1)
        let folder = try TemporaryFolder()
        let archive = try await rig.store.export()
        rig.site.set(account: "bob")
        let store = try PostStore(path: folder.path("other.sqlite3"))
        _ = try await library(store).follow(FollowRequest(rig.server.address))
        let before = try await store.export()
        let report = try await imported(archive, in: folder).1
        #expect(report.otherAccounts == [rig.service.address] && report.posts.total == 0)
        #expect(try await PostStore(path: folder.path("other.sqlite3")).export() == before)
    }

    @Test("isn't told to take marks back by an older archive that had yet to do so")
    func olderQueue() async throws {
        let rig = try await ServiceRig()
        let (item, post) = try #require(try await rig.posts().sorted { $0.key < $1.key }.first)
        for mark in [Mark.saved, .labelled("later"), .read] { _ = try await rig.library.mark(mark, ids: [post.id]) }
        try await rig.sync()
        let removals = [Mark.unsaved, .unlabelled("later"), .unread]
        for mark in removals { _ = try await rig.library.mark(mark, ids: [post.id]) }
        let folder = try TemporaryFolder()
        let archive = try await rig.store.export()
        let (store, _) = try await imported(archive, in: folder)
        #expect(try await store.export() == archive)
        _ = try await library(store).follow(FollowRequest(rig.server.address))
        let there = try #require(rig.site.items[item])
        #expect(there.isRead && there.isStarred && there.labels == ["later"])
        let here = try await library(store).list(Query(), in: .sources([rig.service]))
        let states = try await here.posts.filter { $0.id == post.id }.reduce(into: []) { $0.append($1.state) }
        #expect(states.map(\.isRead) == [true] && states.map(\.isSaved) == [true])
        // Taken back here, after the import, they are.
        for mark in removals { _ = try await library(store).mark(mark, ids: [post.id]) }
        _ = try await library(store).sync(SyncOptions(), in: .sources([rig.service]))
        let after = try #require(rig.site.items[item])
        #expect(!after.isRead && !after.isStarred && after.labels == [])
    }

    @Test("stays at its new address after an archive from before")
    func archiveOfFormerAddress() async throws {
        let rig = try await ServiceRig()
        let archive = try await rig.store.export()
        let new = try MockServer(sites: [rig.site])
        var request = FollowRequest("home")
        request.newAddress = new.address
        _ = try await rig.library.follow(request)
        let before = try await rig.library.sources().map(\.id)
        let folder = try TemporaryFolder()
        try Data(archive.utf8).write(to: folder.url.appending(path: "archive"))
        let report = try await Archive(path: rig.storePath).importPosts(from: folder.path("archive"))
        #expect(report.posts.new == 0)
        #expect(try await rig.library.sources().map(\.id) == before)
    }

    @Test("isn't told of the marks in an archive of another database")
    func archive() async throws {
        let rig = try await ServiceRig()
        let post = try #require(try await rig.posts().values.first?.id)
        _ = try await rig.library.mark(.saved, ids: [post])
        let folder = try TemporaryFolder()
        try await Data(rig.store.export().utf8).write(to: folder.url.appending(path: "archive"))
        rig.site.replaceFeeds()
        let other = try PostStore(path: folder.path("other.sqlite3"))
        _ = try await Archive(path: folder.path("other.sqlite3")).importPosts(from: folder.path("archive"))
        let login = ServiceLogin(user: "alice", password: "apipass1")
        let library = Library(store: other, client: .impatient(), logins: { _ in login })
        rig.server.clearRequests()
        await #expect(throws: ServiceError.self) { try await library.follow(FollowRequest(rig.server.address)) }
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("edit-tag") })
    }

    @Test("can move with the user that its address names")
    func movedAccount() async throws {
        let rig = try await ServiceRig(follows: false)
        let typed = rig.server.address.replacing("://", with: "://alice@")
        _ = try await rig.library.follow(typed, as: "home")
        let new = try MockServer(sites: [rig.site])
        for address in [new.address, new.address.replacing("://", with: "://alice@")] {
            var request = FollowRequest("home")
            request.newAddress = address
            let moved = try await rig.library.follow(request)
            #expect(moved.address == new.address.replacing("://", with: "://alice@") + rig.prefix)
        }
    }

    @Test("may have one feed whose address was changed there")
    func editedFeed() async throws {
        let rig = try await ServiceRig(feeds: 1)
        rig.site.replaceFeeds()
        #expect(try await rig.sync().refresh.failure == nil)
    }
}
