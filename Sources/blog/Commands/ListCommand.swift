import BlogKit
import Foundation

/// `blog list`: summaries of posts, grouped and sorted.
enum ListCommand: Command {
    static let name = "list"
    static let summary = "list posts: group, sort and filter them"
    static let operands = ""
    static let examples = [
        ("blog list --group author --sort date", "by author, the newest first"),
        ("blog list --since 2018-07 --title swift --limit 10", "ten with a word in the title"),
        ("blog list --format ids | blog read -", "every post whole"),
        ("blog list --json=id,title | jq -r '.[].title'", "titles for the next program"),
    ]
    static let options: [Option] = [.group, .sort, .reverse, .limit, .author, .title, .since, .until]

    static func run(_ invocation: Invocation, in context: Context) async throws -> ExitCode {
        if let extra = invocation.operands.first { throw UsageError.needlessOperand(extra) }
        let query = try query(invocation, now: context.now())
        let fields = try invocation.fields()
        let format = try invocation.format()
        let session = try await Session(invocation, in: context)
        let list = try await session.reader.list(query)
        let renderer = renderer(format, fields, query, session.appearance)
        let code = await ListReport(list.refresh, session).tell()
        await session.warnOfStore()
        let count = try await RecordPrinter(console: session.console).print(list, with: renderer)
        await session.tell("\(count) posts from the store")
        if count == 0 { await sayWhyEmpty(query, session) }
        return code
    }

    private static func query(_ invocation: Invocation, now: Date) throws -> Query {
        let filter = Filter(
            author: invocation[.author], title: invocation[.title],
            since: try invocation.days(.since, now: now)?.lowerBound,
            before: try invocation.days(.until, now: now)?.upperBound)
        let arrangement = Arrangement(
            sorting: invocation.choice(.sort) ?? .date, grouping: invocation.choice(.group),
            isReversed: invocation.has(.reverse))
        return Query(filter: filter, arrangement: arrangement, limit: try invocation.count(.limit))
    }

    /// Cards where people look, tab-separated lines where programs do; fields of one's own choice fit no card.
    private static func renderer(
        _ format: Format?, _ fields: [Field]?, _ query: Query, _ appearance: Appearance
    ) -> any Renderer {
        let format = format ?? (appearance.isTerminal && fields == nil ? .table : .tsv)
        return format.renderer(fields: fields, isGrouped: query.arrangement.grouping != nil)
            ?? CardRenderer(width: appearance.width, isColored: appearance.isColored)
    }

    private static func sayWhyEmpty(_ query: Query, _ session: Session) async {
        let address = session.reader.url.absoluteString
        guard !query.filter.isEmpty else {
            return await session.console.notice("\(address) has no posts yet.")
        }
        var text = "No post of \(address) fits."
        if let author = query.filter.author, let authors = try? await session.reader.authors() {
            if let nearest = NearestName.ofWords(author, among: authors.sorted()) {
                text = "No post by “\(author)” fits. Did you mean “\(nearest)”?"
            } else {
                text = "No post by “\(author)” fits. See the authors with: blog list --group author"
            }
        }
        await session.console.notice(text)
    }
}
