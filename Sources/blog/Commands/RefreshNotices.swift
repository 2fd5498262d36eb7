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
        if refreshes.count > Self.maxFailures, refreshes.allSatisfy(\.isUnreachable) {
            // It's this machine's network, and every source would fail in the same way.
            await showFlaws()
            await session.console.notice(
                "Could not reach any of the \(refreshes.count) sources. To see how old the copies are: blog sources"
            )
            return result
        }
        var (fresh, failures) = (0, 0)
        for refresh in refreshes {
            if refreshes.count > 1, refresh.isNotDue {
                fresh += 1
                continue
            }
            if case .failed = refresh.report.outcome { failures += 1 }
            if let error = await show(refresh, isNamed: failures <= Self.maxFailures) {
                result.fail(error)
            } else {
                result.succeeded += 1
            }
        }
        if failures > Self.maxFailures {
            await session.console.error("\(Self.rest(failures)). To see why: blog sources --check")
        }
        await showUnfinished()
        await showWaiting()
        await showSkipped()
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

    /// Says how many sources there was no time for.
    private func showWaiting() async {
        let count = refreshes.count { if case .waiting = $0.report.outcome { true } else { false } }
        guard count > 0 else { return }
        await session.console.notice(
            "\(count) of \(Counted.of(refreshes.count, "source")) not refreshed yet (showing stored posts). To refresh all: blog sync"
        )
    }

    /// Names the sources that were skipped because their last refresh failed.
    private func showSkipped() async {
        let skipped = refreshes.filter { refresh in
            guard case .skipped(let problem, _, _) = refresh.report.outcome else { return false }
            return problem != .gone
        }
        guard refreshes.count > 1, !skipped.isEmpty else { return }
        let names = Counted.some(skipped.map(name))
        await session.console.notice(
            "Skipped after a failed refresh: \(names). To retry and see why: blog list --refresh")
    }

    /// Prints the flaws of the lists.
    func showFlaws() async {
        for refresh in refreshes { await showFlaws(of: refresh) }
    }

    /// Prints one, and returns its error unless the server just can't be reached.
    ///
    /// - Parameter isNamed: whether a failure is printed.
    private func show(_ refresh: SourceRefresh, isNamed: Bool) async -> (any Error)? {
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
        case .skipped(_, let until, let storedAt):
            await console.notice(
                "\(refresh.source.address) timed out and is skipped until \(until.minuteText) (\(Self.showing(storedAt))). To retry now: blog list --refresh"
            )
        case .unfinished, .waiting: break
        case .failed(let error as HTTPError, .some) where error.isUnreachable && !isNamed: break
        case .failed(let error, _) where !isNamed: return error
        case .failed(let error as HTTPError, let storedAt?) where error.isUnreachable:
            await console.notice("\(failure(refresh, error)) (\(Self.showing(storedAt)))")
        case .failed(let error as HTTPError, nil) where error.isUnreachable && refreshes.count == 1:
            await console.notice("\(failure(refresh, error)) (\(Self.showing(nil)))")
        case .failed(let error, let storedAt):
            let copy: Message = refreshes.count == 1 ? " (\(Self.showing(storedAt)))" : ""
            await console.error("\(failure(refresh, error))\(copy)")
            return error
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

    /// "Could not refresh swift: connection refused".
    private func failure(_ refresh: SourceRefresh, _ error: any Error) -> Message {
        Failure.refreshing(refreshes.count == 1 ? refresh.source.address : name(of: refresh), error)
    }

    private func name(of refresh: SourceRefresh) -> String { session.shortIDs.name(of: refresh.source) }

    /// The remark about the stored copy: "showing the copy from 2026-11-21 06:09 UTC".
    static func showing(_ date: Date?) -> String {
        guard let date else { return "showing the posts received so far" }
        return "showing the copy from \(date.minuteText)"
    }

    private static let maxNamed = 5
    /// "1 more source failed", of those beyond ``maxFailures``.
    static func rest(_ failures: Int) -> Message {
        let rest = failures - maxFailures
        return rest == 1 ? "1 more source failed" : "\(rest) more sources failed"
    }

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

    /// Whether its server couldn't be reached.
    var isUnreachable: Bool {
        if case .failed(let error as HTTPError, _) = report.outcome { error.isUnreachable } else { false }
    }
}
