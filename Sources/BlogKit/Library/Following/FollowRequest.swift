import BlogEssentials
import BlogFeeds
import BlogModel
import BlogStore

/// A request to follow a source.
public struct FollowRequest: Hashable, Sendable {
    /// An http or https address, where https is the default scheme except for a loopback host; or the name of a kind,
    /// for its default address, or of a source that is or was followed.
    public var address: String
    /// The new address of a source that is followed, which keeps its posts, marks and name; nil to leave it unchanged.
    public var newAddress: String?
    /// The name of its kind; nil to detect it with requests to the server.
    public var kind: String?
    /// The prefix of its post IDs, `[a-z0-9-]+`; nil to derive one from its title or host.
    public var name: String?
    /// The name to use if it has none yet and this one is free.
    public var suggestedName: String?
    /// The folder to put it in, its parts joined with `/`; nil for none, or to keep the one it has.
    public var folder: String?
    /// The http or https base address of relative links in its posts; nil for none, or to keep the one it has.
    public var site: String?
    /// The user's title for it; "" for its own, nil to keep the one it has.
    public var title: String?
    /// How long to keep its posts; nil to leave that unchanged.
    public var keep: RetentionChoice?
    /// How often to refresh it automatically; nil to leave that unchanged.
    public var every: RefreshChoice?
    /// How to read its posts with their linked articles; empty to leave that unchanged.
    public var articles: [ArticleSetting] = []
    /// Whether its existing posts are marked as read, if it isn't followed yet.
    public var isRead = false
    /// Whether to look for a feed that is followed but can't be refreshed, at its address and on its site; it keeps its
    /// posts, marks and name.
    public var isRepair = false
    /// Whether a login may be sent without encryption.
    public var allowsHTTP = false
    /// The articles that newsboat has stored, of which those of the feed are added.
    package var history: NewsboatCache?
    /// Whether nothing is stored, and the report tells what would happen.
    public var isDryRun = false
    /// Whether it comes from a file: a source that is followed already keeps its title, folder and site.
    public var isImported = false
    /// Whether to follow it even if it can't be fetched now: a source followed elsewhere may be down for a day.
    public var isTrusted = false

    /// Whether it sets more than the name and the title.
    var hasSettings: Bool {
        newAddress != nil || folder != nil || site != nil || keep != nil || every != nil || !articles.isEmpty
            || isRepair
    }

    /// Whether it sets what a service doesn't have.
    var hasSettingsOfFeeds: Bool {
        folder != nil || site != nil || keep != nil || !articles.isEmpty || isRepair || isRead
    }

    /// Whether it sets what a service decides for its feeds.
    var hasSettingsOfServices: Bool {
        newAddress != nil || site != nil || every != nil || isRepair || isTrusted
    }

    /// The address that the user has typed; nil for a name, or an address that comes from a list.
    var typedURL: URL? {
        if isImported { return nil }
        if kind == nil, newAddress == nil, let named = SourceRegistry.kind(named: address)?.source(at: nil) {
            return URL(address: named.address)
        }
        let typed = newAddress ?? address
        if let local = SourceRegistry.local(typed) { return URL(address: local.address) }
        return SourceAddress.completed(SourceAddress.user(in: typed)?.address ?? typed).flatMap {
            SourceAddress.page($0)
        }
    }

    /// A request.
    public init(_ address: String, kind: String? = nil, name: String? = nil, folder: String? = nil) {
        self.address = address
        self.kind = kind
        self.name = name
        self.folder = folder
    }
}

/// A change of how the posts of a source are read with their linked articles; nil restores the default.
public enum ArticleSetting: Hashable, Sendable {
    /// When to read the article.
    case choice(ArticleChoice?)
    /// The CSS selector of the article in a page.
    case body(String?)
    /// The CSS selector of parts of a page that don't belong to the article.
    case drop(String?)
}

/// The result of a request to follow a source.
public struct FollowReport: Sendable {
    /// How many posts of a feed are followed at most.
    package static let maxPosts = FeedDocument.maxItems
    /// The source.
    public let source: SourceID
    /// The address of its feed, or of its server.
    package let address: String
    /// The prefix of its post IDs.
    public let name: String
    /// The previous prefix; nil if there was none or it is unchanged.
    public let formerName: String?
    /// Its previous address; nil if that is unchanged.
    public let formerAddress: String?
    /// Whether anything changed.
    public let outcome: Outcome
    /// Whether it wasn't requested before, because it came with a list or an export, and is now.
    public let isConfirmed: Bool
    /// How its list was fetched; nil if it wasn't.
    public let refresh: RefreshReport?
    /// How many posts it lists.
    public let posts: Int
    /// The folder that it is in; "" for none.
    public let folder: String
    /// The user's title for it, or else its own; nil if neither is known.
    public let title: String?
    /// What is waiting for its server, or to come from there; nil unless it is a service.
    public let service: ServiceState?

    /// The possible results of a request.
    public enum Outcome: Sendable {
        /// It is newly followed.
        case followed
        /// It was followed already, and has been changed.
        case changed
        /// It was followed already, and hasn't been changed.
        case unchanged
        /// An earlier request of the same call was for the same source.
        case repeated
    }

    /// The posts that came from another reader.
    package let history: HistoryReport?
    /// The addresses of other feeds found on its page, best first.
    public let others: [URL]

    init(
        _ found: FoundSource, _ stored: StoredSource, formerName: String?, outcome: Outcome, refresh: RefreshReport?,
        history: HistoryReport?, isConfirmed: Bool = false, service: ServiceFacts? = nil
    ) {
        self.isConfirmed = isConfirmed
        source = found.source
        address = stored.feed ?? found.source.address
        others = found.others.map(\.url)
        name = stored.name ?? ""
        self.formerName = formerName == name ? nil : formerName
        formerAddress = found.formerAddress
        self.outcome = outcome
        self.refresh = refresh
        self.history = history
        posts = service?.posts ?? stored.posts
        self.service = service.map { ServiceState($0) }
        folder = stored.folder
        title = stored.title
    }
}
