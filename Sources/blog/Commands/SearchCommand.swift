import BlogBrowse
import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog search`: full text over everything stored.
enum SearchCommand: Command {
    static let description = Commands.search

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        if invocation.has(.plain), !invocation.has(.browse) {
            throw UsageError.onlyWith(option: "plain", command: "--browse")
        }
        let typed = Search(invocation.operands.joined(separator: " "))
        if let name = invocation[.searchName] { return try await keep(typed, as: name, invocation, in: context) }
        var query = try invocation.query(sortedBy: .relevance, now: context.now())
        try typed.narrow(&query, now: context.now())
        if typed.isBlank, typed.filters.isEmpty { throw UsageError.missingOperand("words to search for") }
        guard typed.isBlank || typed.condition != nil else { throw UsageError.nothingToSearch(typed.words) }
        query.offset = try invocation.offset(limit: query.limit)
        query.newFor = invocation[.new]
        if invocation.has(.peek), !invocation.has(.new) { throw UsageError.peekNeedsNew }
        if invocation.has(.browse), invocation.has(.new) {
            throw UsageError.conflict(Option.browse.name, Option.new.name)
        }
        let fields = try invocation.fields(among: Field.ofSearches)
        let format = invocation.format
        query.hasSnippets = fields?.contains { [.snippet, .snippetPlace].contains($0) } ?? (format != .ids)
        let session = try await Session(invocation, in: context, for: .reading)
        try await session.library.check(typed)
        query.parts = session.parts(format, fields, isSearch: query.hasSnippets)
        if invocation.has(.browse) {
            var list = Query(filter: try invocation.filter(now: context.now()))
            list.hidesDuplicates = query.hidesDuplicates
            let request = ListRequest(.query(list, session.scope), search: invocation.operands.joined(separator: " "))
            let isInLines = invocation.isPlain || session.appearance.isTextOnly
            return try await Browsing.run(
                request, place: session.browsePlace, Browsing.Options(isInLines: isInLines), in: session, context)
        }
        if query.hasWords { try await session.announceIndexing() }
        let list = try await session.library.listing.search(query, in: session.sources) {
            await session.console.observe(.indexed($0))
        }
        await session.warnOfStore()
        let printed = try await show(list, query, typed, format, fields, session)
        let count = printed.posts
        try await ListFooter(query: query, session: session).print(below: printed, as: format)
        await session.reportMissingPictures()
        await session.trace("\(Counted.posts(count)) found in the store")
        await say(notices(on: typed), session)
        if count == 0 || session.appearance.isTerminal { await sayWhatIsMissing(query, count, session) }
        let isReadable = await session.reportUnreadable()
        if let cursor = query.newFor, !invocation.has(.peek) {
            let command = "blog search \(ShellWords.quoted(invocation.operands.joined(separator: " ")))"
            try await ListCommand.move(cursor, past: list, query, shown: count, session, Message(command))
        }
        var result = CommandResult()
        result.isIncomplete = !isReadable
        (result.posts, result.mustFindPosts) = (count, invocation.has(.exitCode))
        return result
    }

    static func say(_ notices: [Message], _ session: Session) async {
        for notice in notices { await session.console.notice(notice) }
    }

    /// What was probably meant otherwise.
    static func notices(on typed: Search) -> [Message] {
        let unknown: [Message] = typed.unknownNames.prefix(1).map {
            "“\($0)” isn't a search filter, so it was searched for as a word. Filters: \(Search.known)"
        }
        return unknown + (typed.ignored.map { ["“\($0.text)” was ignored: \($0.reason)."] } ?? [])
    }

    /// Keeps a search as it was typed, without options.
    private static func keep(
        _ typed: Search, as name: String, _ invocation: Invocation, in context: Context
    ) async throws -> CommandResult {
        let others = (description.options + [.source, .folder, .url]).filter {
            $0.name != Option.searchName.name && invocation.has($0)
        }
        if let other = others.first { throw UsageError.conflict(Option.searchName.name, other.name) }
        if typed.isBlank, typed.filters.isEmpty { throw UsageError.missingOperand("words to search for") }
        guard typed.isBlank || typed.condition != nil else { throw UsageError.nothingToSearch(typed.words) }
        let session = try await Session(invocation, in: context, for: .storing)
        await say(notices(on: typed), session)
        let kept = try await session.library.searches.keep(typed.text, as: name)
        await session.console.notice(
            "Kept the search as \(kept.name): \(Counted.posts(kept.posts)). To list them: blog list -s \(kept.name)")
        return CommandResult()
    }

    private static func show(
        _ list: PostList, _ query: Query, _ typed: Search, _ format: Format?, _ fields: [Field]?, _ session: Session
    ) async throws -> ListPrinter.Printed {
        let grouping = query.arrangement.grouping
        let title = "“\(query.words ?? typed.text)”"
        let renderer: any ListRenderer =
            format == .html
            ? session.pages.listPage(of: list, by: grouping, title: title)
            : session.renderer(format, fields, isGrouped: grouping != nil, isSearch: true)
        await session.announce("blog search \(typed.words)", renderer)
        guard query.newFor != nil else { return try await session.print(list, by: grouping, with: renderer) }
        await session.console.waitForReader()
        return try await ListCommand.warningIfClosedEarly(session) {
            try await session.print(list, by: grouping, with: renderer, isCareful: true)
        }
    }

    /// How to fetch the bodies of posts: without a number, only the front page of a ranked source is synced.
    private static func toFetchBodies(of posts: Int, _ session: Session) -> Message {
        "To fetch the bodies: blog sync\(session.sourceArguments)\(session.capabilities.isRanked ? " --limit \(posts)" : "")"
    }

    /// Explains an empty search, and says where to find more.
    private static func sayWhatIsMissing(_ query: Query, _ count: Int, _ session: Session) async {
        if count == 0, query.newFor != nil { return await session.console.notice("No new posts match.") }
        if count == 0, let end = try? await session.library.emptyLists.end(of: query, in: session.sources) {
            return await session.console.notice(end.message)
        }
        var lines: [Message] = []
        let words = TextLayout.truncate(query.words ?? "", width: 200)
        if count == 0 {
            let isFiltered = !query.filter.isEmpty || query.searchField != nil
            let place: Message = if case .everything = session.scope { "" } else { " in \(session.place)" }
            let what: Message = words.isEmpty ? "" : " \(query.hasWords ? "contain" : "match") “\(words)”"
            lines.append("No \(isFiltered ? "matching" : "stored") posts\(place)\(what).")
            var hidden = query
            hidden.filter.hidden = .only
            if query.filter.hidden == .excluded,
                let hits = try? await session.library.emptyLists.hits(of: hidden, in: session.sources), hits > 0
            {
                let typed = ShellWords.quoted("in:hidden \(words)")
                lines.append(
                    "Rules hide \(Counted.grouped(posts: hits)) that match: blog search \(typed)\(session.sourceArguments)"
                )
            }
            if words.contains(" or ") { lines.append("To search for either word, write OR in capitals.") }
            if let source = try? await session.library.emptyLists.otherSource(matching: query, outside: session.scope) {
                let other = session.shortIDs.name(of: source)
                lines.append("\(other) has matching posts: blog search \(ShellWords.quoted(words)) -s \(other)")
            }
        }
        let missing = query.hasWords ? session.library.listing.missingBodies(in: session.sources) : 0
        if missing > 0 {
            let all =
                (try? await session.library.directory.states(of: session.sources).reduce(0) {
                    $1.id.isService ? $0 : $0 + $1.posts
                }) ?? 0
            lines.append(
                """
                \(missing) of \(Counted.posts(all)) \(missing == 1 ? "has" : "have") no stored body. \
                \(toFetchBodies(of: all, session))
                """
            )
        }
        if count > 0, query.hasWords, await session.library.takeHint("mark") {
            lines.append("To highlight the words in a post: blog read ID --mark \(ShellWords.quoted(words))")
        }
        if !lines.isEmpty { await session.console.notice(Message(lines: lines)) }
    }
}
