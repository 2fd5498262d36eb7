import BlogEssentials

/// Limits and intervals for requests to servers; times are in seconds.
package enum Politeness {
    private static let minute: TimeInterval = 60
    private static let hour = 60 * minute
    private static let day = 24 * hour

    // MARK: Concurrency

    /// Concurrent requests, each for posts of a ranking, pictures and pages.
    package static let maxRequests = 20
    /// Connections to one host: Hacker News sends its posts one by one.
    package static let maxConnectionsPerHost = 20
    /// Lists that are refreshed or followed concurrently, two of a host.
    package static let lists = FetchLimits(width: 64, perHost: 2)
    /// Posts of a ranking and comments: if the network fails, so do all that are under way.
    package static let items = FetchLimits(width: maxRequests, perHost: maxRequests, maxFailures: 20)
    /// Pages for articles, of a host one at a time.
    package static let pages = FetchLimits(width: maxRequests, perHost: 1, pause: 1, maxFailures: 2)
    package static let pictures = FetchLimits(width: maxRequests, perHost: maxRequests)

    /// Bodies of one source, over the connections that the user asks for.
    package static func bodies(width: Int) -> FetchLimits { FetchLimits(width: width, perHost: width, maxFailures: 5) }

    /// Sources that are synced, each over the connections that the user asks for.
    package static let maxSyncs = 5

    // MARK: Waits

    /// How long a list of several sources waits for them, in total.
    package static let listDeadline: TimeInterval = 5
    /// A server is late if it has sent nothing for this long when the list stops waiting.
    package static let lateAfter: TimeInterval = 2.5
    /// The maximum number of attempts if the connection fails or the status is 5xx.
    package static let maxAttempts = 3
    /// The maximum wait before the second attempt; it doubles with each further attempt.
    package static let retryWait: TimeInterval = 0.2
    /// How long to wait after a 429 that doesn't say how long.
    package static let pauseAfterLimit = minute
    /// The longest `Retry-After` to honor, so that a wrong year can't block a host for a year.
    package static let maxRetryAfter = day

    // MARK: Times between refreshes

    /// The minimum between two automatic refreshes of a source.
    package static let refreshInterval = 30 * minute
    /// How much earlier a source is due: otherwise a job that runs every half hour would skip it each time for the seconds
    /// that its request took.
    private static let allowance = minute
    /// The maximum that a server can extend it to; also how long a silent host is skipped.
    package static let maxRefreshInterval = 5 * hour
    /// The longest lifetime of a response to honor, so that a wrong year can't hide new posts; as in NetNewsWire.
    package static let maxAge = 5 * hour
    /// The age at which validators are dropped, because some servers never stop responding with 304; as in NetNewsWire.
    package static let validatorLifetime = 8 * day

    /// When a refreshed source is due again: a minute before half an hour or its own interval has passed, or later if its
    /// server or its list says so.
    ///
    /// - Parameter interval: the source's own; nil for the default.
    package static func dueDate(
        after refresh: Date, maxAge: TimeInterval = 0, timeToLive: TimeInterval = 0, interval: TimeInterval? = nil
    ) -> Date {
        let extended = min(max(maxAge, timeToLive), maxRefreshInterval)
        return refresh.addingTimeInterval(max((interval ?? refreshInterval) - allowance, extended))
    }

    // MARK: Waits after failures

    /// How long a host isn't asked that didn't respond: five minutes, doubled with each failure.
    package static func pause(ofSilentHostAfter failures: Int) -> TimeInterval {
        min(5 * minute * Double(1 << min(max(failures - 1, 0), 10)), maxRefreshInterval)
    }

    /// How long a source isn't asked after a failed refresh; nil for not at all.
    ///
    /// - Parameters:
    ///   - failures: how many refreshes have failed in a row.
    ///   - lastSuccess: when it last worked; nil if never.
    package static func pause(
        after error: any Error, failures: Int, lastSuccess: Date?, at now: Date
    ) -> TimeInterval? {
        switch error as? HTTPError {
        // It is gone for good.
        case .status(_, code: 410, _): 365 * day
        // The server says when to come back.
        case .status(_, _, let seconds?): min(seconds, maxRetryAfter)
        // A server that refuses a request for a login will refuse the next one, too. Other refusals of a source that worked
        // are hiccups: YouTube and Reddit answer some requests at random with 404 and 403.
        case let error?
        where error.statusCode == 401
            || error.refusesRequest && !isHiccup(afterFailures: failures, since: lastSuccess, at: now):
            min(Double(failures), 7) * day
        // The cause may be this machine's network.
        case .unreachable: nil
        default: pause(afterFailures: failures)
        }
    }

    /// Whether a source that was refused may well work again: it has worked, and has not been failing for a week.
    private static func isHiccup(afterFailures failures: Int, since lastSuccess: Date?, at now: Date) -> Bool {
        guard let lastSuccess else { return false }
        return failures <= hiccups || now.timeIntervalSince(lastSuccess) < 7 * day
    }

    /// How long a source isn't asked that keeps failing: half an hour after each of the first failures, then twice as long
    /// each time, up to a day.
    package static func pause(afterFailures failures: Int) -> TimeInterval {
        min((refreshInterval - allowance) * Double(1 << min(max(failures - hiccups, 0), 10)), day)
    }

    /// So many failures in a row may be hiccups: after each the source is asked again soon, and only from the last of them on
    /// is the user told what to do.
    package static let hiccups = 3

    /// How long to wait before a page without an article is requested again.
    package static let pageRetryInterval = day
    /// How long to wait before a page is requested again whose server couldn't be reached.
    package static let serverRetryInterval = minute
}
