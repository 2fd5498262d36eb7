import Model

/// What a sync did.
public struct SyncReport: Sendable {
    /// How the refresh of the list went.
    public let refresh: RefreshReport
    /// Bodies stored for the first time.
    public internal(set) var new = 0
    /// Bodies stored instead of others.
    public internal(set) var updated = 0
    /// Bodies that were current.
    public internal(set) var unchanged = 0
    /// Bodies that could not be fetched.
    public internal(set) var failed = 0
    /// Bodies that were not requested any more, because the server was unreachable or refused.
    public internal(set) var untried = 0

    /// How many posts and comments these are.
    public var total: Int { new + updated + unchanged + failed + untried }

    /// How many of all these are comments.
    public internal(set) var comments = 0
    /// Posts and comments that were deleted, as they are kept no longer.
    public internal(set) var pruned = 0
    /// The first failure; nil if the source gave no reason.
    public internal(set) var firstError: (any Error)?

    init(refresh: RefreshReport) {
        self.refresh = refresh
    }

    /// The first posts whose bodies could not be fetched, and why.
    public private(set) var failures: [(id: String, error: any Error)] = []

    mutating func count(_ post: SyncedPost) {
        switch post.outcome {
        case .new: new += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .failed(let error):
            failed += 1
            firstError = firstError ?? error
            if failures.count < Self.maxFailures { failures.append((post.metadata.id, error)) }
        }
    }

    /// More are not listed.
    private static let maxFailures = 100
}
