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

    /// Reads a post like ``Library/read(_:article:isExplicit:)``.
    package func read(
        _ post: PostID, article choice: ArticleChoice = .never, isExplicit: Bool = false
    ) async throws -> ReadResult {
        let reader = try connections.reader(of: post.source)
        let choice = post.source.isOfPages ? .always : choice
        guard choice != .never else { return try await reader.read(id: post.local) }
        let read: ReadResult
        do {
            read = try await reader.read(id: post.local)
        } catch SourceError.noBody(let id, let url) {
            guard let metadata = try await store.read({ try Posts($0).metadata(post.local, of: post.source) }) else {
                throw SourceError.noBody(id: id, url)
            }
            read = ReadResult(metadata, "", .plain, .store(fetchedAt: connections.now()))
        }
        return try await articles.adding(article: choice, to: read, post, isExplicit: isExplicit)
    }

    /// The stored metadata and marks of a post; nil if it isn't stored.
    package func marked(_ post: PostID) async throws -> (metadata: PostMetadata, state: PostState)? {
        try await store.read { try Posts($0).marked(post) }
    }

    /// The marks of those posts that are stored.
    package func states(of posts: [PostID]) async throws -> [PostID: PostState] {
        try await store.read { try Posts($0).states(of: posts) }
    }

    /// The posts among these that are stored and unread.
    package func unread(among posts: [PostID]) async throws -> [PostID] {
        var unread: [PostID] = []
        for post in posts {
            let item = try await store.read { try Items($0).find([post.local], of: post.source) }[post.local]
            if item?.state.isRead == false { unread.append(post) }
        }
        return unread
    }
}
