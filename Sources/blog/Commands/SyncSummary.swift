import BlogLibrary
import Model
import Store
import Terminal

/// What a sync did, in a line, and in a line for each source that failed.
struct SyncSummary {
    private let syncs: [SourceSync]
    private let session: Session

    init(_ syncs: [SourceSync], _ session: Session) {
        self.syncs = syncs
        self.session = session
    }

    /// Prints it, and returns the exit code.
    func show() async -> ExitCode {
        let refreshes = syncs.map { SourceRefresh($0.source, $0.report.refresh) }
        await RefreshNotices(refreshes, session).showFlaws()
        let failed = await tellFailedRefreshes(refreshes)
        if failed == syncs.count, failed > 0 { return await hasNothing(refreshes) ? .nothingToShow : .failed }
        if syncs.count > 1 {
            for sync in syncs where sync.report.total > sync.report.unchanged {
                await session.console.notice("\(name(of: sync)): \(summary(of: [sync])).")
            }
        }
        await session.console.notice("\(summary(of: syncs)).")
        if count(\.pruned) > 0 {
            await session.console.notice("Deleted \(Counted.posts(count(\.pruned))) older than --keep.")
        }
        if let posts = try? await session.library.unindexedPosts(), posts > 0 {
            await session.console.notice("The next search will index \(Counted.posts(posts)) first.")
        }
        if syncs.count == 1, let error = syncs[0].report.firstError, syncs[0].report.failures.isEmpty {
            await session.console.error("First failure: \(Failure(error).message ?? "")")
        }
        return failed + count(\.failed) + count(\.untried) == 0 ? .success : .partly
    }

    /// Whether no source can be reached and nothing of them is stored.
    private func hasNothing(_ refreshes: [SourceRefresh]) async -> Bool {
        guard refreshes.allSatisfy(\.isUnreachable) else { return false }
        return (try? await session.library.sources(in: session.scope).allSatisfy { $0.posts == 0 }) == true
    }

    /// Reports which lists could not be refreshed, and returns how many.
    private func tellFailedRefreshes(_ refreshes: [SourceRefresh]) async -> Int {
        let console = session.console
        if refreshes.count > RefreshNotices.maxFailures, refreshes.allSatisfy(\.isUnreachable) {
            await console.error("Could not reach any of the \(refreshes.count) sources.")
            return refreshes.count
        }
        var count = 0
        for refresh in refreshes {
            guard case .failed(let error, _) = refresh.report.outcome else { continue }
            count += 1
            guard count <= RefreshNotices.maxFailures else { continue }
            let message = Failure(error).message
            let hint: Message = message?.hint.map { "\n\($0)" } ?? ""
            await console.error(
                refreshes.count == 1
                    ? message
                    : "\(Failure.refreshing(session.typedIDs.name(of: refresh.source), error))\(hint)")
        }
        if count > RefreshNotices.maxFailures {
            await console.error("\(RefreshNotices.rest(count)). To see why: blog sources")
        }
        return count
    }

    private func summary(of syncs: [SourceSync]) -> Message {
        func sum(_ number: (SyncReport) -> Int) -> Int { syncs.reduce(0) { $0 + number($1.report) } }
        let parts = [
            (sum(\.new), "new"), (sum(\.updated), "updated"), (sum(\.unchanged), "unchanged"),
            (sum(\.failed), "failed"), (sum(\.untried), "skipped"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let comments = sum(\.comments)
        let bodies = Counted.bodies(sum(\.total) - comments)
        let things = comments == 0 ? bodies : "\(bodies), \(Counted.comments(comments))"
        return "\(news(of: syncs))\(things)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))"
    }

    /// What the lists have that is new: "3 new posts, 1 changed; "; "" for nothing, and for a ranking, which lists ids.
    private func news(of syncs: [SourceSync]) -> Message {
        let changes = syncs.compactMap { sync -> ListChanges? in
            guard SourceRegistry.kind(named: sync.source.kind)?.capabilities.isRanked == false,
                case .stored(let changes) = sync.report.refresh.outcome
            else { return nil }
            return changes
        }
        let (new, changed) = changes.reduce((0, 0)) { ($0.0 + $1.new, $0.1 + $1.updated) }
        guard new + changed > 0 else { return "" }
        return "\(new == 1 ? "1 new post" : "\(new) new posts")\(changed > 0 ? ", \(changed) changed" : ""); "
    }

    private func count(_ number: (SyncReport) -> Int) -> Int { syncs.reduce(0) { $0 + number($1.report) } }

    private func name(of sync: SourceSync) -> String { session.typedIDs.name(of: sync.source) }
}
