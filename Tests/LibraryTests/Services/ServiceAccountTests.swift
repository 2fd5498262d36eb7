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

    @Test("isn't told of the marks in an archive of another account")
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

    @Test("may have one feed whose address was changed there")
    func editedFeed() async throws {
        let rig = try await ServiceRig(feeds: 1)
        rig.site.replaceFeeds()
        #expect(try await rig.sync().refresh.failure == nil)
    }
}
