import BlogMockServer
import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("Marks of a sync server's posts") struct ServiceFailureTests {
    private func unsent(_ rig: ServiceRig) async throws -> Int? {
        try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks
    }

    @Test("stay if the server no longer follows the feed", arguments: [true, false])
    func lostFeed(isUnfollowedHere: Bool) async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().values.map(\.id).filter { $0.source.address.hasSuffix("feed%2F2") }
        for mark in [Mark.saved, .labelled("later")] { _ = try await rig.library.mark(mark, ids: [posts[0]]) }
        try await rig.sync()
        if isUnfollowedHere {
            _ = try await rig.library.unfollow("home/blog-2")
        } else {
            rig.site.removeFeed(2)
        }
        try await rig.sync()
        try await rig.sync()
        let state = PostState(isRead: false, isSaved: true, labels: ["later"])
        #expect(try await rig.store.read { try Posts($0).states(of: posts) }[posts[0]] == state)
    }

    @Test("are the last ones for each label, however it is spelt")
    func spellings() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().values.map(\.id)
        _ = try await rig.library.mark(.labelled("swift"), ids: Array(posts.prefix(2)))
        try await rig.sync()
        _ = try await rig.library.renameLabel("swift", to: "Swift")
        try await rig.sync()
        try await rig.sync()
        #expect(try await rig.store.read { try Posts($0).states(of: posts) }.values.count { !$0.labels.isEmpty } == 2)
        _ = try await rig.store.mark(.unlabelled("SWIFT"), ids: Array(posts.prefix(2)))
        try await rig.sync()
        #expect(try await rig.store.read { try Posts($0).states(of: posts) }.values.allSatisfy { $0.labels.isEmpty })
        #expect(rig.site.items.values.allSatisfy { $0.labels.isEmpty })
    }

    @Test("aren't overtaken by those of another process, which has to wait")
    func twoProcesses() async throws {
        let rig = try await ServiceRig()
        let (id, post) = try #require(try await rig.posts().first)
        _ = try await rig.library.mark(.read, ids: [post.id])
        rig.server.clearRequests()
        rig.server.setFault(.hold, for: rig.path("token"))
        let (library, service) = (rig.library, rig.service)
        async let first = library.sync(in: .sources([service]))
        try await rig.wait { $0.path.hasSuffix("token") }
        let other = Library(
            store: try PostStore(path: rig.storePath), client: .impatient(),
            logins: { _ in ServiceLogin(user: "alice", password: "apipass1") })
        _ = try await other.mark(.unread, ids: [post.id])
        async let second = other.sync(in: .sources([service]))
        rig.server.setFault(nil, for: rig.path("token"))
        _ = try await (first, second)
        #expect(rig.site.items[id]?.isRead == false)
        #expect(try await rig.store.read { try Posts($0).states(of: [post.id]) }[post.id]?.isRead == false)
    }

    @Test("are sent if a duplicate was read before the post arrived")
    func twin() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 1)
        let item = try #require(rig.site.items.first?.value)
        let source = try #require(try await rig.posts()[item.id]?.id.source)
        let post = try #require(try await rig.store.read { try Posts($0).metadata("1", of: source) })
        _ = try await rig.library.forget("home")
        let feed = SourceID(kind: "feed", address: "https://blog-1.example/feed.xml")
        let same = PostMetadata(
            id: "", title: post.title, publishDate: post.publishDate, postId: "guid-1", summary: nil,
            author: Author(name: "Bob"), link: "https://blog-1.example/\(item.id)?a=1&b=2")
        let entry = Entry(same, content: Entry.Content("<p>1</p>", .html), numbering: Entry.Numbering(hasDate: true))
        _ = try await rig.store.writeToDisk {
            try Sources($0).follow(feed, in: nil, site: nil, at: Date()) { _ in "blog" }
        }
        _ = try await rig.store.write { try Posts($0).addNumbered(entry, to: feed, at: Date()) }
        _ = try await rig.library.mark(.read, ids: [PostID(source: feed, local: "1")])
        _ = try await rig.follow()
        try await rig.sync()
        #expect(rig.site.items[item.id]?.isRead == true)
        #expect(try await rig.posts()[item.id]?.state.isRead == true)
    }

    @Test("stay in the queue while the server takes none, and the failure is reported", arguments: [400, 500])
    func refused(status: Int) async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts()
        _ = try await rig.library.mark(.read, ids: posts.values.map(\.id))
        _ = try await rig.library.mark(.saved, ids: posts.values.prefix(1).map(\.id))
        rig.server.setFault(.status(status), for: rig.path("edit-tag"))
        rig.server.clearRequests()
        let report = try await rig.sync()
        #expect((report.refresh.failure as? HTTPError)?.statusCode == status)
        #expect(rig.server.requestLines.count { $0.hasSuffix("edit-tag") } < 8)
        #expect(try await unsent(rig) == 41)
        #expect(try await rig.posts().values.allSatisfy(\.state.isRead))
        rig.server.setFault(nil, for: rig.path("edit-tag"))
        #expect(try await rig.sync().sentMarks == 41)
        #expect(try await rig.differences() == [])
    }

    @Test("that the server refuses now and then are sent again, and none is forgotten")
    func refusedOnce() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts()
        _ = try await rig.library.mark(.saved, ids: posts.values.map(\.id))
        // The whole, each half of it, and so on, down to two: the others are taken.
        rig.server.setFault(.status(400), for: rig.path("edit-tag"), times: 1)
        #expect(try await rig.sync().sentMarks == 40)
        #expect(try await rig.differences() == [])
    }

    @Test("are sent again if the server said OK and did nothing, and aren't taken back meanwhile")
    func falseAcceptance() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        rig.server.setFault(.body(Data("OK".utf8)), for: rig.path("edit-tag"))
        let marks = [Mark.read, .saved, .labelled("later")]
        for (post, mark) in zip(posts, marks) { _ = try await rig.library.mark(mark, ids: [post.value.id]) }
        for _ in 1...3 {
            try await rig.sync()
            let now = try await rig.posts()
            for (post, mark) in zip(posts, marks) {
                let state = try #require(now[post.key]?.state)
                #expect(mark.isSet(in: state), "\(mark)")
            }
        }
        rig.server.setFault(nil, for: rig.path("edit-tag"))
        try await rig.sync()
        try await rig.sync()
        #expect(try await rig.differences() == [] && rig.site.items[posts[1].key]?.isStarred == true)
        #expect(rig.site.items[posts[0].key]?.isRead == true && rig.site.items[posts[2].key]?.labels == ["later"])
    }

    @Test("for a label wait if a folder that the server doesn't list has its name, and it is said")
    func hiddenFolder() async throws {
        let rig = try await ServiceRig()
        rig.site.hideFolder("Empty")
        let (item, post) = try #require(try await rig.posts().first)
        _ = try await rig.library.mark(.labelled("empty"), ids: [post.id])
        for _ in 1...2 {
            #expect(try await rig.sync().sentMarks == 0)
            #expect(try await rig.posts()[item]?.state.labels == ["empty"])
        }
        #expect(try await rig.library.sources().first { $0.service != nil }?.service?.heldLabels == ["empty"])
        // There is nothing to remove there.
        _ = try await rig.library.mark(.unlabelled("empty"), ids: [post.id])
        try await rig.sync()
        #expect(try await unsent(rig) == 0)
    }

    @Test("of labels in two spellings there arrive, however many they are")
    func twoSpellings() async throws {
        let rig = try await ServiceRig()
        let ids = try await rig.posts().keys.sorted()
        rig.site.change(ids[0..<3]) { $0.labels = ["TODO"] }
        rig.site.change(ids[3..<6]) { $0.labels = ["Todo"] }
        try await rig.sync()
        rig.site.change(ids[6..<36]) { $0.labels = ["Todo"] }
        rig.site.change(ids[3..<5]) { $0.labels = [] }
        try await rig.sync()
        let labelled = try await rig.posts().filter { !$0.value.state.labels.isEmpty }.keys.sorted()
        #expect(labelled == Array(ids[0..<3] + ids[5..<36]))
    }

    @Test("aren't all taken back by one answer without any, however few they are")
    func emptyAnswer() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().values.prefix(3).map(\.id)
        _ = try await rig.library.mark(.saved, ids: posts)
        try await rig.sync()
        try await rig.sync()
        let starred = "\(rig.path("stream/items/ids"))?s=user/-/state/com.google/starred"
        rig.server.setFault(.body(Data(#"{"itemRefs":[]}"#.utf8)), for: starred, times: 1)
        try await rig.sync()
        #expect(try await rig.posts().values.count { $0.state.isSaved } == 3)
    }

    @Test("with a name that the server cuts off wait here, and it is said")
    func longLabel() async throws {
        let rig = try await ServiceRig()
        let (item, post) = try #require(try await rig.posts().first)
        let label = String(repeating: "é", count: 96)
        _ = try await rig.library.mark(.labelled(label), ids: [post.id])
        try await rig.sync()
        try await rig.sync()
        #expect(rig.site.items[item]?.labels == [])
        #expect(try await rig.posts()[item]?.state.labels == [label])
        #expect(try await rig.library.sources().first { $0.service != nil }?.service?.heldLabels == [label])
    }

    @Test("don't count as sent if the answer isn't that of the API")
    func answers() async throws {
        let rig = try await ServiceRig()
        let post = try #require(try await rig.posts().values.first).id
        _ = try await rig.library.mark(.saved, ids: [post])
        rig.server.setFault(.body(Data("<p>Please sign in</p>".utf8)), for: rig.path("edit-tag"))
        let report = try await rig.sync()
        #expect(report.refresh.failure is ServiceError)
        #expect(try await unsent(rig) == 1)
    }

    @Test("go in forms that PHP reads as a whole, each once")
    func batches() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 1000)
        _ = try await rig.library.mark(.read, ids: rig.posts().values.map(\.id))
        rig.server.clearRequests()
        try await rig.sync()
        let forms = rig.server.requests.filter { $0.path.hasSuffix("edit-tag") }.map(\.form)
        #expect(forms.count == 4)
        #expect(forms.allSatisfy { $0.count < 1000 && $0.prefix(2).map(\.name) == ["T", "a"] })
        rig.server.clearRequests()
        try await rig.sync()
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("edit-tag") })
    }

    @Test("of the server aren't sent back to it")
    func echo() async throws {
        let rig = try await ServiceRig()
        rig.site.change(rig.site.items.keys.prefix(9)) {
            ($0.isRead, $0.isStarred, $0.labels) = (true, true, ["later"])
        }
        try await rig.sync()
        rig.site.addItems(2, to: 1)
        rig.site.change(rig.site.items.keys.sorted().suffix(2)) { $0.isStarred = true }
        try await rig.sync()
        #expect(try await unsent(rig) == 0)
        #expect(try await rig.posts().values.count { $0.state.isSaved } == 11)
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("edit-tag") })
    }

    @Test("aren't taken back by half a set of saved or labelled posts")
    func halfSets() async throws {
        let rig = try await ServiceRig(items: 30)
        rig.site.change(rig.site.items.keys) { ($0.isStarred, $0.labels) = (true, ["later"]) }
        try await rig.sync()
        for stream in ["user/-/state/com.google/starred", "user/-/label/later"] {
            rig.server.setFault(.half, for: "\(rig.path("stream/items/ids"))?s=\(stream)", times: 1)
            try await rig.sync()
            #expect(try await rig.posts().values.allSatisfy { $0.state.isSaved && $0.state.labels == ["later"] })
        }
    }

    @Test("aren't believed to be whole after two hundred pages")
    func endlessPages() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 230, maxPage: 1, follows: false)
        await #expect(throws: ServiceError.self) { try await rig.follow() }
    }

    @Test("of an endless list are taken up to a limit, and no others lose theirs")
    func endlessList() async throws {
        let list = EndlessList()
        let client = HTTPClient(transport: list)
        let api = ReaderAPI(
            at: try #require(URL(string: "https://rss.example")), client: client,
            login: ServiceLogin(user: "a", password: "b"), maxListed: 250, maxOfSync: 1000)
        let set = try await api.items(of: .unread)
        #expect(set.items.count == 250 && !set.isWhole)
        for _ in 1...6 { #expect(try await !api.items(of: .starred).isWhole) }
        #expect(list.pages == 100)
    }

    /// A server whose list of IDs has no end.
    private final class EndlessList: Transport {
        private let count = Mutex(0)
        var pages: Int { count.withLock { $0 } }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            var text = "Auth=key"
            if request.url.path.hasSuffix("ids") {
                let page = count.withLock { count in
                    count += 1
                    return count
                }
                let items = (1...10).map { "{\"id\":\"\(page * 10 + $0)\"}" }.joined(separator: ",")
                text = "{\"itemRefs\":[\(items)],\"continuation\":\"\(page)\"}"
            }
            return HTTPResponse(url: request.url, head: HTTPHead(status: 200), body: ResponseBody(Data(text.utf8)))
        }
    }

    @Test("of thousands of labels take time in proportion to them")
    func manyLabels() async throws {
        let rig = try await ServiceRig(feeds: 1)
        _ = try await rig.library.mark(.labelled("label 1"), ids: [#require(try await rig.posts().values.first).id])
        let (store, id) = (rig.store, rig.service)
        let service = try #require(try await store.read { try Sources($0).find(id) }).key
        func reconcile(_ count: Int) async throws {
            let labels = (0..<count).map { ("label \($0)", ServiceSet.unknown) }
            let marks = ServiceMarks(
                unread: .unknown, starred: .unknown,
                labels: Dictionary(uniqueKeysWithValues: labels))
            _ = try await store.writeToDisk {
                try MarkReconciliation(marks, of: service, in: $0).apply(
                    found: MarkReconciliation.FoundItems(), pull: 0)
            }
        }
        let growth = try await Growth.ofEightfoldInput(
            enough: 20, short: { try await reconcile(500) }, long: { try await reconcile(4000) })
        #expect(growth < 20)
    }

    @Test("wait for a label's name that is a folder's, and are sent when it is free")
    func folderName() async throws {
        let rig = try await ServiceRig(feeds: 1)
        let post = try #require(try await rig.posts().values.first).id
        _ = try await rig.library.mark(.labelled("Tech"), ids: [post])
        try await rig.sync()
        #expect(try await unsent(rig) == 1)
        let service = try await rig.library.sources().first { $0.id == rig.service }?.service
        #expect(service?.heldLabels == ["Tech"])
        _ = try await rig.library.follow("home/blog-1", folder: "News")
        try await rig.sync()
        try await rig.sync()
        #expect(rig.site.items.values.count { $0.labels == ["Tech"] } == 1)
        #expect(try await rig.store.read { try Posts($0).states(of: [post]) }[post]?.labels == ["Tech"])
    }

    @Test("that weren't sent go along with an export")
    func export() async throws {
        let rig = try await ServiceRig()
        let ids = try await rig.posts().sorted { $0.key < $1.key }
        _ = try await rig.library.mark(.saved, ids: [ids[0].value.id])
        _ = try await rig.library.mark(.labelled("later"), ids: [ids[1].value.id])
        let folder = try TemporaryFolder()
        let archive = try Archive(path: folder.path("copy.sqlite3"))
        for source in try await rig.store.read({ try Sources($0).all() }).compactMap({ ExportedSource($0) }) {
            _ = try await archive.merge(source)
        }
        for key in try await rig.store.read({ try Exporting($0).keys() }) ?? [] {
            let post = try #require(try await rig.store.read { try Exporting($0).find(key, withBody: true) })
            _ = try await archive.merge([post])
        }
        let other = try PostStore(path: folder.path("copy.sqlite3"))
        let names = try await other.read { try Sources($0).all() }.compactMap(\.name)
        #expect(names.sorted() == ["home"] + (1...4).map { "home/blog-\($0)" })
        let library = Library(
            store: other, client: .impatient(), logins: { _ in ServiceLogin(user: "alice", password: "apipass1") })
        _ = try await library.sync(in: .sources([rig.service]))
        #expect(rig.site.items[ids[0].key]?.isStarred == true)
        #expect(rig.site.items[ids[1].key]?.labels == ["later"])
    }
}

@Suite("Contents of a sync server") struct ServiceContentsTests {
    @Test("aren't lost because the server failed for a while")
    func failingForAWhile() async throws {
        let rig = try await ServiceRig()
        rig.site.addItems(30, to: 1)
        rig.server.setFault(.status(500), for: rig.path("stream/items/contents"))
        rig.server.clearRequests()
        for _ in 0..<4 { #expect(try await rig.sync().refresh.failure is HTTPError) }
        #expect(rig.server.requestLines.count { $0.hasSuffix("contents") } <= 12)
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        try await rig.sync()
        #expect(try await rig.posts().count == 70)
    }

    @Test("come in smaller answers if one is too long")
    func tooLong() async throws {
        let rig = try await ServiceRig()
        rig.site.addItems(8, to: 1)
        let length = HTTPLimits.contentsBytes + 1
        rig.server.setFault(
            .raw(Data("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)),
            for: rig.path("stream/items/contents"), times: 1)
        try await rig.sync()
        #expect(try await rig.posts().count == 48)
    }

    @Test("without encryption need leave, wherever the address comes from")
    func encryption() async throws {
        let rig = try await ServiceRig(follows: false)
        let service = SourceID(kind: "service", address: "http://rss.example.net")
        _ = try await rig.store.writeToDisk {
            try Sources($0).follow(service, in: nil, site: nil, at: Date()) { _ in "home" }
        }
        try await rig.store.writeToDisk { try Sources($0).unfollow(service) }
        let request = FollowRequest("http://rss.example.net", kind: "service")
        await #expect(throws: ServiceError.insecure(try #require(URL(string: "http://rss.example.net")))) {
            try await rig.library.follow(request)
        }
        let source = ExportedSource(service, name: "home", folder: "")
        #expect(!Archive.accepts(source))
    }

    @Test("of one feed can't be moved to another address, and nothing is")
    func moving() async throws {
        let rig = try await ServiceRig()
        var request = FollowRequest("home/blog-1")
        request.newAddress = "https://other.example/feed"
        await #expect(throws: ServiceError.unsupported(name: "home/blog-1")) { try await rig.library.follow(request) }
        try await rig.sync()
        #expect(try await rig.posts().count == 40)
    }
}
