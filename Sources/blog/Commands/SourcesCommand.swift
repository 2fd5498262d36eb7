import BlogLibrary
import Essentials
import Feeds
import Markup
import Model
import Rendering
import Store
import Terminal

/// `blog sources`: lists the sources and their state.
enum SourcesCommand: Command {
    static let name = "sources"
    static let summary = "list sources with post counts and last refresh"
    static let details = [
        """
        Shows each source with its number of posts and of unread posts, its last refresh, and whether that \
        failed. To see why it failed, use --check.
        """
    ]
    static let operands = ""
    static let examples = [
        ("blog sources", "the sources you follow, or all stored sources if you follow none"),
        ("blog sources --check || echo down", "refresh every source (exit code 5 if any fail)"),
        ("blog sources --fields unread,address", "number of unread posts by address"),
        ("blog sources --format opml > feeds.opml", "export feeds for another reader"),
    ]
    static let options: [Option] = [.check]

    static let fields = [
        "name", "kind", "address", "folder", "posts", "bodies", "unread", "refreshedAt", "status", "failedAt", "dueAt",
        "title", "movedTo", "comments", "site", "keep", "article",
    ]

    static let formats = Format.ofFacts + [.opml]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let fields = try invocation.fieldNames(among: Self.fields)
        let format = try invocation.format()
        if invocation.has(.check), invocation.has(.offline) { throw UsageError.notOffline }
        let session = try await Session(invocation, in: context)
        let problems = invocation.has(.check) ? try await check(session) : [:]
        let sources = try await session.library.sources(in: session.scope).map { source in
            // The store doesn't know the problem of a source without stored posts.
            problems[source.id].map { source.failing($0, at: context.now()) } ?? source
        }
        if format == .opml {
            let feeds = sources.filter { $0.id.kind == FeedSource.kind.name }
            try await context.console.print(
                OPML.write(
                    feeds.map {
                        Subscription(
                            address: $0.id.address, title: $0.title ?? $0.name, folder: $0.folder,
                            name: $0.isFollowed ? $0.name : nil, site: $0.site)
                    },
                    title: "Followed with blog"))
            let others = sources.count - feeds.count
            if others > 0 {
                await context.console.notice(
                    "Left out \(Counted.sources(others)): OPML is for feeds only")
            }
        } else if format == nil && fields == nil && session.appearance.isTerminal || format == .cards {
            let titled = sources.map { (source: $0, title: ($0.title ?? $0.name).lowercased()) }
            let cards = titled.sorted { $0.title < $1.title }.map { SourceCard.text($0.source, session.appearance) }
            try await context.console.print(cards.joined(separator: "\n"))
        } else {
            let table = FactTable(columns: Self.fields, rows: sources.map(row))
            try await context.console.print(session.appearance.text(fields.map(table.picking) ?? table, as: format))
        }
        return problems.isEmpty ? .success : .partly
    }

    private static func row(_ source: SourceState) -> [Fact] {
        [
            .text(source.name), .text(source.id.kind), .text(source.id.address), .text(source.folder),
            .number(source.posts), .number(source.bodies), .number(source.unread),
            source.refreshedAt.map { .date($0) } ?? .none, .text(SourceCard.status(source)),
            source.failedAt.map { .date($0) } ?? .none, source.dueAt.map { .date($0) } ?? .none,
            source.title.map { .text($0) } ?? .none, source.movedTo.map { .text($0) } ?? .none,
            .number(source.comments), source.site.map { .text($0) } ?? .none,
            source.keep.map { .text($0.text) } ?? .none, source.article.map { .text($0.rawValue) } ?? .none,
        ]
    }

    /// Refreshes all sources, and reports and returns their problems.
    private static func check(_ session: Session) async throws -> [SourceID: RefreshProblem] {
        let sources = try await session.library.sources(in: session.scope)
        for source in sources where !source.isKnown {
            await session.console.notice(
                "Skipped \(source.name) (\(source.id.address)): this version of blog doesn't support it")
        }
        let known = sources.filter(\.isKnown).map(\.id)
        var problems: [SourceID: RefreshProblem] = [:]
        for refresh in await session.library.refresh(known, onlyDue: false, deadline: nil) {
            guard case .failed(let error, _) = refresh.report.outcome else { continue }
            problems[refresh.source] = RefreshProblem(error)
            await session.console.error(Failure(error).message?.sentence)
        }
        return problems
    }
}

/// A source as people see it on a terminal.
private enum SourceCard {
    static func text(_ source: SourceState, _ appearance: Appearance) -> StyledText {
        let comments = source.comments == 0 ? "" : " · \(Counted.comments(source.comments))"
        let missing = source.posts - source.bodies
        let bodies = missing == 0 ? "" : " · \(Counted.bodies(missing)) missing"
        let counts = "\(Counted.posts(source.posts)) · \(source.unread) unread\(bodies)\(comments)"
        let refreshed = source.refreshedAt.map { "refreshed \($0.minuteText)" } ?? "never refreshed"
        let failed = source.failedAt.map { " · \(status(source)) \($0.minuteText)" } ?? ""
        func lines(_ text: String) -> [StyledText] {
            StyledText(text).wrapped(to: max(appearance.width - 2, 20)).map { "  " + $0 }
        }
        let folder = source.folder.isEmpty ? "" : " · \(Sanitizer.line(source.folder))"
        let name = source.title.map { "\(Sanitizer.line($0)) (\(source.name))" } ?? source.name
        let title = StyledText("\(name) · \(Sanitizer.line(source.id.address))\(folder)", .title)
        return (title.wrapped(to: appearance.width) + lines(counts) + lines(refreshed + failed)).lines
    }

    /// The result of the last refresh, in a word.
    static func status(_ source: SourceState) -> String {
        source.problem?.rawValue ?? (source.refreshedAt == nil ? "never" : "ok")
    }
}
