import BlogEssentials
import BlogModel

/// A post as somebody reads it: its text, and what the library knows besides.
package struct ReadPost: Sendable {
    package let id: PostID
    /// Its text, and where that came from.
    package let text: ReadResult
    /// Its marks; nil if it isn't stored.
    package let state: PostState?
    package let duplicates: [Duplicate]
    /// The page of the linked article, or else the site of its source, if they are known.
    package let site: URL?
    /// Its comments as they arrive; nil if nobody can discuss it, or none are wanted.
    package let comments: CommentStream?
    /// Whether somebody asked for its article: the source's setting is none of their doing.
    package let isArticleExplicit: Bool

    /// Why an article that was asked for is missing or outdated; nil if it is neither, or if the source's setting asked for
    /// one and the post has no link.
    package var articleProblem: (any Error)? {
        if case PageError.noLink? = text.articleError, !isArticleExplicit { return nil }
        return text.articleError
    }

    /// Whether what was asked for was shown, so that it counts as read.
    package var isWhole: Bool { text.article != nil || text.articleError == nil || !isArticleExplicit }
}

extension Library {
    /// Reads a post for somebody, with the linked article if they or its source want that.
    ///
    /// Throws what ``read(_:article:isExplicit:)`` throws.
    ///
    /// - Parameters:
    ///   - selection: which comments to get; nil for none.
    ///   - isAddress: whether the post was named by the address of its page, so that a summary alone isn't enough.
    package func open(
        _ post: PostID, _ articles: ArticlePreference, comments selection: CommentSelection?, isAddress: Bool = false
    ) async throws -> ReadPost {
        var articles = articles
        if isAddress, articles.fallback == .never { articles.fallback = .auto }
        let isExplicit = isAddress || articles.explicit != nil
        let text = try await reading.read(
            post, article: reading.articles.choice(articles, for: post.source), isExplicit: isExplicit)
        let described = try await describe(post)
        let page = text.article.flatMap { URL(address: $0.address) }
        let site = try await directory.site(of: post.source)
        let selection = text.post.metadata.isDiscussed ? selection : nil
        return ReadPost(
            id: post, text: text, state: described?.state, duplicates: described?.duplicates ?? [], site: page ?? site,
            comments: try selection.map { try comments(on: text, of: post.source, $0) },
            // A page has no text but its article.
            isArticleExplicit: isExplicit || post.source.isOfPages)
    }
}
