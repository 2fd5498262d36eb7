import Foundation

/// Asks servers: tries again, follows redirects and bounds what it takes.
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
    ///   - timeout: how long a server may be silent, in seconds.
    ///   - userAgent: how the program names itself to servers.
    ///   - waits: remembers which hosts asked to be left alone.
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

    /// The whole answer to a GET, with a status of 2xx, or 304 where validators were given.
    ///
    /// Throws an ``HTTPError`` for anything else, or `CancellationError`.
    ///
    /// - Parameters:
    ///   - limit: the most bytes the body may have.
    ///   - receive: gets the body of a success piece by piece instead of the answer, however long it is.
    package func get(
        _ url: URL, validators: CacheValidators? = nil, limit: Int, receive: Receiver<Data>? = nil
    ) async throws -> HTTPAnswer {
        var headers = validators?.requestHeaders ?? [:]
        headers["Accept"] = "application/json"
        headers["User-Agent"] = userAgent
        var attempt = 1
        while true {
            do {
                return try await follow(url, headers: headers, limit: limit, receive)
            } catch let error as HTTPError {
                let wait = retryPolicy.wait(
                    after: error, attempt: attempt, patience: timeout, chance: .random(in: 0...1))
                guard let wait, await receive?.restart() != false else { throw error }
                await observer(.retrying(url, error, seconds: wait))
                try await Task.sleep(for: .seconds(wait))
                attempt += 1
            }
        }
    }

    /// Waits for as long as the host has asked for.
    ///
    /// Throws ``HTTPError/askedToWait(_:until:)`` where that is longer than the user's patience.
    private func heedWait(of url: URL) async throws {
        guard let until = await waits?.wait(of: url.hostAndPort), case let seconds = until.timeIntervalSinceNow,
            seconds > 0
        else { return }
        // A clock that was set back makes waits long.
        guard seconds <= RetryAfter.longest else { return }
        guard seconds <= timeout else { throw HTTPError.askedToWait(url, until: until) }
        await observer(.waiting(url, seconds: seconds))
        try await Task.sleep(for: .seconds(seconds))
    }

    private func noteWait(_ head: HTTPHead, of url: URL) async -> TimeInterval? {
        guard let seconds = head["Retry-After"].flatMap({ RetryAfter.seconds($0, now: Date()) }) else { return nil }
        if head.status == 429 || head.status == 503 {
            let until = Date().addingTimeInterval(min(seconds, RetryAfter.longest))
            await waits?.remember(wait: until, of: url.hostAndPort)
        }
        return seconds
    }

    private func follow(
        _ url: URL, headers: [String: String], limit: Int, _ receive: Receiver<Data>?
    ) async throws -> HTTPAnswer {
        var target = url
        for _ in 0...Redirect.most {
            try await heedWait(of: target)
            let (head, body) = try await exchange(target, headers: headers, limit: limit, receive)
            if let next = try Redirect.target(of: head, from: target) {
                target = next
                continue
            }
            guard head.isSuccess || head.status == 304 && headers.keys.contains(where: isCondition)
            else {
                throw HTTPError.status(url, code: head.status, retryAfter: await noteWait(head, of: target))
            }
            return HTTPAnswer(url: url, head: head, body: body)
        }
        throw HTTPError.tooManyRedirects(url)
    }

    private func isCondition(_ header: String) -> Bool {
        header == "If-None-Match" || header == "If-Modified-Since"
    }

    private func exchange(
        _ url: URL, headers: [String: String], limit: Int, _ receive: Receiver<Data>?
    ) async throws -> (HTTPHead, Data) {
        do {
            return try await answer(url, headers: headers, limit: limit, receive)
        } catch {
            await observer(.ended(url))
            throw error
        }
    }

    private func answer(
        _ url: URL, headers: [String: String], limit: Int, _ receive: Receiver<Data>?
    ) async throws -> (HTTPHead, Data) {
        let clock = ContinuousClock()
        let start = clock.now
        await observer(.asking(url))
        let request = HTTPRequest(url: url, headers: headers, timeout: timeout, limit: limit)
        var head: HTTPHead?
        var body = Data()
        var count = 0
        for try await event in transport.send(request) {
            switch event {
            case .head(let received):
                head = received
                if receive == nil, let length = received.bodyLength, length <= limit { body.reserveCapacity(length) }
            case .bytes(let data):
                count += data.count
                guard count <= limit else { throw HTTPError.tooLarge(url, limit: limit) }
                if receive == nil {
                    body.append(data)
                } else if head?.isSuccess == true {
                    try await receive?.take(data)
                }
                await observer(.receiving(url, bytes: count, total: head?.bodyLength))
            }
        }
        try Task.checkCancellation()
        guard let head else { throw HTTPError.interrupted(url) }
        let seconds = (clock.now - start) / .seconds(1)
        await observer(.answered(url, status: head.status, bytes: count, seconds: seconds))
        return (head, body)
    }
}
