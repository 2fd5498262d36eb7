import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// The pages that two or more of the followed sources linked to in the last week: ``LinkedPages``.
///
/// A page that is a post of one of them is that post. Any other is a post of this source from its first list on, numbered by
/// the store and identified by its address; its text is the page's article.
package struct LinkedSource: Source {
    package static let kind = SourceKind(
        name: SourceID.linkedKind, defaultAddress: SourceID.linkedKind,
        description: "the pages that your sources link to",
        capabilities: Capabilities(orders: [.rank], includesBodies: true), isLocal: true
    ) { _, _ in LinkedSource() }

    static let sourceID = SourceID(kind: kind.name, address: kind.defaultAddress ?? "")

    package var id: SourceID { Self.sourceID }

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh { .nothingToRequest(since) }

    /// A page as a post without its article.
    static func entry(for page: LinkedPage) -> Entry {
        let host = URL(address: page.link)?.host().map { HostName.shown($0) } ?? ""
        let metadata = PostMetadata(
            id: page.link, title: page.title ?? page.link, publishDate: page.date, postId: page.link,
            summary: nil, author: Author(name: host), link: page.link)
        return Entry(
            metadata, content: Entry.Content("", .html),
            numbering: Entry.Numbering(hasDate: true, distinction: .address))
    }
}

extension Refresh {
    /// Of a source that isn't on the network.
    static func nothingToRequest(_ since: Checkpoint?) -> Refresh {
        let known = since?.validators ?? CacheValidators(etag: nil, lastModified: nil)
        return .unchanged(Checkpoint(validators: known, digest: since?.digest), wasSent: false)
    }
}

extension SourceID {
    /// Whether its posts are web pages, which have no text but their articles.
    package var isOfPages: Bool { isPageSource || isLinked }
}
