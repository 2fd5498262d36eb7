import Essentials
import Model
import Rendering
import Store

/// Prints posts one after the other, each with its comments and its first lines as soon as they are there.
package struct PostPrinter {
    /// How posts are printed; it may be replaced until the first one is.
    package var renderer: any Renderer
    private let presentation: Presentation
    /// The pictures to embed in pages; nil for none.
    private let embedded: EmbeddedPictures?
    private let output: any TextOutput
    /// Whether the next post is named by the address of its page: then a summary alone isn't what is meant.
    package var readsAddress = false
    /// Whether the text before the first post was printed.
    private var hasStarted = false
    /// Whether a part of the last post was printed before it was complete.
    private var hasBegunPost = false

    package init(
        _ renderer: any Renderer, in presentation: Presentation, embedded: EmbeddedPictures?, to output: any TextOutput
    ) {
        self.renderer = renderer
        self.presentation = presentation
        self.embedded = embedded
        self.output = output
    }

    /// The comments that were printed, and those that could not be.
    package struct Comments: Sendable {
        package let ids: [String]
        package let missing: MissingItems
    }

    /// Reads a post, and prints the first lines of its body while the rest is arriving if the renderer can do that.
    ///
    /// Throws what reading throws.
    package mutating func read(_ post: PostID) async throws -> ReadPost {
        let library = presentation.library
        let beginning = Beginning(
            self, of: post.source, site: try await library.site(of: post.source))
        let result: Result<ReadPost, any Error>
        do {
            let receive = renderer.takesParts ? beginning.receiver : nil
            var articles = presentation.articles
            if readsAddress, articles.fallback == .never { articles.fallback = .auto }
            result = .success(
                try await library.read(
                    post, article: library.articleChoice(articles, for: post.source),
                    isAsked: readsAddress || articles.explicit != nil, receive: receive,
                    isCompleteOnly: renderer.isCompleteOnly))
        } catch {
            result = .failure(error)
        }
        self = await beginning.printer
        if case .failure = result { renderer.giveUp() }
        // After its first lines it is no use to hear that nothing is stored.
        if case .failure(LibraryError.unreachable(let error)) = result, hasBegunPost { throw error }
        return try result.get()
    }

    /// Prints a post that was read, or the rest of it, with its comments; returns those, nil if it has none.
    ///
    /// - Parameter selection: which comments; nil for none.
    @discardableResult
    package mutating func print(
        _ read: ReadPost, of source: SourceID, comments selection: CommentSelection?, isOffline: Bool = false
    ) async throws -> Comments? {
        var record = presentation.record(Record(read.post), of: source)
        record.site = try await presentation.library.site(of: source)
        if let article = read.article { (record.linkedArticle, record.site) = (article, URL(address: article.address)) }
        if read.wasGiven { record.body = nil }
        await embedded?.prepare(source) {
            var probe = renderer
            _ = probe.record(record)
        }
        try await start()
        guard read.post.metadata.isDiscussed, let selection else {
            renderer = try await output.print(record, with: renderer)
            try await output.flush()
            return nil
        }
        try await output.print(renderer.thread(record))
        try await output.flush()
        let library = isOffline ? presentation.library.offline : presentation.library
        let comments = try library.comments(on: read, of: source, selection)
        var ids: [String] = []
        for try await comment in comments {
            ids.append(comment.id)
            try await output.print(renderer.comment(presentation.comment(comment, of: source)))
            try await output.flush()
        }
        try await output.print(renderer.endThread())
        return Comments(ids: ids, missing: comments.missing)
    }

    /// Prints what is stored of a post whose body can't be fetched; returns whether anything is, and was not printed
    /// already.
    package mutating func printSummary(of post: PostID) async throws -> Bool {
        guard !hasBegunPost, let metadata = try await presentation.library.storedMetadata(of: post) else {
            return false
        }
        try await start()
        try await output.print(renderer.summary(presentation.record(Record(metadata), of: post.source)))
        try await output.flush()
        return true
    }

    /// Prints the text after the last post.
    package mutating func finish() async throws {
        try await start()
        try await output.print(renderer.end())
    }

    private mutating func start() async throws {
        guard !hasStarted else { return }
        hasStarted = true
        try await output.print(renderer.start())
    }

    /// Prints the first lines of a post while the rest is arriving.
    private actor Beginning {
        private(set) var printer: PostPrinter
        private let source: SourceID
        private let site: URL?

        init(_ printer: PostPrinter, of source: SourceID, site: URL?) {
            self.printer = printer
            self.printer.hasBegunPost = false
            self.source = source
            self.site = site
        }

        nonisolated var receiver: TextReceiver { { try await self.print($1, of: $0) } }

        private func print(_ text: String, of metadata: PostMetadata) async throws {
            var record = printer.presentation.record(Record(metadata), of: source)
            record.site = site
            guard let text = printer.renderer.beginning(text, of: record) else { return }
            var printer = printer
            try await printer.start()
            printer.hasBegunPost = true
            self.printer = printer
            try await printer.output.print(text)
            try await printer.output.flush()
        }
    }
}
