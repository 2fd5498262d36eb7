import BlogTestSupport
import Foundation
import Synchronization
import Testing
@testable import BlogEssentials
@testable import BlogHTTP
@testable import BlogModel

@Suite("A queue of what is fetched from several hosts") struct FetchQueueTests {
    /// Work in progress, by host.
    private final class Log: Sendable {
        private let state = Mutex<(now: [String: Int], most: [String: Int], mostInAll: Int)>(([:], [:], 0))

        func begin(_ host: String) {
            state.withLock { state in
                state.now[host, default: 0] += 1
                state.most[host] = max(state.most[host] ?? 0, state.now[host] ?? 0)
                state.mostInAll = max(state.mostInAll, state.now.values.reduce(0, +))
            }
        }

        func end(_ host: String) { state.withLock { $0.now[host, default: 0] -= 1 } }

        var most: [String: Int] { state.withLock { $0.most } }
        var mostInAll: Int { state.withLock { $0.mostInAll } }
    }

    private func queue(_ limits: FetchLimits) -> FetchQueue<Int> {
        FetchQueue<Int>(limits, clock: .patient())
    }

    @Test(
        "fetches each once, within the limits for a host and in all",
        arguments: [(hosts: 1, work: 7, most: 2), (hosts: 3, work: 9, most: 6), (hosts: 40, work: 100, most: 20)])
    func limits(hosts: Int, work: Int, most: Int) async {
        var queue = queue(FetchLimits(width: 20, perHost: 2))
        for number in 0..<work { queue.add(number, host: "host\(number % hosts)") }
        let log = Log()
        var done: [Int] = []
        var lefts: [Int] = []
        await queue.run { number in
            log.begin("host\(number % hosts)")
            // By then, everything else that may begin has begun.
            for _ in 0..<100 { await Task.yield() }
            log.end("host\(number % hosts)")
            return number * 2
        } take: { number, result, queue in
            #expect(result == number * 2)
            done.append(number)
            lefts.append(queue.count)
        }
        #expect(done.sorted() == Array(0..<work))
        #expect(lefts == (0..<work).reversed())
        #expect(log.most.values.allSatisfy { $0 <= 2 })
        #expect(log.mostInAll <= most)
        #expect(hosts > 1 || log.mostInAll == 2)
    }

    @Test("doesn't make one host's work wait for another's")
    func turns() async {
        var queue = queue(FetchLimits(width: 20, perHost: 2))
        for number in 0..<50 { queue.add(number, host: "slow") }
        queue.add(50, host: "fast")
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        var order: [Int] = []
        await queue.run { number in
            // Nothing of the slow host ends before the fast one is done.
            if number < 2 { for await _ in arrivals { break } }
            return number
        } take: { number, _, _ in
            order.append(number)
            if number == 50 { continuation.finish() }
        }
        #expect(order.first == 50)
        #expect(order.count == 51)
    }

    @Test("pauses between two requests to a host, but only for what is left of the pause")
    func pause() async {
        let clock = TestClock(Date(timeIntervalSince1970: 0))
        let pauses = Mutex<[TimeInterval]>([])
        let wall = WallClock(now: { clock.now }, pause: { seconds in pauses.withLock { $0.append(seconds) } })
        var queue = FetchQueue<Int>(FetchLimits(width: 1, perHost: 1, pause: 10), clock: wall)
        for number in 0..<6 { queue.add(number, host: number % 2 == 0 ? "a" : "b") }
        await queue.run { number in
            clock.pass(4)
            return number
        } take: { _, _, _ in
        }
        // After a request to the other host, six seconds are left; the pauses themselves take no time here.
        #expect(pauses.withLock { $0 } == [6, 6, 6, 6])
    }

    private static let url = URL(filePath: "/")
    private static let refused = HTTPError.unreachable(url, reason: .refused)

    /// The results of requests to a host that answers as given, and to another one, until one of them isn't asked any more.
    private func outcomes(_ errors: [HTTPError?], maxFailures: Int) async -> (failing: [Bool], other: [Bool]) {
        var queue = queue(FetchLimits(width: 1, perHost: 1, maxFailures: maxFailures))
        for number in errors.indices { queue.add(number, host: "a") }
        for number in 100..<103 { queue.add(number, host: "b") }
        var done: [Int: Bool] = [:]
        await queue.run(refill: { _ in }) { (number: Int) async throws(Never) -> HTTPError? in
            number < 100 ? errors[number] : nil
        } failure: {
            $0
        } take: { (number, error: HTTPError??, _) async throws(Never) in
            done[number] = error != nil
        }
        #expect(queue.count == 0)
        let asked = done.sorted { $0.key < $1.key }
        return (asked.filter { $0.key < 100 }.map(\.value), asked.filter { $0.key >= 100 }.map(\.value))
    }

    @Test("asks a host no more that fails too often in a row, and goes on with others")
    func failures() async {
        let errors: [HTTPError?] = [Self.refused, nil, Self.refused, Self.refused, nil, nil]
        let (failing, other) = await outcomes(errors, maxFailures: 2)
        #expect(failing == [true, true, true, true, false, false])
        #expect(other == [true, true, true])
    }

    @Test(
        "asks a host no more that wants to be left alone",
        arguments: [
            HTTPError.status(url, code: 429, retryAfter: nil), .status(url, code: 503, retryAfter: 60),
            .rateLimited(url, until: Date(timeIntervalSince1970: 2e9)),
        ])
    func leftAlone(error: HTTPError) async {
        let (failing, other) = await outcomes([nil, error, nil, nil], maxFailures: 20)
        #expect(failing == [true, true, false, false])
        #expect(other == [true, true, true])
    }

    @Test("goes on after failures that concern one address only")
    func others() async {
        let missing = HTTPError.status(Self.url, code: 404, retryAfter: nil)
        #expect(await outcomes([missing, missing, missing, nil], maxFailures: 1).failing == [true, true, true, true])
    }

    @Test("goes on with others if a host is given up that was about to be asked")
    func next() async {
        var queue = queue(FetchLimits(width: 2, perHost: 2, maxFailures: 1))
        for number in 0..<4 { queue.add(number, host: "a") }
        for number in 100..<104 { queue.add(number, host: "b") }
        var asked: Set<Int> = []
        await queue.run(refill: { _ in }) { (number: Int) async throws(Never) -> HTTPError? in
            number < 100 ? Self.refused : nil
        } failure: {
            $0
        } take: { (number, error: HTTPError??, _) async throws(Never) in
            if error != nil { asked.insert(number) }
        }
        #expect(queue.count == 0)
        #expect(asked.isSuperset(of: 100..<104))
    }

    @Test("fetches what is added meanwhile, until it is stopped")
    func added() async {
        var queue = queue(FetchLimits(width: 1, perHost: 1))
        var (next, fetched, untried) = (0, [Int](), [Int]())
        await queue.run(refill: { queue in
            guard queue.waiting == 0, next < 20 else { return }
            for number in next..<next + 5 { queue.add(number, host: "a") }
            next += 5
        }) { (number: Int) async throws(Never) -> Int in
            number
        } take: { (number, result, queue) async throws(Never) in
            if result == nil { untried.append(number) } else { fetched.append(number) }
            if number == 7 { queue.stop() }
        }
        #expect(fetched == Array(0...7))
        #expect(untried == Array(8..<20))
    }
}
