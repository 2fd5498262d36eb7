import BlogEssentials
import BlogLibrary
import BlogModel

/// How posts of several sources are presented: with IDs that can be typed and the titles of their sources.
package struct Presentation: Sendable {
    package private(set) var library: Library
    package var articles = ArticlePreference()
    /// The prefixes of IDs.
    package let shortIDs: ShortIDs
    /// The titles of the sources; empty if only one is shown.
    private let titles: [SourceID: String]
    /// The titles by the names of the sources.
    private let headings: [String: String]
    private let isOfOneSource: Bool
    /// Whether posts are shown on pages, which also link to discussions.
    private var isForPages: Bool

    /// Throws a ``LibraryError`` or a ``StoreError``.
    package init(of scope: ResolvedScope, in library: Library, isForPages: Bool) async throws {
        self.library = library
        self.isForPages = isForPages
        shortIDs = try await library.shortIDs()
        isOfOneSource = scope.sources.count == 1
        titles = isOfOneSource ? [:] : try await library.directory.titles()
        headings = Dictionary(titles.map { [shortIDs] in (shortIDs.name(of: $0.key), $0.value) }) { first, _ in first }
    }

    package func record(_ post: StoredPost) -> Record { record(Record(post), of: post.source) }

    /// A record from a source, as it is shown.
    package func record(_ record: Record, of source: SourceID) -> Record {
        var shown = record.shown(of: shortIDs.name(of: source), at: source.address) {
            shortIDs.text(PostID(source: source, local: $0))
        }
        shown.sourceTitle = titles[source]
        if isForPages {
            let post = PostID(source: source, local: record.metadata.id)
            shown.discussionPage = library.discussionPage(of: post)?.absoluteString
        }
        return shown
    }

    /// The title of a source, or else its name; nil if only one source is shown.
    package func title(of source: SourceID) -> String? {
        isOfOneSource ? nil : titles[source] ?? shortIDs.name(of: source)
    }

    /// This presentation with requests for everything that may have changed.
    package var refreshing: Presentation {
        var presentation = self
        presentation.library = library.refreshing
        return presentation
    }

    var forPages: Presentation {
        var pages = self
        pages.isForPages = true
        return pages
    }

    package func comment(_ comment: Comment, of source: SourceID) -> Comment {
        comment.mappingID { shortIDs.text(PostID(source: source, local: $0)) }
    }

    /// The heading of a source's group: its title and the name that can be typed.
    package func heading(_ group: PostGroup) -> PostGroup {
        guard let title = headings[group.name], title != group.name else { return group }
        return PostGroup(name: "\(title) (\(group.name))", count: group.count)
    }
}
