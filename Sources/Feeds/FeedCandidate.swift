import Foundation
import HTTP

/// An address at which there may be a feed.
///
/// It was named by a page that can't be trusted: what it leads to is a feed only once it has been read.
package struct FeedCandidate: Hashable, Sendable {
    /// How an address was found, best first.
    package enum Origin: Hashable, Sendable {
        /// It follows from the page's address, by a rule of its site.
        case site
        /// The page names it as its feed, in a `link`.
        case alternate
        /// The page links to it, and it ends as feeds do.
        case anchor
    }

    /// What a feed seems to be about, by its title and address.
    package enum Subject: Hashable, Sendable {
        case posts
        case podcast
        case comments
    }

    /// An address of http or https, without a user name or a fragment.
    package let url: URL
    /// What the page calls it, in one line; nil where it doesn't.
    ///
    /// It is the page's text: whoever shows it has to make it harmless.
    package let title: String?
    package let origin: Origin
    package let subject: Subject
    /// Whether it is on another host than the page, as the feeds of other people in a list of links are.
    package let isElsewhere: Bool

    package init(
        url: URL, title: String? = nil, origin: Origin, subject: Subject = .posts, isElsewhere: Bool = false
    ) {
        self.url = url
        self.title = title
        self.origin = origin
        self.subject = subject
        self.isElsewhere = isElsewhere
    }

    /// How likely it is what somebody wants who names the page; the higher, the likelier.
    ///
    /// A feed of posts that is linked to counts before a feed of comments that is named as the page's own.
    package var score: Int {
        var score =
            switch origin {
            case .site: 200
            case .alternate: 100
            case .anchor: 50
            }
        switch subject {
        case .posts: break
        case .podcast: score -= 20
        case .comments: score -= 60
        }
        // Many sites leave their feed to a service, but name it as their own then.
        if isElsewhere && origin == .anchor { score -= 30 }
        return score
    }
}
