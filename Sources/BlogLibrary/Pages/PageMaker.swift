import Essentials
import Model
import Rendering
import Store

/// Makes pages of posts.
package struct PageMaker: Sendable {
    package let presentation: Presentation
    package var options: PageOptions
    /// The pictures to embed; nil where pages link to pictures.
    package let embedded: EmbeddedPictures?

    package init(presentation: Presentation, options: PageOptions, embedded: EmbeddedPictures?) {
        self.presentation = presentation.forPages
        self.options = options
        self.embedded = embedded
    }

    /// The page of a post that was read, with its comments.
    ///
    /// Throws a ``StoreError``.
    ///
    /// - Parameters:
    ///   - navigation: the links to the pages around it.
    ///   - isOffline: whether only stored comments are shown.
    package func page(
        _ read: ReadPost, of source: SourceID, navigation: PageNavigation = PageNavigation(), isOffline: Bool = false
    ) async throws -> String {
        let output = TextBuffer()
        var printer = PostPrinter(renderer(navigation), in: presentation, embedded: embedded, to: output)
        try await printer.print(read, of: source, comments: CommentSelection(), isOffline: isOffline)
        try await printer.finish()
        return await output.text
    }

    /// The page of a post without its body.
    func summary(_ metadata: PostMetadata, of source: SourceID, navigation: PageNavigation) -> String {
        var renderer = renderer(navigation)
        let record = presentation.record(Record(metadata), of: source)
        return (renderer.start() + renderer.summary(record) + renderer.end()).plain
    }

    /// A list as a single page.
    package func listPage(of list: PostList, by grouping: Grouping?, title: String) -> ListPageRenderer {
        ListPageRenderer(title: title, PageIndex(groups: headings(of: list, by: grouping)), options)
    }

    /// One of the pages of the index of a list.
    func listPage(_ number: Int, of index: PageIndex, title: String) -> ListPageRenderer {
        var options = options
        options.navigation = index.navigation(of: number)
        return ListPageRenderer(title: title, index, page: number, options)
    }

    /// The groups of a list under the names that are shown.
    func headings(of list: PostList, by grouping: Grouping?) -> [PostGroup] {
        grouping == .source ? list.groups.map(presentation.heading) : list.groups
    }

    private func renderer(_ navigation: PageNavigation) -> ArticlePageRenderer {
        var options = options
        options.navigation = navigation
        return ArticlePageRenderer(options)
    }
}
