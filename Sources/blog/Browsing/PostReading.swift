import BlogLibrary
import Browse
import Essentials
import HTTP
import Model
import Rendering
import Store
import Terminal

/// Reads one post and makes its lines, which are given as they come.
struct PostReading {
    let request: PostRequest
    /// Which comments are shown; nil for none.
    let comments: CommentSelection?
    let session: Session
    /// Draws pictures with symbols; nil if they can't be shown.
    let painter: SymbolPainter?
    let now: Date
    let send: @Sendable (BrowseEvent) -> Void

    private var post: PostID { request.post }
    private var number: Int { request.number }
    private var width: Int { request.width }
    /// Whether what may have changed is requested.
    private var isForced: Bool { request.isForced && !session.isOffline }

    /// Reads the post and its comments.
    func run() async {
        let output = LineOutput { send(.lines($0, isSummary: false, reading: number)) }
        var printer = PostPrinter(
            ArticleRenderer(screen, codeWidth: width),
            in: isForced ? session.presentation.refreshing : session.presentation, embedded: nil, to: output)
        do {
            let read = try await printer.read(post)
            guard tell(articleOf: read) else { return }
            try await printer.print(read, of: post.source, comments: nil)
            await output.end()
            async let pictures: Void = givePictures(await output.pictures)
            let missing = try await giveComments(on: read)
            await pictures
            send(.read(missing ?? notice(about: read), reading: number))
        } catch is CancellationError {
            return
        } catch {
            await giveSummary(after: error)
        }
    }

    /// Gives the pictures that can be drawn with symbols, each as soon as it has come.
    private func givePictures(_ pictures: [(place: PicturePlace, line: Int, margin: Int)]) async {
        guard let painter, !pictures.isEmpty else { return }
        let loader = PictureLoader(cache: session.library.pictures)
        loader.begin(post.source)
        for picture in pictures { loader.fetch(picture.place) }
        for picture in pictures where !Task.isCancelled {
            await loader.wait(for: [picture.place]) { _ in }
            guard let loaded = loader.picture(at: picture.place),
                let rows = painter.lines(of: loaded, picture.place, columns: width - picture.margin)
            else { continue }
            let margin = StyledText(String(repeating: " ", count: picture.margin))
            send(.picture(rows.map { margin + $0 }, line: picture.line, reading: number))
        }
    }

    private var screen: Screen { session.appearance.fullScreen(now: now, width: width, hasPictures: painter != nil) }

    private func giveComments(on read: ReadPost) async throws -> Message? {
        guard let selection = comments, read.post.metadata.isDiscussed else { return nil }
        var lines = CommentLines(screen: screen, codeRoom: 0)
        let shown = session.presentation.record(Record(read.post), of: post.source)
        lines.begin(on: shown.metadata)
        let library =
            session.isOffline ? session.library.offline : isForced ? session.library.refreshing : session.library
        let comments = try library.comments(on: read, of: post.source, selection)
        for try await comment in comments {
            try Task.checkCancellation()
            let shown = session.presentation.comment(comment, of: post.source)
            send(.comment(comment, lines.lines(shown), reading: number))
        }
        let count = comments.missing.count
        return count == 0 ? nil : "Could not fetch \(Counted.comments(count))"
    }

    /// Says whether an article is shown, and why none or an old one is; false if nothing else is wanted then.
    private func tell(articleOf read: ReadPost) -> Bool {
        if read.article != nil { send(.article(reading: number)) }
        guard let error = read.articleError else { return true }
        let isAsked = session.presentation.articles.explicit == .always
        if case PageError.noLink = error, !isAsked { return true }
        send(.articleFailed("No article: \(PageError.cause(of: error))", reading: number))
        return read.article != nil || !request.replacesText
    }

    private func notice(about read: ReadPost) -> Message? {
        switch read.origin {
        case .outdated(let date, .some): "Could not refresh this post: \(RefreshNotices.showing(date))"
        case .serverNotStored: "Could not store this post: the store is in use by another process"
        case .server, .store, .outdated: nil
        }
    }

    /// Gives what is stored of a post whose text can't be had, and says why.
    private func giveSummary(after error: any Error) async {
        let output = LineOutput { send(.lines($0, isSummary: true, reading: number)) }
        var printer = PostPrinter(
            ArticleRenderer(screen, codeWidth: width), in: session.presentation, embedded: nil, to: output)
        _ = try? await printer.printSummary(of: post)
        await output.end()
        let cause = Reading.error(ofBody: session.typedIDs.text(post), error)
        let failure = Failure(cause, sourceWords: session.sourceWords(for: post.source))
        send(.readFailed(failure.message ?? "", reading: number))
    }
}

/// Cuts the text of a post into lines, and gives them in batches.
private actor LineOutput: TextOutput {
    private let give: @Sendable ([StyledText]) -> Void
    private var cutter = LineCutter()
    private var lines: [StyledText] = []
    private var batch = firstBatch

    /// The places of pictures so far.
    var pictures: [(place: PicturePlace, line: Int, margin: Int)] { cutter.pictures }

    init(_ give: @escaping @Sendable ([StyledText]) -> Void) {
        self.give = give
    }

    func print(_ text: StyledText) throws { try take(text) }

    func print(_ record: Record, with renderer: any Renderer) throws -> any Renderer {
        var renderer = renderer
        try renderer.record(record) { try take($0) }
        return renderer
    }

    func flush() {
        guard !lines.isEmpty else { return }
        give(lines)
        lines = []
    }

    func end() {
        lines += cutter.rest()
        flush()
    }

    private func take(_ text: StyledText) throws {
        try Task.checkCancellation()
        lines += cutter.lines(of: text)
        guard lines.count >= batch else { return }
        flush()
        batch = Self.batch
    }

    /// About a screen, which doesn't wait for more.
    private static let firstBatch = 100
    private static let batch = 2000
}
