import Foundation
import Model
import Store

/// The report of one of several sources.
public struct PerSource<Report: Sendable>: Sendable {
    /// The source.
    public let source: SourceID
    /// What was done.
    public internal(set) var report: Report

    package init(_ source: SourceID, _ report: Report) {
        self.source = source
        self.report = report
    }
}

/// How the refresh of one of several sources went.
public typealias SourceRefresh = PerSource<RefreshReport>

/// What a sync did about one of several sources.
public typealias SourceSync = PerSource<SyncReport>

/// What a refresh of a list did.
public struct RefreshReport: Sendable {
    /// How it went.
    public let outcome: Outcome
    /// The records of the list that were left out or came twice.
    public let flaws: ListFlaws

    /// How a refresh ended.
    public enum Outcome: Sendable {
        /// Requests are off; the stored list is from that time, nil if only single posts were read.
        case offline(storedAt: Date?)
        /// The stored list from that time is still fresh.
        case stillCurrent(storedAt: Date)
        /// The server has nothing new.
        case unchanged
        /// The list was stored.
        case stored(ListChanges)
        /// The server gave no list; the stored one is from then, nil if only single posts were read.
        case failed(any Error, storedAt: Date?)
        /// It was not complete when the list had to be shown, for which the stored one stands; `isSilent` is whether its
        /// server had sent nothing.
        case unfinished(storedAt: Date?, isSilent: Bool)
        /// No request was sent, as the source is gone or its server was silent (`unreachable`) the last time.
        case leftAlone(RefreshProblem, until: Date, storedAt: Date?)
    }

    init(_ outcome: Outcome, _ flaws: ListFlaws = ListFlaws()) {
        self.outcome = outcome
        self.flaws = flaws
    }
}

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

/// A step of a sync.
public enum SyncEvent: Sendable {
    /// Some of the sources have been refreshed.
    case refreshed(Int, of: Int)
    /// A list was fetched, or a post with replies: this many more posts will be done.
    case planned(Int)
    /// A body is being fetched.
    case fetching(PostMetadata)
    /// A post is done that was planned.
    case done(SyncedPost)
    /// This many of the pictures that were found are there.
    case pictures(Int, of: Int)
    /// This many more posts were indexed for search.
    case indexed(Int)
}

/// What a sync did about one post.
public struct SyncedPost: Sendable {
    /// Where the post is from.
    public let source: SourceID
    /// The post.
    public let metadata: PostMetadata
    /// What became of its body.
    public let outcome: Outcome

    /// What became of a body.
    public enum Outcome: Sendable {
        /// It was stored for the first time.
        case new
        /// It was stored instead of another.
        case updated
        /// The one that was stored is current.
        case unchanged
        /// It can't be fetched; what was stored before is still there.
        case failed(any Error)
    }
}
