import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Decides whether a source is asked now, and records how a request went, which decides when it is asked next.
///
/// A source isn't asked while it isn't due, is gone for good, keeps failing, or while its host doesn't respond or wants to
/// be left alone. Stored times of requests that lie in the future were recorded under a wrong clock, and don't count. The
/// numbers are in ``Politeness``.
struct Schedule: Sendable {
    let store: PostStore
    let clock: WallClock
    /// The refresh interval of sources without one of their own, in seconds; nil for the usual one.
    var interval: TimeInterval?

    private func now() -> Date { clock.now() }

    // MARK: Whether to ask

    /// What keeps hosts from being asked.
    struct Hosts: Sendable {
        /// Until when those that don't respond are skipped.
        let silences: [String: Date]
        /// Until when those that are rate limiting, and addresses, want to be left alone.
        let waits: [String: Date]
    }

    func hosts() async -> Hosts {
        let (waits, silences) = await store.hosts()
        return Hosts(silences: silences, waits: waits)
    }

    /// Which sources are asked.
    enum Asking {
        /// Those that are due.
        case due
        /// All but those that are gone for good, or whose hosts don't respond.
        case present
        case all
    }

    /// The report of a source that isn't asked; nil for one that is asked.
    ///
    /// - Parameter isPatient: whether nobody waits for it, so that its host may want to be left alone for a while.
    func skip(
        _ source: SourceID, _ stored: StoredSource?, _ hosts: Hosts, _ asking: Asking, isPatient: Bool
    ) -> RefreshReport? {
        let (now, storedAt) = (now(), stored?.refreshedAt)
        if asking == .due || asking == .present && stored?.problem == .gone, let stored, let due = stored.dueAt,
            let at = stored.requests.lastAsked, !stored.requests.isDue(at: now), !isDueEarlier(stored, than: due, at)
        {
            guard let problem = stored.problem else { return RefreshReport(.stillCurrent(storedAt: at)) }
            return RefreshReport(.skipped(problem, until: due, storedAt: storedAt))
        }
        if asking != .all, let until = silence(of: source, hosts) {
            return RefreshReport(.skipped(.unreachable, until: until, storedAt: storedAt))
        }
        guard !isPatient, let until = URL(address: source.address).flatMap({ hosts.waits.wait(of: $0, at: now) }),
            until > now.addingTimeInterval(Politeness.listDeadline)
        else { return nil }
        return RefreshReport(.waiting(until: until, storedAt: storedAt))
    }

    /// Whether a source is due by the interval of now, which is shorter than that of its last refresh; what its server asked for
    /// stays.
    private func isDueEarlier(_ stored: StoredSource, than due: Date, _ lastAsked: Date) -> Bool {
        guard let interval, stored.every == nil, stored.problem == nil, due <= Politeness.dueDate(after: lastAsked)
        else { return false }
        return Politeness.dueDate(after: lastAsked, interval: interval) <= now()
    }

    /// Until when a source isn't asked because its host doesn't respond; nil if it may be asked.
    func silence(of source: SourceID, _ hosts: Hosts) -> Date? {
        guard let until = URL(address: source.address).flatMap({ hosts.silences[$0.hostAndPort] }), until > now(),
            // A clock that was set back would prolong it.
            until.timeIntervalSince(now()) <= Politeness.maxRefreshInterval
        else { return nil }
        return until
    }

    /// The sources that are gone for good, with reports of their skipped refreshes.
    func goneSources() async throws -> [SourceID: RefreshReport] {
        let hosts = Hosts(silences: [:], waits: [:])
        return try await store.read { try Sources($0).all() }.reduce(into: [:]) { reports, source in
            reports[source.id] = skip(source.id, source, hosts, .present, isPatient: true)
        }
    }

    // MARK: How it went

    /// Records that a server has responded, if its host was silent.
    func noteResponse(of source: SourceID) async {
        guard let url = URL(address: source.address) else { return }
        await store.forgetSilence(of: url.hostAndPort)
    }

    /// Records why a refresh failed, and for how long the source isn't asked, and returns the report.
    ///
    /// A host that wants to be left alone says nothing about its sources, and one that can't be reached nothing about
    /// them while this machine may have no network: see ``noteUnreachable(_:)``.
    func note(_ error: any FetchError, of source: SourceID, storedAt: Date?) async throws -> RefreshReport {
        let report = RefreshReport(failure: error, storedAt: storedAt, at: now())
        let problem = RefreshProblem(error)
        if problem != .unreachable { await noteResponse(of: source) }
        guard report.failure != nil, problem != .unreachable else { return report }
        let date = now()
        try await store.writeIfFree {
            try save(problem, because: RefreshProblem.reason(of: error), of: source, at: date, in: $0) {
                Politeness.pause(after: error, failures: $0, lastSuccess: $1, at: date)
            }
        }
        return report
    }

    /// Records that a service isn't asked until the user has typed its address.
    func noteUnconfirmed(_ service: SourceID, at url: URL) async throws {
        let (date, reason) = (now(), RefreshProblem.reason(of: ServiceError.unconfirmed(url)))
        try await store.writeIfFree {
            try save(.unconfirmed, because: reason, of: service, at: date, in: $0) { _, _ in nil }
        }
    }

    /// - Parameter pause: returns for how many seconds the source isn't asked, given the number of consecutive failures and
    ///   when it last worked; nil for none.
    private func save(
        _ problem: RefreshProblem, because reason: String? = nil, of source: SourceID, at date: Date,
        in database: Database, pause: (Int, Date?) -> TimeInterval?
    ) throws {
        guard let stored = try Sources(database).find(source) else { return }
        let requests = stored.requests.failing(problem, because: reason, at: date) { pause($0, stored.refreshedAt) }
        try Sources(database).save(requests, of: source)
    }

    /// Records that a source isn't asked for a while, each time for longer, because its server was too slow.
    ///
    /// - Parameter isOfHost: whether the host is silent, which isn't asked for other sources either.
    func noteSilence(of source: SourceID, _ stored: StoredSource?, isOfHost: Bool) async {
        let record = stored?.requests ?? RequestRecord()
        let requests = record.failing(.unreachable, because: "timed out", at: now()) { failures in
            Politeness.pause(ofSilentHostAfter: failures)
        }
        try? await store.writeIfFree { try Sources($0).save(requests, of: source) }
        guard isOfHost, let url = URL(address: source.address), let until = requests.dueAt else { return }
        await store.remember(silence: until, of: url.hostAndPort)
    }

    /// Records which sources can't be reached although this machine's network works: others can be, on the same side of the
    /// router, now or before they were due again.
    func noteUnreachable(_ refreshes: [SourceRefresh]) async {
        let unreachable = refreshes.filter(\.report.isUnreachable)
        guard !unreachable.isEmpty else { return }
        var sides = Set(refreshes.filter(\.report.hasAnswer).compactMap(\.source.isInPrivateNetwork))
        let date = now()
        if refreshes.count == 1, let others = try? await store.read({ try Sources($0).followed() }) {
            let recent = date.addingTimeInterval(-Politeness.refreshInterval)
            let worked = others.filter { $0.id != refreshes[0].source && ($0.refreshedAt ?? .distantPast) > recent }
            sides.formUnion(worked.compactMap(\.id.isInPrivateNetwork))
        }
        for refresh in unreachable {
            guard let error = refresh.report.failure, let side = refresh.source.isInPrivateNetwork, sides.contains(side)
            else { continue }
            try? await store.writeIfFree {
                let reason = RefreshProblem.reason(of: error)
                try save(.unreachable, because: reason, of: refresh.source, at: date, in: $0) { failures, _ in
                    Politeness.pause(afterFailures: failures)
                }
            }
        }
    }
}

extension SourceID {
    /// Whether its address names a host of a private network; nil if it names none.
    fileprivate var isInPrivateNetwork: Bool? {
        URL(address: address)?.host.map { NetworkAddress.isPrivate(host: $0) }
    }
}

extension RequestRecord {
    /// When the source was last asked, with or without success; nil if never.
    var lastAsked: Date? { [lastSuccess, lastFailure].compactMap { $0 }.max() }

    /// Whether the source is due; so is one that was asked in the future.
    func isDue(at now: Date) -> Bool {
        guard let lastAsked, let dueAt else { return true }
        return !now.isBetween(lastAsked, and: dueAt)
    }

    /// The record after another request that failed, which counts only if the source isn't asked for a while because of it.
    ///
    /// Requests that the user sends during such a while don't extend it.
    func failing(
        _ problem: RefreshProblem, because reason: String? = nil, at date: Date,
        pause: (_ failures: Int) -> TimeInterval?
    ) -> RequestRecord {
        let isEarly = self.problem != nil && !isDue(at: date)
        let next = isEarly ? failures : failures + 1
        let pause = pause(next)
        return RequestRecord(
            lastSuccess: lastSuccess, lastFailure: date, problem: problem, reason: reason,
            failures: pause == nil ? failures : next,
            dueAt: pause.map { date.addingTimeInterval($0) } ?? (isEarly ? dueAt : nil))
    }
}

extension StoredArticle {
    /// Whether a page without an article may be requested again.
    func isDue(at now: Date) -> Bool { Self.isDue(problem, failedAt: failedAt, at: now) }

    /// Whether it may be requested again: after a day, after a minute if its server couldn't be reached, but never
    /// if it is gone.
    static func isDue(_ problem: ArticleProblem?, failedAt: Date?, at now: Date) -> Bool {
        guard let problem, let failedAt else { return true }
        let interval = problem == .unreachable ? Politeness.serverRetryInterval : Politeness.pageRetryInterval
        let due = failedAt.addingTimeInterval(interval)
        return problem != .gone && !now.isBetween(failedAt, and: due)
    }
}

extension RefreshProblem {
    /// The kind of problem that an error is.
    package init(_ error: any Error) {
        switch error {
        case HTTPError.privateAddress, HTTPError.unauthorized(_, .unconfirmed), ServiceError.unconfirmed:
            self = .unconfirmed
        case let error as HTTPError where error.isUnreachable: self = .unreachable
        case let error as HTTPError:
            self =
                switch error.statusCode {
                case 410?: .gone
                case 404?: .missing
                case 401?: .login
                case _ where error.refusesRequest: .refused
                default: .failed
                }
        case let error as ServiceError:
            self =
                switch error {
                case .noLogin, .unsafeLogins, .commandFailed, .badLogin, .keyRejected, .proxyLogin, .otherAccount:
                    .login
                case .apiDisabled: .refused
                case .notAnAPI, .unusable, .redirected: .unreadable
                default: .failed
                }
        case SourceError.unreadable(_, SourceError.cutOffProblem): self = .failed
        case SourceError.movedElsewhere: self = .moved
        case is SourceError: self = .unreadable
        default: self = .failed
        }
    }
}
