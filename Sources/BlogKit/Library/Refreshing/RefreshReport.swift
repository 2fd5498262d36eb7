import BlogEssentials
import BlogHTTP
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
    /// What a list that was stored says of older posts.
    package internal(set) var older: OlderPosts?
    /// Whether it waits because its server has just said so.
    private var isRefused = false

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
        /// The list couldn't be fetched, read or stored; the stored one is from that time, nil if only single posts are
        /// stored.
        case failed(any Error, storedAt: Date?)
        /// Its server was too slow, so the stored list was used; `isSilent` is whether it had sent nothing.
        case unfinished(storedAt: Date?, isSilent: Bool)
        /// It has yet to be asked: its host wants to be left alone until then, or there was no time left (nil).
        case waiting(until: Date?, storedAt: Date?)
        /// No request was sent because the source failed not long ago, or its server didn't respond (`unreachable`).
        case skipped(RefreshProblem, until: Date, storedAt: Date?)
    }

    init(_ outcome: Outcome, _ flaws: ListFlaws = ListFlaws()) {
        self.outcome = outcome
        self.flaws = flaws
    }

    /// The report of a refresh that failed, or that waits because its host wants to be left alone.
    init(failure error: any Error, storedAt: Date? = nil, at now: Date) {
        let cause: any Error = if case LibraryError.unreachable(let http) = error { http } else { error }
        if let error = cause as? HTTPError, let until = error.wait(at: now) {
            self.init(.waiting(until: until, storedAt: storedAt))
            // Otherwise no request was sent.
            isRefused = error.statusCode != nil
        } else {
            self.init(.failed(cause, storedAt: storedAt))
        }
    }
}

extension RefreshReport {
    /// Whether a server responded.
    var hasAnswer: Bool {
        switch outcome {
        case .unchanged, .stored: true
        case .failed(let error as HTTPError, _): !error.isUnreachable && !error.isWithheld
        case .failed(let error, _): error is SourceError
        case .waiting: isRefused
        default: false
        }
    }

    /// Whether its server couldn't be reached.
    package var isUnreachable: Bool { (failure as? HTTPError)?.isUnreachable == true }
}

extension HTTPError {
    /// Whether no request was sent, because nobody typed the address or the host wants to be left alone.
    fileprivate var isWithheld: Bool {
        switch self {
        case .privateAddress, .unauthorized(_, .unconfirmed), .rateLimited, .noTransport: true
        default: false
        }
    }
}

extension Collection<SourceRefresh> {
    /// Those of sources that are on the network.
    package var ofServers: [SourceRefresh] {
        filter { SourceRegistry.kind(named: $0.source.kind)?.isOnNetwork != false }
    }

    /// Whether this machine seems to have no network: several servers couldn't be reached, and none has responded, now or
    /// not long ago.
    package var lackNetwork: Bool {
        let asked = ofServers
        return asked.count { $0.report.isUnreachable } > 1
            && !asked.contains { refresh in
                if case .stillCurrent = refresh.report.outcome { true } else { refresh.report.hasAnswer }
            }
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
