import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog` alone: what there is to read, or how to begin.
///
/// It makes no requests.
enum OverviewCommand: Command {
    static let description = Commands.overview

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        let path = invocation.storePath(context.environment)
        if (try? Archive.exists(at: path)) != false {
            let session = try await Session(invocation, in: context, for: .reading)
            let overview = try await session.library.directory.overview(of: session.sources)
            guard overview.sources.allSatisfy({ !$0.isFollowed }) else {
                let lines = try await lines(of: overview, session, now: context.now())
                try await context.console.print(lines.lines)
                return CommandResult()
            }
        }
        let width = await context.console.appearance.width
        let lines = table(beginnings(context.environment), "You don't follow any blogs.", width: width)
        try await context.console.print(lines.lines)
        return CommandResult()
    }

    // MARK: Nothing followed

    /// Commands to begin with, and what each does.
    private static func beginnings(_ environment: Environment) -> [(String, String)] {
        let imports = environment.otherReaders.map { reader in
            ("blog follow \(ShellWords.quoted(reader.path))", "import from \(reader.name)")
        }
        return imports + [
            ("blog follow swift.org", "follow a blog by its address; hn is Hacker News"),
            ("blog list", "list the newest posts"),
            ("blog browse", "read lists and posts in full-screen mode"),
        ]
    }

    private static func table(_ rows: [(String, String)], _ title: String, width: Int) -> [StyledText] {
        // Below a long command, its meaning begins in the column of the others.
        let widths = rows.map { DisplayWidth.of($0.0) }
        let column = (widths.filter { $0 <= width / 2 }.max() ?? 0) + 4
        let margin = StyledText(String(repeating: " ", count: column))
        let lines = zip(rows, widths).flatMap { row, length -> [StyledText] in
            let command = "  " + StyledText(row.0, .strong)
            let meaning = StyledText(row.1, .muted).wrapped(to: max(width - column, minMeaning))
            if length + 4 > column { return [command] + meaning.map { margin + $0 } }
            return [command.padded(to: column) + meaning[0]] + meaning.dropFirst().map { margin + $0 }
        }
        return [StyledText(title, .title), ""] + lines + ["", StyledText("All commands: blog help", .muted)]
    }

    // MARK: Sources followed

    private static func lines(
        of overview: SourceOverview, _ session: Session, now: Date
    ) async throws -> [StyledText] {
        let width = session.appearance.width
        let sources = overview.sources.filter(\.isFollowed)
        // The posts of a service are those of its feeds.
        let withPosts = sources.filter { !$0.id.isService }
        let unread = overview.unread
        let title = "\(Counted.number(unread)) unread in \(Counted.sources(withPosts.count))"
        var lines = [StyledText(title, .title)]
        if unread > 0 { lines += [""] + groups(withPosts, overview) }
        let posts = try await newPosts(session, now: now)
        if posts.count > 0 {
            lines += ["", StyledText("\(Counted.grouped(posts: posts.count)) since yesterday, unread", .title)]
            lines += posts.newest.map { post in
                let id = StyledText(session.shortIDs.text(post.id), .muted)
                return ("  " + id + "  " + StyledText(Sanitizer.line(post.metadata.title))).truncated(to: width)
            }
        }
        let failing = sources.count { $0.problem != nil }
        lines.append("")
        if failing > 0 { lines.append(StyledText("\(Counted.sources(failing)) failing: blog sources --failing")) }
        lines.append(StyledText(unread > 0 ? "To read: blog browse" : "To fetch new posts: blog list", .muted))
        return lines
    }

    /// The folders, or if there are none the sources, with the most unread posts.
    private static func groups(_ sources: [SourceState], _ overview: SourceOverview) -> [StyledText] {
        let hasFolders = sources.contains { !$0.folder.isEmpty }
        func group(_ source: SourceState) -> (String, Int) {
            guard hasFolders, !source.folder.isEmpty else {
                return (hasFolders ? "no folder" : source.displayName, source.unread)
            }
            return (source.folder, 0)
        }
        var counts = Dictionary(sources.map(group), uniquingKeysWith: +)
        for folder in counts.keys { counts[folder] = overview.unreadByFolder[folder] ?? counts[folder] }
        counts = counts.filter { $0.value > 0 }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(sorted.count > maxGroups ? maxGroups - 1 : maxGroups)
        let rest = sorted.count - shown.count
        var rows = shown.map { (Sanitizer.line($0.key), $0.value) }
        if rest > 0 { rows.append(("\(rest) more", sorted.dropFirst(shown.count).reduce(0) { $0 + $1.value })) }
        let names = rows.map { TextLayout.truncate($0.0, width: maxName) }
        let width = names.map { DisplayWidth.of($0) }.max() ?? 0
        let digits = rows.map { Counted.number($0.1).count }.max() ?? 0
        return zip(names, rows).map { name, row in
            "  " + StyledText(name).padded(to: width) + "  "
                + StyledText(Counted.number(row.1), .unread).padded(to: digits, isRightAligned: true)
        }
    }

    /// How many unread posts there are since yesterday, and the newest of them.
    private static func newPosts(_ session: Session, now: Date) async throws -> (count: Int, newest: [StoredPost]) {
        let since = DayRange.parse("yesterday", now: now)?.lowerBound
        let query = Query(filter: Filter(since: since, isUnread: true))
        let listing = session.library.listing
        let count = try await listing.counts(of: query, in: session.sources)?.posts ?? 0
        return (count, try await listing.page(query, in: session.sources, after: nil, count: maxPosts))
    }

    // With the other lines, 15 at most.
    private static let maxGroups = 5
    private static let maxPosts = 3
    private static let maxName = 40
    private static let minMeaning = 15
}
