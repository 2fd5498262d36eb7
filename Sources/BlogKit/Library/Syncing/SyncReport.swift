import BlogEssentials
import BlogModel

/// Options of a sync.
public struct SyncOptions: Hashable, Sendable {
    /// How many of the newest posts of each source to sync; nil for all, or for the front page of a ranking.
    public var limit: Int?
    /// How many bodies of a source to fetch at a time.
    public var jobs: Int
    /// Which list to sync, for sources with several; nil for the default one.
    public var section: String?
    /// Whether to fetch comments too, from sources that have them.
    public var withComments: Bool
    /// Whether to fetch all posts of services, and not only the next thousand.
    public var isWhole = false
    /// How long to keep posts of sources without a retention of their own; nil for ever.
    public var keep: Retention?
    /// The posts to sync, besides ``limit``: those that a saved search finds.
    package var query = Query()

    /// Options; by default, every post without comments.
    public init(limit: Int? = nil, jobs: Int = 4, section: String? = nil, withComments: Bool = false) {
        self.limit = limit
        self.jobs = jobs
        self.section = section
        self.withComments = withComments
    }
}

/// The result of a sync.
public struct SyncReport: Sendable {
    /// How the refresh of the list went.
    public let refresh: RefreshReport
    /// Bodies stored for the first time.
    public internal(set) var new = 0
    /// Bodies that replaced others.
    public internal(set) var updated = 0
    /// Bodies that were current.
    public internal(set) var unchanged = 0
    /// Bodies that could not be fetched.
    public internal(set) var failed = 0
    /// Bodies that weren't requested because the server was unreachable or refused requests.
    public internal(set) var untried = 0

    /// The number of posts and comments.
    public var total: Int { new + updated + unchanged + failed + untried }

    /// How many of these are comments.
    public internal(set) var comments = 0
    /// Marks that were sent to the server of a service.
    public internal(set) var sentMarks = 0
    /// Expired posts and comments that were deleted.
    public internal(set) var pruned = 0
    /// The first failure; nil if the source gave no reason.
    public internal(set) var firstError: (any Error)?

    /// The first posts whose bodies couldn't be fetched, and why.
    public private(set) var failures: [(id: String, error: any Error)] = []

    mutating func count(_ outcome: SyncOutcome, of id: String) {
        switch outcome {
        case .new: new += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .failed(let error):
            failed += 1
            firstError = firstError ?? error
            if failures.count < Self.maxFailures { failures.append((id, error)) }
        }
    }

    /// The limit on ``failures``.
    private static let maxFailures = 100
}

/// A step of a sync.
public enum SyncEvent: Sendable {
    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// A list or a post with replies was fetched: this many more posts are planned.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A planned post is done.
    case done(PostMetadata, of: SourceID, SyncOutcome)
    /// This many of the pictures found are done.
    case pictures(Int, of: Int)
    /// This many of the planned pages are done.
    case articles(Int, of: Int)
    /// This many more posts were indexed for search.
    case indexed(Int)
}

/// Receives the steps of a sync.
public typealias SyncObserver = @Sendable (SyncEvent) async -> Void

/// The result of a sync for one body.
public enum SyncOutcome: Sendable {
    /// It was stored for the first time.
    case new
    /// It replaced another.
    case updated
    /// The stored one is current.
    case unchanged
    /// It couldn't be fetched; the stored one is kept.
    case failed(any Error)
}
