import Synchronization
import Testing
@testable import BlogHTTP
@testable import BlogLibrary
@testable import BlogStore

@Suite("A queue of work for several hosts") struct PerHostQueueTests {
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

    @Test(
        "does each piece once, two per host and twenty in all at a time",
        arguments: [(hosts: 1, work: 7, most: 2), (hosts: 3, work: 9, most: 6), (hosts: 40, work: 100, most: 20)])
    func limits(hosts: Int, work: Int, most: Int) async {
        var queue = PerHostQueue()
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
        } give: { number, result, left in
            #expect(result == number * 2)
            done.append(number)
            lefts.append(left)
        }
        #expect(done.sorted() == Array(0..<work))
        #expect(lefts == (0..<work).reversed())
        #expect(log.most.values.allSatisfy { $0 <= 2 })
        #expect(log.mostInAll <= most)
        #expect(hosts > 1 || log.mostInAll == 2)
    }

    @Test("doesn't make one host's work wait for another's")
    func turns() async {
        var queue = PerHostQueue()
        for number in 0..<50 { queue.add(number, host: "slow") }
        queue.add(50, host: "fast")
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        var order: [Int] = []
        await queue.run { number in
            // Nothing of the slow host ends before the fast one is done.
            if number < 2 { for await _ in arrivals { break } }
            return number
        } give: { number, _, _ in
            order.append(number)
            if number == 50 { continuation.finish() }
        }
        #expect(order.first == 50)
        #expect(order.count == 51)
    }
}
