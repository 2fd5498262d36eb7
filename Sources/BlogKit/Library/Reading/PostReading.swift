import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

/// Reads posts with their bodies, and with the articles that they link to.
package struct PostReading: Sendable {
    let connections: Connections
    let fetching: ArticleFetching

    private var store: PostStore { connections.store }

    /// Adds articles to posts.
    package var articles: ArticleReading { ArticleReading(connections: connections, fetching: fetching) }

    /// Reads a post with its body; one that is too long for memory is only opened.
    ///
    /// This takes one request if the metadata is stored, and none if the body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``LibraryError/unreachable(_:)`` or
    /// ``LibraryError/postNotStored(id:_:)`` if it can't be fetched now, or a ``FetchError`` or ``StoreError``.
    ///
    /// - Parameters:
    ///   - choice: whether to read the linked article instead of the post's own body. Without one,
    ///     ``ReadPost/articleError`` says why.
    ///   - isExplicit: whether the user asks for this article now, so that a page without one is requested again.
    package func read(
        _ post: PostID, article choice: ArticleChoice = .never, isExplicit: Bool = false
    ) async throws -> ReadPost {
        let reader = try connections.reader(of: post.source)
        let choice = post.source.isPageSource ? .always : choice
        guard choice != .never else { return try await reader.read(id: post.local) }
        let read: ReadPost
        do {
            read = try await reader.read(id: post.local)
        } catch SourceError.noBody(let id, let url) {
            guard let metadata = try await store.metadata(id: post.local, of: post.source) else {
                throw SourceError.noBody(id: id, url)
            }
            read = ReadPost(metadata, .text(""), .plain, .store(fetchedAt: connections.now()))
        }
        return try await articles.adding(article: choice, to: read, post, isExplicit: isExplicit)
    }

    /// The stored metadata and marks of a post; nil if it isn't stored.
    package func marked(_ post: PostID) async throws -> (metadata: PostMetadata, state: PostState)? {
        try await store.marked(post)
    }

    /// The posts among these that are stored and unread.
    package func unread(among posts: [PostID]) async throws -> [PostID] {
        var unread: [PostID] = []
        for post in posts {
            let item = try await store.items([post.local], of: post.source)[post.local]
            if item?.state.isRead == false { unread.append(post) }
        }
        return unread
    }
}
