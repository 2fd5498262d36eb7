import Feeds
import Foundation
import Model
import Store

/// A wish to follow a source.
public struct FollowRequest: Hashable, Sendable {
    /// An http or https address, without a scheme https except for a loopback host; or the name of a kind, for its usual
    /// address, or of a source that is or was followed.
    public var address: String
    /// The name of its kind; nil to detect it with requests to the server.
    public var kind: String?
    /// What ids of its posts begin with, `[a-z0-9-]+`; nil for one made from the host.
    public var name: String?
    /// What it is called where it has no name yet and no other source has this one.
    public var suggestedName: String?
    /// The folder to put it in, its parts joined with `/`; nil for none, or the one that it is in.
    public var folder: String?
    /// The http or https address that relative links of its posts are of; nil for none, or the one that it has.
    public var site: String?
    /// What people call it; nil for what they called it so far, or what it calls itself.
    public var title: String?
    /// How long its posts are kept; nil for what it is now.
    public var keep: RetentionChoice?
    /// Whether its posts count as read from the start.
    public var isRead = false
    /// Whether nothing is stored: the report tells what following would come to.
    public var isDryRun = false
    /// Whether it is followed even if it can't be fetched now: what has been followed elsewhere may be down for a day.
    public var isTrusted = false

    /// A request.
    public init(_ address: String, kind: String? = nil, name: String? = nil, folder: String? = nil) {
        self.address = address
        self.kind = kind
        self.name = name
        self.folder = folder
    }
}

/// What came of following a source.
public struct FollowReport: Sendable {
    /// What is followed.
    public let source: SourceID
    /// What ids of its posts begin with.
    public let name: String
    /// What they began with before; nil where that is the same, or it had no name.
    public let formerName: String?
    /// Whether anything changed.
    public let outcome: Outcome
    /// How its list was fetched; nil if it was not.
    public let refresh: RefreshReport?
    /// How many posts it lists.
    public let posts: Int
    /// The folder that it is in; "" for none.
    public let folder: String
    /// What people call it, else what it calls itself; nil if neither is known.
    public let title: String?

    /// What following an address may come to.
    public enum Outcome: Sendable {
        /// It is followed from now on.
        case followed
        /// It was followed already, and has another name or folder now.
        case changed
        /// It was followed already.
        case unchanged
    }

    /// The addresses of other feeds that its page names, the best first.
    public let others: [URL]

    init(
        _ found: FoundSource, _ stored: StoredSource, formerName: String?, outcome: Outcome, refresh: RefreshReport?
    ) {
        source = found.source
        others = found.others.map(\.url)
        name = stored.name ?? ""
        self.formerName = formerName == name ? nil : formerName
        self.outcome = outcome
        self.refresh = refresh
        posts = stored.posts
        folder = stored.folder
        title = stored.title
    }
}
