import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog sources`: lists the sources and their state.
enum SourcesCommand: Command {
    static let description = Commands.sources

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let fields = try invocation.fieldNames(among: description.fields)
        let format = invocation.format
        if invocation.has(.check), invocation.has(.offline) { throw UsageError.notOffline }
        let session = try await Session(invocation, in: context, for: .reading)
        let problems = invocation.has(.check) ? try await check(session) : [:]
        let isChanged = invocation.has(.check)
        let scope = isChanged ? try await session.library.resolve(session.scope) : session.sources
        let known = try await session.library.states(of: scope).map { source in
            // The store doesn't know the problem of a source without stored posts.
            problems[source.id].map { source.failing(with: $0, at: context.now()) } ?? source
        }
        let onlyFailing = invocation.has(.failing)
        var sources = onlyFailing ? known.filter { $0.problem != nil } : known
        let isByDate = invocation[.sortSources] == "latest"
        // As JSON and CSV, columns have names, and more of them do no harm.
        let isNarrow = format == nil || format == .table || format == .tsv
        let columns = fields ?? (isNarrow ? onlyFailing ? failingFields : mainFields : nil)
        let isDated = isByDate || columns.map { $0.contains("latest") } ?? true
        let latest = isDated ? try await session.library.latestDates : [:]
        if isByDate {
            // Those without posts are the last.
            func date(_ source: SourceState) -> Date { latest[source.id] ?? .distantPast }
            sources.sort { date($0) > date($1) }
        }
        if onlyFailing, sources.isEmpty { await session.console.notice("No source is failing.") }
        if invocation[.format] == Commands.opml {
            let (opml, feeds) = SubscriptionFile.opml(of: sources)
            try await context.console.print(opml)
            let others = sources.count { !$0.id.isService } - feeds
            if others > 0 {
                await context.console.notice(
                    "Left out \(Counted.sources(others)): OPML is for feeds only.")
            }
        } else if format == nil && fields == nil && session.appearance.isTerminal || format == .text {
            let titled = sources.map { (source: $0, title: $0.displayName.lowercased()) }
            let ordered = isByDate ? sources : titled.sorted { $0.title < $1.title }.map(\.source)
            let cards = ordered.map {
                onlyFailing
                    ? SourceCard.problem(of: $0, width: session.appearance.width)
                    : SourceCard.text($0, latest: isByDate ? latest[$0.id] : nil, width: session.appearance.width)
            }
            try await context.console.print(cards.joined(separator: "\n"))
        } else {
            let table = FactTable(columns: description.fields, rows: sources.map { row($0, latest[$0.id]) })
            try await context.console.print(table, columns, as: format)
        }
        var result = CommandResult()
        result.isIncomplete = !problems.isEmpty
        return result
    }

    /// The columns that fit a terminal.
    private static let mainFields = ["name", "unread", "posts", "status", "address"]
    private static let failingFields = ["name", "failedAt", "reason", "advice"]

    private static func row(_ source: SourceState, _ latest: Date?) -> [Fact] {
        [
            .text(source.name), .text(source.id.kind), .text(source.feed ?? source.id.address), .text(source.folder),
            .number(source.posts), .number(source.bodies), .number(source.unread),
            source.refreshedAt.map { .date($0) } ?? .none, .text(SourceCard.status(source)),
            source.failedAt.map { .date($0) } ?? .none, source.dueAt.map { .date($0) } ?? .none,
            source.title.map { .text($0) } ?? .none, source.movedTo.map { .text($0) } ?? .none,
            .number(source.comments), source.site.map { .text($0) } ?? .none,
            source.keep.map { .text($0.text) } ?? .none, source.article.map { .text($0.rawValue) } ?? .none,
            source.every.map { .text($0.text) } ?? .none, source.reason.map { .text($0) } ?? .none,
            SourceCard.advice(on: source).map { .text($0) } ?? .none,
            source.service.map { .number($0.unsentMarks) } ?? .none,
            source.service.map { .number($0.missingPosts) } ?? .none, latest.map { .date($0) } ?? .none,
        ]
    }

    /// Refreshes all sources, and reports and returns their problems.
    private static func check(_ session: Session) async throws -> [SourceID: any Error] {
        let sources = try await session.library.directory.states(of: session.sources)
        for source in sources where !source.isKnown {
            await session.console.notice(
                "Skipped \(source.name) (\(source.id.address)): this version of blog doesn't support it.")
        }
        let known = sources.filter(\.isKnown).map(\.id)
        var problems: [SourceID: any Error] = [:]
        let refreshes = await session.library.refresh(known, onlyDue: false, deadline: nil)
        if let line = RefreshNotices.waiting(refreshes) { await session.console.notice(line) }
        for refresh in refreshes {
            guard case .failed(let error, _) = refresh.report.outcome else { continue }
            problems[refresh.source] = error
            await session.console.error(Failure(error).message?.sentence, Failure(error).word)
        }
        return problems
    }
}
