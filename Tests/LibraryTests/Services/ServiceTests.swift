import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A sync server") struct ServiceTests {
    @Test(
        "is recognized by its pages and by the address of its API",
        arguments: ServiceSite.Software.allCases.filter(\.isRecognized),
        ["", "/", "/i/", "/i/?a=normal", "/api", "/api/greader.php"])
    func detection(software: ServiceSite.Software, path: String) async throws {
        let rig = try await ServiceRig(software, items: 2, follows: false)
        if software == .miniflux, !path.trimmingPrefix("/").isEmpty { return }
        let report = try await rig.library.follow(rig.server.address + path, as: "home")
        #expect(report.source == rig.service)
        #expect(report.title == (software == .freshRSS ? "FreshRSS" : "Miniflux"))
        #expect((report.service?.feeds, report.posts) == (4, 8))
        #expect(!rig.server.requestLines.contains { $0.contains("password") || $0.contains("alice") })
    }

    @Test("has its feeds as sources in its folders, and their posts with readable texts")
    func feeds() async throws {
        let rig = try await ServiceRig()
        let sources = try await rig.library.sources().filter { $0.service == nil }
        #expect(sources.map(\.name) == (1...4).map { "home/blog-\($0)" })
        #expect(sources.map(\.folder) == ["Tech", "Arts & Crafts", "Tech", "Arts & Crafts"])
        #expect(sources.map(\.title) == (1...4).map { "Blog & <b> \($0)" })
        #expect(sources.map(\.feed) == (1...4).map { "https://blog-\($0).example/feed.xml" })
        let list = try await rig.library.offline.list(Query(), in: .folder("Tech"))
        let posts = try await list.posts.reduce(into: []) { $0.append($1) }
        #expect(posts.count == 20)
        #expect(posts.allSatisfy { $0.metadata.title.contains(" & <") && $0.metadata.author.name == "Bob & Co" })
        #expect(posts.allSatisfy { !$0.state.isRead })
        let read = try await rig.library.offline.read(try #require(posts.first { $0.metadata.postId.last == "5" }).id)
        #expect(read.post.body.contains("1 &lt; 2"))
        #expect(!read.post.body.contains("enclosure-content"))
    }

    @Test("has the titles that its feeds have, and no folder for those that are in none, in its language")
    func titles() async throws {
        let rig = try await ServiceRig(follows: false)
        rig.site.set(feed: 1, title: "Yes, no; why? a/b & <c>", folder: "Sans catégorie")
        rig.site.set(feed: 2, title: "何？日々，雑記")
        _ = try await rig.follow()
        let sources = try await rig.library.sources().filter { $0.service == nil }
        #expect(sources.map(\.title).prefix(2) == ["Yes, no; why? a/b & <c>", "何？日々，雑記"])
        #expect(sources[0].folder == "")
        rig.site.set(feed: 3, folder: "Tech")
        _ = try await rig.library.follow(FollowRequest("home/blog-1", folder: "Tech"))
        #expect(rig.site.feeds[0].folder == "Tech")
    }

    @Test("says which server refuses the key that it gave, or asks for another login before it")
    func foreignLogins() async throws {
        let stripped = try await ServiceRig(follows: false)
        stripped.site.stripAuthorization()
        let url = try #require(URL(string: stripped.service.address))
        await #expect(throws: ServiceError.keyRejected(url)) { try await stripped.follow() }
        let proxied = try await ServiceRig(follows: false)
        let challenge = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
        proxied.server.setFault(.raw(Data(challenge.utf8)), for: "\(proxied.prefix)/accounts/ClientLogin")
        let base = try #require(URL(string: proxied.service.address))
        await #expect(throws: ServiceError.proxyLogin(base)) { try await proxied.follow() }
    }

    @Test("gives no post a label of which it lists all its items, as FreshRSS does if it doesn't find the label")
    func lostLabel() async throws {
        let rig = try await ServiceRig()
        rig.site.change(rig.site.items.keys.prefix(1)) { $0.labels = ["Q&A"] }
        rig.site.lose(label: "Q&A")
        try await rig.sync()
        #expect(try await rig.library.labels().map(\.label) == [])
        // Nor one that arrives.
        rig.site.addItems(2, to: 1)
        try await rig.sync()
        #expect(try await rig.library.labels().map(\.label) == [])
    }

    @Test("is asked six things if nothing happened, three more for each new label, and for no bodies")
    func idle() async throws {
        let rig = try await ServiceRig()
        rig.server.clearRequests()
        try await rig.sync()
        let calls = rig.server.requestLines.map {
            $0.replacing(rig.prefix, with: "").replacing("/reader/api/0", with: "")
        }
        #expect(
            calls == [
                "POST /accounts/ClientLogin", "GET /user-info", "GET /subscription/list", "GET /tag/list",
                "GET /stream/items/ids",
                "GET /stream/items/ids",
            ])
        rig.site.change(rig.site.items.keys.prefix(1)) { $0.labels = ["later"] }
        rig.server.clearRequests()
        try await rig.sync()
        // Its items, a token, and the contents of one of them, which must have it.
        #expect(rig.server.requestLines.count == 9)
        #expect(rig.server.requests.allSatisfy { $0.query["ot"] == nil && !$0.path.contains("mark-all") })
    }

    @Test("is never asked for its feeds, and they are never polled")
    func polling() async throws {
        let rig = try await ServiceRig()
        rig.server.clearRequests()
        let feed = try #require(try await rig.library.sources().first { $0.name == "home/blog-1" })
        _ = await rig.library.refresh([feed.id], onlyDue: false)
        #expect(rig.server.requestLines.contains { $0.hasSuffix("/ClientLogin") })
        #expect(!rig.server.requestLines.contains { $0.contains("stream/contents") })
        rig.server.clearRequests()
        // It isn't due.
        _ = try await rig.library.list(Query(), in: .sources([feed.id]))
        #expect(rig.server.requestLines == [])
    }

    @Test("gets marks however they are set, and only those that changed")
    func marks() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        func post(_ number: Int) -> PostID { posts[number].value.id }
        _ = try await rig.library.rules.add(Rule(words: "title:\(posts[4].key % 1_000_000)", marks: [.read]))
        _ = try await rig.library.rules.add(
            Rule(words: "title:\(posts[5].key % 1_000_000)", isHiding: true))
        try await rig.library.noteReading(of: [post(0)])
        _ = try await rig.library.mark(.saved, ids: [post(1)])
        _ = try await rig.library.mark(.labelled("r & d"), ids: [post(2)])
        _ = try await rig.library.mark(.read, ids: [post(3)])
        _ = try await rig.library.undo()
        let report = try #require(try await rig.library.sources().first { $0.id == rig.service }?.service)
        // What was undone needn't be sent.
        #expect(report.unsentMarks == 4)
        #expect(report.unsentSince != nil)
        try await rig.sync()
        let items = rig.site.items
        #expect(items.filter(\.value.isRead).keys.sorted() == [posts[0].key, posts[4].key])
        #expect(items.filter(\.value.isStarred).keys.sorted() == [posts[1].key])
        #expect(items.filter { $0.value.labels == ["r & d"] }.keys.sorted() == [posts[2].key])
        #expect(try await rig.differences().count == 1, "the hidden post isn't listed")
        #expect(rig.server.requests.filter { $0.path.hasSuffix("edit-tag") }.count == 3)
    }

    @Test("says what other programs marked, also for posts that were read, saved or labelled here")
    func otherPrograms() async throws {
        let rig = try await ServiceRig()
        let ids = rig.site.items.keys.sorted()
        let posts = try await rig.posts()
        for mark in [Mark.read, .saved, .labelled("later")] {
            _ = try await rig.library.mark(mark, ids: ids.prefix(4).compactMap { posts[$0]?.id })
        }
        try await rig.sync()
        rig.site.change(ids.prefix(2)) { ($0.isRead, $0.isStarred, $0.labels) = (false, false, []) }
        rig.site.change(ids.suffix(3)) { ($0.isRead, $0.isStarred, $0.labels) = (true, true, ["Later", "new"]) }
        try await rig.sync()
        let states = try await rig.posts().mapValues(\.state)
        #expect(states[ids[0]] == PostState())
        #expect(states[ids[2]] == PostState(isRead: true, isSaved: true, labels: ["later"]))
        #expect(states[ids[39]]?.labels.count == 2)
        #expect(try await rig.library.undo() != nil, "only marks of the user's own can be undone")
    }

    @Test("isn't believed if it suddenly says that many posts are read, unless it says so again")
    func shortSets() async throws {
        let rig = try await ServiceRig(items: 30)
        rig.server.setFault(.half, for: rig.path("stream/items/ids"), times: 1)
        try await rig.sync()
        #expect(try await rig.posts().values.allSatisfy { !$0.state.isRead })
        rig.site.change(rig.site.items.keys) { $0.isRead = true }
        try await rig.sync()
        #expect(try await rig.posts().values.allSatisfy(\.state.isRead))
    }

    @Test("takes nothing back while marks shift its pages")
    func pages() async throws {
        let rig = try await ServiceRig(items: 30, maxPage: 50)
        let ids = rig.site.items.keys.sorted(by: >)
        #expect(try await rig.posts().count == 120)
        // The last item of the first page is read while the second page is on its way.
        rig.server.clearRequests()
        rig.server.setFault(.hold, for: "\(rig.path("stream/items/ids"))?c=\(ids[49])")
        let (library, service) = (rig.library, rig.service)
        async let synced = library.sync(in: .sources([service]))
        try await rig.wait { $0.query["c"] != nil }
        rig.site.change([ids[49]]) { $0.isRead = true }
        rig.server.setFault(nil, for: "\(rig.path("stream/items/ids"))?c=\(ids[49])")
        _ = try await synced
        let states = try await rig.posts().mapValues(\.state)
        #expect(states.filter(\.value.isRead).isEmpty)
        try await rig.sync()
        #expect(try await rig.differences() == [])
    }

    @Test("sends a thousand posts at first, and the rest as later syncs go, or at once if all are wanted")
    func thousands() async throws {
        let rig = try await ServiceRig(feeds: 2, items: 1300)
        func state() async throws -> ServiceState? {
            try await rig.library.sources().first { $0.id == rig.service }?.service
        }
        #expect(try await rig.posts().count == 1000)
        #expect(try await state()?.missingPosts == 1600)
        let newest = rig.site.items.keys.sorted(by: >).prefix(1000)
        #expect(try await Set(rig.posts().keys) == Set(newest))
        try await rig.sync()
        #expect(try await rig.posts().count == 2000)
        try await rig.sync(limit: 100)
        #expect(try await rig.posts().count == 2100)
        try await rig.sync(isWhole: true)
        #expect(try await rig.posts().count == 2600)
        #expect(try await state()?.missingPosts == 0)
        #expect(try await rig.differences() == [])
    }

    @Test("isn't asked for posts that were read elsewhere before they came")
    func readBeforeTheyCame() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 1100)
        rig.site.change(rig.site.items.keys) { $0.isRead = true }
        try await rig.sync()
        #expect(try await rig.posts().count == 1000)
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.missingPosts == 0)
    }

    @Test("keeps what came before a sync was cut off")
    func brokenContents() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 700, follows: false)
        rig.server.setFault(.status(502), for: rig.path("stream/items/contents"))
        await #expect(throws: HTTPError.self) { try await rig.follow() }
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        _ = try await rig.follow()
        rig.site.addItems(700, to: 1)
        rig.server.setFault(.reset, for: rig.path("stream/items/contents"), times: 1)
        _ = try await rig.sync()
        #expect(try await rig.posts().count == 700)
        try await rig.sync()
        #expect(try await rig.posts().count == 1400)
    }

    @Test("is asked three times for what it doesn't send, and in halves for what it can't send together")
    func lost() async throws {
        let rig = try await ServiceRig()
        rig.site.addItems(8, to: 1)
        rig.server.setFault(.status(500), for: rig.path("stream/items/contents"), times: 2)
        try await rig.sync()
        #expect(try await rig.posts().count == 48)
        rig.site.addItems(4, to: 1)
        rig.server.setFault(.body(Data(#"{"items": []}"#.utf8)), for: rig.path("stream/items/contents"))
        for _ in 0..<5 { try await rig.sync() }
        #expect(rig.server.requestLines.count { $0.hasSuffix("contents") } < 20)
        let service = try await rig.library.sources().first { $0.id == rig.service }?.service
        #expect((service?.missingPosts, service?.lostPosts) == (0, 4))
    }

    @Test("is asked again for what it didn't send if all is wanted, or a day later")
    func found() async throws {
        let rig = try await ServiceRig()
        rig.site.addItems(4, to: 1)
        let path = rig.path("stream/items/contents")
        rig.server.setFault(.body(Data(#"{"items": []}"#.utf8)), for: path)
        for _ in 0..<4 { try await rig.sync() }
        rig.server.setFault(nil, for: path)
        try await rig.sync()
        #expect(try await rig.posts().count == 40)
        try await rig.sync(isWhole: true)
        #expect(try await rig.posts().count == 44)
    }

    @Test("sends a post again that was edited, which is unread again")
    func edited() async throws {
        let rig = try await ServiceRig()
        let id = try #require(try await rig.posts().keys.sorted().first)
        rig.site.change([id]) { $0.isRead = true }
        try await rig.sync()
        rig.site.change([id]) { ($0.isRead, $0.title) = (false, "Edited") }
        rig.server.setFault(.status(503), for: rig.path("stream/items/contents"), times: 3)
        _ = try? await rig.sync()
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        try await rig.sync()
        let post = try #require(try await rig.posts()[id])
        #expect(!post.state.isRead)
        #expect(
            try await rig.store.read { try Posts($0).metadata(post.id.local, of: post.id.source) }?.title == "Edited")
        #expect(try await rig.differences() == [])
        rig.server.clearRequests()
        try await rig.sync()
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("contents") })
    }

    @Test("is followed again with its feeds by an undo, and synced")
    func undone() async throws {
        let rig = try await ServiceRig()
        _ = try await rig.library.unfollow("home")
        #expect(try await rig.library.sources().allSatisfy { $0.id != rig.service && $0.feed == nil })
        guard case .followed(names: ["home"])? = try await rig.library.undo() else {
            Issue.record("nothing was undone")
            return
        }
        #expect(try await rig.sync().refresh.failure == nil)
        #expect(try await rig.library.sources().count { $0.feed != nil } == 4)
    }

    @Test(
        "gives a feed that it follows again, with new items, its name, posts and marks back",
        arguments: ["undo", "after a sync", "before a sync"])
    func followedAgain(by way: String) async throws {
        let rig = try await ServiceRig()
        let before = try await rig.library.list(Query(), in: await rig.feed("home/blog-2")).posts.reduce(into: []) {
            $0.append($1)
        }
        #expect(before.count == 10)
        _ = try await rig.library.mark(.saved, ids: [before[0].id])
        _ = try await rig.library.mark(.read, ids: [before[1].id])
        _ = try await rig.library.mark(.labelled("sea"), ids: [before[2].id])
        try await rig.sync()
        if way == "undo" {
            _ = try await rig.library.unfollow("home/blog-2")
            guard case .followed(names: ["home/blog-2"])? = try await rig.library.undo() else {
                Issue.record("nothing was undone")
                return
            }
        } else {
            rig.site.removeFeed(2)
            if way == "after a sync" { try await rig.sync() }
            rig.site.follow("https://blog-2.example/feed.xml")
        }
        try await rig.sync()
        try await rig.sync()
        let after = try await rig.library.list(Query(), in: await rig.feed("home/blog-2")).posts.reduce(into: []) {
            $0.append($1)
        }
        #expect(after.map(\.metadata.title) == before.map(\.metadata.title))
        #expect(after.map(\.id.local) == before.map(\.id.local))
        #expect(after[0].state.isSaved && after[1].state.isRead && after[2].state.labels == ["sea"])
        #expect(try await rig.differences() == [])
        #expect(rig.site.items.values.count { $0.isStarred } == 1 && rig.site.items.count == 40)
    }

    @Test("gets no other post's marks and text if a feed that it follows again has two with one title and link")
    func recurring() async throws {
        let rig = try await ServiceRig()
        let (store, service) = (rig.store, rig.service)
        let key = try #require(try await store.read { try Sources($0).find(service) }).key
        let known = try #require(try await rig.library.sources().first { $0.name == "home/blog-2" })
        func entry(_ item: String, _ date: String) throws -> ServiceEntry {
            let metadata = try sample(
                id: item, title: "Open thread", date: date, postId: item, link: "https://blog-2.example/open")
            return ServiceEntry(
                Entry(metadata, content: Entry.Content(date, .plain), numbering: Entry.Numbering(hasDate: true)),
                of: known.id, isRead: false, isStarred: false,
                labels: [])
        }
        func save(_ entries: [ServiceEntry]) async throws {
            _ = try await store.writeToDisk {
                let items = ServiceItems($0, service: key)
                return try items.save(
                    entries, of: [], replacing: items.former(of: entries, areOfFeeds: true).former,
                    at: Date(timeIntervalSince1970: 0))
            }
        }
        try await save([entry("00000000000000a1", "2026-01-01T00:00:00Z")])
        let saved = try #require(
            try await rig.library.list(Query(), in: rig.feed("home/blog-2")).posts.first {
                $0.metadata.title == "Open thread"
            })
        _ = try await rig.library.mark(.saved, ids: [saved.id])
        try await store.writeToDisk {
            try Sources($0).unfollow(known.id)
        }
        try await save([entry("00000000000000b2", "2026-03-01T00:00:00Z")])
        let first = try await store.read { try Posts($0).metadata(saved.id.local, of: known.id) }?.postId
        #expect(first == "00000000000000a1")
        try await save([entry("00000000000000b1", "2026-01-01T00:00:00Z")])
        let second = try await store.read { try Posts($0).metadata(saved.id.local, of: known.id) }?.postId
        #expect(second == "00000000000000b1")
        #expect(try await store.read { try Posts($0).states(of: [saved.id]) }[saved.id]?.isSaved == true)
    }

    @Test("isn't told of marks on posts of an account that was forgotten")
    func forgottenAccount() async throws {
        let rig = try await ServiceRig()
        let post = try #require(try await rig.posts().values.first?.id)
        _ = try await rig.library.mark(.saved, ids: [post])
        try await rig.sync()
        _ = try await rig.library.forget("home")
        rig.site.set(account: "bob")
        _ = try await rig.follow()
        rig.server.clearRequests()
        _ = try await rig.library.mark(.unsaved, ids: [post])
        try await rig.sync()
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("edit-tag") })
    }

    @Test("leaves a post unread that was marked so after its story was read there")
    func unreadTwin() async throws {
        let rig = try await ServiceRig()
        let item = try #require(try await rig.posts().keys.sorted().first)
        let own = SourceID(kind: "feed", address: "https://links.example/feed")
        try await rig.store.list(
            [try sample(id: "1", summary: nil, link: "https://blog-1.example/\(item)?a=1&b=2")], of: own)
        rig.site.change([item]) { $0.isRead = true }
        try await rig.sync()
        let post = PostID(source: own, local: "1")
        func isRead() async throws -> Bool? {
            try await rig.store.read { try Posts($0).states(of: [post]) }[post]?.isRead
        }
        #expect(try await isRead() == true)
        _ = try await rig.store.mark(.unread, all: Query(), in: rig.store.scope(own))
        try await rig.sync()
        #expect(try await isRead() == false)
    }

    @Test("says in a dry run what following it would do")
    func dryRun() async throws {
        let rig = try await ServiceRig(follows: false)
        var request = FollowRequest(rig.server.address, name: "home")
        request.isDryRun = true
        for await result in rig.library.follow([request]) {
            #expect(try result.get().refresh?.failure == nil)
            #expect(try result.get().service?.feeds == 4)
        }
        #expect(try await rig.library.sources().allSatisfy { $0.id != rig.service })
    }

    @Test("keeps a mark that it doesn't take from holding up the others")
    func badMark() async throws {
        let rig = try await ServiceRig(.miniflux)
        let posts = try await rig.posts()
        // As if the item had another ID.
        try Database(path: rig.storePath, mode: .readWrite).execute(
            "UPDATE posts SET post_id = 'no number' WHERE key = (SELECT min(key) FROM posts)")
        _ = try await rig.library.mark(.read, ids: posts.values.map(\.id))
        #expect(try await rig.sync().refresh.failure == nil)
        #expect(rig.site.items.values.count { $0.isRead } == 39)
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 1)
    }

    @Test("keeps labels to itself that are folders, and gets none if it has no labels")
    func labels() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts().values.map(\.id)
        _ = try await rig.library.mark(.labelled("tech"), ids: [posts[0]])
        try await rig.sync()
        #expect(rig.site.items.values.allSatisfy { $0.labels.isEmpty })
        #expect(try await rig.posts().values.count { $0.state.labels == ["tech"] } == 1)
        let miniflux = try await ServiceRig(.miniflux)
        let post = try #require(try await miniflux.posts().values.first?.id)
        _ = try await miniflux.library.mark(.labelled("later"), ids: [post])
        miniflux.server.clearRequests()
        try await miniflux.sync()
        #expect(!miniflux.server.requestLines.contains { $0.hasSuffix("edit-tag") })
        #expect(try await miniflux.posts().values.count { $0.state.labels == ["later"] } == 1)
    }

    @Test("loses a feed: its posts leave the lists, and come back with it")
    func lostFeed() async throws {
        let rig = try await ServiceRig()
        rig.site.removeFeed(2)
        try await rig.sync()
        #expect(try await rig.posts().count == 30)
        #expect(try await rig.library.sources().map(\.name) == ["home", "home/blog-1", "home/blog-3", "home/blog-4"])
    }

    @Test("is unfollowed without a word to it, renamed with its feeds, and forgotten with their posts")
    func unfollowing() async throws {
        let rig = try await ServiceRig()
        _ = try await rig.library.follow("home", as: "work")
        #expect(try await rig.library.sources().map(\.name).prefix(2) == ["work", "work/blog-1"])
        rig.server.clearRequests()
        _ = try await rig.library.unfollow("work")
        #expect(rig.server.requestLines == [])
        #expect(rig.site.feeds.count == 4)
        let left = try await rig.library.sources()
        #expect(!left.contains { $0.isFollowed })
        let report = try await rig.library.follow(rig.server.address)
        #expect((report.name, report.posts) == ("work", 40))
        let forgotten = try await rig.library.forget("work")
        #expect(forgotten.posts == 40)
        #expect(rig.site.feeds.count == 4)
        #expect(try await rig.store.read { try Sources($0).all() }.isEmpty)
    }

    @Test("follows, moves and unfollows its feeds as it is told, at once or not at all")
    func subscriptions() async throws {
        let rig = try await ServiceRig()
        var request = FollowRequest("https://new.example")
        request.folder = "Fresh"
        let added = try await rig.library.follow([request, FollowRequest("https://nofeed.example")], in: "home")
        let reports = await added.reduce(into: []) { $0.append($1) }
        #expect(try reports[0].get().name == "home/new")
        #expect(throws: ServiceError.refused(URL(filePath: "/"), reason: "")) {
            do { _ = try reports[1].get() } catch ServiceError.refused(_, let reason) {
                #expect(reason == "No feed found on <https://nofeed.example>")
                throw ServiceError.refused(URL(filePath: "/"), reason: "")
            }
        }
        #expect(rig.site.feeds.last?.folder == "Fresh")
        #expect(try await rig.posts().count == 43)
        _ = try await rig.library.follow("home/new", folder: "Tech")
        #expect(rig.site.feeds.last?.folder == "Tech")
        for (typed, there, here) in [("a/b", "a/b", "a\\/b"), ("/", "Uncategorized", "")] {
            _ = try await rig.library.follow("home/new", folder: typed)
            #expect(rig.site.feeds.last?.folder == there)
            try await rig.sync()
            #expect(try await rig.library.sources().first { $0.name == "home/new" }?.folder == here)
        }
        await #expect(throws: ServiceError.self) { try await rig.library.offline.unfollow("home/new") }
        _ = try await rig.library.unfollow("home/new")
        #expect(rig.site.feeds.count == 4)
        #expect(try await rig.posts().count == 40)
    }

    /// Follows the feed of the only item of a server here, too, with a post of the same address and title.
    private func followHere(_ rig: ServiceRig, date: Timestamp? = nil) async throws -> SourceID {
        let item = try #require(rig.site.items.first?.value)
        let link = "https://blog-1.example/\(item.id)?a=1&b=2"
        let source = try #require(try await rig.posts()[item.id]?.id.source)
        let metadata = try #require(try await rig.store.read { try Posts($0).metadata("1", of: source) })
        let feed = SourceID(kind: "feed", address: "https://blog-1.example/feed.xml")
        let same = PostMetadata(
            id: "", title: metadata.title, publishDate: date ?? metadata.publishDate, postId: "guid-1", summary: nil,
            author: metadata.author, link: link)
        let entry = Entry(same, content: Entry.Content("<p>1</p>", .html), numbering: Entry.Numbering(hasDate: true))
        _ = try await rig.store.writeToDisk {
            try Sources($0).follow(feed, in: nil, site: nil, at: Date()) { _ in "blog" }
        }
        _ = try await rig.store.write { try Posts($0).addNumbered(entry, to: feed, at: Date()) }
        return feed
    }

    @Test("has posts of its own where a feed that is followed here, too, has one address and title for all")
    func oneAddress() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 1)
        _ = try await followHere(rig, date: Timestamp("2020-01-01T00:00:00Z"))
        let posts = try await rig.library.offline.list(Query()).posts
        #expect(try await posts.reduce(into: 0) { count, _ in count += 1 } == 2)
    }

    @Test("shares the posts of a feed that is followed here, too: they are listed once, and read once")
    func bothWays() async throws {
        let rig = try await ServiceRig(feeds: 1, items: 1)
        let item = try #require(rig.site.items.first?.value)
        let feed = try await followHere(rig)
        func listed() async throws -> [StoredPost] {
            try await rig.library.offline.list(Query()).posts.reduce(into: []) { $0.append($1) }
        }
        #expect(try await listed().count == 1)
        rig.site.change([item.id]) { $0.isRead = true }
        try await rig.sync()
        #expect(try await listed().map(\.state.isRead) == [true])
        _ = try await rig.library.mark(.unread, ids: [PostID(source: feed, local: "1")])
        try await rig.sync()
        #expect(rig.site.items[item.id]?.isRead == false)
    }

    @Test("is synced again from an import, which keeps its posts and their marks")
    func imported() async throws {
        let rig = try await ServiceRig()
        let posts = try await rig.posts()
        _ = try await rig.library.mark(.saved, ids: posts.values.prefix(3).map(\.id))
        try await rig.sync()
        let folder = try TemporaryFolder()
        let file = FileManager.default.createFile(atPath: folder.path("posts.jsonl"), contents: nil)
        #expect(file)
        let other = try await ServiceRig(follows: false)
        for key in try await rig.store.read({ try Exporting($0).keys() }) ?? [] {
            let post = try #require(try await rig.store.read { try Exporting($0).find(key, withBody: true) })
            _ = try await other.store.merge([post])
        }
        for source in try await rig.store.read({ try Sources($0).all() }).compactMap({ ExportedSource($0) }) {
            _ = try await other.store.writeToDisk { try Importing($0).merge(source) { _ in source.name } }
        }
        let library = Library(
            store: other.store, client: .impatient(),
            logins: { _ in ServiceLogin(user: "alice", password: "apipass1") })
        _ = try await library.sync(in: .sources([rig.service]))
        let list = try await library.offline.list(Query(), in: .sources([rig.service]))
        let merged = try await list.posts.reduce(into: []) { $0.append($1) }
        #expect(merged.count == 40)
        #expect(merged.count(where: \.state.isSaved) == 3)
        #expect(rig.site.items.values.count { $0.isStarred } == 3)
    }

    @Test("keeps unread posts from being deleted as old ones, as they would come back")
    func retention() async throws {
        let rig = try await ServiceRig(feeds: 1)
        rig.site.change(rig.site.items.keys.sorted().prefix(5)) { $0.isRead = true }
        try await rig.sync()
        let key = try #require(try await rig.store.read { try Sources($0).find(named: "home/blog-1") }?.key)
        let later = Date().addingTimeInterval(86_400)
        #expect(try await rig.store.prune(key, before: later, at: later).posts == 5)
        rig.server.clearRequests()
        try await rig.sync()
        #expect(!rig.server.requestLines.contains { $0.hasSuffix("contents") })
        #expect(try await rig.posts().count == 5)
    }

    @Test("keeps old posts whose marks are yet to be sent, and sends no marks of posts that were deleted")
    func retentionOfWaiting() async throws {
        let rig = try await ServiceRig(feeds: 2, items: 12)
        let posts = try await rig.posts()
        _ = try await rig.library.mark(.read, ids: posts.values.map(\.id))
        let key = try #require(try await rig.store.read { try Sources($0).find(named: "home/blog-1") }?.key)
        let later = Date().addingTimeInterval(86_400)
        #expect(try await rig.store.prune(key, before: later, at: later).posts == 0)
        _ = try await rig.library.forget("home/blog-1")
        let free = posts.keys.filter { rig.site.items[$0] == nil }
        #expect(!free.isEmpty)
        for id in free { _ = rig.site.addItem("New", page: "https://new.example/\(id)", published: 1, to: 2, id: id) }
        try await rig.sync()
        #expect(free.allSatisfy { rig.site.items[$0]?.isRead == false })
    }
}

@Suite("The login of a sync server") struct ServiceLoginTests {
    private func rig(_ login: ServiceLogin? = ServiceLogin(user: "alice", password: "apipass1")) async throws
        -> ServiceRig
    {
        try await ServiceRig(items: 1, login: login, follows: false)
    }

    @Test("fails with the reason, and nothing is followed")
    func failures() async throws {
        let wrong = try await rig(ServiceLogin(user: "alice", password: "webpass"))
        await #expect(throws: ServiceError.badLogin(try #require(URL(string: wrong.service.address)))) {
            try await wrong.follow()
        }
        #expect(try await wrong.store.read { try Sources($0).all() }.isEmpty)
        let none = try await rig(nil)
        await #expect(throws: ServiceError.noLogin(try #require(URL(string: none.service.address)), name: "home")) {
            try await none.follow()
        }
        let off = try await rig()
        let base = try #require(URL(string: off.service.address))
        off.server.setFault(.status(503), for: "/api/greader.php/accounts/ClientLogin")
        let busy = await #expect(throws: HTTPError.self) { try await off.follow() }
        #expect(busy?.statusCode == 503)
        off.server.setFault(nil, for: "/api/greader.php/accounts/ClientLogin")
        off.site.set(isEnabled: false)
        await #expect(throws: ServiceError.apiDisabled(base)) { try await off.follow() }
        off.site.set(isEnabled: true)
        off.server.setFault(.html, for: "/api/greader.php/accounts/ClientLogin")
        await #expect(throws: ServiceError.notAnAPI(base)) { try await off.follow() }
        off.server.setFault(.redirect("http://127.0.0.1:1/"), for: "/api/greader.php/accounts/ClientLogin")
        await #expect(throws: ServiceError.redirected(base)) { try await off.follow() }
    }

    @Test("goes to its own server only: no redirect gets it or the token")
    func redirects() async throws {
        let rig = try await rig()
        let other = try MockServer(sites: [ServiceSite(.freshRSS)])
        defer { other.stop() }
        for call in ["subscription/list", "tag/list", "stream/items/ids"] {
            rig.server.setFault(.redirect("\(other.address)\(rig.path(call))"), for: rig.path(call))
            await #expect(throws: ServiceError.self) { try await rig.follow() }
            rig.server.setFault(nil, for: rig.path(call))
        }
        #expect(other.requests.isEmpty)
        let sent = rig.server.requests.filter { $0.headers["authorization"] != nil }
        #expect(sent.allSatisfy { $0.headers["authorization"]?.hasPrefix("GoogleLogin auth=") == true })
        let passwords = rig.server.requests.filter { $0.form.contains { $0.value == "apipass1" } }
        #expect(passwords.allSatisfy { $0.path.hasSuffix("/accounts/ClientLogin") })
        #expect(rig.server.requests.allSatisfy { !$0.query.values.contains("apipass1") })
    }

    @Test("is repeated once if the token isn't valid any more")
    func expired() async throws {
        let rig = try await ServiceRig()
        rig.server.setFault(.status(401), for: rig.path("tag/list"), times: 1)
        rig.server.clearRequests()
        let report = try await rig.sync()
        #expect(report.refresh.failure == nil)
        #expect(rig.server.requestLines.count { $0.hasSuffix("ClientLogin") } == 2)
        rig.site.set(password: "other")
        let failed = try await rig.sync()
        #expect(failed.refresh.failure as? ServiceError == .badLogin(try #require(URL(string: rig.service.address))))
        #expect(try await rig.posts().count == 40)
    }

    @Test("waits if the server says so, for as long as it says, and isn't failing")
    func rateLimit() async throws {
        let rig = try await ServiceRig()
        rig.server.setFault(.status(429, retryAfter: 3600), for: rig.path("tag/list"))
        guard case .waiting(let until?, _) = try await rig.sync().refresh.outcome else {
            Issue.record("it didn't wait")
            return
        }
        #expect(until > Date().addingTimeInterval(3000))
        let state = try #require(try await rig.library.sources().first { $0.id == rig.service })
        #expect(state.problem == nil)
    }
}
