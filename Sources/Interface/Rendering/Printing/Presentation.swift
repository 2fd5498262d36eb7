import BlogEssentials
import BlogLibrary
import BlogModel

/// How posts of several sources are presented: with IDs that can be typed and the titles of their sources.
package struct Presentation: Sendable {
    private let library: Library
    /// The prefixes of IDs.
    package let shortIDs: ShortIDs
    private let isOfOneSource: Bool
    /// Whether posts are shown on pages, which also link to discussions.
    private var isForPages: Bool

    /// Throws a ``LibraryError`` or a ``StoreError``.
    package init(of scope: ResolvedScope, in library: Library, isForPages: Bool) async throws {
        self.library = library
        self.isForPages = isForPages
        isOfOneSource = scope.single != nil
        shortIDs = try await library.directory.shortIDs(besides: scope)
    }

    package func record(_ post: StoredPost) -> Record {
        withDuplicates(of: post, record(Record(post), of: post.source))
    }

    private func withDuplicates(of post: StoredPost, _ record: consuming Record) -> Record {
        record.duplicates = post.duplicates.map { ShownDuplicate($0, shortIDs) }
        return record
    }

    /// The record of a post that was read, with its marks and its duplicates.
    package func record(_ post: ReadPost) -> Record {
        var record = record(Record(post.text.post), of: post.id.source)
        record.state = post.state
        record.duplicates = post.duplicates.map { ShownDuplicate($0, shortIDs) }
        return record
    }

    /// A record from a source, as it is shown.
    package func record(_ record: Record, of source: SourceID) -> Record {
        var record = record
        self.source(source).present(&record)
        return record
    }

    /// Makes the records of a list, in which consecutive posts are often of one source.
    func records() -> (StoredPost) -> Record {
        var source: Source?
        return { post in
            if source?.id != post.source { source = self.source(post.source) }
            var record = Record(post)
            source?.present(&record)
            return post.duplicates.isEmpty ? record : withDuplicates(of: post, record)
        }
    }

    /// A source as it is presented, which takes longer to make than a record of one of its posts.
    ///
    /// A class, because copying it for each record takes as long as making the record.
    private final class Source {
        let id: SourceID
        private let title: String?
        private let prefix: ShortIDs.Prefix
        private let shortIDs: ShortIDs
        /// Returns the page where a post is discussed; nil if that isn't shown.
        private let discussionPage: ((PostID) -> URL?)?

        init(_ id: SourceID, title: String?, _ shortIDs: ShortIDs, discussionPage: ((PostID) -> URL?)?) {
            (self.id, self.title, self.shortIDs, self.discussionPage) = (id, title, shortIDs, discussionPage)
            prefix = shortIDs.prefix(of: id)
        }

        /// Presents a record in place: copying it takes as long as making it.
        func present(_ record: inout Record) {
            let discussion = discussionPage?(PostID(source: id, local: record.metadata.id))
            record.show(of: prefix.name, at: id.address) { shortIDs.text($0, prefix) }
            record.discussionPage = discussion?.absoluteString
            record.sourceTitle = title
        }
    }

    private func source(_ id: SourceID) -> Source {
        Source(
            id, title: shownTitle(of: id), shortIDs,
            discussionPage: isForPages ? { [library] in library.discussionPage(of: $0) } : nil)
    }

    /// The title of a source; nil if it has none, or if only one source is shown.
    private func shownTitle(of source: SourceID) -> String? { isOfOneSource ? nil : shortIDs.title(of: source) }

    /// The title of a source, or else its name; nil if only one source is shown.
    package func title(of source: SourceID) -> String? {
        isOfOneSource ? nil : shownTitle(of: source) ?? shortIDs.name(of: source)
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
        group == shortIDs.name(of: source) ? heading(group, shownTitle(of: source)) : group
    }

    private func heading(_ name: String, _ title: String?) -> String {
        guard let title, title != name else { return name }
        return "\(title) (\(name))"
    }

    /// The groups of a list by source, with their headings.
    func headings(ofSources groups: [PostGroup]) -> [PostGroup] {
        let titles = isOfOneSource ? [:] : shortIDs.titles
        return groups.map { PostGroup(name: heading($0.name, titles[$0.name]), count: $0.count) }
    }
}
