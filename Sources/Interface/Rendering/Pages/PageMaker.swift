import BlogEssentials
import BlogLibrary
import BlogModel

/// Renders pages of posts.
package struct PageMaker: Sendable {
    package let presentation: Presentation
    package var options: PageOptions
    /// The pictures to embed; nil if pages link to pictures.
    package let embedded: EmbeddedPictures?

    package init(presentation: Presentation, options: PageOptions, embedded: EmbeddedPictures?) {
        self.presentation = presentation.forPages
        self.options = options
        self.embedded = embedded
    }

    /// The page of a post with its comments.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - navigation: links to the adjacent pages.
    ///   - isOffline: whether to show only stored comments.
    package func page(
        _ read: ReadResult, of source: SourceID, navigation: PageNavigation = PageNavigation(), isOffline: Bool = false
    ) async throws -> String {
        let output = TextBuffer()
        var printer = PostPrinter(renderer(navigation), in: presentation, embedded: embedded, to: output)
        try await printer.print(read, of: source, comments: CommentSelection(), isOffline: isOffline)
        try await printer.finish()
        return await output.text
    }

    func summary(_ metadata: PostMetadata, of source: SourceID, navigation: PageNavigation) throws -> String {
        var renderer = renderer(navigation)
        let record = presentation.record(Record(metadata), of: source).withSummaryAsBody
        return try (renderer.start() + renderer.post(record) + renderer.end()).plain
    }

    package func listPage(of list: PostList, by grouping: Grouping?, title: String) -> ListPageRenderer {
        ListPageRenderer(title: title, PageIndex(groups: headings(of: list, by: grouping)), options)
    }

    /// One page of the index of a list.
    func listPage(_ number: Int, of index: PageIndex, title: String) -> ListPageRenderer {
        var options = options
        options.navigation = index.navigation(of: number)
        return ListPageRenderer(title: title, index, page: number, options)
    }

    /// The groups of a list with the headings that are shown.
    func headings(of list: PostList, by grouping: Grouping?) -> [PostGroup] {
        grouping == .source ? presentation.headings(ofSources: list.groups) : list.groups
    }

    private func renderer(_ navigation: PageNavigation) -> PostPageRenderer {
        var options = options
        options.navigation = navigation
        return PostPageRenderer(options)
    }
}
