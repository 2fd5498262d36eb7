import BlogEssentials
import BlogHTTP
import BlogMarkup
import BlogModel
import BlogStore

/// What is waiting for the server of a service, and what is yet to come from there.
public struct ServiceState: Hashable, Sendable {
    /// How many feeds it has.
    public let feeds: Int
    /// How many marks its server has yet to be told, also those of posts that it doesn't have any more.
    public let unsentMarks: Int
    /// How many of them wait until it has their posts again.
    package let marksWithoutPost: Int
    /// Since when the oldest of them waits; nil if there are none.
    public let unsentSince: Date?
    /// How many posts have yet to be fetched.
    public let missingPosts: Int
    /// How many posts the server lists but doesn't send.
    public let lostPosts: Int
    /// The labels of marks that can't be sent, because folders of the server have these names.
    package let heldLabels: [String]

    init(_ facts: ServiceFacts) {
        (feeds, unsentMarks, unsentSince) = (facts.feeds, facts.unsent + facts.withoutPost, facts.unsentSince)
        marksWithoutPost = facts.withoutPost
        (missingPosts, lostPosts, heldLabels) = (facts.missing, facts.lost, facts.heldLabels)
    }
}

/// A source and its state.
public struct SourceState: Hashable, Sendable {
    /// Kind and address.
    public let id: SourceID
    /// Its name, or that of its kind if it was never followed.
    public let name: String
    /// The folder that it is in; "" for none.
    public private(set) var folder = ""
    /// The user's title for it, or else its own; nil if neither is known.
    public private(set) var title: String?
    /// The title, or else the name.
    package var displayName: String { title ?? name }
    /// Whether it is followed; the default source is, from its first list until another is followed.
    public private(set) var isFollowed = false
    /// Whether it is the default source, which is read because no other is followed.
    package let isSubstitute: Bool
    /// Whether this version can fetch it: the store may have sources of a kind added in a later one.
    public var isKnown: Bool { SourceRegistry.isKnown(id) }
    /// How many posts it lists.
    public private(set) var posts = 0
    /// How many of them are stored with their bodies.
    public private(set) var bodies = 0
    /// How many comments are stored.
    public private(set) var comments = 0
    /// How many of its listed posts are unread.
    public private(set) var unread = 0
    /// The base address of relative links in its posts; nil if unknown.
    public private(set) var site: String?
    /// How long its posts are kept; nil for the default.
    public private(set) var keep: Retention?
    /// When its posts are read with the linked articles; nil for the default.
    public private(set) var article: ArticleChoice?
    /// How often it is refreshed automatically; nil for the default.
    public private(set) var every: RefreshInterval?
    /// When the list was last fetched or found unchanged; nil if never.
    public private(set) var refreshedAt: Date?
    /// When it is due to be refreshed together with others; nil if it is due now.
    public private(set) var dueAt: Date?
    /// Its permanent new address, according to its server; nil if it hasn't moved.
    public private(set) var movedTo: String?
    /// The user's title for it; nil for none.
    package private(set) var label: String?
    /// How the last refresh failed; nil if it succeeded.
    ///
    /// A source that worked isn't missing, and its server doesn't refuse requests, before it has failed three times: some
    /// servers do so at random.
    public private(set) var problem: RefreshProblem?
    /// Whether it has failed so often that the user should look for another address, and `blog` can.
    package var needsRepair: Bool { !isHiccup && Capabilities(of: [id]).canBeRepaired }
    /// Whether it has failed so few times that it may well work again.
    private var isHiccup: Bool {
        failures < Politeness.hiccups && (refreshedAt != nil || problem == .unreachable)
    }
    private var failures = 0
    /// Why it failed, in words: "HTTP 404 Not Found"; nil if it succeeded, or the reason isn't known.
    public private(set) var reason: String?
    /// When the last refresh failed; nil if it succeeded.
    public private(set) var failedAt: Date?
    /// What is waiting for its server, or to come from there; nil unless it is a service.
    public private(set) var service: ServiceState?
    /// The address of the feed at its service; nil unless it is one.
    public private(set) var feed: String?
    /// The address of the site that its list says it is of; nil if unknown.
    package private(set) var home: String?

    /// A list of posts of others, with their numbers.
    init(list: StoredSource, _ counts: ListCounts?, now: Date) {
        self.init(list, now: now)
        (posts, unread) = (counts?.posts ?? 0, counts?.unread ?? 0)
        bodies = posts
    }

    /// - Parameters:
    ///   - facts: the numbers of a service; nil for any other source.
    ///   - unread: how many unread posts its list has; nil if they aren't counted.
    init(
        _ source: StoredSource, _ facts: ServiceFacts? = nil, unread: Int? = nil, isSubstitute: Bool = false, now: Date
    ) {
        id = source.id
        self.isSubstitute = isSubstitute
        name = source.name ?? SourceRegistry.prefix(of: source.id)
        folder = source.folder
        title = source.title
        label = source.label
        isFollowed = source.isFollowed || isSubstitute && source.hasList
        posts = facts?.posts ?? source.posts
        bodies = facts?.bodies ?? source.bodies
        comments = source.comments
        self.unread = unread ?? facts?.unread ?? source.unread
        service = facts.map { ServiceState($0) }
        feed = source.feed
        movedTo = source.movedTo
        (site, home) = (source.site, source.home)
        keep = source.keep
        article = source.article
        every = source.every
        refreshedAt = source.refreshedAt
        dueAt = source.dueAt.flatMap { $0 > now ? $0 : nil }
        failures = source.failures
        fail(source.problem, because: source.reason)
        failedAt = source.failedAt
    }

    private mutating func fail(_ problem: RefreshProblem?, because reason: String?) {
        (self.problem, self.reason) = (problem, reason)
        switch problem {
        case .missing where isHiccup, .refused where isHiccup: self.problem = .failed
        case .moved:
            movedTo = reason
            self.reason = reason.map { RefreshProblem.moved(to: $0).text }
        default: break
        }
    }

    /// This source after a failed refresh.
    package func failing(with error: any Error, at date: Date) -> SourceState {
        var state = self
        state.fail(RefreshProblem(error), because: RefreshProblem.reason(of: error))
        state.failedAt = failedAt ?? date
        return state
    }

    /// A source that isn't stored.
    package init(_ source: SourceID, isSubstitute: Bool = false) {
        id = source
        self.isSubstitute = isSubstitute
        name = SourceRegistry.prefix(of: source)
    }
}
