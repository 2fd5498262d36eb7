import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// Marks that meet those of other programs, or other marks of the same post, at an unlucky time.
@Suite("A mark that is waiting or on its way") struct WaitingMarksTests {
    @Test("wins over that of the post under its new ID, after each sync", arguments: [Mark.unread, .unsaved])
    func newID(mark: Mark) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 3)
        let posts = try await rig.posts().sorted { $0.key < $1.key }
        let id = posts[1].value.id
        _ = try await rig.library.mark(mark.opposite, ids: [id])
        try await rig.sync()
        rig.site.renumber()
        rig.site.change(rig.site.items.keys) {
            $0.isRead = true; $0.isStarred = true
        }
        _ = try await rig.library.mark(mark, ids: [id])
        for round in 1...3 {
            try await rig.sync()
            let state = try #require(try await rig.posts().values.first { $0.id == id }?.state)
            #expect(mark.isSet(in: state), "round \(round)")
        }
        #expect(try await rig.differences() == [])
    }

    @Test("is told after the one that was on its way, though the sync broke off then") func onItsWay() async throws {
        let rig = try await ServiceRig(feeds: 2, items: 3)
        let (item, post) = try #require(try await rig.posts().sorted { $0.key < $1.key }.first)
        _ = try await rig.library.mark(.read, ids: [post.id])
        rig.server.clearRequests()
        rig.server.setFault(.hold, for: rig.path("edit-tag"))
        let (library, service) = (rig.library, rig.service)
        async let synced = try? library.sync(in: .sources([service]))
        try await rig.wait { $0.path.hasSuffix("edit-tag") }
        _ = try await rig.library.mark(.unread, ids: [post.id])
        // The connection is lost before the server is asked for its marks.
        rig.server.setFault(.status(503), for: rig.path("stream/items/ids"))
        rig.server.setFault(nil, for: rig.path("edit-tag"))
        _ = await synced
        rig.server.setFault(nil, for: rig.path("stream/items/ids"))
        #expect(rig.site.items[item]?.isRead == true)
        try await rig.sync()
        try await rig.sync()
        #expect(try await rig.posts()[item]?.state.isRead == false)
        #expect(rig.site.items[item]?.isRead == false)
    }

    @Test("is told to nobody if it was taken back twice") func undoneTwice() async throws {
        let rig = try await ServiceRig(feeds: 2, items: 3)
        let (item, post) = try #require(try await rig.posts().sorted { $0.key < $1.key }.first)
        _ = try await rig.library.mark(.read, ids: [post.id])
        _ = try await rig.library.mark(.unread, ids: [post.id])
        _ = try await rig.library.undo()
        _ = try await rig.library.undo()
        #expect(try await rig.store.read { try $0.texts("SELECT kind FROM mark_queue") } == [])
        // Another program reads it.
        rig.site.change([item]) { $0.isRead = true }
        try await rig.sync()
        try await rig.sync()
        #expect(rig.site.items[item]?.isRead == true)
        #expect(try await rig.posts()[item]?.state.isRead == true)
    }

    @Test("goes to its post under another ID, which was read there meanwhile") func gone() async throws {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 3)
        let (item, post) = try #require(try await rig.posts().sorted { $0.key < $1.key }.first)
        _ = try await rig.library.mark(.read, ids: [post.id])
        let old = try #require(rig.site.items[item])
        rig.site.purge([item])
        try await rig.sync()
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 1)
        rig.site.restore([old])
        rig.site.renumber()
        let new = try #require(rig.site.items.values.first { $0.title == old.title }?.id)
        rig.site.change([new]) { $0.isRead = true }
        for _ in 0..<3 { #expect(try await rig.sync().refresh.failure == nil) }
        #expect(try await rig.posts().count == 6)
        #expect(try await rig.differences() == [])
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 0)
    }

    @Test("waits for its post, which is deleted after the sync that sent it broke off") func deletedMeanwhile()
        async throws
    {
        let rig = try await ServiceRig(.miniflux, feeds: 2, items: 3)
        let (item, post) = try #require(try await rig.posts().sorted { $0.key < $1.key }.first)
        var old = try #require(rig.site.items[item])
        _ = try await rig.library.mark(.read, ids: [post.id])
        rig.server.setFault(.status(503), for: rig.path("stream/items/ids"))
        _ = try? await rig.sync()
        rig.server.setFault(nil, for: rig.path("stream/items/ids"))
        #expect(rig.site.items[item]?.isRead == true)
        rig.site.purge([item])
        try await rig.sync()
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 1)
        old.isRead = false
        rig.site.restore([old])
        for _ in 0..<3 { try await rig.sync() }
        #expect(try await rig.posts()[item]?.state.isRead == true)
        #expect(rig.site.items[item]?.isRead == true)
    }

    @Test("stays if its label is beyond the first hundred") func manyLabels() async throws {
        let rig = try await ServiceRig(feeds: 3, items: 10)
        let items = rig.site.items.keys.sorted()
        rig.site.change(items) { $0.labels = ["zz"] }
        try await rig.sync()
        func labelled() async throws -> Int { try await rig.posts().values.count { $0.state.labels.contains("zz") } }
        #expect(try await labelled() == 30)
        // The server lists a hundred others first.
        rig.site.change([items[0]]) { $0.labels = Set((0..<100).map { "l\($0)" } + ["zz"]) }
        rig.site.sortLabels()
        try await rig.sync()
        #expect(try await labelled() == 30)
    }
}
