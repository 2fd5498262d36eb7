import BlogBrowse
import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import BlogRendering
import BlogTerminal

/// Reads a post and lays out its lines, which are sent as they become available.
struct PostLoading {
    let request: PostRequest
    /// The comments to show; nil for none.
    let comments: CommentSelection?
    let session: Session
    /// Draws pictures; nil for none.
    let painter: SymbolPainter?
    let now: Date
    let send: @Sendable (BrowseEvent) -> Void

    private var post: PostID { request.post }
    private var number: Int { request.number }
    private var width: Int { request.width }
    /// Whether to refresh what is stored.
    private var isForced: Bool { request.isForced && !session.isOffline }

    /// Loads the post and its comments.
    func run() async {
        if let letters = try? await session.library.lettersRead(of: post) {
            send(.lettersRead(letters, request: number))
        }
        do {
            let library = isForced ? session.library.refreshing : session.library
            let read = try await library.open(post, session.articles, comments: comments)
            guard reportArticle(of: read) else { return }
            // A page without its article has no text to be read.
            let isSummary = post.source.isOfPages && !read.isWhole
            let output = LineOutput { send(.lines($0, isSummary: isSummary, request: number)) }
            var printer = PostPrinter(
                PostTextRenderer(screen, codeWidth: width), in: session.presentation, embedded: nil, to: output)
            try await printer.print(read, withComments: false)
            await output.end()
            async let pictures: Void = sendPictures(await output.pictures)
            let missing = try await sendComments(on: read)
            await pictures
            send(.postLoaded(missing ?? notice(about: read.text), request: number))
        } catch is CancellationError {
            return
        } catch {
            await sendSummary(after: error)
        }
    }

    /// Sends the pictures that can be drawn with symbols, each as soon as it is loaded.
    private func sendPictures(_ pictures: [(place: PicturePlace, line: Int, margin: Int)]) async {
        guard let painter, !pictures.isEmpty else { return }
        let loader = PictureLoader(in: session.library)
        loader.begin(post.source)
        for picture in pictures { loader.fetch(picture.place) }
        for picture in pictures where !Task.isCancelled {
            await loader.wait(for: [picture.place]) { _ in }
            guard let loaded = loader.picture(at: picture.place),
                let rows = painter.lines(of: loaded, picture.place, columns: width - picture.margin)
            else { continue }
            let margin = StyledText(String(repeating: " ", count: picture.margin))
            send(.picture(rows.map { margin + $0 }, line: picture.line, request: number))
        }
    }

    private var screen: Screen { session.appearance.fullScreen(now: now, width: width, hasPictures: painter != nil) }

    private func sendComments(on read: ReadPost) async throws -> Message? {
        guard let comments = read.comments else { return nil }
        var lines = CommentLines(screen: screen, codeRoom: 0)
        lines.begin(on: session.presentation.record(read).metadata)
        for try await comment in comments {
            try Task.checkCancellation()
            let shown = session.presentation.comment(comment, of: post.source)
            send(.comment(comment, lines.lines(shown), request: number))
        }
        let (count, outdated) = (comments.missing.count, comments.missing.outdated)
        if count > 0 { return "Could not fetch \(Counted.comments(count))" }
        return outdated == 0 ? nil : "Could not refresh \(Counted.comments(outdated)) (showing the stored ones)"
    }

    /// Reports whether the post's text is an article, and errors of fetching one; false if the text on the screen stays.
    private func reportArticle(of read: ReadPost) -> Bool {
        if read.text.article != nil { send(.article(request: number)) }
        guard let error = read.articleProblem else { return true }
        send(.articleFailed("Could not show the article: \(PageError.cause(of: error))", request: number))
        return read.text.article != nil || !request.replacesText
    }

    private func notice(about read: ReadResult) -> Message? {
        switch read.origin {
        case .outdated(let date, .some): "Could not refresh this post (\(RefreshNotices.showing(date)))"
        case .serverNotStored: "Could not store this post: the store is in use by another process"
        case .server, .store, .outdated: nil
        }
    }

    /// Sends the stored summary of a post whose text could not be read, and the error.
    private func sendSummary(after error: any Error) async {
        let output = LineOutput { send(.lines($0, isSummary: true, request: number)) }
        var printer = PostPrinter(
            PostTextRenderer(screen, codeWidth: width), in: session.presentation, embedded: nil, to: output)
        if let metadata = try? await session.library.storedMetadata(of: post) {
            try? await printer.print(summaryOf: metadata, of: post.source)
        }
        await output.end()
        let cause = Reading.error(ofBody: session.shortIDs.text(post), error)
        let failure = Failure(cause, repeating: RepeatedOptions(source: session.sourceArguments(for: post.source)))
        send(.postFailed(failure.message ?? "", request: number))
    }
}

/// Cuts the text of a post into lines, and sends them in batches.
private actor LineOutput: TextOutput {
    private let send: @Sendable ([StyledText]) -> Void
    private var cutter = LineCutter()
    private var lines: [StyledText] = []
    private var batch = firstBatch

    /// The pictures so far, with their positions.
    var pictures: [(place: PicturePlace, line: Int, margin: Int)] { cutter.pictures }

    init(_ send: @escaping @Sendable ([StyledText]) -> Void) {
        self.send = send
    }

    func print(_ text: StyledText) throws {
        try Task.checkCancellation()
        lines += cutter.lines(of: text)
        guard lines.count >= batch else { return }
        flush()
        batch = Self.batch
    }

    func flush() {
        guard !lines.isEmpty else { return }
        send(lines)
        lines = []
    }

    func end() {
        lines += cutter.rest()
        flush()
    }

    /// About a screen, which is shown without waiting for more.
    private static let firstBatch = 100
    private static let batch = 2000
}
