/// Work for several hosts, of which only some may be in progress at a time.
struct HostQueue {
    /// How much may be in progress in all, and on one host.
    private static let maxTotal = 20
    private static let maxPerHost = 2

    private var waiting: [String: [Int]] = [:]
    /// The hosts with work that waits, in the order in which they are served.
    private var hosts: [String] = []
    private var running: [Int: String] = [:]
    private var runningPerHost: [String: Int] = [:]

    /// Does all of it, and gives what comes of each as soon as it is there, with how much is left.
    mutating func run<Result: Sendable>(
        _ work: @escaping @Sendable (Int) async -> Result, give: (Int, Result, _ left: Int) async -> Void
    ) async {
        await withTaskGroup(of: Finished<Result>.self) { group in
            while true {
                while !Task.isCancelled, let number = next() {
                    group.addTask { Finished(number: number, result: await work(number)) }
                }
                guard let done = await group.next() else { return }
                finish(done.number)
                await give(done.number, done.result, count)
            }
        }
    }

    /// What came of some work.
    ///
    /// No tuple: where one holds an existential, the optimiser of Swift 6.3 ends the loop over the group too early.
    private struct Finished<Result: Sendable>: Sendable {
        let number: Int
        let result: Result
    }

    /// How much is waiting or in progress.
    private var count: Int { waiting.values.reduce(running.count) { $0 + $1.count } }

    mutating func add(_ work: Int, host: String) {
        if waiting[host] == nil { hosts.append(host) }
        waiting[host, default: []].append(work)
    }

    /// Work that may begin now; nil if none may.
    private mutating func next() -> Int? {
        guard running.count < Self.maxTotal,
            let place = hosts.firstIndex(where: { runningPerHost[$0, default: 0] < Self.maxPerHost })
        else { return nil }
        let host = hosts.remove(at: place)
        guard var work = waiting[host], !work.isEmpty else { return nil }
        let first = work.removeFirst()
        waiting[host] = work.isEmpty ? nil : work
        if !work.isEmpty { hosts.append(host) }
        running[first] = host
        runningPerHost[host, default: 0] += 1
        return first
    }

    private mutating func finish(_ work: Int) {
        guard let host = running.removeValue(forKey: work) else { return }
        runningPerHost[host, default: 1] -= 1
    }
}
