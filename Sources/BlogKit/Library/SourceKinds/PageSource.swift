import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel

/// The web pages that the user read or saved by their addresses.
///
/// Each page is a post whose link is the page, numbered by the store and identified by its address; its text is the
/// linked article. Only these pages are ever requested.
package struct PageSource: Source {
    package static let kind = SourceKind(
        name: "page", aliases: ["pages"], defaultAddress: "pages", description: "single web pages",
        capabilities: Capabilities(includesBodies: true), isLocal: true
    ) { _, _ in PageSource() }

    /// The only source of this kind.
    static let sourceID = SourceID(kind: kind.name, address: kind.defaultAddress ?? "")

    package var id: SourceID { Self.sourceID }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh { .nothingToRequest(since) }

    /// A page as a post, with its article if it was read.
    static func entry(for url: URL, _ fetched: FetchedArticle? = nil) -> Entry {
        let article = fetched?.article
        let file = article == nil || url.lastPathComponent == "/" ? "" : url.lastPathComponent
        let title = [article?.title, file, url.absoluteString].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        let author = article?.author ?? article?.site ?? url.host().map { HostName.shown($0) } ?? ""
        let metadata = PostMetadata(
            id: url.absoluteString, title: title, publishDate: article?.publishDate ?? Timestamp(secondsSince1970: 0),
            postId: url.absoluteString, summary: fetched?.excerpt, author: Author(name: author),
            link: article?.address ?? url.absoluteString)
        return Entry(
            metadata, content: Entry.Content("", .html),
            numbering: Entry.Numbering(hasDate: article?.publishDate != nil, distinction: .address))
    }
}

extension SourceID {
    /// Whether this is the source of single pages.
    package var isPageSource: Bool { kind == PageSource.kind.name }
}
