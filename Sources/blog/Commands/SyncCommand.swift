import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal
import Dispatch
import Synchronization

/// `blog sync`: fetches missing bodies, for reading offline.
enum SyncCommand: Command {
    static let description = Commands.sync

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        if invocation.has(.offline) { throw UsageError.notOffline }
        let fields = try invocation.fieldNames(among: description.fields)
        let format = invocation.format
        let session = try await Session(invocation, in: context, for: .storing)
        try invocation.check(against: session.capabilities)
        var options = SyncOptions(
            limit: try invocation.count(.newest), jobs: try invocation.count(.jobs, atMost: 32) ?? 4,
            section: invocation[.section], withComments: invocation.has(.withComments))
        options.isWhole = invocation.has(.allOfServices)
        options.keep = try invocation.keep()
        if invocation.has(.archive), !session.sources.isNamed { throw UsageError.archiveNeedsSource }
        let watch = SyncWatch(session: session)
        let handler = session.appearance.isQuiet ? nil : Interruption.onInterrupt { watch.interruptedMessage }
        defer { handler?.cancel() }
        let reports = try await session.library.syncing.sync(options, in: session.sources) { await watch.take($0) }
        // The table is printed only if a format was chosen: on a terminal, the progress and the summary are enough.
        if format != nil || fields != nil {
            let states = try await session.library.sources(in: session.scope)
            let dueAt = Dictionary(states.map { ($0.id, $0.dueAt) }) { first, _ in first }
            let table = FactTable(
                columns: description.fields,
                rows: reports.map { row($0, dueAt[$0.source] ?? nil, session) })
            try await context.console.print(table, fields, as: format)
        }
        await session.console.error(watch.mostCommonReason)
        var result = await SyncSummary(reports, session).show()
        if result.exitCode != .unavailable {
            if invocation.has(.withArticles), try await !syncArticles(options, session) { result.isIncomplete = true }
            if invocation.has(.withImages) { try await syncPictures(options.limit, session) }
        }
        if invocation.has(.archive), result.exitCode != .unavailable {
            try await readArchives(options.keep, isWhole: options.isWhole, session, &result)
        }
        if await !session.reportUnreadable() { result.isIncomplete = true }
        return result
    }

    /// Reads the archives of the sources, one after the other, and reports what they brought.
    private static func readArchives(
        _ keep: Retention?, isWhole: Bool, _ session: Session, _ result: inout CommandResult
    ) async throws {
        for source in try await session.library.directory.states(of: session.sources) {
            do {
                let report = try await session.library.archives.read(source.id, isWhole: isWhole, keep: keep) { posts in
                    await session.console.observe(.counted("older posts", posts, of: 0))
                }
                await session.console.notice("\(source.name): \(summary(of: report))")
            } catch let error where !(error is StoreError) && !(error is CancellationError) {
                await session.console.error(Failure(error))
                result.fail(error, hasCopy: true)
            }
        }
    }

    private static func summary(of report: ArchiveReport) -> Message {
        if report.new == 0 { return report.isFull ? "It has as many older posts as it may have." : "No older posts." }
        let posts = Counted.of(report.new, "older post")
        let pages = Counted.of(report.pages, "page")
        return report.isFull
            ? "\(posts) from \(pages), which is as many as an archive may have."
            : "\(posts) from \(pages)."
    }

    /// Fetches articles, and reports how many, and why some are missing; returns whether none failed.
    private static func syncArticles(_ options: SyncOptions, _ session: Session) async throws -> Bool {
        let report = try await session.library.articleSync.sync(
            session.articles.fallback, limit: options.limit, section: options.section, in: session.scope
        ) { await session.console.observe($0.step) }
        guard report.sources > 0 else {
            await session.console.notice(
                """
                No articles: none of these sources has --article auto or always.
                To set it: blog follow NAME --article auto. To fetch articles only once: blog sync --articles -s NAME
                """)
            return true
        }
        for (post, error) in report.problems.prefix(maxNamedArticles) {
            let cause = Failure.cause(error)
            await session.console.error("Could not fetch the article for “\(session.shortIDs.text(post))”: \(cause)")
        }
        let rest = report.problems.count - maxNamedArticles
        if rest > 0 { await session.console.error("Could not fetch \(Counted.of(rest, "more article"))") }
        guard report.total > 0 else {
            await session.console.notice("No articles to fetch: no unread or saved posts need one.")
            return true
        }
        let counts = counts([
            (report.new, "new"), (report.unchanged, "unchanged"), (report.unavailable, "not available"),
            (report.temporary, "failed"), (report.waiting, "not retried yet"), (report.untried, "skipped"),
        ])
        await session.console.notice("\(Counted.of(report.total, "article"))\(counts).")
        return !report.hasFailed
    }

    private static let maxNamedArticles = 5

    /// Fetches pictures, and reports how many, and why some are missing.
    ///
    /// Missing pictures aren't a failure: many of old posts are gone for good.
    private static func syncPictures(_ limit: Int?, _ session: Session) async throws {
        let report = try await session.library.pictureSync.sync(
            limit: limit, in: session.scope, pixels: PostPictures.pixels(of: ReadingStyle.maxColumns)
        ) {
            await session.console.observe($0.step)
        }
        let counts = counts([
            (report.new, "new"), (report.unchanged, "unchanged"), (report.notStored, "could not be written"),
            (report.failures.count, "failed"), (report.untried, "skipped (no space left)"),
        ])
        await session.console.notice("\(Counted.pictures(report.total + report.untried))\(counts).")
        if let message = PictureFailures(report.failures).message { await session.console.error(message) }
    }

    /// The counts above zero: ": 3 new, 1 failed"; "" for none.
    fileprivate static func counts(_ all: [(Int, String)]) -> String {
        let parts = all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    private static func row(_ sync: SourceSync, _ dueAt: Date?, _ session: Session) -> [Fact] {
        let report = sync.report
        var reason = report.firstError
        if case .failed(let error, _) = report.refresh.outcome { reason = error }
        var (isWaiting, dueAt) = (false, dueAt)
        if case .waiting(let until, _) = report.refresh.outcome { (isWaiting, dueAt) = (true, until ?? dueAt) }
        let status =
            reason == nil
            ? isWaiting ? "waiting" : "ok" : (reason as? HTTPError)?.isUnreachable == true ? "unreachable" : "failed"
        return [
            .text(session.shortIDs.name(of: sync.source)), .text(sync.source.address), .number(report.new),
            .number(report.updated), .number(report.unchanged), .number(report.failed + report.untried),
            .number(report.comments), .text(status),
            reason.flatMap { Failure($0).message }.map { .text($0.text) } ?? .none,
            dueAt.map { .date($0) } ?? .none, .number(report.pruned),
        ]
    }
}

/// The summary of a sync: one line, and one for each source that failed.
private struct SyncSummary {
    private let syncs: [SourceSync]
    private let session: Session

    init(_ syncs: [SourceSync], _ session: Session) {
        self.syncs = syncs
        self.session = session
    }

    /// Prints it, and returns the result of the sync.
    func show() async -> CommandResult {
        let refreshes = syncs.map { SourceRefresh($0.source, $0.report.refresh) }
        await RefreshNotices(refreshes, session).showFlaws()
        await tellFailedRefreshes(refreshes)
        if let line = RefreshNotices.waiting(refreshes) { await session.console.notice(line) }
        let result = await result(of: refreshes)
        if result.succeeded == 0, !result.failures.isEmpty { return result }
        if syncs.count > 1 {
            for sync in syncs where sync.report.total > sync.report.unchanged || sync.report.sentMarks > 0 {
                await session.console.notice("\(name(of: sync)): \(summary(of: [sync])).")
            }
        }
        await session.console.notice("\(summary(of: syncs)).")
        for notice in await services() { await session.console.notice(notice) }
        if count(\.pruned) > 0 {
            await session.console.notice("Deleted \(Counted.posts(count(\.pruned))) older than --keep allows.")
        }
        if let posts = try? await session.library.unindexedPosts(), posts > 0 {
            await session.console.notice("The next search will index \(Counted.posts(posts)) first.")
        }
        if syncs.count == 1, let error = syncs[0].report.firstError, syncs[0].report.failures.isEmpty {
            await session.console.error("First failure: \(Failure(error).message ?? "")")
        }
        return result
    }

    /// What the sync servers have yet to send, and what they have yet to be told.
    private func services() async -> [Message] {
        guard syncs.contains(where: \.source.isService),
            let states = try? await session.library.directory.states(of: session.sources)
        else { return [] }
        return states.compactMap { state in
            guard let service = state.service, let rest = service.rest else { return nil }
            let hint: Message = service.missingPosts > 0 ? " (to fetch all now: blog sync -s \(state.name) --all)" : ""
            return "\(state.name): \(rest)\(hint)"
        }
    }

    private func result(of refreshes: [SourceRefresh]) async -> CommandResult {
        var result = CommandResult()
        let hasNothing = await hasNothing(refreshes)
        // Without a network, whatever else fails counts for nothing.
        let counted = refreshes.lackNetwork ? refreshes.filter(\.report.isUnreachable) : refreshes
        for refresh in counted {
            if case .failed(let error, _) = refresh.report.outcome {
                result.fail(error, hasCopy: !hasNothing)
            } else {
                result.succeeded += 1
            }
        }
        result.isIncomplete = count(\.failed) + count(\.untried) > 0
        return result
    }

    /// Whether no source could be reached and nothing is stored.
    private func hasNothing(_ refreshes: [SourceRefresh]) async -> Bool {
        guard refreshes.lackNetwork || refreshes.allSatisfy(\.report.isUnreachable) else { return false }
        return (try? await session.library.sources(in: session.scope).allSatisfy { $0.posts == 0 }) == true
    }

    private func tellFailedRefreshes(_ refreshes: [SourceRefresh]) async {
        let console = session.console
        if refreshes.lackNetwork { return await console.error("\(RefreshNotices.noNetwork(refreshes)).") }
        if refreshes.count == 1, let error = refreshes[0].report.failure {
            await console.error(Failure(error))
        } else if let line = RefreshNotices.failures(of: refreshes, session) {
            await console.error(line)
        }
    }

    private func summary(of syncs: [SourceSync]) -> Message {
        func sum(_ number: (SyncReport) -> Int) -> Int { syncs.reduce(0) { $0 + number($1.report) } }
        let counts = SyncCommand.counts([
            (sum(\.new), "new"), (sum(\.updated), "updated"), (sum(\.unchanged), "unchanged"),
            (sum(\.failed), "failed"), (sum(\.untried), "skipped"),
        ])
        let comments = sum(\.comments)
        let bodies = Counted.bodies(sum(\.total) - comments)
        let things = comments == 0 ? bodies : "\(bodies), \(Counted.comments(comments))"
        // The posts of services come with their bodies.
        let parts = [news(of: syncs).text, syncs.allSatisfy(\.source.isService) ? "" : things + counts].filter {
            !$0.isEmpty
        }
        return parts.isEmpty ? "Nothing new" : "\(parts.joined(separator: "; "))"
    }

    /// New posts of the lists, and marks that were sent: "5 marks sent; 3 new posts, 1 changed"; "" for none, and for a ranking, which lists only ids.
    private func news(of syncs: [SourceSync]) -> Message {
        let changes = syncs.compactMap { sync -> ListChanges? in
            guard SourceRegistry.kind(named: sync.source.kind)?.capabilities.isRanked == false,
                case .stored(let changes) = sync.report.refresh.outcome
            else { return nil }
            return changes
        }
        let (new, changed) = changes.reduce((0, 0)) { ($0.0 + $1.new, $0.1 + $1.updated) }
        let sent = syncs.reduce(0) { $0 + $1.report.sentMarks }
        let marks = sent > 0 ? [Counted.of(sent, "mark") + " sent"] : []
        guard new + changed > 0 else { return "\(marks.joined())" }
        let posts = "\(new == 1 ? "1 new post" : "\(new) new posts")\(changed > 0 ? ", \(changed) changed" : "")"
        return "\((marks + [posts]).joined(separator: "; "))"
    }

    private func count(_ number: (SyncReport) -> Int) -> Int { syncs.reduce(0) { $0 + number($1.report) } }

    private func name(of sync: SourceSync) -> String { session.shortIDs.name(of: sync.source) }
}

/// Observes a sync: shows its progress, reports the first failures, and sums them up.
private final class SyncWatch: Sendable {
    private let session: Session
    private let state = Mutex(State())

    /// What has happened so far.
    private struct State {
        var planned = 0
        var done = 0
        var failures = FailureReasons()
    }

    init(session: Session) {
        self.session = session
    }

    /// Takes in an event of the sync.
    func take(_ event: SyncEvent) async {
        if session.appearance.showsProgress { await session.console.observe(event.step) }
        switch event {
        case .planned(let count): state.withLock { $0.planned += count }
        case .done(let metadata, let source, let outcome):
            state.withLock { $0.done += 1 }
            guard case .failed(let error) = outcome else { break }
            await take(error, of: PostID(source: source, local: metadata.id))
        case .refreshed, .fetching, .indexed, .pictures, .articles: break
        }
    }

    private func take(_ error: any Error, of post: PostID) async {
        let id = session.shortIDs.text(post)
        let message: Message = "Could not fetch “\(id)”: \(Failure.cause(error))"
        let isNamed = state.withLock { state in
            state.failures.add(message)
            return state.failures.count <= Self.maxNamed
        }
        if isNamed { await session.console.error(message) }
    }

    /// The most common reason for failures, with an example; nil if each was reported.
    var mostCommonReason: Message? {
        let failures = state.withLock { $0.failures }
        guard failures.count > Self.maxNamed, let most = failures.mostCommon else { return nil }
        let share: Message =
            most.count == failures.count
            ? "All \(failures.count) failed for the same reason"
            : "\(most.count) of \(failures.count) failed for the same reason"
        return "\(share), for example: \(most.example.asCause)"
    }

    /// The message after Ctrl-C.
    var interruptedMessage: Message {
        let (done, planned) = state.withLock { ($0.done, $0.planned) }
        let place: Message = planned == 0 ? "" : " after \(done) of \(planned) posts"
        return "Stopped\(place). To continue, run the same command again."
    }

    private static let maxNamed = 5
}
