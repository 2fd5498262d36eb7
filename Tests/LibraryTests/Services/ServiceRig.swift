import BlogMockServer
import BlogTestSupport
import Foundation
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// A sync server, and a library that follows it as `home`, with a store on disk.
final class ServiceRig {
    let site: ServiceSite
    let server: MockServer
    let store: PostStore
    let library: Library
    private let folder: TemporaryFolder

    init(
        _ software: ServiceSite.Software = .freshRSS, feeds: Int = 4, items: Int = 10, maxPage: Int = 10_000,
        login: ServiceLogin? = ServiceLogin(user: "alice", password: "apipass1"), follows: Bool = true
    ) async throws {
        self.software = software
        site = ServiceSite(software, feeds: feeds, items: items, maxPage: maxPage, user: login?.user ?? "alice")
        server = try MockServer(sites: [site])
        folder = try TemporaryFolder()
        store = try PostStore(path: folder.path("blog.sqlite3"))
        library = Library(store: store, client: .impatient(), logins: { _ in login })
        if follows { _ = try await follow() }
    }

    deinit { server.stop() }

    var storePath: String { folder.path("blog.sqlite3") }

    func follow() async throws -> FollowReport {
        var request = FollowRequest(server.address + (software.isRecognized ? "" : prefix), name: "home")
        if !software.isRecognized { request.kind = "service" }
        return try await library.follow(request)
    }

    /// The path of a call.
    func path(_ call: String) -> String {
        prefix + "/reader/api/0/" + call
    }

    var prefix: String { software.path }

    private let software: ServiceSite.Software

    var service: SourceID { SourceID(kind: "service", address: server.address + prefix) }

    @discardableResult
    func sync(isWhole: Bool = false, limit: Int? = nil) async throws -> SyncReport {
        var options = SyncOptions(limit: limit)
        options.isWhole = isWhole
        return try await library.sync(options, in: .sources([service]))[0].report
    }

    /// Waits until the server has received a request, but not forever.
    func wait(for isMeant: (MockRequest) -> Bool) async throws {
        for _ in 0..<60_000 {
            if server.requests.contains(where: isMeant) { return }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The scope of a feed.
    func feed(_ name: String) async throws -> Scope {
        .sources(try await library.sources().filter { $0.name == name }.map(\.id))
    }

    /// The posts with their marks, by the IDs of their items, without those that are of no item any more.
    func posts() async throws -> [Int64: (id: PostID, state: PostState)] {
        let list = try await library.offline.list(Query(), in: .sources([service]))
        return try await list.posts.reduce(into: [:]) { posts, post in
            if post.metadata.postId.hasPrefix("former ") { return }
            let number = UInt64(post.metadata.postId.suffix(16), radix: 16).map { Int64(bitPattern: $0) }
            posts[number ?? 0] = (post.id, post.state)
        }
    }

    /// Items whose marks differ between the server and the store, and the marks of each.
    ///
    /// - Parameter purged: items that the server may have forgotten.
    func differences(withLabels: Bool = true, except purged: Set<Int64> = []) async throws -> [String] {
        let posts = try await posts().filter { !purged.contains($0.key) }
        let items = site.items
        var different = Set(posts.keys).subtracting(items.keys).map { "post \($0) is at home only" }
        for (id, item) in items {
            guard let state = posts[id]?.state else {
                // A read item that is neither saved nor labelled is never fetched.
                if !item.isRead || item.isStarred { different.append("item \(id) is missing") }
                continue
            }
            let theirs = "\(item.isRead) \(item.isStarred) \(withLabels ? item.labels.sorted() : [])"
            let ours = "\(state.isRead) \(state.isSaved) \(withLabels ? state.labels.sorted() : [])"
            if theirs != ours { different.append("item \(id): \(theirs) there, \(ours) here") }
        }
        return different.sorted()
    }
}
