import BlogLibrary
import BlogEssentials
import BlogModel
import BlogRendering
import BlogStore

/// Prints posts in sequence, streaming their first lines and their comments.
package struct PostPrinter {
    /// Renders the posts; it may be replaced before the first one is printed.
    package var renderer: any Renderer
    private let presentation: Presentation
    /// The pictures to embed in pages; nil for none.
    private let embedded: EmbeddedPictures?
    private let output: any TextOutput
    /// Whether the next post is named by the address of its page, so that a summary alone isn't enough.
    package var readsAddress = false
    /// Whether the text before the first post was printed.
    private var hasStarted = false
    /// Whether part of the last post was printed before it was complete.
    private var hasBegunPost = false

    package init(
        _ renderer: any Renderer, in presentation: Presentation, embedded: EmbeddedPictures?, to output: any TextOutput
    ) {
        self.renderer = renderer
        self.presentation = presentation
        self.embedded = embedded
        self.output = output
    }

    /// The comments that were printed, and those that couldn't be fetched.
    package struct Comments: Sendable {
        package let ids: [String]
        package let missing: MissingItems
    }

    /// Reads a post and, if the renderer supports it, prints the first lines of its body while the rest is arriving.
    ///
    /// Throws what reading throws.
    package mutating func read(_ post: PostID) async throws -> ReadPost {
        let library = presentation.library
        let preview = Preview(
            self, of: post.source, site: try await library.site(of: post.source))
        let result: Result<ReadPost, any Error>
        do {
            let receive = renderer.takesParts ? preview.receiver : nil
            var articles = presentation.articles
            if readsAddress, articles.fallback == .never { articles.fallback = .auto }
            result = .success(
                try await library.read(
                    post, article: library.articleChoice(articles, for: post.source),
                    isExplicit: readsAddress || articles.explicit != nil, receive: receive,
                    isCompleteOnly: renderer.isCompleteOnly))
        } catch {
            result = .failure(error)
        }
        self = await preview.printer
        if case .failure = result { renderer.giveUp() }
        // After the first lines, the user needn't hear that nothing is stored.
        if case .failure(LibraryError.unreachable(let error)) = result, hasBegunPost { throw error }
        return try result.get()
    }

    /// Prints a post that was read, or the rest of it, with its comments; returns those, or nil if it has none.
    ///
    /// - Parameter selection: which comments to print; nil for none.
    @discardableResult
    package mutating func print(
        _ read: ReadPost, of source: SourceID, comments selection: CommentSelection?, isOffline: Bool = false
    ) async throws -> Comments? {
        var record = presentation.record(Record(read.post), of: source)
        record.site = try await presentation.library.site(of: source)
        if let article = read.article { (record.linkedArticle, record.site) = (article, URL(address: article.address)) }
        if read.wasStreamed { record.body = nil }
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

    /// Prints what is stored of a post whose body can't be fetched; false if that is nothing or was printed already.
    package mutating func printSummary(of post: PostID) async throws -> Bool {
        guard !hasBegunPost, let metadata = try await presentation.library.storedMetadata(of: post) else {
            return false
        }
        try await start()
        try await output.print(renderer.summary(presentation.record(Record(metadata), of: post.source)))
        try await output.flush()
        return true
    }

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
    private actor Preview {
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
