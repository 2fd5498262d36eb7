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

    /// The page where people discuss a post or one of its duplicates.
    ///
    /// Throws a ``PostTargetError``.
    package static func discussion(
        of post: PostID, _ duplicates: [Duplicate], in library: Library, _ shortIDs: ShortIDs
    ) throws -> String {
        let posts = [post] + duplicates.map(\.id)
        guard let page = posts.lazy.compactMap({ library.discussionPage(of: $0) }).first else {
            throw PostTargetError.noDiscussion(shortIDs.name(of: post.source))
        }
        return page.absoluteString
    }

    /// Whether it may be on the web.
    package var isPublished: Bool { if case .ownPage = self { false } else { true } }

    /// The address of a page or link of a post that was read; nil for a page that is to be made of its text.
    ///
    /// Throws a ``PostTargetError``.
    package func address(in read: ReadPost, of library: Library, _ shortIDs: ShortIDs) throws -> String? {
        switch self {
        case .link(let number): try link(number, in: read, shortIDs)
        // A post without a link is its own discussion.
        case .page:
            read.text.post.metadata.link.flatMap { LinkTarget.safe($0) }
                ?? library.discussionPage(of: read.id)?.absoluteString
        case .discussion: try Self.discussion(of: read.id, read.duplicates, in: library, shortIDs)
        case .ownPage: nil
        }
    }

    private func link(_ number: Int, in read: ReadPost, _ shortIDs: ShortIDs) throws -> String {
        let (id, post) = (read.id, read.text.post)
        let targets = DocumentRenderer.targets(
            of: BodyText.document(of: post.metadata, body: post.body, format: post.bodyFormat), site: read.site,
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
