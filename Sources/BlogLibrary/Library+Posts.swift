import Essentials
import HTTP
import Model
import Store

extension Library {
    /// The base address of relative links in a source's posts; nil if unknown.
    package func site(of source: SourceID) async throws -> URL? {
        try await store.source(source)?.site.flatMap { URL(address: $0) }
    }

    /// Whether a source is or was followed under a name.
    package func hasSource(named name: String) async throws -> Bool { try await store.source(named: name) != nil }

    /// The source with a name, or of a kind with that name.
    func source(named name: String, in scope: Scope) async throws -> SourceID? {
        if let named = try await store.source(named: name) { return named.id }
        guard let kind = SourceRegistry.kind(named: name) else { return nil }
        let sources = if case .sources(let sources) = scope { sources } else { [defaultSource] }
        return try await source(ofKind: kind, in: sources)
    }

    /// The source that a kind's name means: one of those in the scope, else the one that is followed, else the one
    /// at the kind's usual address.
    private func source(ofKind kind: SourceKind, in sources: [SourceID]) async throws -> SourceID? {
        if let asked = sources.first(where: { $0.kind == kind.name }) { return asked }
        let followed = try await store.followedSources().filter { $0.id.kind == kind.name }
        return followed.count == 1 ? followed[0].id : kind.source(at: nil)
    }

    /// Reads a post with its body.
    ///
    /// If its metadata is stored, this takes one request, or none if its body is stored too.
    ///
    /// Throws ``SourceError/noSuchPost(id:_:)`` for an unknown id, ``LibraryError/unreachable(_:)`` or
    /// ``LibraryError/postNotStored(id:_:)`` if it can't be fetched now, or a ``FetchError`` or ``StoreError``.
    ///
    /// - Parameters:
    ///   - post: the post.
    ///   - choice: whether it is read with the article behind its link, which is then its body. Without one,
    ///     ``ReadPost/articleError`` says why.
    ///   - isAsked: whether somebody asks for the article now, so that a page that gave none before is requested again.
    ///   - receive: gets the body's text in chunks if it takes long: of a post that the server sends, while the rest is
    ///     still arriving, unless another copy is stored to fall back on; of a stored one that is too long for memory.
    ///     After that, an error may still be thrown. It gets nothing of a post that is read with its article.
    ///   - isCompleteOnly: whether `receive` gets only a body that has come whole, from the store.
    public func read(
        _ post: PostID, article choice: ArticleChoice = .never, isAsked: Bool = false, receive: TextReceiver? = nil,
        isCompleteOnly: Bool = false
    ) async throws -> ReadPost {
        let reader = try reader(of: post.source)
        let choice = post.source.isPageSource ? .always : choice
        guard choice != .never else {
            return try await reader.read(id: post.local, receive: receive, isCompleteOnly: isCompleteOnly)
        }
        let read: ReadPost
        do {
            read = try await reader.read(id: post.local)
        } catch SourceError.noBody(let id, let url) {
            guard let metadata = try await storedMetadata(of: post) else { throw SourceError.noBody(id: id, url) }
            read = ReadPost(metadata, body: "", .plain, .store(fetchedAt: now()))
        }
        return try await adding(article: choice, to: read, post, isAsked: isAsked)
    }

    /// The stored metadata of a post; nil if it isn't stored.
    public func storedMetadata(of post: PostID) async throws -> PostMetadata? {
        try await store.metadata(id: post.local, of: post.source)
    }

    /// The stored metadata of a post, and its marks; nil if it isn't stored.
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
    /// Replies are fetched level by level, all of a level concurrently, so the time grows with the depth of the thread.
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
    /// The complete post.
    public let post: Post
    /// Where its body came from.
    public let origin: Origin
    /// Whether the body is so long that it was only delivered in chunks; the body of ``post`` is empty then.
    public let wasGiven: Bool
    /// The article behind its link, whose text is the body of ``post``; nil if it was read without one.
    public private(set) var article: LinkedArticle?
    /// Why it was read without the article that was asked for, or with an old copy of it; nil if it was not.
    public private(set) var articleError: (any Error)?
    /// The selector for bodies of articles of its source, if the page was fetched now and nothing in it matches.
    package private(set) var unmatchedRule: String?

    /// The same with an article in place of its own text.
    func with(
        _ article: LinkedArticle, because error: (any Error)? = nil, unmatchedRule: String? = nil
    ) -> ReadPost {
        let metadata = post.metadata
        var read = ReadPost(metadata, body: article.body, article.format, origin)
        (read.article, read.articleError, read.unmatchedRule) = (article, error, unmatchedRule)
        return read
    }

    /// The same without the article that was asked for.
    func without(articleBecause error: any Error) -> ReadPost {
        var read = self
        read.articleError = error
        return read
    }

    /// Where a body came from.
    public enum Origin: Sendable {
        /// The server, just now.
        case server
        /// The server, just now, but it was not stored because the store was busy.
        case serverNotStored
        /// The store, which has a current copy.
        case store(fetchedAt: Date)
        /// The store, though the server may have a newer one, because requests are off (nil) or the request failed.
        case outdated(fetchedAt: Date, because: (any Error)?)
    }
}

extension ReadPost {
    init(
        _ metadata: PostMetadata, body: String, _ format: BodyFormat?, _ origin: Origin, wasGiven: Bool = false
    ) {
        let post = Post(id: metadata.postId, metadata: metadata, body: body, bodyFormat: format)
        self.init(post: post, origin: origin, wasGiven: wasGiven)
    }
}
