import BlogTestSupport
import Foundation
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("A list that stops waiting for servers") final class RefreshDeadlineTests: Sendable {
    private let network = QuietNetwork()
    private let store: PostStore
    private let clock = TestClock(Date(timeIntervalSince1970: 1_800_000_000))

    init() throws {
        store = try PostStore()
    }

    /// - Parameter count: how many requests to silent hosts are sent before its lists stop waiting; nil if they never do.
    private func library(_ freshness: Freshness = .normal, waitsFor count: Int? = nil) -> Library {
        let wall = count.map { network.clock(clock, untilRequests: $0) } ?? clock.wall
        return Library(store: store, client: .impatient(network, clock: wall), freshness: freshness)
    }

    /// Follows `count` feeds of one host and, unless alone, one of another, an hour before the tests' time.
    private func follow(_ count: Int, alone: Bool = false) async throws {
        for number in 1...count {
            var request = FollowRequest("http://slow.example/\(number)", kind: "feed", name: "slow\(number)")
            request.isTrusted = false
            _ = try await library().follow(request)
        }
        if !alone { _ = try await library().follow(FollowRequest("http://fast.example/", kind: "feed", name: "fast")) }
        clock.pass(3600)
        _ = network.takeRequests()
    }

    private func outcomes(_ list: PostList, of isCounted: (SourceID) -> Bool = { _ in true }) -> [String: Int] {
        list.refreshes.filter { isCounted($0.source) }.reduce(into: [:]) { counts, refresh in
            let name =
                switch refresh.report.outcome {
                case .unfinished(_, let isSilent): isSilent ? "silent" : "unfinished"
                case .waiting: "waiting"
                case .skipped(let problem, _, _): "skipped: \(problem)"
                case .stored, .unchanged: "refreshed"
                case .stillCurrent: "not due"
                case .failed, .offline: "failed"
                }
            counts[name, default: 0] += 1
        }
    }

    private var silences: [TimeInterval] {
        get async {
            let now = clock.now
            return await store.hosts().silences.values.map { $0.timeIntervalSince(now).rounded() }
        }
    }

    @Test("skips a silent host for at most five hours, as if its clock was set back", arguments: [-1, 18_000, 18_001])
    func limit(seconds: TimeInterval) {
        let until = clock.now.addingTimeInterval(seconds)
        let hosts = Schedule.Hosts(silences: ["a:80": until], waits: [:])
        let silence = Schedule(store: store, clock: clock.wall).silence(of: .one, hosts)
        #expect(silence == (seconds == 18_000 ? until : nil))
    }

    @Test("shows the stored posts of all sources, however many there are", arguments: [1, 12, 40])
    func silent(count: Int) async throws {
        try await follow(count)
        network.set(silent: ["slow.example"])
        let started = min(count, 2)
        let list = try await library(waitsFor: started).list(Query())
        #expect(try await list.posts.reduce(0) { count, _ in count + 1 } == count + 1)
        #expect(network.takeRequests().count { $0.contains("slow") } == started)
        // Whether the other host has responded by then isn't certain.
        let slow = outcomes(list) { $0.address.contains("slow") }
        #expect(slow == ["silent": started, "waiting": count - started].filter { $0.value > 0 })
        // A source that was not requested has not failed.
        let problems = try await store.read { try Sources($0).all() }.count {
            $0.problem == .unreachable && $0.id.address.contains("slow")
        }
        #expect(problems == started)
    }

    @Test("asks the sources first that have waited longest, so that none is left out twice")
    func fairness() async throws {
        try await follow(5, alone: true)
        network.set(silent: ["slow.example"])
        var asked: [[String]] = []
        for _ in 1...3 {
            _ = try await library(.refresh, waitsFor: 2).list(Query())
            asked.append(network.takeRequests().map { String($0.suffix(1)) }.sorted())
            clock.pass(60)
        }
        #expect(Set(asked.joined()) == ["1", "2", "3", "4", "5"])
        #expect(asked.map(\.count) == [2, 2, 2])
    }

    @Test("asks 64 hosts at a time")
    func manyHosts() async throws {
        for number in 1...70 {
            _ = try await library().follow(
                FollowRequest("http://h\(number).example/", kind: "feed", name: "h\(number)"))
        }
        clock.pass(3600)
        _ = network.takeRequests()
        network.set(silent: Set((1...70).map { "h\($0).example" }))
        let list = try await library(waitsFor: 64).list(Query())
        #expect(network.takeRequests().count == 64)
        #expect(outcomes(list) == ["silent": 64, "waiting": 6])
    }

    @Test("skips a silent host for longer and longer, until it responds")
    func growing() async throws {
        try await follow(3, alone: true)
        network.set(silent: ["slow.example"])
        for minutes in [5.0, 10, 20, 40, 80, 160, 300, 300] {
            _ = try await library(waitsFor: 2).list(Query())
            #expect(network.takeRequests().contains { $0.contains("slow") })
            #expect(await silences == [minutes * 60])
            clock.pass(minutes * 60 - 1)
            #expect(outcomes(try await library().list(Query()))["skipped: unreachable"] ?? 0 >= 1)
            #expect(!network.takeRequests().contains { $0.contains("slow") })
            clock.pass(2)
        }
        network.set()
        _ = try await library().list(Query())
        #expect(network.takeRequests().contains { $0.contains("slow") })
        #expect(await silences.isEmpty)
    }

    @Test("no longer counts a host as silent once it responds, even with an error")
    func error() async throws {
        try await follow(1, alone: true)
        network.set(silent: ["slow.example"])
        _ = try await library(waitsFor: 1).list(Query())
        #expect(await silences == [300])
        network.set(gone: ["slow.example"])
        #expect(outcomes(try await library(.refresh).list(Query())) == ["failed": 1])
        #expect(await silences.isEmpty)
    }

    @Test("of one source shows its stored copy, and retries only if it is named or on refresh")
    func alone() async throws {
        try await follow(1, alone: true)
        network.set(silent: ["slow.example"])
        let id = SourceID(kind: "feed", address: "http://slow.example/1")
        let list = try await library(waitsFor: 1).list(Query())
        #expect(outcomes(list) == ["silent": 1])
        #expect(try await list.posts.reduce(0) { count, _ in count + 1 } == 1)
        #expect(await silences == [300])
        _ = network.takeRequests()
        #expect(outcomes(try await library().list(Query())) == ["skipped: unreachable": 1])
        #expect(network.takeRequests().isEmpty)
        for (freshness, scope) in [(Freshness.normal, Scope.sources([id])), (.refresh, .everything)] {
            let list = try await library(freshness, waitsFor: 1).list(Query(), in: scope)
            #expect(outcomes(list) == ["silent": 1])
            #expect(network.takeRequests().count == 1)
        }
        network.set()
        #expect(outcomes(try await library().list(Query(), in: .sources([id]))) == ["refreshed": 1])
        #expect(await silences.isEmpty)
    }

    @Test("skips a source that is gone, even if it is the only one, unless it is named", arguments: [1, 2])
    func gone(count: Int) async throws {
        try await follow(count, alone: true)
        network.set(gone: ["slow.example"])
        #expect(outcomes(try await library().list(Query())) == ["failed": count])
        clock.pass(30 * 86_400)
        _ = network.takeRequests()
        let list = try await library().list(Query())
        #expect(outcomes(list) == ["skipped: gone": count])
        #expect(try await list.posts.reduce(0) { count, _ in count + 1 } == count)
        _ = try await library().sync()
        #expect(network.takeRequests().isEmpty)
        let id = SourceID(kind: "feed", address: "http://slow.example/1")
        #expect(outcomes(try await library().list(Query(), in: .sources([id]))) == ["failed": 1])
        #expect(network.takeRequests().count == 1)
    }

    @Test("requests each source with --refresh, due or not, as the full screen does at its start")
    func forced() async throws {
        try await follow(2, alone: true)
        _ = try await library().list(Query())
        _ = network.takeRequests()
        for freshness in [Freshness.normal, .refresh] {
            _ = try await library(freshness).fullRefresh.refresh(.everything, onlyDue: true) { _, _ in }
            #expect(network.takeRequests().count == (freshness == .refresh ? 2 : 0))
        }
    }

    @Test("requests each named source, due or not")
    func named() async throws {
        try await follow(2, alone: true)
        let ids = try await library().sourceIDs(in: .everything)
        for _ in 1...2 { _ = try await library().list(Query(), in: .sources(ids)) }
        #expect(network.takeRequests().count == 4)
    }

    @Test("judges by a server's latest news whether it is slow, has stalled or is silent")
    func activity() {
        let activity = ServerActivity()
        func delay(after seconds: TimeInterval) -> ServerDelay? { activity.delay(at: clock.now + seconds) }
        #expect(delay(after: 60) == nil)
        activity.noteRequest(at: clock.now)
        #expect(delay(after: 2.4) == nil)
        #expect(delay(after: 2.5) == .silent)
        activity.noteResponse(at: clock.now + 4)
        #expect(delay(after: 5) == .slow)
        #expect(delay(after: 6.5) == .stalled)
        activity.noteResponse(at: clock.now + 7)
        #expect(delay(after: 9) == .slow)
        activity.noteEnd()
        #expect(delay(after: 60) == nil)
        activity.noteRequest(at: clock.now + 60)
        #expect(delay(after: 63) == .silent)
    }
}
