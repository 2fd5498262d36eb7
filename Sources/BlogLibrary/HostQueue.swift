import Model

/// Does work for several hosts, a limited amount at a time in all and for one host.
///
/// Every step takes constant time, however much is waiting.
struct HostQueue {
    /// How much may be in progress in all, and for one host.
    private static let maxTotal = 20
    private static let maxPerHost = 2

    /// The work for one host.
    private struct Host {
        var waiting: ArraySlice<Int> = []
        var running = 0
        /// Whether it is among ``HostQueue/ready``.
        var isReady = false

        var canStart: Bool { !waiting.isEmpty && running < HostQueue.maxPerHost }
    }

    private var hosts: [String: Host] = [:]
    /// The hosts with work that may begin, in the order in which they are served.
    private var ready: ArraySlice<String> = []
    /// The hosts of the work in progress.
    private var running: [Int: String] = [:]
    /// How much is waiting or in progress.
    private var count = 0

    /// Does all of it, and gives each result as soon as it is there, with how much is left.
    mutating func run<Result: Sendable>(
        _ work: @escaping @Sendable (Int) async -> Result, give: (Int, Result, _ left: Int) async -> Void
    ) async {
        await concurrently(atMost: Self.maxTotal) {
            Task.isCancelled ? nil : next()
        } work: { number in
            Numbered(number, await work(number))
        } take: { done in
            finish(done.number)
            await give(done.number, done.value, count)
        }
    }

    mutating func add(_ work: Int, host: String) {
        hosts[host, default: Host()].waiting.append(work)
        count += 1
        queue(host)
    }

    /// Work that may begin now; nil if none may.
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

    /// Queues a host behind the others, if work for it may begin.
    private mutating func queue(_ host: String) {
        guard let state = hosts[host], state.canStart, !state.isReady else { return }
        hosts[host]?.isReady = true
        ready.append(host)
    }
}
