import BlogMockServer
import BlogTestSupport
import Foundation
import Testing
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogStore

@Suite("A store and its sync server") struct ServiceRoundsTests {
    private static let labels = ["later", "r & d"]

    @Test(
        "have the same marks after a sync, whatever broke before it: none is lost, none inverted",
        arguments: ServiceSite.Software.allCases, Array(1...UInt64(Mutation.count(3))) + [14])
    func rounds(software: ServiceSite.Software, seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        // With pages of 70, most sets have several.
        let rig = try await ServiceRig(
            software, feeds: 3, items: 60, maxPage: Bool.random(using: &random) ? 70 : 10_000)
        let (archive, first) = (try await rig.store.export(), try await rig.posts().mapValues(\.state))
        var purged: [Int64: PostState] = [:]
        for round in 1...6 {
            if Bool.random(using: &random) { rig.site.addItems(5, to: 1) }
            let (expected, touched) = try await markBothSides(rig, software, &random)
            try await syncBroken(rig, &random)
            let late = try await markDuringSync(rig, software, besides: touched, &random)
            rig.server.setFault(nil, for: Self.calls.map(rig.path) + ["\(rig.prefix)/accounts/ClientLogin"])
            // A set that changes while it is asked for in pages is confirmed by the sync after it.
            try await rig.sync()
            try await rig.sync()
            let name = "\(software) \(seed), round \(round)"
            #expect(
                try await rig.differences(withLabels: software == .freshRSS, except: Set(purged.keys)) == [], "\(name)")
            #expect(try await rig.library.sources().first { $0.id == rig.service }?.service?.unsentMarks == 0)
            for (id, mark) in expected.merging(late, uniquingKeysWith: { $1 }) {
                let state = try #require(try await rig.posts()[id]?.state, "\(name)")
                #expect(mark.isSet(in: state), "\(name): \(mark) of \(id)")
            }
            let posts = try await rig.posts()
            for (id, state) in purged { #expect(posts[id]?.state == state, "\(name): purged \(id)") }
            for id in posts.keys.sorted().shuffled(using: &random).prefix(5) where purged[id] == nil {
                purged[id] = posts[id]?.state
            }
            rig.site.purge(purged.keys)
        }
        try await importOlder(archive, first, rig, except: Set(purged.keys))
        #expect(try await rig.store.check() == [])
    }

    /// Imports an archive from the beginning: each mark that a post had then, or has now, is there and here afterwards.
    private func importOlder(
        _ archive: String, _ former: [Int64: PostState], _ rig: ServiceRig, except purged: Set<Int64>
    ) async throws {
        let before = try await rig.posts()
        let folder = try TemporaryFolder()
        try Data(archive.utf8).write(to: folder.url.appending(path: "archive"))
        _ = try await Archive(path: rig.storePath).importPosts(from: folder.path("archive"))
        try await rig.sync()
        try await rig.sync()
        let after = try await rig.posts()
        #expect(after.keys.sorted() == before.keys.sorted())
        for (id, post) in after {
            let states = [former[id], before[id]?.state].compactMap(\.self)
            #expect(post.state.isRead == states.contains(where: \.isRead))
            #expect(post.state.isSaved == states.contains(where: \.isSaved))
            #expect(Set(post.state.labels) == Set(states.flatMap(\.labels)))
        }
        #expect(try await rig.differences(except: purged) == [])
    }

    private static let calls = [
        "subscription/list", "tag/list", "token", "edit-tag", "stream/items/ids", "stream/items/contents",
    ]

    private func mark(_ software: ServiceSite.Software, _ random: inout SplitMix) -> Mark {
        let all: [Mark] = [.read, .unread, .saved, .unsaved]
        let labels = Self.labels.flatMap { [Mark.labelled($0), .unlabelled($0)] }
        return (software == .freshRSS ? all + labels : all).randomElement(using: &random) ?? .read
    }

    /// Marks some items here, others there, and some on both sides; returns the marks of those on one side only, and all that
    /// it has marked.
    private func markBothSides(
        _ rig: ServiceRig, _ software: ServiceSite.Software, _ random: inout SplitMix
    ) async throws -> (marks: [Int64: Mark], touched: Set<Int64>) {
        var marks: [Int64: Mark] = [:]
        let posts = try await rig.posts()
        let chosen = posts.keys.sorted().filter { rig.site.items[$0] != nil }.shuffled(using: &random).prefix(40)
        for (index, id) in chosen.enumerated() {
            let mark = mark(software, &random)
            if index < 25, let post = posts[id]?.id { _ = try await rig.library.mark(mark, ids: [post]) }
            if index >= 20 {
                let other = index < 25 ? self.mark(software, &random) : mark
                rig.site.change([id]) { $0.take(other) }
            }
            if !(20..<25).contains(index) { marks[id] = mark }
        }
        return (marks, Set(chosen))
    }

    /// Syncs while calls fail in random ways.
    private func syncBroken(_ rig: ServiceRig, _ random: inout SplitMix) async throws {
        let faults: [Fault] = [
            .refuse, .half, .status(500), .status(503), .reset, .cutHead, .truncate, .wrongLength, .html, .null,
            .status(401),
        ]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let call = Self.calls.randomElement(using: &random) ?? ""
            let path =
                Int.random(in: 0...9, using: &random) == 0 ? "\(rig.prefix)/accounts/ClientLogin" : rig.path(call)
            rig.server.setFault(
                faults.randomElement(using: &random), for: path, times: Int.random(in: 1...2, using: &random))
            _ = try? await rig.sync()
        }
    }

    /// Marks some posts while the marks before are on their way; returns these.
    ///
    /// - Parameter touched: posts whose marks on the server aren't known here yet, so that a mark may change nothing.
    private func markDuringSync(
        _ rig: ServiceRig, _ software: ServiceSite.Software, besides touched: Set<Int64>, _ random: inout SplitMix
    ) async throws -> [Int64: Mark] {
        let call = ["edit-tag", "stream/items/ids", "token"].randomElement(using: &random) ?? ""
        let posts = try await rig.posts()
        var marks: [Int64: Mark] = [:]
        let others = posts.keys.filter { !touched.contains($0) && rig.site.items[$0] != nil }
        for id in others.sorted().shuffled(using: &random).prefix(8) { marks[id] = mark(software, &random) }
        rig.server.clearRequests()
        rig.server.setFault(.hold, for: rig.path(call))
        let (library, service) = (rig.library, rig.service)
        async let synced = try? library.sync(in: .sources([service]))
        // Nothing may be queued, so that no edit is ever sent.
        for _ in 0..<500 where !rig.server.requestLines.contains(where: { $0.hasSuffix(call) }) {
            try await Task.sleep(for: .milliseconds(1))
        }
        for (id, mark) in marks {
            if let post = posts[id]?.id { _ = try await rig.library.mark(mark, ids: [post]) }
        }
        rig.server.setFault(nil, for: rig.path(call))
        _ = await synced
        return marks
    }
}

extension ServiceSite.Item {
    /// Has the mark from now on.
    fileprivate mutating func take(_ mark: Mark) {
        switch mark {
        case .read: isRead = true
        case .unread: isRead = false
        case .saved: isStarred = true
        case .unsaved: isStarred = false
        case .labelled(let label): labels.insert(label)
        case .unlabelled(let label): labels.remove(label)
        }
    }
}
