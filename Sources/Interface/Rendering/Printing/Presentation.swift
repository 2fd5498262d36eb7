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

    /// The heading of a group that has posts of a source: of its own group, the title and the name that can be typed.
    package func heading(_ group: String, of source: SourceID) -> String {
        guard let title = titles[source], title != group, group == shortIDs.name(of: source) else { return group }
        return "\(title) (\(group))"
    }

    /// The groups of a list by source, with their headings.
    func headings(ofSources groups: [PostGroup]) -> [PostGroup] {
        let sources = Dictionary(titles.keys.map { (shortIDs.name(of: $0), $0) }) { first, _ in first }
        return groups.map { group in
            PostGroup(name: sources[group.name].map { heading(group.name, of: $0) } ?? group.name, count: group.count)
        }
    }
}
