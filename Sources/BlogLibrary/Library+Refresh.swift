import Essentials
import HTTP
import Model
import Store

extension SourceRefresh {
    /// Whether the stored list is current, as far as is known.
    var hasSucceeded: Bool {
        switch report.outcome {
        case .failed, .unfinished, .skipped: false
        default: true
        }
    }
}

extension Library {
    /// Refreshes several sources at once, and returns reports in their order.
    ///
    /// - Parameters:
    ///   - sources: the sources.
    ///   - onlyDue: whether those are left out that were refreshed a short while ago, or are not to be for another
    ///     reason.
    ///   - deadline: how long all of them may take together; nil for as long as no server is silent for too long.
    ///   - observe: is called with how many are done, and of how many.
    public func refresh(
        _ sources: [SourceID], onlyDue: Bool = true, deadline: Duration? = .seconds(5),
        observe: @escaping @Sendable (Int, Int) async -> Void = { _, _ in }
    ) async -> [SourceRefresh] {
        let limit = deadline.map { RefreshDeadline(seconds: $0 / .seconds(1)) }
        let stored = (try? await store.sources(sources)) ?? []
        return await refresh(sources, stored, onlyDue: onlyDue, within: limit, observe: observe)
    }

    /// Refreshes several sources, given those of them that are stored.
    func refresh(
        _ sources: [SourceID], _ storedSources: [StoredSource], onlyDue: Bool, within deadline: RefreshDeadline?,
        observe: @escaping @Sendable (Int, Int) async -> Void
    ) async -> [SourceRefresh] {
        let stored = Dictionary(storedSources.map { ($0.id, $0) }) { first, _ in first }
        let silences = onlyDue ? await store.silences() : [:]
        var reports: [SourceID: RefreshReport] = [:]
        for source in sources where onlyDue { reports[source] = notDue(source, stored[source], silences) }
        let due = sources.filter { reports[$0] == nil }
        let (done, verdicts) = await refresh(due, within: deadline, observe)
        for source in due {
            let unfinished = RefreshReport.Outcome.unfinished(
                storedAt: stored[source]?.refreshedAt, isSilent: verdicts[source]?.isSilent == true)
            reports[source] = done[source] ?? RefreshReport(unfinished)
            if done[source] == nil, verdicts[source]?.isLate == true { await noteSilence(of: source, stored[source]) }
        }
        return sources.compactMap { source in reports[source].map { SourceRefresh(source, $0) } }
    }

    /// The report of a source that isn't due; nil for one that is.
    private func notDue(_ source: SourceID, _ stored: StoredSource?, _ silences: [String: Date]) -> RefreshReport? {
        if let stored, let due = stored.dueAt, let at = stored.refreshedAt ?? stored.failedAt,
            (at..<max(due, at)).contains(now())
        {
            guard let problem = stored.problem else { return RefreshReport(.stillCurrent(storedAt: at)) }
            return RefreshReport(.skipped(problem, until: due, storedAt: stored.refreshedAt))
        }
        return silence(of: source, silences).map {
            RefreshReport(.skipped(.unreachable, until: $0, storedAt: stored?.refreshedAt))
        }
    }

    /// Until when a source isn't requested because its host is silent; nil if it is requested.
    private func silence(of source: SourceID, _ silences: [String: Date]) -> Date? {
        guard let until = URL(address: source.address).flatMap({ silences[$0.hostAndPort] }), until > now(),
            // A clock that was set back makes waits long.
            until.timeIntervalSince(now()) <= StoredSource.maxRefreshInterval
        else { return nil }
        return until
    }

    /// Refreshes the sources that are due: the reports at the deadline, and a verdict on each server; no verdicts if
    /// this process was too busy to read the responses.
    private func refresh(
        _ due: [SourceID], within deadline: RefreshDeadline?, _ observe: @escaping @Sendable (Int, Int) async -> Void
    ) async -> (done: [SourceID: RefreshReport], verdicts: [SourceID: Verdict]) {
        let watches = Dictionary(due.map { ($0, ServerWatch()) }) { first, _ in first }
        @Sendable func refreshed() async -> [SourceID: RefreshReport] {
            var (queue, done) = (HostQueue(), [SourceID: RefreshReport]())
            for (number, source) in due.enumerated() {
                queue.add(number, host: URL(address: source.address)?.hostAndPort ?? "")
            }
            await queue.run {
                await refresh(due[$0], watches[due[$0]])
            } give: { number, report, left in
                done[due[number]] = report
                await observe(due.count - left, due.count)
            }
            return done
        }
        guard let deadline else { return (await refreshed(), [:]) }
        let (done, late) = await race(refreshed) {
            guard try await deadline.wait(Array(watches.values)) else { return [SourceID: Verdict]() }
            return watches.mapValues { Verdict(isSilent: $0.isSilent, isLate: $0.isLate) }
        }
        return ((try? done.get()) ?? [:], (try? late?.get()) ?? [:])
    }

    /// The state of a server at the deadline.
    private struct Verdict: Sendable {
        let isSilent: Bool
        let isLate: Bool
    }

    /// Refreshes one source; a failure is part of the result.
    ///
    /// Nil if it was cancelled.
    private func refresh(_ source: SourceID, _ watch: ServerWatch?) async -> RefreshReport? {
        do {
            return try await reader(of: source, watch: watch).refreshed()
        } catch is CancellationError {
            return nil
        } catch {
            let cause: any Error = if case LibraryError.unreachable(let http) = error { http } else { error }
            return RefreshReport(.failed(cause, storedAt: nil))
        }
    }

    /// Stops requesting a source, and others at its host, for a while that grows each time.
    func noteSilence(of source: SourceID, _ stored: StoredSource?) async {
        let date = now()
        try? await store.note(.unreachable, of: source, at: date) { StoredSource.silence(after: $0) }
        guard let url = URL(address: source.address) else { return }
        let until = date.addingTimeInterval(StoredSource.silence(after: (stored?.failures ?? 0) + 1))
        await store.remember(silence: until, of: url.hostAndPort)
    }

    // MARK: One source

    /// The posts of one source that match a query.
    ///
    /// Unless it is named, it isn't requested while its host is silent or it is gone. If its server is silent for too
    /// long, stored posts are shown; a server that sends something is waited for.
    func list(
        _ query: Query, of source: SourceID, _ stored: StoredSource?, isNamed: Bool
    ) async throws -> PostList {
        guard freshness != .offline, let stored, stored.hasList else { return try await reader(of: source).list(query) }
        let copy = stored.refreshedAt
        if freshness == .normal, !isNamed {
            let (gone, silences) = (goneUntil(stored), await store.silences())
            if let until = gone ?? silence(of: source, silences) {
                let report = RefreshReport(.skipped(gone == nil ? .unreachable : .gone, until: until, storedAt: copy))
                return try await reader(of: source).offline.list(query).after(SourceRefresh(source, report))
            }
        }
        if let list = try await list(query, of: source, within: refreshDeadline) { return list }
        await noteSilence(of: source, stored)
        let report = RefreshReport(.unfinished(storedAt: copy, isSilent: true))
        return try await reader(of: source).offline.list(query).after(SourceRefresh(source, report))
    }

    /// The list after a refresh; nil if its server is silent.
    private func list(_ query: Query, of source: SourceID, within deadline: RefreshDeadline) async throws -> PostList? {
        let watch = ServerWatch()
        let reader = try reader(of: source, watch: watch)
        let (list, silence) = await race({ try await reader.list(query) }) {
            while !(try await deadline.wait([watch]) && watch.isSilent) {}
        }
        guard let silence else { return try list.get() }
        try silence.get()
        return nil
    }

    /// Until when a source that is gone for good isn't requested; nil for any other source.
    private func goneUntil(_ source: StoredSource) -> Date? {
        guard source.problem == .gone, let due = source.dueAt, let failedAt = source.failedAt else { return nil }
        return (failedAt..<max(due, failedAt)).contains(now()) ? due : nil
    }

    /// The sources that are gone for good, with the reports for their refreshes, which are skipped.
    func goneSources() async throws -> [SourceID: RefreshReport] {
        try await store.sources().reduce(into: [:]) { reports, source in
            reports[source.id] = goneUntil(source).map {
                RefreshReport(.skipped(.gone, until: $0, storedAt: source.refreshedAt))
            }
        }
    }
}

/// How long a list waits for its sources.
package struct RefreshDeadline: Sendable {
    /// How many seconds it is in all, for messages.
    package let seconds: Double
    /// Waits for half of it, and returns whether this process was awake and free to read responses.
    let half: @Sendable () async throws -> Bool

    package init(seconds: Double, half: @escaping @Sendable () async throws -> Bool) {
        self.seconds = seconds
        self.half = half
    }

    /// A deadline after that many seconds by the clock.
    package init(seconds: Double) {
        self.init(seconds: seconds) {
            let half = Duration.seconds(seconds / 2)
            var lateness = Lateness()
            try await lateness.wait(until: .now + half, isFixed: true)
            return lateness.total < half / 5
        }
    }

    /// The deadline for a list.
    package static let list = RefreshDeadline(seconds: 5)

    /// Waits for all of it and notes the state of each server half-way; returns whether this process was free to read
    /// responses.
    func wait(_ watches: [ServerWatch]) async throws -> Bool {
        let first = try await half()
        for watch in watches { watch.look() }
        let second = try await half()
        try Task.checkCancellation()
        return first && second
    }
}

/// A report on one of several sources.
public struct PerSource<Report: Sendable>: Sendable {
    /// The source.
    public let source: SourceID
    /// The report.
    public internal(set) var report: Report

    package init(_ source: SourceID, _ report: Report) {
        self.source = source
        self.report = report
    }
}

/// How the refresh of one of several sources went.
public typealias SourceRefresh = PerSource<RefreshReport>

/// The result of a sync for one of several sources.
public typealias SourceSync = PerSource<SyncReport>

/// The result of a refresh of a list.
public struct RefreshReport: Sendable {
    /// How it went.
    public let outcome: Outcome
    /// The records of the list that were left out or came twice.
    public let flaws: ListFlaws

    /// How a refresh ended.
    public enum Outcome: Sendable {
        /// Requests are off; the stored list is from that time, nil if only single posts were read.
        case offline(storedAt: Date?)
        /// The stored list from that time is still fresh.
        case stillCurrent(storedAt: Date)
        /// The server has nothing new.
        case unchanged
        /// The list was stored.
        case stored(ListChanges)
        /// The server gave no list; the stored one is from then, nil if only single posts were read.
        case failed(any Error, storedAt: Date?)
        /// It was not complete when the list had to be shown, for which the stored one stands; `isSilent` is whether
        /// its server had sent nothing.
        case unfinished(storedAt: Date?, isSilent: Bool)
        /// No request was sent, as the source is gone or its server was silent (`unreachable`) the last time.
        case skipped(RefreshProblem, until: Date, storedAt: Date?)
    }

    init(_ outcome: Outcome, _ flaws: ListFlaws = ListFlaws()) {
        self.outcome = outcome
        self.flaws = flaws
    }
}
