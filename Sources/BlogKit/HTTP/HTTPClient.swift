import Foundation

/// Sends GET requests: retries, follows redirects and bounds what it takes.
package struct HTTPClient: Sendable {
    private let transport: any Transport
    private let timeout: TimeInterval
    private let retryPolicy: RetryPolicy
    private let userAgent: String
    private let waits: (any HostWaits)?
    private let observer: HTTPObserver

    /// A client.
    ///
    /// - Parameters:
    ///   - timeout: how long connecting may take, and how long a server may be silent, in seconds.
    ///   - userAgent: the `User-Agent` header.
    ///   - waits: remembers which hosts are rate limiting.
    package init(
        transport: any Transport, timeout: TimeInterval = 30, retryPolicy: RetryPolicy = .standard,
        userAgent: String = "blog", waits: (any HostWaits)? = nil, observer: @escaping HTTPObserver = { _ in }
    ) {
        self.transport = transport
        self.timeout = timeout
        self.retryPolicy = retryPolicy
        self.userAgent = userAgent
        self.waits = waits
        self.observer = observer
    }

    /// The response to a GET, with a status of 2xx, or 304 where validators were given; its body arrives as it is read.
    ///
    /// Throws an ``HTTPError`` for anything else, or `CancellationError`.
    ///
    /// - Parameters:
    ///   - limit: how many bytes the body may have.
    ///   - readAhead: how many bytes of the body are read before this returns. A request is retried only until then, as
    ///     nothing has been given on.
    package func get(
        _ url: URL, validators: CacheValidators? = nil, limit: Int, readAhead: Int = 0
    ) async throws -> HTTPResponse {
        var headers = validators?.requestHeaders ?? [:]
        headers["Accept"] = "application/json"
        headers["User-Agent"] = userAgent
        var attempt = 1
        while true {
            do {
                return try await follow(url, headers: headers, limit: limit, readAhead: readAhead)
            } catch let error as HTTPError {
                let wait = retryPolicy.wait(
                    after: error, attempt: attempt, maxWait: timeout, jitter: .random(in: 0...1))
                guard let wait else { throw error }
                await observer(.retrying(url, error, seconds: wait))
                try await Task.sleep(for: .seconds(wait))
                attempt += 1
            }
        }
    }

    /// The response to a GET with all of its body read.
    package func getWhole(_ url: URL, validators: CacheValidators? = nil, limit: Int) async throws -> HTTPResponse {
        try await get(url, validators: validators, limit: limit, readAhead: .max)
    }

    /// Waits until a host takes requests again.
    ///
    /// Throws ``HTTPError/rateLimited(_:until:)`` if that takes longer than a server may be silent.
    private func waitForHost(of url: URL) async throws {
        guard let until = await waits?.wait(of: url.hostAndPort), case let seconds = until.timeIntervalSinceNow,
            seconds > 0
        else { return }
        // A clock that was set back makes waits long.
        guard seconds <= RetryAfter.maxSeconds else { return }
        guard seconds <= timeout else { throw HTTPError.rateLimited(url, until: until) }
        await observer(.waiting(url, seconds: seconds))
        try await Task.sleep(for: .seconds(seconds))
    }

    private func noteWait(_ head: HTTPHead, of url: URL) async -> TimeInterval? {
        guard let seconds = head["Retry-After"].flatMap({ RetryAfter.seconds($0, now: Date()) }) else { return nil }
        if head.status == 429 || head.status == 503 {
            let until = Date().addingTimeInterval(min(seconds, RetryAfter.maxSeconds))
            await waits?.remember(wait: until, of: url.hostAndPort)
        }
        return seconds
    }

    private func follow(
        _ url: URL, headers: [String: String], limit: Int, readAhead: Int
    ) async throws -> HTTPResponse {
        var target = url
        for _ in 0...HTTPLimits.redirects {
            try await waitForHost(of: target)
            let exchange = HTTPExchange(url: target, limit: limit, observer: observer)
            let request = HTTPRequest(url: target, headers: headers, timeout: timeout)
            let response = try await exchange.response { try await transport.send(request) }
            if let next = try Redirect.target(of: response.head, from: target) {
                target = next
                continue
            }
            guard response.head.isSuccess || response.head.status == 304 && headers.keys.contains(where: isCondition)
            else {
                let wait = await noteWait(response.head, of: target)
                throw HTTPError.status(url, code: response.head.status, retryAfter: wait)
            }
            let body = try await response.body.reading(ahead: readAhead)
            return HTTPResponse(url: url, head: response.head, body: body)
        }
        throw HTTPError.tooManyRedirects(url)
    }

    private func isCondition(_ header: String) -> Bool {
        header == "If-None-Match" || header == "If-Modified-Since"
    }
}
