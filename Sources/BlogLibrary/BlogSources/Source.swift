import Foundation
import HTTP
import Model

/// Where posts come from.
///
/// A source turns its own wire format into entries; nothing of the format leaves it. What differs between sources is in
/// ``capabilities`` and in what ``refresh(_:since:)`` gives, so nothing else needs to know which kind one is of. All
/// functions throw a ``FetchError`` or `CancellationError`, as reading what they give does.
package protocol Source: Sendable {
    /// The kind and the address that tell its posts from those of all others.
    var id: SourceID { get }
    var capabilities: Capabilities { get }

    /// What the source lists now, or that it has not changed.
    ///
    /// - Parameters:
    ///   - section: one of ``Capabilities/sections``; nil for the usual one.
    ///   - since: the cache state of the last refresh; nil for an unconditional request.
    func refresh(_ section: String?, since: Checkpoint?) async throws -> Refresh
    /// One post's metadata by its id, where it is not on the list.
    func metadata(id: String) async throws -> PostMetadata
    /// The body of a post, or that it is what the validators stand for.
    ///
    /// - Parameter isShown: whether the text is streamed as it arrives; such a request is not retried.
    func body(of metadata: PostMetadata, validators: CacheValidators?, isShown: Bool) async throws -> BodyResponse
    /// Whether it may get the address to which its server says that it has moved.
    func mayMove(to address: URL) -> Bool
    /// The page on the web where a post is discussed; nil if there is none.
    func discussionPage(of id: String) -> URL?
    /// The id of the post that a page on the web is about; nil if it is about none of this source.
    func id(ofPage page: URL) -> String?
}

extension Source {
    package func metadata(id: String) async throws -> PostMetadata { throw SourceError.noSuchPost(id: id, url) }

    package func body(
        of metadata: PostMetadata, validators: CacheValidators?, isShown: Bool
    ) async throws -> BodyResponse {
        throw SourceError.noBody(id: metadata.id, url)
    }

    package func mayMove(to address: URL) -> Bool { true }
    package func discussionPage(of id: String) -> URL? { nil }
    package func id(ofPage page: URL) -> String? { nil }

    /// The address of the source.
    package var url: URL { URL(string: id.address) ?? URL(filePath: "/") }
}

/// A source whose posts and comments are fetched one by one.
package protocol ItemFetching: Source {
    /// The item with an id: a post, a comment or a user; nil if there is none.
    func item(id: String) async throws -> Entry?
}

/// What a source can do.
package struct Capabilities: Hashable, Sendable {
    /// The names of its lists, the usual one first; none if it has but one.
    package let sections: [String]
    /// The orders that it supports in addition to those of every source.
    package let orders: Set<Sorting>
    /// Whether its posts have comments.
    package let hasComments: Bool
    /// The format of its bodies; nil if they may be anything.
    package let bodyFormat: BodyFormat?
    /// Whether bodies come with the list, so that none is ever fetched.
    package let bodiesComeAlong: Bool
    /// Whether the posts of a ranking come with it, so that none has to be fetched to be listed.
    package let postsComeAlong: Bool
    /// Whether comments come with the post that they are on, so that none is ever fetched.
    package let commentsComeAlong: Bool
    /// For how many seconds a ranking is fresh.
    package let rankingLifetime: TimeInterval

    package init(
        sections: [String] = [], orders: Set<Sorting> = [], hasComments: Bool = false, bodyFormat: BodyFormat? = nil,
        bodiesComeAlong: Bool = false, postsComeAlong: Bool = false, commentsComeAlong: Bool = false,
        rankingLifetime: TimeInterval = 0
    ) {
        self.sections = sections
        self.orders = orders
        self.hasComments = hasComments
        self.bodyFormat = bodyFormat
        self.bodiesComeAlong = bodiesComeAlong
        self.postsComeAlong = postsComeAlong
        self.commentsComeAlong = commentsComeAlong
        self.rankingLifetime = rankingLifetime
    }

    /// Whether it has its own ranking.
    package var isRanked: Bool { orders.contains(.rank) }

    /// What can be done with several sources together: lists and ranks are those of one.
    package static func union(_ all: [Capabilities], areSeveral: Bool) -> Capabilities {
        if !areSeveral, let first = all.first { return first }
        return Capabilities(
            orders: all.reduce(into: Set<Sorting>()) { $0.formUnion($1.orders) }.subtracting([.rank]),
            hasComments: all.contains(where: \.hasComments))
    }
}
