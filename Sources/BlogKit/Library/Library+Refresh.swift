import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension SourceRefresh {
    /// Whether the stored list is current, as far as we know.
    var hasSucceeded: Bool {
        switch report.outcome {
        case .failed, .unfinished, .skipped: false
        default: true
        }
    }
}

extension Library {
    /// How long a list of several sources waits for them.
    public static let listDeadline = Duration.seconds(Politeness.listDeadline)

    /// Refreshes several sources concurrently and returns their reports in the same order.
    ///
    /// - Parameters:
    ///   - sources: the sources.
    ///   - onlyDue: whether to skip sources that were refreshed recently or are suspended after a failure.
    ///   - deadline: the time limit for all of them together; nil for no limit except the timeout of each server.
    ///   - observe: called with the number of sources done and their total.
    public func refresh(
        _ sources: [SourceID], onlyDue: Bool = true, deadline: Duration? = listDeadline,
        observe: @escaping RefreshObserver = { _, _ in }
    ) async -> [SourceRefresh] {
        let stored = (try? await store.sources(sources)) ?? []
        let seconds = deadline.map { $0 / .seconds(1) }
        return await refresh(sources, stored, onlyDue: onlyDue, within: seconds, observe: observe)
    }

    /// Refreshes the sources of a scope without a time limit, with the first posts of rankings; returns the number of new
    /// posts, too.
    package func refreshWithRankings(
        _ scope: Scope, onlyDue: Bool, observe: @escaping RefreshObserver
    ) async throws -> ([SourceRefresh], new: Int) {
        let sources = try await sourceIDs(in: scope)
        await observe(0, sources.count)
        let refreshes = await refresh(sources, onlyDue: onlyDue, deadline: nil, observe: observe)
        var new = 0
        for refresh in refreshes {
            guard case .stored(let changes) = refresh.report.outcome else { continue }
            // The posts of a ranking have not been fetched yet.
            if !Capabilities(of: [refresh.source]).isRanked { new += changes.new }
        }
        for source in sources { new += try await refreshRanking(of: source) }
        return (refreshes, new)
    }

    /// Fetches the first posts of a source's ranking, if it has one, and returns the number of new ones.
    private func refreshRanking(of source: SourceID) async throws -> Int {
        guard Capabilities(of: [source]).isRanked else { return 0 }
        let scope = Scope.sources([source])
        let query = Query(arrangement: Arrangement(sorting: .rank), limit: SourceReader.frontPage)
        var known = Set<PostID>()
        if let stored = try? await offline.list(query, in: scope) {
            for try await post in stored.posts { known.insert(post.id) }
        }
        var new = 0
        for try await post in try await list(query, in: scope).posts where !known.contains(post.id) { new += 1 }
        return new
    }

    /// Refreshes several sources, given the stored state of those that have one.
    func refresh(
        _ sources: [SourceID], _ storedSources: [StoredSource], onlyDue: Bool, within deadline: TimeInterval?,
        observe: @escaping RefreshObserver
    ) async -> [SourceRefresh] {
        let stored = Dictionary(storedSources.map { ($0.id, $0) }) { first, _ in first }
        let silences = onlyDue ? await store.silences() : [:]
        var reports: [SourceID: RefreshReport] = [:]
        for source in sources where onlyDue { reports[source] = notDue(source, stored[source], silences) }
        let due = sources.filter { reports[$0] == nil }
        let (done, servers) = await refresh(due, within: deadline, observe)
        for source in due {
            let unfinished = RefreshReport.Outcome.unfinished(
                storedAt: stored[source]?.refreshedAt, isSilent: servers[source] == .silent)
            reports[source] = done[source] ?? RefreshReport(unfinished)
            if done[source] == nil, servers[source] != nil { await suspend(source, stored[source]) }
        }
        return sources.compactMap { source in reports[source].map { SourceRefresh(source, $0) } }
    }

    /// The report of a source that isn't due; nil for one that is.
    private func notDue(_ source: SourceID, _ stored: StoredSource?, _ silences: [String: Date]) -> RefreshReport? {
        if let stored, let due = stored.dueAt, let at = stored.refreshedAt ?? stored.failedAt,
            now().isBetween(at, and: due)
        {
            guard let problem = stored.problem else { return RefreshReport(.stillCurrent(storedAt: at)) }
            return RefreshReport(.skipped(problem, until: due, storedAt: stored.refreshedAt))
        }
        return silence(of: source, silences).map {
            RefreshReport(.skipped(.unreachable, until: $0, storedAt: stored?.refreshedAt))
        }
    }

    /// Until when a source isn't requested because its host doesn't respond; nil if it may be requested.
    private func silence(of source: SourceID, _ silences: [String: Date]) -> Date? {
        guard let until = URL(address: source.address).flatMap({ silences[$0.hostAndPort] }), until > now(),
            // A clock that was set back would prolong the suspension.
            until.timeIntervalSince(now()) <= Politeness.maxRefreshInterval
        else { return nil }
        return until
    }

    /// Refreshes the sources that are due; returns the reports so far at the deadline, and the servers that were late by
    /// then.
    private func refresh(
        _ due: [SourceID], within deadline: TimeInterval?, _ observe: @escaping RefreshObserver
    ) async -> (done: [SourceID: RefreshReport], late: [SourceID: LateServer]) {
        let activities = Dictionary(due.map { ($0, ServerActivity()) }) { first, _ in first }
        @Sendable func refreshed() async -> [SourceID: RefreshReport] {
            var (queue, done) = (HostQueue(), [SourceID: RefreshReport]())
            for (number, source) in due.enumerated() {
                queue.add(number, host: URL(address: source.address)?.hostAndPort ?? "")
            }
            await queue.run {
                await refresh(due[$0], activities[due[$0]])
            } give: { number, report, left in
                done[due[number]] = report
                await observe(due.count - left, due.count)
            }
            return done
        }
        guard let deadline else { return (await refreshed(), [:]) }
        let (done, late) = await race(refreshed) {
            try await clock.expire(deadline)
            let end = now()
            return activities.compactMapValues { LateServer($0, at: end) }
        }
        return ((try? done.get()) ?? [:], (try? late?.get()) ?? [:])
    }

    /// Refreshes one source; a failure is part of the report, and nil means it was cancelled.
    private func refresh(_ source: SourceID, _ activity: ServerActivity?) async -> RefreshReport? {
        do {
            return try await reader(of: source, recording: activity).refreshed()
        } catch is CancellationError {
            return nil
        } catch {
            return RefreshReport(failure: error)
        }
    }

    /// Suspends requests to a source and its host, each time for longer.
    private func suspend(_ source: SourceID, _ stored: StoredSource?) async {
        let date = now()
        try? await store.note(.unreachable, of: source, at: date) { Politeness.suspension(ofSilentHostAfter: $0) }
        guard let url = URL(address: source.address) else { return }
        let failures = (stored?.failures ?? 0) + 1
        let until = date.addingTimeInterval(Politeness.suspension(ofSilentHostAfter: failures))
        await store.remember(silence: until, of: url.hostAndPort)
    }

    // MARK: One source

    /// The posts of one source that match a query.
    ///
    /// Unless the source is named, it isn't requested while it is gone or its host is suspended. If the server sends
    /// nothing, stored posts are listed; one that has begun to respond is waited for.
    func list(
        _ query: Query, of source: SourceID, _ stored: StoredSource?, isNamed: Bool
    ) async throws -> PostList {
        guard freshness != .offline, let stored, stored.hasList else { return try await reader(of: source).list(query) }
        func storedList(_ outcome: RefreshReport.Outcome) async throws -> PostList {
            try await reader(of: source).offline.list(query).after(SourceRefresh(source, RefreshReport(outcome)))
        }
        let copy = stored.refreshedAt
        if freshness == .normal, !isNamed {
            if let until = goneUntil(stored) {
                return try await storedList(.skipped(.gone, until: until, storedAt: copy))
            }
            if let until = silence(of: source, await store.silences()) {
                return try await storedList(.skipped(.unreachable, until: until, storedAt: copy))
            }
        }
        if let list = try await listUnlessSilent(query, of: source) { return list }
        await suspend(source, stored)
        return try await storedList(.unfinished(storedAt: copy, isSilent: true))
    }

    /// The list after a refresh; nil if the server sends nothing.
    private func listUnlessSilent(_ query: Query, of source: SourceID) async throws -> PostList? {
        let activity = ServerActivity()
        let reader = try reader(of: source, recording: activity)
        let (list, silence) = await race({ try await reader.list(query) }) {
            repeat { try await clock.expire(Politeness.listDeadline) } while !activity.isSilent(at: now())
        }
        guard let silence else { return try list.get() }
        try silence.get()
        return nil
    }

    /// Until when a source that is gone for good isn't requested; nil for any other source.
    private func goneUntil(_ source: StoredSource) -> Date? {
        guard source.problem == .gone, let due = source.dueAt, let failedAt = source.failedAt else { return nil }
        return now().isBetween(failedAt, and: due) ? due : nil
    }

    /// The sources that are gone for good, with reports of their skipped refreshes.
    func goneSources() async throws -> [SourceID: RefreshReport] {
        try await store.sources().reduce(into: [:]) { reports, source in
            reports[source.id] = goneUntil(source).map {
                RefreshReport(.skipped(.gone, until: $0, storedAt: source.refreshedAt))
            }
        }
    }
}

/// How a server let a list wait.
private enum LateServer {
    /// It hasn't finished its response.
    case slow
    /// It has sent nothing.
    case silent

    /// Nil for a server that isn't late.
    init?(_ activity: ServerActivity, at now: Date) {
        guard activity.isLate(at: now) else { return nil }
        self = activity.isSilent(at: now) ? .silent : .slow
    }
}

/// Receives the number of sources that were refreshed so far, and their total.
public typealias RefreshObserver = @Sendable (Int, Int) async -> Void

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

/// The result of refreshing a list.
public struct RefreshReport: Sendable {
    /// How it went.
    public let outcome: Outcome
    /// Malformed and repeated records of the list.
    public let flaws: ListFlaws

    /// How a refresh ended.
    public enum Outcome: Sendable {
        /// Requests are off; the list was stored at that time, nil if only single posts are stored.
        case offline(storedAt: Date?)
        /// The stored list from that time is still fresh.
        case stillCurrent(storedAt: Date)
        /// The server has nothing new.
        case unchanged
        /// The list was stored.
        case stored(ListChanges)
        /// The server sent no list; the stored one is from that time, nil if only single posts are stored.
        case failed(any Error, storedAt: Date?)
        /// It wasn't complete in time, so the stored list was used; `isSilent` is whether the server had sent nothing.
        case unfinished(storedAt: Date?, isSilent: Bool)
        /// No request was sent because the source is gone, or its server didn't respond last time (`unreachable`).
        case skipped(RefreshProblem, until: Date, storedAt: Date?)
    }

    init(_ outcome: Outcome, _ flaws: ListFlaws = ListFlaws()) {
        self.outcome = outcome
        self.flaws = flaws
    }

    /// The report of a refresh that failed with nothing stored.
    init(failure error: any Error) {
        let cause: any Error = if case LibraryError.unreachable(let http) = error { http } else { error }
        self.init(.failed(cause, storedAt: nil))
    }
}
