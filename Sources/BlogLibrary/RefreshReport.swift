import Foundation
import Model
import Store

/// What a refresh of a list did.
public struct RefreshReport: Sendable {
    /// How it went.
    public let outcome: Outcome
    /// Records that were left out because a field was missing or wrong, the first 100 of them.
    public let rejected: [RejectedRecord]
    /// How many records were left out.
    public let rejectedCount: Int
    /// Ids that came more than once, the first 100 of them; the last record of each stands.
    public let duplicateIDs: [String]

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

    init(
        _ outcome: Outcome, rejected: [RejectedRecord] = [], rejectedCount: Int = 0, duplicateIDs: [String] = []
    ) {
        self.outcome = outcome
        self.rejected = rejected
        self.rejectedCount = rejectedCount
        self.duplicateIDs = duplicateIDs
    }
}
