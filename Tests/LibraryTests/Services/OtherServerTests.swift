import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A sync server other than FreshRSS and Miniflux") struct OtherServerTests {
    static let servers: [ServiceSite.Software] = [.bazQux, .oldReader, .commaFeed]

    @Test("is followed if it is said to be one, with its marks there and here", arguments: servers)
    func followed(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software)
        #expect(try await rig.differences(withLabels: false) == [])
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        #expect(posts.count == 40)
        for (post, mark) in zip(posts, [Mark.saved, .read, .labelled("later")]) {
            _ = try await rig.library.mark(mark, ids: [post.value.id])
        }
        rig.site.change(posts[5...6].map(\.key)) { ($0.isRead, $0.isStarred) = (true, true) }
        try await rig.sync()
        #expect(try await rig.differences(withLabels: false) == [])
        #expect(rig.site.items[posts[0].key]?.isStarred == true && rig.site.items[posts[1].key]?.isRead == true)
        // A label that the server doesn't take stays here, also once it has another one.
        #expect(rig.site.items[posts[2].key]?.labels == (software.hasLabels ? ["later"] : []))
        rig.site.change([posts[3].key]) { $0.labels = ["other"] }
        try await rig.sync()
        try await rig.sync()
        #expect(try await rig.posts()[posts[2].key]?.state.labels == ["later"])
    }

    @Test("isn't looked for with a login that nobody has meant for it", arguments: servers)
    func unnamed(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software, follows: false)
        await #expect(throws: (any Error).self) {
            try await rig.library.follow(FollowRequest(rig.server.address + rig.prefix))
        }
        #expect(!rig.server.requestLines.contains { $0.contains("ClientLogin") })
        #expect(try await !rig.library.sources().contains { $0.id.isService })
    }

    @Test("isn't followed where there is none, and nothing is left of it")
    func none() async throws {
        let rig = try await ServiceRig(.bazQux, follows: false)
        let request = FollowRequest(rig.server.address + "/other", kind: "service")
        await #expect(throws: ServiceError.self) { try await rig.library.follow(request) }
        #expect(try await !rig.library.sources().contains { $0.id.isService })
    }

    @Test("has labels that are tags without types and no folders, and moves feeds out of their folders")
    func bazQux() async throws {
        let rig = try await ServiceRig(.bazQux)
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        rig.site.change([posts[0].key]) { $0.labels = ["later"] }
        try await rig.sync()
        #expect(try await rig.posts()[posts[0].key]?.state.labels == ["later"])
        _ = try await rig.library.mark(.labelled("later"), ids: [posts[1].value.id])
        _ = try await rig.library.mark(.unlabelled("later"), ids: [posts[0].value.id])
        try await rig.sync()
        #expect(rig.site.items[posts[1].key]?.labels == ["later"] && rig.site.items[posts[0].key]?.labels == [])
        #expect(try await rig.differences() == [])
        _ = try await rig.library.follow(FollowRequest("home/blog-1", folder: "News"))
        #expect(rig.site.feeds[0].folder == "News")
    }

    @Test("can have users whose names aren't ASCII", arguments: ServiceSite.Software.allCases)
    func users(software: ServiceSite.Software) async throws {
        let rig = try await ServiceRig(software, login: ServiceLogin(user: "zoë", password: "apipass1"))
        _ = try await rig.library.mark(.saved, ids: [try #require(try await rig.posts().values.first?.id)])
        #expect(try await rig.sync().sentMarks == 1)
        #expect(rig.site.items.values.count { $0.isStarred } == 1)
    }
}

@Suite("Two accounts on one sync server") struct TwoAccountTests {
    /// The site of a user by the login, or by the key that it got for it.
    private struct Accounts: MockSite {
        let alice: ServiceSite
        let bob: ServiceSite
        var takesForms: Bool { true }

        func response(to request: MockRequest) -> MockResponse? {
            let isOfBob =
                request.headers["authorization"]?.hasPrefix("GoogleLogin auth=bob/") == true
                || request.method == "POST" && request.form.contains { $0.name == "Email" && $0.value == "bob" }
            return (isOfBob ? bob : alice).response(to: request)
        }
    }

    private static let logins = """
        machine 127.0.0.1 login alice password apipass1
        machine 127.0.0.1 login bob password apipass1
        """

    @Test("are two services, each with its login, its feeds and its marks", arguments: [true, false])
    func both(hasCommands: Bool) async throws {
        let site = Accounts(
            alice: ServiceSite(.freshRSS, feeds: 2, items: 3),
            bob: ServiceSite(.freshRSS, feeds: 1, items: 5, user: "bob"))
        let server = try MockServer(sites: [site])
        let folder = try TemporaryFolder()
        let store = try PostStore(path: folder.path("blog.sqlite3"))
        let client = HTTPClient.impatient(netrc: hasCommands ? "" : Self.logins)
        let library = Library(store: store, client: client) { name in
            hasCommands ? ServiceLogin(user: name == "work" ? "bob" : "alice", password: "apipass1") : nil
        }
        _ = try await library.follow(server.address, as: "home")
        let typed = server.address.replacing("://", with: "://bob@")
        let work = try await library.follow(typed, as: "work")
        #expect((work.posts, work.formerName, work.address) == (5, nil, typed + "/api/greader.php"))
        #expect(!server.requestLines.contains { $0.contains("bob") })
        let sources = try await library.sources()
        #expect(sources.map(\.name) == ["home", "home/blog-1", "home/blog-2", "work", "work/blog-1"])
        #expect(sources.map(\.posts) == [6, 3, 3, 5, 5])
        for name in ["home", "work"] {
            let scope = Scope.sources(sources.filter { $0.name == name }.map(\.id))
            _ = try await library.mark(.saved, all: Filter(), in: scope)
        }
        let reports = try await library.sync(SyncOptions(), in: .everything)
        #expect(reports.map(\.report.sentMarks) == [6, 5])
        #expect(site.alice.items.values.allSatisfy(\.isStarred) && site.bob.items.values.allSatisfy(\.isStarred))
        // Nothing of one is another's after an export, either.
        let archive = try await store.export()
        try Data(archive.utf8).write(to: folder.url.appending(path: "archive"))
        let report = try await Archive(path: folder.path("other.sqlite3")).importPosts(from: folder.path("archive"))
        #expect(report.posts.new == 11 && report.skippedLines == [])
        #expect(try await PostStore(path: folder.path("other.sqlite3")).export() == archive)
        _ = try await library.unfollow("work")
        #expect(try await library.sync(SyncOptions(), in: .everything).allSatisfy { $0.report.refresh.failure == nil })
    }
}
