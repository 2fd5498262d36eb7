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
    package func page(_ post: ReadPost) async throws -> String {
        let output = TextBuffer()
        var printer = PostPrinter(PostPageRenderer(options), in: presentation, embedded: embedded, to: output)
        try await printer.print(post)
        try await printer.finish()
        return await output.text
    }

    package func listPage(of list: PostList, by grouping: Grouping?, title: String) -> ListPageRenderer {
        let groups = grouping == .source ? presentation.headings(ofSources: list.groups) : list.groups
        return ListPageRenderer(title: title, groups: groups, options)
    }
}
