import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore

extension Library {
    /// The base address of relative links in a source's posts; nil if unknown.
    package func site(of source: SourceID) async throws -> URL? {
        try await store.source(source)?.site.flatMap { URL(address: $0) }
    }

    /// Whether a source is or was followed under a name.
    package func hasSource(named name: String) async throws -> Bool { try await store.source(named: name) != nil }

    /// The source with a name, or of the kind with that name.
    func source(named name: String, in scope: Scope) async throws -> SourceID? {
        if let named = try await store.source(named: name) { return named.id }
        guard let kind = SourceRegistry.kind(named: name) else { return nil }
        let sources = if case .sources(let sources) = scope { sources } else { [defaultSource] }
        return try await source(ofKind: kind, in: sources)
    }

    /// The source that the name of a kind refers to: one in the scope, else the only followed one, else the one at the
    /// kind's default address.
    private func source(ofKind kind: SourceKind, in sources: [SourceID]) async throws -> SourceID? {
        if let source = sources.first(where: { $0.kind == kind.name }) { return source }
        let followed = try await store.followedSources().filter { $0.id.kind == kind.name }
        return followed.count == 1 ? followed[0].id : kind.source(at: nil)
    }

    /// Reads a post with its body.
    ///
    /// This takes one request if the metadata is stored, and none if the body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``LibraryError/unreachable(_:)`` or
    /// ``LibraryError/postNotStored(id:_:)`` if it can't be fetched now, or a ``FetchError`` or ``StoreError``.
    ///
    /// - Parameters:
    ///   - post: the post.
    ///   - choice: whether to read the linked article instead of the post's own body. Without one,
    ///     ``ReadPost/articleError`` says why.
    ///   - isExplicit: whether the user asks for this article now, so that a page without one is requested again.
    public func read(
        _ post: PostID, article choice: ArticleChoice = .never, isExplicit: Bool = false
    ) async throws -> ReadPost {
        try await readInParts(post, article: choice, isExplicit: isExplicit).whole()
    }

    /// The same, but a body that is too long for memory is only opened.
    package func readInParts(
        _ post: PostID, article choice: ArticleChoice = .never, isExplicit: Bool = false
    ) async throws -> ReadPost {
        let reader = try reader(of: post.source)
        let choice = post.source.isPageSource ? .always : choice
        guard choice != .never else { return try await reader.read(id: post.local) }
        let read: ReadPost
        do {
            read = try await reader.read(id: post.local)
        } catch SourceError.noBody(let id, let url) {
            guard let metadata = try await storedMetadata(of: post) else { throw SourceError.noBody(id: id, url) }
            read = ReadPost(metadata, .text(""), .plain, .store(fetchedAt: now()))
        }
        return try await adding(article: choice, to: read, post, isExplicit: isExplicit)
    }

    /// The stored metadata of a post; nil if it isn't stored.
    public func storedMetadata(of post: PostID) async throws -> PostMetadata? {
        try await store.metadata(id: post.local, of: post.source)
    }

    /// The stored metadata and marks of a post; nil if it isn't stored.
    package func markedPost(_ post: PostID) async throws -> (metadata: PostMetadata, state: PostState)? {
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

    /// The comments on a post that was just read, in the source's order; none if the source has no discussions.
    ///
    /// Replies are fetched level by level, each level concurrently, so the time grows with the depth of the thread.
    public func comments(
        on read: ReadPost, of source: SourceID, _ selection: CommentSelection = CommentSelection()
    ) throws -> CommentStream {
        try reader(of: source).comments(on: read, selection)
    }

    /// Records that comments were seen, so that the next reading can tell which are new.
    public func noteSeen(comments ids: [String], of source: SourceID) async throws {
        try await store.noteSeen(ids, of: source)
    }

    /// The web page where people discuss a post; nil if its source has no discussions.
    public func discussionPage(of post: PostID) -> URL? {
        source(post.source)?.discussionPage(of: post.local)
    }
}

/// A post that was read, and where its body came from.
public struct ReadPost: Sendable {
    /// The post.
    public let post: Post
    /// Where its body came from.
    public let origin: Origin
    /// The body, if it is too long for memory; that of ``post`` is empty then.
    package let longBody: (any LongText)?
    /// The linked article, whose text is the body of ``post``; nil if it was read without one.
    public private(set) var article: LinkedArticle?
    /// Why the article is missing or outdated; nil if it is neither.
    public private(set) var articleError: (any Error)?
    /// The user's selector for article bodies, if it matched nothing in the page that was just fetched.
    package private(set) var unmatchedRule: String?

    /// This post with an article as its body.
    func with(
        _ article: LinkedArticle, because error: (any Error)? = nil, unmatchedRule: String? = nil
    ) -> ReadPost {
        let metadata = post.metadata
        var read = ReadPost(metadata, .text(article.body), article.format, origin)
        (read.article, read.articleError, read.unmatchedRule) = (article, error, unmatchedRule)
        return read
    }

    /// This post with its body in memory, however long that is.
    func whole() throws -> ReadPost {
        guard let longBody else { return self }
        var read = ReadPost(post.metadata, .text(try longBody.whole()), post.bodyFormat, origin)
        (read.article, read.articleError, read.unmatchedRule) = (article, articleError, unmatchedRule)
        return read
    }

    /// This post without its article.
    func without(articleBecause error: any Error) -> ReadPost {
        var read = self
        read.articleError = error
        return read
    }

    /// Where a body came from.
    public enum Origin: Sendable {
        /// The server, just now.
        case server
        /// The server, just now, but the store was too busy to keep it.
        case serverNotStored
        /// The store, which has a current copy.
        case store(fetchedAt: Date)
        /// The store, although the server may have a newer copy, because requests are off (nil) or the request failed.
        case outdated(fetchedAt: Date, because: (any Error)?)
    }
}

extension ReadPost {
    init(_ metadata: PostMetadata, _ content: BodyContent, _ format: BodyFormat?, _ origin: Origin) {
        var (body, longBody): (String, (any LongText)?) = ("", nil)
        switch content {
        case .text(let text): body = text
        case .long(let text): longBody = text
        case .unchanged: break
        }
        let post = Post(id: metadata.postId, metadata: metadata, body: body, bodyFormat: format)
        self.init(post: post, origin: origin, longBody: longBody)
    }
}
