import BlogEssentials
import BlogModel
import BlogStore

/// Receives the number of sources that were refreshed so far, and their total.
public typealias RefreshObserver = @Sendable (Int, Int) async -> Void

/// A report on one of several sources.
public struct PerSource<Report: Sendable>: Sendable {
    /// The source.
    public let source: SourceID
    /// The report.
    public internal(set) var report: Report

    package init(_ source: SourceID, _ report: Report) {
        self.source = source
        self.report = report
    }
}

/// How the refresh of one of several sources went.
public typealias SourceRefresh = PerSource<RefreshReport>

/// The result of a sync for one of several sources.
public typealias SourceSync = PerSource<SyncReport>

/// The result of refreshing a list.
public struct RefreshReport: Sendable {
    /// How it went.
    public let outcome: Outcome
    /// Malformed and repeated records of the list.
    public let flaws: ListFlaws

    /// The error of a refresh that failed; nil for any other.
    package var failure: (any Error)? { if case .failed(let error, _) = outcome { error } else { nil } }

    /// How a refresh ended.
    public enum Outcome: Sendable {
        /// Requests are off; the list was stored at that time, nil if only single posts are stored.
        case offline(storedAt: Date?)
        /// The stored list from that time is still fresh.
        case stillCurrent(storedAt: Date)
        /// The server has nothing new.
        case unchanged
        /// The list was stored.
        case stored(ListChanges)
        /// The server sent no list; the stored one is from that time, nil if only single posts are stored.
        case failed(any Error, storedAt: Date?)
        /// Its server was too slow, so the stored list was used; `isSilent` is whether it had sent nothing.
        case unfinished(storedAt: Date?, isSilent: Bool)
        /// There was no time left to request it, or for its response.
        case waiting(storedAt: Date?)
        /// No request was sent because the source is gone, or its server didn't respond last time (`unreachable`).
        case skipped(RefreshProblem, until: Date, storedAt: Date?)
    }

    init(_ outcome: Outcome, _ flaws: ListFlaws = ListFlaws()) {
        self.outcome = outcome
        self.flaws = flaws
    }

    /// The report of a refresh that failed with nothing stored.
    init(failure error: any Error) {
        let cause: any Error = if case LibraryError.unreachable(let http) = error { http } else { error }
        self.init(.failed(cause, storedAt: nil))
    }
}

extension SourceRefresh {
    /// Whether the stored list is current, as far as we know.
    var hasSucceeded: Bool {
        switch report.outcome {
        case .failed, .unfinished, .waiting, .skipped: false
        default: true
        }
    }
}
