import BlogCommandLine
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// `blog mark`: marks posts as read, unread, saved or unsaved.
enum MarkCommand: Command {
    static let description = Commands.mark

    static func run(_ invocation: Invocation, in context: Context) async throws -> CommandResult {
        guard let word = invocation.operands.first else {
            throw UsageError.missingOperand("read, unread, saved or unsaved, then post IDs")
        }
        guard let mark = mark(named: word) else {
            if let last = invocation.operands.last, self.mark(named: last) != nil {
                let ids = invocation.operands.dropLast().map(ShellWords.quoted).joined(separator: " ")
                throw UsageError.elsewhere("mark “\(word)”", "blog mark \(last) \(ids)")
            }
            throw UsageError.unknownMark(word, nearest: NearestName.of(word, among: description.choices))
        }
        return try await run(mark, Array(invocation.operands.dropFirst()), invocation, in: context)
    }

    private static func mark(named name: String) -> Mark? { Mark.named.first { $0.name == name }?.mark }

    /// Marks the posts with typed IDs, or all that match the filters.
    static func run(
        _ mark: Mark, _ operands: [String], _ invocation: Invocation, in context: Context
    ) async throws -> CommandResult {
        let filter = try invocation.filter(now: context.now())
        if invocation.has(.all) {
            guard operands.isEmpty else { throw UsageError.allTakesNoIDs }
        } else {
            guard filter.isEmpty else { throw UsageError.filtersNeedAll }
            guard !operands.isEmpty else { throw UsageError.missingOperand("post IDs, or --all") }
        }
        let session = try await Session(invocation, in: context, for: .storing)
        let (report, unknown) =
            invocation.has(.all)
            ? (try await session.library.mark(mark, all: filter, in: session.sources), [])
            : try await self.mark(mark, ids(operands, in: session), session)
        let result = await showSummary(report, unknown, session)
        if invocation.has(.all) { await tellWhatIsToCome(session) }
        return result
    }

    /// Says that posts of a sync server that aren't here yet were left as they are.
    private static func tellWhatIsToCome(_ session: Session) async {
        for source in (try? await session.library.sources(in: session.scope)) ?? [] {
            guard let missing = source.service?.missingPosts, missing > 0 else { continue }
            await session.console.notice(
                "\(Counted.grouped(posts: missing)) of \(source.name) are yet to come, and stay as they are. To fetch them: blog sync -s \(source.name) --all"
            )
        }
    }

    /// The ids of the operands, of stdin, and of words such as `latest`.
    private static func ids(_ operands: [String], in session: Session) async throws -> [String] {
        var ids: [String] = []
        for operand in operands {
            ids +=
                operand == "-"
                ? try LineReader.ids(among: [operand])
                : try await session.library.lookup.ids(for: operand, in: session.scope)
        }
        return ids
    }

    /// Marks posts, possibly of several sources, as one marking; also returns the typed IDs without a stored post.
    private static func mark(
        _ mark: Mark, _ typed: [String], _ session: Session
    ) async throws -> (MarkingReport, unknown: [String]) {
        var (ids, names): ([PostID], [PostID: String]) = ([], [:])
        var unknown: [String] = []
        // If an id is ambiguous, nothing is marked: one undo reverts a whole marking.
        for id in typed {
            do {
                let post = try await post(id, mark, session)
                if names.updateValue(id, forKey: post) == nil { ids.append(post) }
            } catch LibraryError.noSuchPost {
                unknown.append(id)
            }
        }
        let report = try await session.library.mark(mark, ids: ids)
        return (report, report.unknownIDs.compactMap { names[$0] } + unknown)
    }

    /// The post of a typed ID; of a page that isn't known yet a new one, if it is to be kept.
    private static func post(_ id: String, _ mark: Mark, _ session: Session) async throws -> PostID {
        let isKept = if case .labelled = mark { true } else { mark == .saved }
        guard isKept else { return try await session.library.postID(id, in: session.scope) }
        let page = try await session.library.pages.postOrPage(id, in: session.scope, keepsUnreadable: true)
        if let problem = page.problem {
            await session.console.notice("Stored only the address: \(Failure(problem).message?.sentence ?? "")")
        }
        if page.isNew, let metadata = try await session.library.storedMetadata(of: page.post) {
            await session.console.notice("\(session.shortIDs.text(page.post)): \(metadata.title)")
        }
        return page.post
    }

    private static func showSummary(
        _ report: MarkingReport, _ unknown: [String], _ session: Session
    ) async -> CommandResult {
        for id in unknown.prefix(maxNamed) {
            let name = TextLayout.truncate(Sanitizer.line(id), width: 40)
            await session.console.error("\(name): no such stored post")
        }
        if unknown.count > maxNamed {
            await session.console.error("\(unknown.count) IDs not found in the store.")
        }
        if !unknown.isEmpty, report.known == 0 {
            await session.console.notice("To list the IDs: blog list\(session.sourceArguments) --format ids")
        }
        let already = report.known - report.changed
        let rest: Message = already == 0 ? "" : "; \(already) already \(already == 1 ? "was" : "were")"
        await session.console.notice("\(report.mark.sentence(of: Counted.posts(report.changed)))\(rest).")
        var result = CommandResult()
        result.succeeded = report.known
        for id in unknown { result.fail(LibraryError.noSuchPost(id)) }
        return result
    }

    private static let maxNamed = 5
}
