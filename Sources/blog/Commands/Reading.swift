import BlogCommandLine
import BlogEssentials
import BlogHTTP
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// Reads several posts: each is shown as soon as it arrives, and a failure doesn't stop the others.
struct Reading {
    let session: Session
    /// The pictures of the posts.
    private let pictures: PictureLoader
    private let style: ReadingStyle
    /// Which comments are wanted; nil for none.
    private let selection: CommentSelection?
    private var printer: PostPrinter
    private var requested = 0
    private var shown = 0
    private(set) var result = CommandResult()
    /// The hints that were given.
    private var hints: Set<Message> = []
    private var isStoreReported = false
    /// Whether the first post has decided the renderer, which depends on whether its source has comments.
    private var isRendererChosen = false
    /// The posts that were shown, with the ids of their comments.
    private var seen: [(post: PostID, comments: [String])] = []
    /// Those of them that were shown with their articles.
    private var withArticles: Set<PostID> = []

    init(session: Session, style: ReadingStyle, selection: CommentSelection?) {
        self.session = session
        pictures = PictureLoader(in: session.library)
        self.style = style
        self.selection = style.hasComments ? selection : nil
        printer = PostPrinter(
            style.renderer(for: session.capabilities), in: session.presentation, embedded: session.pages.embedded,
            to: session.console)
    }

    /// Reads one post and shows it with its comments, or says why it can't be fetched.
    ///
    /// Throws an ``OutputError`` or a ``StoreError``.
    mutating func read(_ id: String) async throws {
        requested += 1
        let failures = result.failures.count
        var sourceArguments: Message = ""
        do {
            let post = try await session.library.pages.postOrPage(id, in: session.scope).post
            sourceArguments = session.sourceArguments(for: post.source)
            if !isRendererChosen {
                let capabilities = Capabilities(of: [post.source])
                printer.renderer = style.renderer(for: capabilities)
                isRendererChosen = true
                await session.console.announce("blog read \(id)", style.stop(hasComments: capabilities.hasComments))
            }
            try await expectPictures(of: post)
            let read: ReadPost
            do {
                read = try await session.library.open(
                    post, session.articles, comments: selection, isAddress: PageReading.isAddress(id))
            } catch let error where error is LibraryError || error is any FetchError {
                guard style.showsSummaries, let metadata = try await session.library.storedMetadata(of: post) else {
                    throw error
                }
                try await printer.print(summaryOf: metadata, of: post.source)
                shown += 1
                throw Self.error(ofBody: id, error)
            }
            await traceOrigin(read.text, id)
            if session.appearance.isVerbose { try await explain(post) }
            await report(articleOf: read)
            shown += 1
            if read.text.article != nil { withArticles.insert(post) }
            do {
                let comments = try await printer.print(read)
                if let comments { try await report(comments, of: read.text.post.metadata) }
                if read.isWhole { seen.append((post, comments?.ids ?? [])) }
            } catch OutputError.closed {
                // The pager was left while the post was still being written to it.
                if read.isWhole, seen.isEmpty, await session.console.hasPaged { seen.append((post, [])) }
                throw OutputError.closed
            }
            if read.isWhole, result.failures.count == failures { result.succeeded += 1 }
        } catch let error where error is OutputError || error is StoreError || error is CancellationError {
            throw error
        } catch {
            await note(
                error,
                Failure(
                    error, repeating: RepeatedOptions(source: sourceArguments),
                    followsNothing: session.sources.substitute != nil))
        }
    }

    /// Starts to fetch the pictures that are known before the body arrives.
    private func expectPictures(of post: PostID) async throws {
        await session.console.show(picturesOf: pictures)
        pictures.begin(post.source)
        guard style.showsPictures, let metadata = try await session.library.storedMetadata(of: post) else { return }
        let record = session.presentation.record(Record(metadata), of: post.source)
        for place in PostPictures.ofMetadata(record, columns: style.columns) { await session.console.expect(place) }
    }

    /// Shows pictures that arrived after the text, and reports the failed ones.
    ///
    /// Throws an ``OutputError``.
    func show(late missed: [PicturePlace]) async throws {
        try await pictures.wait(for: missed) { place in
            try await session.console.print(place, caption: style.caption(place))
        }
        if let message = PictureFailures(pictures.failures).message {
            await session.console.notice("\(message) (to skip pictures, use --images never)")
        }
    }

    /// Reports that stdin could not be read to its end.
    mutating func finish(_ ids: LineReader) async {
        do {
            try ids.finish()
        } catch {
            requested += 1
            await note(error, Failure(error))
        }
    }

    private mutating func note(_ error: any Error, _ failure: Failure) async {
        // A hint is given once, however many ids it applies to.
        let isHintNew = failure.message?.hint.map { hints.insert($0).inserted } ?? false
        await session.console.error(isHintNew ? failure.message : failure.message?.sentence, failure.word)
        result.fail(error)
    }

    /// Marks the posts shown since the last call as read; in a pager only the first, because a pager doesn't tell how
    /// far the user got.
    mutating func note() async throws {
        defer { seen = [] }
        let isUnsure = await session.console.hasPaged
        let read = seen.prefix(isUnsure ? 1 : seen.count)
        do {
            for (post, comments) in read where !comments.isEmpty {
                try await session.library.noteSeen(comments: comments, of: post.source)
            }
            try await session.library.noteReading(of: read.map(\.post), withArticles: withArticles)
        } catch let error as StoreError where error.reason == .busy {
            await noteUnmarked(read.map(\.post))
        }
        await warnOfStore()
        let others = try await session.library.reading.unread(among: seen.dropFirst(read.count).map(\.post))
            .map(session.shortIDs.text)
        guard !others.isEmpty else { return }
        let first = session.shortIDs.text(read[0].post)
        await session.console.notice(
            """
            Only \(first) counts as read: blog can't tell how far you read in the pager. To mark the rest:
            blog mark read \(Message(others.map(ShellWords.quoted).joined(separator: " ")))
            """)
    }

    /// Says that posts which were shown aren't marked, because another process keeps the store.
    private mutating func noteUnmarked(_ posts: [PostID]) async {
        let ids = posts.map { ShellWords.quoted(session.shortIDs.text($0)) }.joined(separator: " ")
        await session.console.error(
            "Not marked as read, because another process is using the store. To mark it: blog mark read \(Message(ids))"
        )
        result.isIncomplete = true
    }

    /// Ends the output.
    mutating func finish() async throws {
        // Without IDs, the output is an empty list; if all IDs failed, it is empty.
        if shown > 0 || requested == 0 {
            try await printer.finish()
        }
        await session.reportMissingPictures()
    }

    /// Says which comments were not shown, and why.
    private mutating func report(_ comments: PostPrinter.Comments, of metadata: PostMetadata) async throws {
        let (missing, shown) = (comments.missing, comments.ids.count)
        let announced = metadata.commentCount ?? 0
        if let author = selection?.author, shown == 0 {
            await session.console.notice("No comments by “\(author)” on this post.")
        } else if shown + missing.count + missing.removed == 0, announced > 0, !session.isOffline {
            await session.console.notice(
                announced == 1
                    ? "The server doesn't list the comment on this post."
                    : "The server doesn't list the \(announced) comments on this post.")
        }
        if await !session.reportMissing(
            missing, ("comment and its replies", "comments and their replies"))
        {
            result.isIncomplete = true
        }
        if let limit = selection?.limit, shown == limit, announced > limit {
            await session.console.notice("Showing the first \(limit) of \(announced) comments.")
        }
        if missing.removed > 0 {
            let count = missing.removed
            await session.console.notice("\(count) deleted or dead \(count == 1 ? "comment" : "comments") hidden.")
        }
    }

    /// The same error, about the body only, because the rest of the post was shown.
    static func error(ofBody id: String, _ error: any Error) -> any Error {
        switch error {
        case LibraryError.postNotStored(_, let url): LibraryError.bodyNotStored(id: id, url)
        case LibraryError.unreachable(let error): LibraryError.bodyUnreachable(id: id, error)
        default: error
        }
    }

    /// Reports that the requested article is missing or outdated, or that the user's rule matched nothing.
    private mutating func report(articleOf read: ReadPost) async {
        let id = session.shortIDs.text(read.id)
        if let rule = read.text.unmatchedRule {
            await session.console.notice(
                "--article-body \(Message(ShellWords.quoted(rule))) matches nothing on the page that “\(id)” links to.")
        }
        guard let error = read.articleProblem else { return }
        let copy = read.text.article.map { " (\(RefreshNotices.showing($0.fetchedAt)))" as Message } ?? ""
        await session.console.notice(
            """
            Could not show the article for “\(id)”: \(Failure.cause(error))\(copy)
            To open the page in the browser: blog open \(Message(ShellWords.quoted(id)))
            """)
        if read.isArticleExplicit { result.fail(error) }
    }

    private mutating func traceOrigin(_ read: ReadResult, _ id: String) async {
        let console = session.console
        switch read.origin {
        case .server: break
        case .serverNotStored: await console.notice("Could not store “\(id)”: the store is in use by another process.")
        case .store(let fetchedAt):
            await session.trace("post \(id) from the store: \(RefreshNotices.showing(fetchedAt))")
        case .outdated(let fetchedAt, nil):
            await console.notice("“\(id)” may have changed (\(RefreshNotices.showing(fetchedAt)))")
        case .outdated(let fetchedAt, let error?):
            let failure = Failure(error)
            // How to find other posts is beside the point.
            let hint: Message = error is SourceError ? "" : failure.message?.hint.map { "\n\($0)" } ?? ""
            await console.notice(
                "\(failure.message?.sentence.withoutFullStop ?? "") (\(RefreshNotices.showing(fetchedAt)))\(hint)")
            let http = error as? HTTPError
            if http?.isUnreachable != true, http?.wait(at: Date()) == nil { result.fail(error) }
        }
        await warnOfStore()
    }

    /// Says where a post came from, and why it is in lists or not.
    private func explain(_ post: PostID) async throws {
        guard let record = try await session.library.record(of: post) else { return }
        let isRead = try await session.library.reading.states(of: [post])[post]?.isRead == true
        let sentences = PostOrigin.sentences(
            post, record, isRead: isRead, source: session.shortIDs.name(of: post.source), name: session.shortIDs.text)
        for sentence in sentences { await session.console.detail(sentence) }
    }

    /// Warns once that marks are lost.
    private mutating func warnOfStore() async {
        guard !isStoreReported, let warning = await session.storeWarning else { return }
        isStoreReported = true
        await session.console.notice(warning)
    }
}
