import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogTerminal

/// Notices and errors about the refreshes before a list.
struct RefreshNotices {
    private let refreshes: [SourceRefresh]
    private let session: Session

    init(_ refreshes: [SourceRefresh], _ session: Session) {
        self.refreshes = refreshes
        self.session = session
    }

    /// Prints them, and returns the result of the refreshes.
    func show() async -> CommandResult {
        var result = CommandResult()
        if refreshes.lackNetwork {
            // Every source would fail in the same way.
            await showFlaws()
            await session.console.notice(
                "\(Self.noNetwork(refreshes)). To see how old the copies are: blog sources")
            return result
        }
        var fresh = 0
        for refresh in refreshes {
            if refreshes.count > 1, refresh.isNotDue {
                fresh += 1
                continue
            }
            if let error = await show(refresh) { result.fail(error) } else { result.succeeded += 1 }
        }
        await showFailures()
        await showUnfinished()
        await showWaiting()
        if fresh > 0 { await session.trace("Not due for a refresh yet: \(fresh) of \(refreshes.count) sources") }
        result.succeeded += fresh
        return result
    }

    /// Names the sources that had not responded when the list had to be shown.
    private func showUnfinished() async {
        let late = refreshes.filter { if case .unfinished = $0.report.outcome { true } else { false } }
        guard refreshes.count > 1, let first = late.first else { return }
        let named = late.prefix(Self.maxFailures).map(name).joined(separator: ", ")
        let rest = late.count > Self.maxFailures ? " and \(late.count - Self.maxFailures) more" : ""
        let words: Message = late.count == 1 ? " -s \(name(of: first))" : ""
        await session.console.notice(
            "No response within \(DecimalText.text(Politeness.listDeadline)) s from \(named)\(rest) (showing stored posts). To wait longer: blog sync\(words)"
        )
    }

    /// Says how many sources wait for their hosts, and for how many there was no time.
    private func showWaiting() async {
        guard refreshes.count > 1 else { return }
        if let line = Self.waiting(refreshes) { await session.console.notice(line) }
        let count = refreshes.count { if case .waiting(until: nil, _) = $0.report.outcome { true } else { false } }
        guard count > 0 else { return }
        await session.console.notice(
            "\(count) of \(Counted.of(refreshes.count, "source")) not refreshed yet (showing stored posts). To refresh all: blog sync"
        )
    }

    /// How many sources wait for which hosts, and until when: "9 wait for www.reddit.com until 20:43"; nil for none.
    static func waiting(_ refreshes: [SourceRefresh]) -> Message? {
        var hosts: [String: (count: Int, until: Date)] = [:]
        for refresh in refreshes {
            guard case .waiting(let until?, _) = refresh.report.outcome else { continue }
            let host = refresh.host
            let others = hosts[host] ?? (0, until)
            hosts[host] = (others.count + 1, min(others.until, until))
        }
        guard !hosts.isEmpty else { return nil }
        let most = hosts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let named = most.prefix(maxFailures).map { host, waiting in
            "\(waiting.count) \(waiting.count == 1 ? "waits" : "wait") for \(host) until \(waiting.until.minuteText)"
        }
        let rest = most.dropFirst(maxFailures).reduce(0) { $0 + $1.value.count }
        return "\((named + (rest > 0 ? ["\(rest) for other hosts"] : [])).joined(separator: ", "))"
    }

    static func noNetwork(_ refreshes: [SourceRefresh]) -> Message {
        "No network: none of the \(refreshes.ofServers.count) sources could be reached"
    }

    /// Prints the flaws of the lists.
    func showFlaws() async {
        for refresh in refreshes { await showFlaws(of: refresh) }
    }

    /// Says in one line which of several sources could not be refreshed, and why.
    private func showFailures() async {
        guard refreshes.count > 1, let line = Self.failures(of: refreshes, session) else { return }
        let areUnreachable = refreshes.allSatisfy { refresh in
            guard case .failed(_, let storedAt) = refresh.report.outcome else { return true }
            return refresh.report.isUnreachable && storedAt != nil
        }
        if areUnreachable { await session.console.notice(line) } else { await session.console.error(line) }
    }

    /// Which of several sources could not be refreshed, and why; nil if all could.
    static func failures(of refreshes: [SourceRefresh], _ session: Session) -> Message? {
        let failed = refreshes.compactMap { refresh in
            refresh.report.failure.map { (name: session.shortIDs.name(of: refresh.source), error: $0) }
        }
        guard let first = failed.first else { return nil }
        let hint: Message = "To see what to do: blog sources --failing"
        guard failed.count > 1 else { return "\(Failure.refreshing(first.name, first.error)). \(hint)" }
        let named = failed.prefix(maxFailures).map { "\($0.name) (\(RefreshProblem.cause(of: $0.error).text))" }
        let rest = failed.count > named.count ? ["and \(failed.count - named.count) more"] : []
        let all = (named + rest).joined(separator: ", ")
        return "Could not refresh \(failed.count) of \(refreshes.count) sources: \(all). \(hint)"
    }

    /// Prints one of several, or all about a single one; returns its error unless the server just can't be reached.
    private func show(_ refresh: SourceRefresh) async -> (any Error)? {
        await showFlaws(of: refresh)
        let console = session.console
        switch refresh.report.outcome {
        case .offline(let storedAt):
            await session.trace("offline: \(Self.showing(storedAt))")
        case .stillCurrent(let storedAt):
            await session.trace("still fresh: \(Self.showing(storedAt))")
        case .unchanged: await session.trace("the list is unchanged")
        case .stored(let changes):
            await session.trace(
                "\(Counted.of(changes.new, "new post")), \(changes.updated) changed, \(changes.unchanged) unchanged, \(changes.delisted) removed"
            )
        case .unfinished(let storedAt, _) where refreshes.count == 1:
            let address = refresh.source.address
            let seconds = DecimalText.text(Politeness.listDeadline)
            await console.notice(
                "Could not refresh \(address): timed out after \(seconds) s (\(Self.showing(storedAt)))")
        case .skipped(.gone, _, let storedAt):
            await console.notice(
                "\(refresh.source.address): HTTP 410 Gone (\(Self.showing(storedAt))). To retry: blog list --refresh"
            )
        case .skipped(let problem, let until, let storedAt) where problem != .unreachable:
            await console.notice(
                "\(name(of: refresh)) failed and is skipped until \(until.minuteText) (\(Self.showing(storedAt))). To see why: blog sources --failing"
            )
        case .skipped(_, let until, let storedAt):
            await console.notice(
                "\(refresh.source.address) could not be reached and is skipped until \(until.minuteText) (\(Self.showing(storedAt))). To retry now: blog list --refresh"
            )
        case .waiting(let until?, let storedAt) where refreshes.count == 1:
            await console.notice(
                "\(name(of: refresh)) waits for \(refresh.host) until \(until.minuteText) (\(Self.showing(storedAt)))")
        case .unfinished, .waiting: break
        case .failed(let error as HTTPError, .some) where error.isUnreachable && refreshes.count > 1: break
        case .failed(let error, _) where refreshes.count > 1: return error
        case .failed(let error, let storedAt):
            let message: Message =
                "\(Failure.refreshing(refresh.source.address, error)) (\(Self.showing(storedAt)))"
            guard (error as? HTTPError)?.isUnreachable == true else {
                let hint =
                    if case SourceError.movedElsewhere = error { Failure(error).message?.hint } else { Message?.none }
                await console.error(hint.map { "\(message)\n\($0)" } ?? message)
                return error
            }
            await console.notice(message)
        }
        return nil
    }

    /// Reports skipped records and duplicate ids of a list.
    private func showFlaws(of refresh: SourceRefresh) async {
        let flaws = refresh.report.flaws
        if !flaws.rejected.isEmpty {
            let shown = flaws.rejected.prefix(Self.maxNamed).map(\.text)
            let rest = flaws.rejectedCount > Self.maxNamed ? "; …" : ""
            let what = flaws.rejectedCount == 1 ? "1 record" : "\(flaws.rejectedCount) records"
            await session.console.notice(
                "Skipped \(what) from \(refresh.source.address): \(shown.joined(separator: "; "))\(rest)")
        }
        if !flaws.duplicateIDs.isEmpty {
            let ids = Counted.some(flaws.duplicateIDs.map { "“\($0)”" })
            await session.console.notice("Duplicate IDs (using the last record of each): \(ids)")
        }
    }

    private func name(of refresh: SourceRefresh) -> String { session.shortIDs.name(of: refresh.source) }

    /// The remark about the stored copy: "showing the copy from 2026-11-21 06:09 UTC".
    static func showing(_ date: Date?) -> String {
        guard let date else { return "showing the posts received so far" }
        return "showing the copy from \(date.minuteText)"
    }

    private static let maxNamed = 5
    /// The maximum number of failed sources to name.
    static let maxFailures = 3
}

extension SourceRefresh {
    /// Whether it was too early for a request.
    fileprivate var isNotDue: Bool {
        switch report.outcome {
        case .stillCurrent, .skipped: true
        default: false
        }
    }

    /// The host that it is on.
    fileprivate var host: String { URL(address: source.address)?.host ?? source.address }
}
