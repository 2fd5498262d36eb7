import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// Reads a post by its ID, or any web page by its address.
package struct PageReading: Sendable {
    let connections: Connections
    let lookup: PostLookup
    let articles: ArticleFetching

    private var store: PostStore { connections.store }

    /// The post with an ID or link, or a new post for any other web address, and why its article couldn't be read.
    ///
    /// Throws what ``post(_:in:)`` throws, or a ``FetchError`` if the page can't be read.
    ///
    /// - Parameter keepsUnreadable: whether to keep an address without an article; `problem` then says why it has
    ///   none.
    package func postOrPage(
        _ typed: String, in scope: Scope = .everything, keepsUnreadable: Bool = false
    ) async throws -> (post: PostID, isNew: Bool, problem: (any Error)?) {
        var typed = typed
        if let address = Self.address(typed), try await lookup.storedPost(withID: typed, in: scope) == nil {
            guard SourceAddress.page(address) != nil else { throw LibraryError.badAddress(typed) }
            typed = address
        }
        do {
            return (try await lookup.post(typed, in: scope), false, nil)
        } catch let error as LibraryError {
            guard case .noSuchPost = error, let url = SourceAddress.page(typed) else { throw error }
            let (post, problem) = try await addPage(at: url, keepsUnreadable: keepsUnreadable)
            return (post, true, problem)
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

    private func addPage(at url: URL, keepsUnreadable: Bool) async throws -> (PostID, problem: (any Error)?) {
        do {
            guard connections.freshness != .offline else { throw PageError.notStored(url) }
            let response = try await articles.request(url, isTyped: true)
            // It may be refreshed later by its ID.
            if !response.isPublic {
                try await store.write { try StoredOrigins($0).add(OriginUse(), of: "\(Origin(url))") }
            }
            let fetched = try WebPage.article(in: response, ArticleRules(), at: connections.now())
            let post =
                if let known = try await store.read({ try Posts($0).find(withLink: fetched.article.address) }) {
                    known
                } else {
                    try await add(PageSource.entry(for: url, fetched))
                }
            try await articles.keep(fetched.article, response, of: post)
            return (post, nil)
        } catch let error as HTTPError where error.isUnreachable && !keepsUnreadable {
            throw LibraryError.unreachable(error)
        } catch let error as any FetchError where keepsUnreadable {
            let post = try await add(PageSource.entry(for: url))
            if connections.freshness != .offline { try await articles.noteProblem(error, of: post) }
            return (post, error)
        }
    }

    private func add(_ entry: Entry) async throws -> PostID {
        let pages = try await followedPages()
        return try await store.write { try Posts($0).addNumbered(entry, to: pages, at: connections.now()) }
    }

    /// Follows the source of single pages again.
    package func follow() async throws { _ = try await followedPages() }

    /// The source of single pages, which is followed as soon as it has a page.
    private func followedPages() async throws -> SourceID {
        let id = PageSource.sourceID
        let stored = try await store.read { try Sources($0).find(id) }
        guard stored?.isFollowed != true else { return id }
        _ = try await store.writeToDisk {
            try Sources($0).follow(id, in: nil, site: nil, at: connections.now()) { isTaken in
                try SourceName.chosen(
                    for: id, FollowRequest(PageSource.kind.idPrefix), before: stored?.name, isTaken: isTaken)
            }
        }
        return id
    }
}
