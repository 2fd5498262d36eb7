import Synchronization
import Testing
@testable import BlogEssentials
@testable import BlogModel

@Suite("Concurrent work") struct ConcurrentlyTests {
    /// Work waits here until it is opened or cancelled.
    private struct Gate: Sendable {
        private let gate = AsyncStream<Never>.makeStream()

        func open() { gate.continuation.finish() }

        func pass() async throws {
            for await _ in gate.stream {}
            try Task.checkCancellation()
        }
    }

    private struct Failure: Error {}

    @Test("never exceeds its limit, and delivers every result", arguments: [1, 3, 100])
    func limit(limit: Int) async {
        var (waiting, results) = ((0..<20)[...], [Int]())
        let running = Mutex(0)
        let most = Mutex(0)
        await concurrently(atMost: limit) {
            waiting.popFirst()
        } work: { number in
            let now = running.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, now) }
            for _ in 0..<100 { await Task.yield() }
            running.withLock { $0 -= 1 }
            return number * 2
        } take: { result in
            results.append(result)
        }
        #expect(results.sorted() == (0..<20).map { $0 * 2 })
        #expect(most.withLock(\.self) <= limit)
    }

    @Test("delivers results as they arrive, which may lead to more work")
    func order() async throws {
        let gate = Gate()
        var (waiting, results) = ([1, 2], [Int]())
        try await concurrently(atMost: 2) {
            waiting.isEmpty ? nil : waiting.removeFirst()
        } work: { number in
            if number == 1 { try await gate.pass() }
            return number
        } take: { result in
            results.append(result)
            if result == 2 { waiting.append(3) }
            if result == 3 { gate.open() }
        }
        #expect(results == [2, 3, 1])
    }

    @Test("is cancelled when a closure throws", arguments: ["next", "work", "take"])
    func failure(of thrower: String) async {
        let gate = Gate()
        let cancelled = Mutex(0)
        var waiting = [1, 2, 3]
        await #expect(throws: Failure.self) {
            try await concurrently(atMost: 3) {
                if thrower == "next", waiting == [3] { throw Failure() }
                return waiting.isEmpty ? nil : waiting.removeFirst()
            } work: { number in
                if number > 1 {
                    if thrower == "work" { throw Failure() }
                    if thrower == "take" { return number }
                }
                do { try await gate.pass() } catch { cancelled.withLock { $0 += 1 } }
                return number
            } take: { _ in
                if thrower == "take" { throw Failure() }
            }
        }
        #expect(cancelled.withLock(\.self) > 0)
    }

    @Test("is cancelled with its task")
    func cancellation() async {
        let (gate, started) = (Gate(), Gate())
        let task = Task {
            try await [1, 2].concurrentMap(atMost: 2) { number in
                if number == 2 { started.open() }
                try await gate.pass()
            }
        }
        try? await started.pass()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("maps values in their order, whichever result arrives first")
    func map() async throws {
        let gate = Gate()
        let results = try await ["a", "b", "c"].concurrentMap(atMost: 3) { text in
            if text == "a" { try await gate.pass() }
            if text == "c" { gate.open() }
            return text.uppercased()
        }
        #expect(results == ["A", "B", "C"])
    }

    @Test("ends with the first of two tasks in a race, and cancels the other")
    func race() async throws {
        let never = Gate()
        let (done, unreached) = await BlogEssentials.race({ "done" }) { try await never.pass() }
        #expect(try done.get() == "done" && unreached == nil)

        // The result of cancelled work isn't lost.
        let closed = Gate()
        let (partly, reached) = await BlogEssentials.race({ (try? await closed.pass()) == nil ? "partly" : "" }) {
            "late"
        }
        #expect(try partly.get() == "partly")
        #expect(try reached?.get() == "late")

        let (failed, _) = await BlogEssentials.race({ throw Failure() }) { try await Gate().pass() }
        #expect(throws: Failure.self) { try failed.get() }
    }
}
