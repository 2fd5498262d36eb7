import BlogEssentials
import BlogLibrary
import BlogModel

/// Prints posts in sequence, with their comments as they arrive.
package struct PostPrinter {
    /// Renders the posts; it may be replaced before the first one is printed.
    package var renderer: any PostRenderer
    private let presentation: Presentation
    /// The pictures to embed in pages; nil for none.
    private let embedded: EmbeddedPictures?
    private let output: any TextOutput
    /// Whether the next post is named by the address of its page, so that a summary alone isn't enough.
    package var readsAddress = false
    /// Whether the text before the first post was printed.
    private var hasStarted = false

    package init(
        _ renderer: any PostRenderer, in presentation: Presentation, embedded: EmbeddedPictures?,
        to output: any TextOutput
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

    /// Reads a post.
    ///
    /// Throws any error of reading it.
    package func read(_ post: PostID) async throws -> ReadResult {
        let library = presentation.library
        var articles = presentation.articles
        if readsAddress, articles.fallback == .never { articles.fallback = .auto }
        return try await library.reading.read(
            post, article: library.reading.articles.choice(articles, for: post.source),
            isExplicit: readsAddress || articles.explicit != nil)
    }

    /// Prints a post that was read, with its comments; returns those, or nil if it has none.
    ///
    /// - Parameter selection: which comments to print; nil for none.
    @discardableResult
    package mutating func print(
        _ read: ReadResult, of source: SourceID, comments selection: CommentSelection?
    ) async throws -> Comments? {
        let id = PostID(source: source, local: read.post.metadata.id)
        var record = try await presentation.described(presentation.record(Record(read.post), of: source), of: id)
        record.state = try await presentation.library.reading.states(of: [id])[id]
        record.site = try await presentation.library.directory.site(of: source)
        if let article = read.article { (record.linkedArticle, record.site) = (article, URL(address: article.address)) }
        if let embedded {
            await embedded.fetch(record.picturesOfPage, of: source)
        }
        record.hasThread = read.post.metadata.isDiscussed && selection != nil
        try await start()
        renderer = try await output.print(record, with: renderer)
        try await output.flush()
        guard record.hasThread, let selection else { return nil }
        let comments = try presentation.library.comments(on: read, of: source, selection)
        var ids: [String] = []
        for try await comment in comments {
            ids.append(comment.id)
            try await output.print(renderer.comment(presentation.comment(comment, of: source)))
            try await output.flush()
        }
        try await output.print(renderer.endThread())
        return Comments(ids: ids, missing: comments.missing)
    }

    /// Prints the stored summary of a post whose body can't be fetched; false if the post isn't stored.
    package mutating func printSummary(of post: PostID) async throws -> Bool {
        guard let metadata = try await presentation.library.storedMetadata(of: post) else { return false }
        try await start()
        let record = presentation.record(Record(metadata), of: post.source).withSummaryAsBody
        renderer = try await output.print(record, with: renderer)
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
}
