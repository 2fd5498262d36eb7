import BlogLibrary
import Browse
import Essentials
import Model
import Rendering
import Terminal

/// `blog browse`: lists and posts on a full screen.
enum BrowseCommand: Command {
    static let name = "browse"
    static let summary = "browse lists and posts on the full screen"
    static let details = [
        """
        Shows lists and posts on the full screen. It starts with the stored posts, and refreshes the sources \
        that are due in the background. The list never moves under the cursor: the bottom line counts new \
        posts, and r shows them. A post counts as read once its text has been on the screen.
        """,
        "To change the keys, see blog-settings(5).",
    ]
    static let operands = ""
    static let examples = [
        ("blog browse", "everything, newest first; ? shows the keys"),
        ("blog browse --unread --folder tech", "unread posts in a folder"),
        ("blog browse -s hn", "Hacker News, with comments"),
        ("blog browse --plain", "line by line, without a full screen"),
    ]
    static let options: [Option] =
        [.section, .group, .sort, .reverse, .reverseGroups] + Option.filters + [.article, .images, .plain]
    static let formats: [Format] = []

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first {
            throw UsageError.elsewhere("argument “\(extra)”", "blog read \(extra) or blog search \(extra)")
        }
        let session = try await Session(invocation, in: context)
        var query = try invocation.fitted(to: session.capabilities).query(
            sortedBy: session.capabilities.isRanked ? .rank : .date, now: context.now())
        query.section = invocation[.section]
        return try await Browsing.run(
            ListRequest(.query(query, session.scope)), place: await session.browsePlace,
            Browsing.Options(isInLines: invocation.has(.plain) || session.appearance.isTextOnly), in: session, context)
    }
}

extension Session {
    /// The name of the list that the scope gives.
    var browsePlace: String {
        get async { if case .everything = scope, await !isOneSource { "All posts" } else { await title } }
    }
}
