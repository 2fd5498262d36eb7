import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel

/// The part of a post to open in the browser.
package enum PostTarget {
    /// Its web page, or else its discussion, or else a generated page.
    case page
    /// The link with this number in its text.
    case link(Int)
    case discussion
    /// A page generated from its text.
    case ownPage

    /// The address to open.
    ///
    /// Throws a ``PostTargetError``, or any error of reading the post.
    ///
    /// - Parameters:
    ///   - presentation: how posts and sources are named, and whether articles are shown.
    ///   - pages: generates pages, which are written next to the store.
    package func address(
        of post: PostID, in library: Library, _ presentation: Presentation, _ pages: PageMaker, storePath: String
    ) async throws -> String {
        let shortIDs = presentation.shortIDs
        if case .discussion = self {
            let posts = try await [post] + library.duplicates(of: post).map(\.id)
            guard let page = posts.lazy.compactMap({ library.discussionPage(of: $0) }).first else {
                throw PostTargetError.noDiscussion(shortIDs.name(of: post.source))
            }
            return page.absoluteString
        }
        let articles = try await library.reading.articles.choice(presentation.articles, for: post.source)
        let read = try await library.read(post, article: articles)
        switch self {
        case .link(let number): return try await link(number, in: read, of: post, library, shortIDs)
        case .page:
            if let link = read.post.metadata.link.flatMap({ LinkTarget.safe($0) }) { return link }
            // A post without a link is its own discussion.
            if let page = library.discussionPage(of: post) { return page.absoluteString }
        case .discussion, .ownPage: break
        }
        let text = try await pages.page(read, of: post.source)
        let cache = PageCache(storePath: storePath)
        return try cache.write(text, of: post, title: read.post.metadata.title).absoluteString
    }

    private func link(_ number: Int, in read: ReadResult, of id: PostID, _ library: Library, _ shortIDs: ShortIDs)
        async throws -> String
    {
        let post = read.post
        let page = read.article.flatMap { URL(address: $0.address) }
        let site = try await library.directory.site(of: id.source)
        let targets = DocumentRenderer.targets(
            of: BodyText.document(of: post.metadata, body: post.body, format: post.bodyFormat), site: page ?? site,
            server: URL(address: id.source.address))
        guard number <= targets.count else {
            throw PostTargetError.noLink(number, count: targets.count, post: shortIDs.text(id))
        }
        let target = targets[number - 1]
        guard LinkTarget.safe(target) != nil else {
            if LinkTarget.foreign(target) != nil {
                throw PostTargetError.foreignLink(number, target, post: shortIDs.text(id))
            }
            throw PostTargetError.relativeLink(
                number, target, post: shortIDs.text(id), source: id.source.address)
        }
        return target
    }
}

/// A reason why a post or a part of it can't be opened.
package enum PostTargetError: ExplainedError {
    case noDiscussion(String)
    case noLink(Int, count: Int, post: String)
    case foreignLink(Int, String, post: String)
    case relativeLink(Int, String, post: String, source: String)

    package func explanation(repeating options: RepeatedOptions) -> Explanation {
        switch self {
        case .noDiscussion(let source): Explanation("no-discussion", "\(source) has no discussion pages.")
        case .noLink(_, count: 0, let post):
            Explanation("no-such-link", "The post “\(post)” has no links.", exit: .noSuchPost)
        case .noLink(let number, let count, let post):
            Explanation(
                "no-such-link", "The post “\(post)” has no link \(number): it has \(Counted.of(count, "link")).",
                exit: .noSuchPost)
        case .foreignLink(let number, let target, let post):
            Explanation("foreign-link", "Link \(number) of “\(post)” isn't for a browser: \(target)")
        case .relativeLink(let number, let target, let post, let source):
            Explanation(
                "relative-link", "Link \(number) of “\(post)” is relative (\(target)), and the site is unknown.",
                hint: "To set it: blog follow \(source) --site URL")
        }
    }
}
