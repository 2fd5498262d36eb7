import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Refreshes several sources at a time.
struct SourcesRefresh: Sendable {
    let connections: Connections
    /// How many sources are refreshed at a time.
    var width = Politeness.maxRefreshes

    private var schedule: Schedule { Schedule(store: connections.store, clock: connections.clock) }

    func refresh(
        _ sources: [SourceID], onlyDue: Bool, deadline: Duration?, observe: @escaping RefreshObserver = { _, _ in }
    ) async -> [SourceRefresh] {
        let stored = (try? await connections.store.read { try Sources($0).find(sources) }) ?? []
        let seconds = deadline.map { $0 / .seconds(1) }
        return await refresh(sources, stored, onlyDue: onlyDue, within: seconds, observe: observe)
    }

    /// Refreshes several sources, given the stored state of those that have one; for feeds of a service, the service.
    func refresh(
        _ listed: [SourceID], _ storedSources: [StoredSource], onlyDue: Bool, within deadline: TimeInterval?,
        observe: @escaping RefreshObserver
    ) async -> [SourceRefresh] {
        let sources = listed.requested
        let services =
            sources == listed
            ? [] : (try? await connections.store.read { try Sources($0).find(sources.filter(\.isService)) }) ?? []
        let stored = Dictionary((storedSources + services).map { ($0.id, $0) }) { first, _ in first }
        let onlyDue = onlyDue && connections.freshness == .normal
        let hosts = await schedule.hosts()
        var reports: [SourceID: RefreshReport] = [:]
        for source in sources where onlyDue { reports[source] = schedule.notDue(source, stored[source], hosts) }
        for source in sources where reports[source] == nil && deadline != nil {
            reports[source] = schedule.waiting(source, stored[source], hosts)
        }
        // Those that have waited longest come first, so that none is left out twice.
        let due = sources.filter { reports[$0] == nil }.map { ($0, stored[$0]?.requests.lastAsked ?? .distantPast) }
            .sorted { $0.1 < $1.1 }.map(\.0)
        let (done, servers) = await refresh(due, within: deadline, observe)
        await schedule.noteUnreachable(done.map { SourceRefresh($0.key, $0.value) })
        for source in due {
            reports[source] = done[source]
            guard done[source] == nil else { continue }
            let storedAt = stored[source]?.refreshedAt
            guard let server = servers[source] else {
                reports[source] = RefreshReport(.waiting(until: nil, storedAt: storedAt))
                continue
            }
            reports[source] = RefreshReport(.unfinished(storedAt: storedAt, isSilent: server == .silent))
            await schedule.noteSilence(of: source, stored[source])
        }
        return sources.compactMap { source in reports[source].map { SourceRefresh(source, $0) } }
    }

    /// Refreshes the sources that are due; returns the reports so far at the deadline, and the servers that were late
    /// by then.
    private func refresh(
        _ due: [SourceID], within deadline: TimeInterval?, _ observe: @escaping RefreshObserver
    ) async -> (done: [SourceID: RefreshReport], late: [SourceID: LateServer]) {
        let activities = Dictionary(due.map { ($0, ServerActivity()) }) { first, _ in first }
        @Sendable func refreshed() async -> [SourceID: RefreshReport] {
            var (queue, done) = (PerHostQueue(), [SourceID: RefreshReport]())
            for (number, source) in due.enumerated() {
                queue.add(number, host: URL(address: source.address)?.hostAndPort ?? "")
            }
            await queue.run(atMost: width) {
                await refresh(due[$0], activities[due[$0]])
            } give: { number, report, left in
                done[due[number]] = report
                await observe(due.count - left, due.count)
            }
            return done
        }
        guard let deadline else { return (await refreshed(), [:]) }
        let (done, late) = await race(refreshed) {
            try await connections.clock.expire(deadline)
            let end = connections.now()
            return activities.compactMapValues { LateServer($0, at: end) }
        }
        return ((try? done.get()) ?? [:], (try? late?.get()) ?? [:])
    }

    /// Refreshes one source; a failure is part of the report, and nil means it was cancelled.
    private func refresh(_ source: SourceID, _ activity: ServerActivity?) async -> RefreshReport? {
        do {
            return try await connections.reader(of: source, recording: activity).refreshed()
        } catch is CancellationError {
            return nil
        } catch {
            return RefreshReport(failure: error, at: connections.now())
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
