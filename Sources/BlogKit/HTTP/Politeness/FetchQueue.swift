import BlogEssentials
import BlogModel

/// How many requests a ``FetchQueue`` sends.
package struct FetchLimits: Sendable {
    /// How many are under way at a time.
    package let width: Int
    /// How many of them are to one host.
    package let perHost: Int
    /// The pause between two requests to one host, in seconds.
    package let pause: TimeInterval
    /// The number of consecutive failures after which a host isn't asked any more.
    package let maxFailures: Int

    package init(width: Int, perHost: Int, pause: TimeInterval = 0, maxFailures: Int = .max) {
        (self.width, self.perHost, self.pause, self.maxFailures) = (width, perHost, pause, maxFailures)
    }
}

/// Fetches much concurrently, within limits in all and for each host; a host that wants to be left alone, or fails too often
/// in a row, isn't asked any more.
///
/// Hosts take turns, and what is wanted of each is fetched in the order in which it was added. Each operation takes constant
/// time, however much is waiting.
package struct FetchQueue<Work: Sendable>: Sendable {
    private struct Host {
        var waiting: ArraySlice<Work> = []
        var running = 0
        /// Whether it is in ``FetchQueue/ready``.
        var isReady = false
        var failures = 0
        var isGivenUp = false
        /// When the pause after its last request ends.
        var pausedUntil = Date.distantPast
    }

    private struct Started {
        let work: Work
        let host: String
        let wait: TimeInterval
    }

    private struct Ended<Output: Sendable> {
        let work: Work
        let host: String
        let output: Output
    }

    private let limits: FetchLimits
    private let clock: WallClock
    private var hosts: [String: Host] = [:]
    /// The hosts with work that may start, first come, first served.
    private var ready: ArraySlice<String> = []
    /// The work of hosts that aren't asked any more.
    private var untried: ArraySlice<Work> = []
    private var isStopped = false
    /// How much is waiting or in progress.
    package private(set) var count = 0
    /// How much is waiting.
    package private(set) var waiting = 0

    package init(_ limits: FetchLimits, clock: WallClock) {
        (self.limits, self.clock) = (limits, clock)
    }

    package mutating func add(_ work: Work, host: String) {
        count += 1
        waiting += 1
        guard !isStopped, hosts[host]?.isGivenUp != true else { return untried.append(work) }
        hosts[host, default: Host()].waiting.append(work)
        queue(host)
    }

    /// Fetches nothing more.
    package mutating func stop() {
        isStopped = true
        for host in hosts.keys { giveUp(host) }
    }

    /// Fetches all that was added, and what is added meanwhile.
    ///
    /// - Parameters:
    ///   - refill: called before each request, to add more.
    ///   - fetch: sends a request; called concurrently.
    ///   - failure: why a request failed; nil if it didn't.
    ///   - take: receives each result, nil for work of a host that isn't asked any more; called serially.
    package mutating func run<Output: Sendable, Failure: Error>(
        refill: (inout Self) async throws(Failure) -> Void,
        fetch: @escaping @Sendable (Work) async throws(Failure) -> Output,
        failure: (Output) -> (any Error)? = { _ in nil },
        take: (Work, Output?, inout Self) async throws(Failure) -> Void
    ) async throws(Failure) {
        let clock = clock
        try await concurrently(atMost: limits.width) { () throws(Failure) -> Started? in
            try await refill(&self)
            while let work = untried.popFirst() {
                (count, waiting) = (count - 1, waiting - 1)
                try await take(work, nil, &self)
                try await refill(&self)
            }
            return Task.isCancelled ? nil : start()
        } work: { started throws(Failure) in
            // A cancelled pause ends at once, and so does the request after it.
            if started.wait > 0 { try? await clock.pause(started.wait) }
            return Ended(work: started.work, host: started.host, output: try await fetch(started.work))
        } take: { (ended: Ended<Output>) throws(Failure) in
            finish(ended.host, failure(ended.output))
            try await take(ended.work, ended.output, &self)
        }
    }

    /// Fetches all that was added.
    package mutating func run<Output: Sendable>(
        fetch: @escaping @Sendable (Work) async -> Output, take: (Work, Output?, inout Self) async -> Void
    ) async {
        await run(refill: { _ in }, fetch: fetch, take: take)
    }

    /// Takes the work that may start next; nil if none may.
    private mutating func start() -> Started? {
        // A host that isn't asked any more may still be in the queue.
        while let name = ready.first, hosts[name]?.waiting.isEmpty != false { ready.removeFirst() }
        guard let name = ready.popFirst(), var host = hosts[name], let work = host.waiting.popFirst() else {
            return nil
        }
        waiting -= 1
        host.isReady = false
        host.running += 1
        hosts[name] = host
        queue(name)
        let wait = limits.pause > 0 ? min(host.pausedUntil.timeIntervalSince(clock.now()), limits.pause) : 0
        return Started(work: work, host: name, wait: wait)
    }

    private mutating func finish(_ name: String, _ error: (any Error)?) {
        count -= 1
        guard var host = hosts[name] else { return }
        host.running -= 1
        if limits.pause > 0 { host.pausedUntil = clock.now().addingTimeInterval(limits.pause) }
        if limits.maxFailures < .max {
            let error = error as? HTTPError
            host.failures = error?.isOfHost == true ? host.failures + 1 : 0
            host.isGivenUp =
                host.isGivenUp || host.failures >= limits.maxFailures || error?.wait(at: clock.now()) != nil
        }
        hosts[name] = host
        if host.isGivenUp { giveUp(name) } else { queue(name) }
    }

    private mutating func giveUp(_ name: String) {
        guard let host = hosts[name] else { return }
        untried += host.waiting
        hosts[name]?.waiting = []
        hosts[name]?.isGivenUp = true
    }

    /// Adds a host to the end of the queue, if work for it may start.
    private mutating func queue(_ name: String) {
        guard let host = hosts[name], !host.waiting.isEmpty, host.running < limits.perHost, !host.isReady else {
            return
        }
        hosts[name]?.isReady = true
        ready.append(name)
    }
}

extension HTTPError {
    /// Whether the next request to the host would probably fail, too.
    fileprivate var isOfHost: Bool {
        if case .challenged = self { return true }
        return isTemporary || isConnectionFailure
    }
}
