import Foundation
import Model
import Store

/// A source and how it stands.
public struct SourceState: Hashable, Sendable {
    /// Kind and address.
    public let id: SourceID
    /// What it is called: its name, or that of its kind where it was never followed.
    public let name: String
    /// The folder that it is in; "" for none.
    public let folder: String
    /// What people call it, else what it calls itself; nil if neither is known.
    public let title: String?
    /// Whether it is followed.
    public let isFollowed: Bool
    /// Whether this program can fetch it: a store may have posts of a kind that only another version knows.
    public let isKnown: Bool
    /// How many posts it lists.
    public let posts: Int
    /// How many of them are stored with their bodies.
    public let bodies: Int
    /// How many comments are stored.
    public let comments: Int
    /// How many of its listed posts have not been read.
    public let unread: Int
    /// The address that relative links of its posts are of; nil where nothing says.
    public let site: String?
    /// How long its posts are kept; nil for as long as all others.
    public let keep: Retention?
    /// When the list was last fetched or found unchanged; nil if never.
    public let refreshedAt: Date?
    /// When a list of several sources will refresh it again; nil for the next time.
    public let dueAt: Date?
    /// Where it has moved for good, as its server says; nil where it has not.
    public let movedTo: String?
    /// How the last refresh ended, if it gave no list; nil where it did.
    public private(set) var problem: RefreshProblem?
    /// When that was.
    public private(set) var failedAt: Date?

    init(_ source: StoredSource, now: Date, _ typedIDs: TypedIDs? = nil) {
        id = source.id
        name = typedIDs?.name(of: source.id) ?? source.name ?? source.id.kind
        folder = source.folder
        title = source.title
        isFollowed = source.isFollowed
        isKnown = SourceRegistry.isKnown(source.id)
        posts = source.posts
        bodies = source.bodies
        comments = source.comments
        unread = source.unread
        movedTo = source.movedTo
        site = source.site
        keep = source.keep
        refreshedAt = source.refreshedAt
        dueAt = source.dueAt.flatMap { $0 > now ? $0 : nil }
        problem = source.problem
        failedAt = source.failedAt
    }

    /// The same after a refresh that gave no list.
    package func failing(_ problem: RefreshProblem, at date: Date) -> SourceState {
        var state = self
        state.problem = problem
        state.failedAt = failedAt ?? date
        return state
    }

    /// A source of which nothing is stored.
    init(_ id: SourceID, _ typedIDs: TypedIDs) {
        self.id = id
        name = typedIDs.name(of: id)
        folder = ""
        title = nil
        isFollowed = false
        isKnown = SourceRegistry.isKnown(id)
        (posts, bodies, comments, unread) = (0, 0, 0, 0)
        (refreshedAt, dueAt, problem, failedAt, movedTo, site, keep) = (nil, nil, nil, nil, nil, nil, nil)
    }
}
