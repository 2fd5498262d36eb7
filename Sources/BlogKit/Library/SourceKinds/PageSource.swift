import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

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

    package func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh {
        let known = since?.validators ?? CacheValidators(etag: nil, lastModified: nil)
        return .unchanged(Checkpoint(validators: known, digest: since?.digest), wasSent: false)
    }
}

extension SourceID {
    /// Whether this is the source of single pages.
    package var isPageSource: Bool { kind == PageSource.kind.name }
}

extension Library {
    /// The post with an ID or link, or a new post for any other web address.
    ///
    /// Throws what ``post(_:in:)`` throws, or a ``FetchError`` if the page can't be read.
    ///
    /// - Parameter keepsUnreadable: whether to keep an address without an article; ``AddedPage/problem`` then says why
    ///   it has none.
    package func postOrPage(
        _ typed: String, in scope: Scope = .everything, keepsUnreadable: Bool = false
    ) async throws -> AddedPage {
        var typed = typed
        if let address = Self.address(typed), try await storedPost(withID: typed, in: scope) == nil {
            guard SourceAddress.page(address) != nil else { throw LibraryError.badAddress(typed) }
            typed = address
        }
        do {
            return AddedPage(post: try await post(typed, in: scope))
        } catch let error as LibraryError {
            guard case .noSuchPost = error, let url = SourceAddress.page(typed) else { throw error }
            return try await addPage(at: url, keepsUnreadable: keepsUnreadable)
        }
    }

    /// Whether a text is the address of a page rather than an ID.
    package static func isAddress(_ text: String) -> Bool { address(text) != nil }

    /// The address in a text, with a scheme; nil for an ID.
    private static func address(_ text: String) -> String? {
        if text.contains("://") { return text }
        let isHost = text.first.map { $0.isLetter || $0.isNumber } ?? false
        return isHost && text.contains("/") ? SourceAddress.completed(text) : nil
    }

    private func addPage(at url: URL, keepsUnreadable: Bool) async throws -> AddedPage {
        do {
            guard freshness != .offline else { throw PageError.notStored(url) }
            let response = try await request(page: url)
            let fetched = try WebPage.article(in: response, ArticleRules(), at: now())
            let post =
                if let known = try await store.post(withLink: fetched.article.address) { known } else {
                    try await store.addNumbered(Self.entry(for: url, fetched), to: followedPages(), at: now())
                }
            try await keep(fetched.article, response, of: post)
            return AddedPage(post: post, isNew: true)
        } catch let error as HTTPError where error.isUnreachable && !keepsUnreadable {
            throw LibraryError.unreachable(error)
        } catch let error as any FetchError where keepsUnreadable {
            let post = try await store.addNumbered(Self.entry(for: url), to: followedPages(), at: now())
            if freshness != .offline { try await noteProblem(error, of: post) }
            return AddedPage(post: post, isNew: true, problem: error)
        }
    }

    /// Completes a page that was stored without its article with the article's title and other details.
    func describe(_ post: PostID, _ fetched: FetchedArticle) async throws {
        guard let url = try await storedMetadata(of: post).flatMap({ URL(address: $0.postId) }) else { return }
        _ = try await store.addNumbered(Self.entry(for: url, fetched), to: post.source, at: now())
    }

    private static func entry(for url: URL, _ fetched: FetchedArticle? = nil) -> Entry {
        let article = fetched?.article
        let file = article == nil || url.lastPathComponent == "/" ? "" : url.lastPathComponent
        let title = [article?.title, file, url.absoluteString].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        let author = article?.author ?? article?.site ?? url.host() ?? ""
        let metadata = PostMetadata(
            id: url.absoluteString, title: title, publishDate: article?.publishDate ?? Timestamp(secondsSince1970: 0),
            postId: url.absoluteString, summary: fetched?.excerpt, author: Author(name: author),
            link: article?.address ?? url.absoluteString)
        return Entry(
            metadata, content: Entry.Content("", .html),
            numbering: Entry.Numbering(hasDate: article?.publishDate != nil))
    }

    /// The source of single pages, which is followed as soon as it has a page.
    private func followedPages() async throws -> SourceID {
        let id = PageSource.sourceID
        let stored = try await store.source(id)
        guard stored?.isFollowed != true else { return id }
        _ = try await store.follow(id, in: nil, site: nil, at: now()) { isTaken in
            try SourceName.chosen(
                for: id, FollowRequest(PageSource.kind.idPrefix), before: stored?.name, isTaken: isTaken)
        }
        return id
    }
}

/// A post named by its ID, or a page named by its address.
package struct AddedPage: Sendable {
    package let post: PostID
    package var isNew = false
    /// Why its article couldn't be read; nil if it was.
    package var problem: (any Error)?
}
