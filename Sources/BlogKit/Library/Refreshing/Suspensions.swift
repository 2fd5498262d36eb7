import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// The sources that aren't requested for a while: those refreshed recently, gone for good, or on hosts that don't
/// respond.
struct Suspensions: Sendable {
    let store: PostStore
    let clock: WallClock

    private func now() -> Date { clock.now() }

    /// The report of a source that isn't due; nil for one that is.
    func notDue(_ source: SourceID, _ stored: StoredSource?, _ silences: [String: Date]) -> RefreshReport? {
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
    func silence(of source: SourceID, _ silences: [String: Date]) -> Date? {
        guard let until = URL(address: source.address).flatMap({ silences[$0.hostAndPort] }), until > now(),
            // A clock that was set back would prolong the suspension.
            until.timeIntervalSince(now()) <= Politeness.maxRefreshInterval
        else { return nil }
        return until
    }

    /// Suspends requests to a source and its host, each time for longer.
    func suspend(_ source: SourceID, _ stored: StoredSource?) async {
        let date = now()
        try? await store.writeIfFree {
            try Sources($0).note(.unreachable, of: source, at: date) { Politeness.suspension(ofSilentHostAfter: $0) }
        }
        guard let url = URL(address: source.address) else { return }
        let failures = (stored?.failures ?? 0) + 1
        let until = date.addingTimeInterval(Politeness.suspension(ofSilentHostAfter: failures))
        await store.remember(silence: until, of: url.hostAndPort)
    }

    /// Suspends requests to a source whose server can't be reached, although this machine's network works.
    func suspend(_ source: SourceID, because error: HTTPError) async {
        try? await store.writeIfFree {
            try Sources($0).note(
                .unreachable, because: RefreshProblem.reason(of: error), of: source, at: now(),
                wait: Politeness.suspension(afterFailures:))
        }
    }

    /// Until when a source that is gone for good isn't requested; nil for any other source.
    func goneUntil(_ source: StoredSource) -> Date? {
        guard source.problem == .gone, let due = source.dueAt, let failedAt = source.failedAt else { return nil }
        return now().isBetween(failedAt, and: due) ? due : nil
    }

    /// The sources that are gone for good, with reports of their skipped refreshes.
    func goneSources() async throws -> [SourceID: RefreshReport] {
        try await store.read { try Sources($0).all() }.reduce(into: [:]) { reports, source in
            reports[source.id] = goneUntil(source).map {
                RefreshReport(.skipped(.gone, until: $0, storedAt: source.refreshedAt))
            }
        }
    }
}
