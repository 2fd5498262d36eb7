import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Refreshes several sources at a time.
struct SourcesRefresh: Sendable {
    let connections: Connections
    var limits = Politeness.lists

    /// How long the sources are waited for.
    enum Patience: Sendable {
        /// As long as each server may take.
        case unlimited
        /// Until all have had so many seconds.
        case seconds(TimeInterval)
        /// Until they send nothing.
        case whileDataComes
    }

    /// What is asked of each source.
    typealias Request = @Sendable (SourceID, ServerActivity?) async throws -> RefreshReport

    private var schedule: Schedule {
        Schedule(store: connections.store, clock: connections.clock, interval: connections.interval)
    }

    func refresh(
        _ sources: [SourceID], onlyDue: Bool, deadline: Duration?, observe: @escaping RefreshObserver = { _, _ in }
    ) async -> [SourceRefresh] {
        let stored = (try? await connections.store.read { try Sources($0).find(sources) }) ?? []
        return await refresh(
            sources, stored, onlyDue ? .due : .all,
            patience: deadline.map { .seconds($0 / .seconds(1)) } ?? .unlimited, observe: observe)
    }

    /// Refreshes several sources, given the stored state of those that have one; for feeds of a service, the service.
    func refresh(
        _ listed: [SourceID], _ storedSources: [StoredSource], _ asking: Schedule.Asking, patience: Patience,
        observe: @escaping RefreshObserver, request: Request? = nil
    ) async -> [SourceRefresh] {
        let sources = listed.requested
        let services =
            sources == listed
            ? [] : (try? await connections.store.read { try Sources($0).find(sources.filter(\.isService)) }) ?? []
        let stored = Dictionary((storedSources + services).map { ($0.id, $0) }) { first, _ in first }
        let asking = connections.freshness == .normal ? asking : .all
        let hosts = await schedule.hosts()
        let isPatient = if case .unlimited = patience { true } else { false }
        var reports: [SourceID: RefreshReport] = [:]
        for source in sources {
            reports[source] = schedule.skip(source, stored[source], hosts, asking, isPatient: isPatient)
        }
        // Those that have waited longest come first, so that none is left out twice.
        let due = sources.filter { reports[$0] == nil }.map { ($0, stored[$0]?.requests.lastAsked ?? .distantPast) }
            .sorted { $0.1 < $1.1 }.map(\.0)
        let (done, servers) = await refresh(due, patience, observe, request ?? refreshed)
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
            // A host whose response still comes isn't silent.
            await schedule.noteSilence(of: source, stored[source], isOfHost: server != .slow)
        }
        return sources.compactMap { source in reports[source].map { SourceRefresh(source, $0) } }
    }

    /// Refreshes the sources that are due; returns the reports so far when they aren't waited for any longer, and the
    /// servers that were late by then.
    private func refresh(
        _ due: [SourceID], _ patience: Patience, _ observe: @escaping RefreshObserver, _ request: @escaping Request
    ) async -> (done: [SourceID: RefreshReport], late: [SourceID: ServerDelay]) {
        let activities = Dictionary(due.map { ($0, ServerActivity()) }) { first, _ in first }
        @Sendable func refreshed() async -> [SourceID: RefreshReport] {
            var queue = FetchQueue<SourceID>(limits, clock: connections.clock)
            var done: [SourceID: RefreshReport] = [:]
            for source in due { queue.add(source, host: URL(address: source.address)?.hostAndPort ?? "") }
            await queue.run { source in
                await refresh(source, activities[source], request)
            } take: { source, report, queue in
                done[source] = report ?? nil
                await observe(due.count - queue.count, due.count)
            }
            return done
        }
        let seconds: TimeInterval
        switch patience {
        case .unlimited: return (await refreshed(), [:])
        case .seconds(let limit): seconds = limit
        case .whileDataComes: seconds = Politeness.listDeadline
        }
        let (done, late) = await race(refreshed) {
            while true {
                try await connections.clock.expire(seconds)
                let end = connections.now()
                let late = activities.compactMapValues { $0.delay(at: end) }
                guard case .whileDataComes = patience, !late.values.contains(.silent) else { return late }
            }
        }
        return ((try? done.get()) ?? [:], (try? late?.get()) ?? [:])
    }

    private func refreshed(_ source: SourceID, _ activity: ServerActivity?) async throws -> RefreshReport {
        try await connections.refreshable(source, recording: activity).refreshed()
    }

    /// Refreshes one source; a failure is part of the report, and nil means it was cancelled.
    private func refresh(
        _ source: SourceID, _ activity: ServerActivity?, _ request: Request
    ) async -> RefreshReport? {
        do {
            return try await request(source, activity)
        } catch is CancellationError {
            return nil
        } catch {
            return RefreshReport(failure: error, at: connections.now())
        }
    }
}
