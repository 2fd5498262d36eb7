import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

/// Servers delete old posts: FreshRSS those that were read, Miniflux those that were read long ago.
@Suite("Marks on posts that a sync server has deleted") struct ServicePurgeTests {
    private static let marks: [Mark] = [.saved, .unread, .labelled("later")]

    /// Marks some posts of a rig in every way, and returns them.
    private func markSome(_ count: Int, of rig: ServiceRig) async throws -> [Int64] {
        let posts = try await rig.posts()
        let ids = posts.keys.sorted().prefix(count)
        rig.site.change(ids) { $0.isRead = true }
        try await rig.sync()
        for mark in Self.marks { _ = try await rig.library.mark(mark, ids: ids.compactMap { posts[$0]?.id }) }
        return Array(ids)
    }

    private func expectMarks(_ ids: [Int64], of rig: ServiceRig) async throws {
        let posts = try await rig.posts()
        for id in ids {
            let state = try #require(posts[id]?.state)
            for mark in Self.marks { #expect(mark.isSet(in: state), "\(mark) of \(id)") }
        }
    }

    @Test(
        "stay, whether they were sent before or after, however many there are, and are asked about only thrice",
        arguments: [true, false], [3, 60])
    func kept(isSentBefore: Bool, count: Int) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 50)
        let ids = try await markSome(count, of: rig)
        if isSentBefore { try await rig.sync() }
        rig.site.purge(ids)
        for round in 1...5 {
            rig.server.clearRequests()
            try await rig.sync()
            try await expectMarks(ids, of: rig)
            let asked = rig.server.requests.contains { $0.path.hasSuffix("stream/items/contents") }
            #expect(asked == (round <= 3), "\(round)")
        }
        // Those that the server never had wait until it has the posts again.
        let waiting = isSentBefore ? 0 : count * Self.marks.count
        #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == waiting)
    }

    @Test("are forgotten with the server")
    func forgotten() async throws {
        let rig = try await ServiceRig(feeds: 2, items: 50)
        let ids = try await markSome(3, of: rig)
        try await rig.sync()
        rig.site.purge(ids)
        for _ in 1...3 { try await rig.sync() }
        _ = try await rig.library.forget("home")
        _ = try await rig.follow()
        try await rig.sync()
        #expect(try await rig.differences().filter { !$0.hasSuffix("at home only") } == [])
        #expect(try await rig.store.check() == [])
    }

    @Test("are those of the server once it has the posts again", arguments: [3, 60])
    func restored(count: Int) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 50)
        let ids = try await markSome(count, of: rig)
        try await rig.sync()
        let items = ids.compactMap { rig.site.items[$0] }
        rig.site.purge(ids)
        for _ in 1...4 { try await rig.sync() }
        rig.site.restore(items)
        rig.site.change(ids) { ($0.isRead, $0.isStarred, $0.labels) = (false, false, []) }
        try await rig.sync()
        try await rig.sync()
        #expect(try await rig.differences() == [])
    }

    @Test("are taken back from posts that it still has, however many there are", arguments: [3, 60])
    func takenBack(count: Int) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 50)
        let ids = try await markSome(count, of: rig)
        try await rig.sync()
        rig.site.change(ids) { ($0.isRead, $0.isStarred, $0.labels) = (true, false, []) }
        try await rig.sync()
        #expect(try await rig.differences() == [])
    }

    @Test("stay if the server can't be asked about them, and follow it as soon as it can", arguments: [400, 500])
    func unasked(status: Int) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 10)
        let ids = try await markSome(3, of: rig)
        try await rig.sync()
        rig.site.change(ids) { ($0.isRead, $0.isStarred, $0.labels) = (true, false, []) }
        rig.server.setFault(.status(status), for: rig.path("stream/items/contents"))
        try await rig.sync()
        try await expectMarks(ids, of: rig)
        rig.server.setFault(nil, for: rig.path("stream/items/contents"))
        try await rig.sync()
        #expect(try await rig.differences() == [])
    }

    @Test("stay if the server once has no labels at all, or gives none for what was labelled", arguments: [1, 60])
    func labels(count: Int) async throws {
        let rig = try await ServiceRig(feeds: 2, items: 50)
        let ids = try await markSome(count, of: rig)
        try await rig.sync()
        rig.server.setFault(
            .body(Data(#"{"tags":[]}"#.utf8), headers: ["Content-Type": "application/json"]),
            for: rig.path("tag/list"), times: 1)
        try await rig.sync()
        try await expectMarks(ids, of: rig)
        try await rig.sync()
        #expect(try await rig.differences() == [])
    }
}
