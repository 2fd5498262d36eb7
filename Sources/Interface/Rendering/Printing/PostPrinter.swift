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

    /// Prints a post that was read, with its comments if they are wanted; returns those, or nil if it has none.
    ///
    /// - Parameter withComments: false if they are shown elsewhere.
    @discardableResult
    package mutating func print(_ post: ReadPost, withComments: Bool = true) async throws -> Comments? {
        var record = presentation.record(post)
        record.linkedArticle = post.text.article
        record.site = post.site
        if let embedded { await embedded.fetch(record.picturesOfPage, of: post.id.source) }
        let comments = withComments ? post.comments : nil
        record.hasThread = comments != nil
        try await start()
        renderer = try await output.print(record, with: renderer)
        try await output.flush()
        guard let comments else { return nil }
        var ids: [String] = []
        for try await comment in comments {
            ids.append(comment.id)
            try await output.print(renderer.comment(presentation.comment(comment, of: post.id.source)))
            try await output.flush()
        }
        try await output.print(renderer.endThread())
        return Comments(ids: ids, missing: comments.missing)
    }

    /// Prints the summary of a post whose text can't be fetched.
    package mutating func print(summaryOf metadata: PostMetadata, of source: SourceID) async throws {
        try await start()
        let record = presentation.record(Record(metadata), of: source).withSummaryAsBody
        renderer = try await output.print(record, with: renderer)
        try await output.flush()
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
