import BlogEssentials

/// Runs work for several hosts concurrently, with a limit in total and per host, without pauses.
///
/// Each operation takes constant time, however much work is waiting.
package struct PerHostQueue {
    private struct Host {
        var waiting: ArraySlice<Int> = []
        var running = 0
        /// Whether it is in ``PerHostQueue/ready``.
        var isReady = false

        var canStart: Bool { !waiting.isEmpty && running < Politeness.maxRefreshesPerHost }
    }

    private var hosts: [String: Host] = [:]
    /// The hosts with work that may start, first come, first served.
    private var ready: ArraySlice<String> = []
    /// The hosts of the work in progress.
    private var running: [Int: String] = [:]
    /// How much work is waiting or in progress.
    private var count = 0

    package init() {}

    /// Runs all work and passes on each result when it is available, with the amount of work left.
    package mutating func run<Result: Sendable>(
        atMost limit: Int = Politeness.maxRequests, _ work: @escaping @Sendable (Int) async -> Result,
        give: (Int, Result, _ left: Int) async -> Void
    ) async {
        await concurrently(atMost: limit) {
            Task.isCancelled ? nil : next()
        } work: { number in
            Numbered(number, await work(number))
        } take: { done in
            finish(done.number)
            await give(done.number, done.value, count)
        }
    }

    package mutating func add(_ work: Int, host: String) {
        hosts[host, default: Host()].waiting.append(work)
        count += 1
        queue(host)
    }

    /// The next work that may start; nil if none may.
    private mutating func next() -> Int? {
        guard let host = ready.popFirst(), let work = hosts[host]?.waiting.popFirst() else { return nil }
        hosts[host]?.isReady = false
        hosts[host]?.running += 1
        running[work] = host
        queue(host)
        return work
    }

    private mutating func finish(_ work: Int) {
        guard let host = running.removeValue(forKey: work) else { return }
        hosts[host]?.running -= 1
        count -= 1
        queue(host)
    }

    /// Adds a host to the end of the queue, if work for it may start.
    private mutating func queue(_ host: String) {
        guard let state = hosts[host], state.canStart, !state.isReady else { return }
        hosts[host]?.isReady = true
        ready.append(host)
    }
}
