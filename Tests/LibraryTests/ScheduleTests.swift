import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogModel
@testable import BlogRendering
@testable import BlogStore

@Suite("The requests for sources") struct ScheduleTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let url = URL(filePath: "/feed")

    /// Some sources that a job asks every half hour for 30 days, and that refuse some requests at random.
    private struct Simulation {
        private var random = SplitMix(state: 7)
        private var sources = (1...400).map { _ in RequestRecord(lastSuccess: start, dueAt: start) }

        /// By how many hours news is late on average, if news comes at any time.
        mutating func lateness(refusals: Double) -> Double {
            var (lateness, news) = (0.0, 0.0)
            for run in 1...(30 * 48) {
                // A request takes 1 to 20 seconds, and they are sent one after the other or at once.
                let now = ScheduleTests.start + Double(run) * 1800
                for index in sources.indices where sources[index].isDue(at: now) {
                    let end = now + .random(in: 1...20, using: &random)
                    if Double.random(in: 0..<1, using: &random) < refusals {
                        let error = HTTPError.status(ScheduleTests.url, code: 404, retryAfter: nil)
                        let last = sources[index].lastSuccess
                        sources[index] = sources[index].failing(.missing, at: end) {
                            Politeness.pause(after: error, failures: $0, lastSuccess: last, at: end)
                        }
                    } else {
                        let hours = end.timeIntervalSince(sources[index].lastSuccess ?? end) / 3600
                        // What came meanwhile has waited for half of the time on average.
                        lateness += hours * hours / 2
                        news += hours
                        sources[index] = RequestRecord(lastSuccess: end, dueAt: Politeness.dueDate(after: end))
                    }
                }
            }
            return lateness / news
        }
    }

    @Test(
        "bring news soon, even if servers refuse some of them at random",
        arguments: [(0, 0.26), (0.02, 0.28), (0.05, 0.3), (0.1, 0.35), (0.33, 1)])
    func lateness(refusals: Double, most: Double) {
        var simulation = Simulation()
        let hours = simulation.lateness(refusals: refusals)
        #expect(hours < most && hours > 0.24, "\(hours)")
    }

    @Test("don't wait for times that a wrong clock has stored", arguments: [false, true])
    func future(hasFailed: Bool) {
        let (now, future) = (Self.start, Self.start + 5 * 365 * 86_400)
        var requests = RequestRecord(lastSuccess: hasFailed ? now - 60 : future, dueAt: future + 1800)
        if hasFailed { (requests.lastFailure, requests.problem, requests.failures) = (future, .failed, 1) }
        #expect(requests.isDue(at: now))
        // It counts as any other failure.
        let next = requests.failing(.failed, at: now, pause: Politeness.pause(afterFailures:))
        #expect(next.failures == requests.failures + 1 && next.dueAt == now + 29 * 60)
    }

    @Test(
        "correct the date of a post that was only its arrival under a wrong clock, when they see it again",
        arguments: [100.0, 2_000_000_000])
    func dates(wrong: TimeInterval) async throws {
        let (store, clock) = (try PostStore(), TestClock(Date(timeIntervalSince1970: wrong)))
        let feed = """
            <rss version='2.0'><channel><title>T</title>
            <item><guid>1</guid><title>Dated</title><pubDate>Sun, 10 Jan 2027 12:00:00 GMT</pubDate></item>
            <item><guid>2</guid><title>Undated</title></item>
            <item><guid>3</guid><title>Old</title><pubDate>Mon, 21 Jul 1969 02:56:00 GMT</pubDate></item>
            </channel></rss>
            """
        let library = Library(store: store, client: .impatient(StubTransport(chunks: [feed]), clock: clock.wall))
        _ = try await library.follow(FollowRequest("http://a.example/feed", kind: "feed", name: "a"))
        clock.pass(Self.start.timeIntervalSince1970 - wrong)
        let posts = try await library.list(Query()).posts.reduce(into: []) {
            $0.append("\($1.metadata.title) \($1.metadata.publishDate.milliseconds / 1000)")
        }
        // The second request was sent at 1,800,000,000.
        #expect(posts == ["Undated 1800000000", "Dated 1799582400", "Old -14159040"])
        // They count as seen before.
        #expect(try await library.sources()[0].posts == 3)
    }

    @Test(
        "that fail are a problem of the kind that their status tells",
        arguments: [
            (410, .gone), (404, .missing), (401, .login), (403, .refused), (418, .refused), (408, .failed),
            (425, .failed), (429, .failed), (500, .failed), (503, .failed),
        ] as [(Int, RefreshProblem)])
    func problems(status: Int, problem: RefreshProblem) {
        #expect(RefreshProblem(HTTPError.status(Self.url, code: status, retryAfter: nil)) == problem)
    }

    /// A host with any number of feeds that allows one request a minute.
    private final class LimitedHost: Transport {
        private let clock: TestClock
        private let state = Mutex<(allowedAt: Date, isLimited: Bool, requests: Int)>((.distantPast, false, 0))
        private let retryAfter: Bool

        init(_ clock: TestClock, saysHowLong: Bool) { (self.clock, retryAfter) = (clock, saysHowLong) }

        func limit() { state.withLock { $0.isLimited = true } }

        var requests: Int { state.withLock { $0.requests } }

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let isAllowed = state.withLock { state in
                state.requests += 1
                guard state.isLimited else { return true }
                guard clock.now >= state.allowedAt else { return false }
                state.allowedAt = clock.now + 60
                return true
            }
            let fields = isAllowed || !retryAfter ? [] : [("Retry-After", "60")]
            let item = "<item><guid>\(request.url.path())</guid><title>\(request.url.path())</title></item>"
            let feed = "<rss version='2.0'><channel><title>T</title>\(item)</channel></rss>"
            return HTTPResponse(
                url: request.url, head: HTTPHead(status: isAllowed ? 200 : 429, fields: fields),
                body: ResponseBody(Data(feed.utf8)))
        }
    }

    @Test(
        "of a host that allows one a minute take turns, and those that wait aren't failing", arguments: [true, false])
    func turns(saysHowLong: Bool) async throws {
        let (store, clock) = (try PostStore(), TestClock(Self.start))
        let host = LimitedHost(clock, saysHowLong: saysHowLong)
        let library = Library(
            store: store, client: HTTPClient(transport: host, timeout: 30, clock: clock.wall, waits: store))
        for number in 1...10 {
            _ = try await library.follow(FollowRequest("http://a.example/\(number)", kind: "feed", name: "a\(number)"))
        }
        clock.pass(3600)
        host.limit()
        var refreshed: Set<SourceID> = []
        for round in 1...12 {
            let before = host.requests
            let list = try await library.list(Query())
            for refresh in list.refreshes {
                switch refresh.report.outcome {
                case .unchanged, .stored: refreshed.insert(refresh.source)
                case .waiting(let until, let storedAt): #expect(until != nil && storedAt != nil)
                case .stillCurrent: #expect(refreshed.contains(refresh.source))
                default: Issue.record("\(round): \(refresh.report.outcome)")
                }
            }
            #expect(host.requests - before <= 3)
            #expect(try await store.read { try Sources($0).all() }.allSatisfy { $0.problem == nil && $0.failures == 0 })
            clock.pass(60)
        }
        #expect(refreshed.count == 10)
    }
}
