import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog list`: summaries of posts, grouped and sorted.
enum ListCommand: Command {
    static let description = Commands.list

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if let extra = invocation.operands.first {
            if invocation[.new] == "" {
                throw UsageError.elsewhere("argument “\(extra)”", "blog list --new=\(ShellWords.quoted(extra))")
            }
            let isID = extra.contains { $0.isNumber || $0 == ":" }
            let answer = isID ? "blog read \(extra)" : "blog list -s \(extra) or blog search \(extra)"
            throw UsageError.elsewhere("argument “\(extra)”", answer)
        }
        let fields = try invocation.fields(among: Field.ofLists)
        let format = invocation.format
        if invocation.has(.peek), !invocation.has(.new) { throw UsageError.peekNeedsNew }
        let session = try await Session(invocation, in: context, for: .reading)
        var query = try query(invocation, session, now: context.now())
        query.parts = session.parts(format, fields)
        if try await session.library.hasRules { try await session.announceIndexing() }
        let list = try await session.library.listing.list(query, in: session.sources) {
            await session.console.observe(.refreshed($0, of: $1))
        }
        var result = await RefreshNotices(list.refreshes, session).show()
        await session.warnOfStore()
        let printed = try await show(list, query, format, fields, session)
        await session.reportMissingPictures()
        let count = printed.posts
        try await ListFooter(query: query, session: session).print(below: printed, as: format)
        let isWhole = await session.reportMissing(list.missing, ("listed post", "listed posts"))
        let isReadable = await session.reportUnreadable()
        await session.trace("\(Counted.posts(count)) from the store")
        let areReported = session.isOffline ? list.missing.count > 0 : list.missing.firstError != nil
        if count == 0 { await sayWhyEmpty(query, session, isMissing: areReported) }
        if let cursor = query.newFor, !invocation.has(.peek) {
            try await move(cursor, past: list, query, shown: count, session)
        }
        result.isIncomplete = !(isWhole && isReadable)
        (result.posts, result.mustFindPosts) = (count, invocation.has(.exitCode))
        return result
    }

    private static func show(
        _ list: PostList, _ query: Query, _ format: Format?, _ fields: [Field]?, _ session: Session
    ) async throws -> ListPrinter.Printed {
        let grouping = query.arrangement.grouping
        let renderer: any ListRenderer =
            format == .html
            ? session.pages.listPage(of: list, by: grouping, title: session.title)
            : session.renderer(format, fields, isGrouped: grouping != nil)
        await session.announce("blog list\(session.sourceArguments.text)", renderer)
        guard query.newFor != nil else { return try await session.print(list, by: grouping, with: renderer) }
        await session.console.waitForReader()
        return try await warningIfClosedEarly(session) {
            try await session.print(list, by: grouping, with: renderer, isCareful: true)
        }
    }

    /// Writes new posts, and says that they stay new if the reader leaves early.
    static func warningIfClosedEarly<Result>(
        _ session: Session, _ write: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await write()
        } catch OutputError.closed {
            await session.console.notice("The output was closed early: the next --new will list these posts again.")
            throw OutputError.closed
        }
    }

    /// The query: without filters, the front page of a ranked source.
    private static func query(_ invocation: Invocation, _ session: Session, now: Date) throws -> Query {
        try invocation.check(against: session.capabilities)
        var query = try invocation.query(sortedBy: session.capabilities.sorting, now: now)
        query.newFor = invocation[.new]
        query.section = invocation[.section]
        if session.capabilities.isRanked, query.limit == nil, query.filter.isEmpty, query.newFor == nil {
            query.limit = Ranking.frontPageCount
        }
        query.offset = try invocation.offset(limit: query.limit)
        return query
    }

    /// Moves the cursor of `--new` after all new posts were written.
    ///
    /// - Parameter command: the one that lists them: "blog list".
    static func move(
        _ cursor: String, past list: PostList, _ query: Query, shown: Int, _ session: Session,
        _ command: Message = "blog list"
    ) async throws {
        try await warningIfClosedEarly(session) { try await session.console.close() }
        guard await !session.console.hasPaged else {
            return await session.console.notice(
                """
                These posts are still new: blog can't tell how far you read in the pager. To mark them as seen:
                \(command)\(session.sourceArguments) --new=\(ShellWords.quoted(cursor)) > /dev/null
                """)
        }
        if let limit = query.limit, shown == limit {
            return await session.console.notice(
                "--limit \(limit) may have hidden new posts, so the next --new will list the posts shown here again.")
        }
        try await session.library.moveCursor(cursor, past: list, in: session.scope)
    }

    /// Says why nothing is listed.
    ///
    /// - Parameter isMissing: whether missing posts were reported, which explains it.
    private static func sayWhyEmpty(_ query: Query, _ session: Session, isMissing: Bool) async {
        guard let reason = try? await session.library.emptyLists.reason(query, in: session.sources) else { return }
        if isMissing {
            guard case .pastTheEnd = reason else { return }
        }
        let (place, words) = (session.place, session.sourceArguments)
        let message: Message =
            switch reason {
            case .pastTheEnd(let end): end.message
            case .nothingNew: "No new posts in \(place)."
            case .noPosts where session.sources.isOfLinked:
                "No page was linked to by two of your sources in the last seven days."
            case .noPosts where !session.sources.isOfSources: "No posts match \(place)."
            case .noPosts: "No posts in \(place)."
            case .filtered(Option.unread.name, _) where query.filter == Filter(isUnread: true):
                "No unread posts in \(place)."
            case .filtered(let name, 1): "No matching posts in \(place). 1 post matches without --\(name)."
            case .filtered(let name, let count):
                "No matching posts in \(place). \(count) posts match without --\(name)."
            case .unknownAuthor(let author, let nearest?):
                "No matching posts by “\(author)”. Did you mean “\(nearest)”?"
            case .unknownAuthor(let author, nil):
                "No matching posts by “\(author)”. To see the authors: blog list --group author\(words)"
            case .unknownLabel(let error): Message(of: error)
            case .noMatch: "No matching posts in \(place)."
            }
        await session.console.notice(message)
    }
}
