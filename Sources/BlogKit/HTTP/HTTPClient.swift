import BlogEssentials
import BlogModel
import Synchronization

/// Sends requests, with retries, redirects and limits.
package struct HTTPClient: Sendable {
    private let transport: any Transport
    /// The limit for connecting, and for a silent server, in seconds.
    package let timeout: TimeInterval
    private let retryPolicy: RetryPolicy
    private let userAgent: String
    private let netrc: Netrc
    private var keys: QueryKeys
    private var ownHeaders = OwnHeaders()
    /// The only server that is sent a login, that of the client's source, if the user has typed its address; nil for none.
    private var origin: Origin?
    /// Whether a login waits until the server has refused a request without one.
    private var offersLogin = false
    /// Which addresses may be sent a login, or be in a private network.
    package private(set) var origins: TypedOrigins
    private let servers = KnownServers()
    private var activity: ServerActivity?
    /// The clock of everything that sends requests with this client.
    package let clock: WallClock
    private let waits: RecentWaits?
    private let observer: HTTPObserver

    /// - Parameters:
    ///   - timeout: the limit for connecting, and for a silent server, in seconds.
    ///   - netrc: logins by host.
    ///   - keys: API keys by query parameter.
    ///   - clock: the clock, also of a library with this client.
    ///   - waits: remembers which hosts are rate limiting.
    ///   - origins: remembers which addresses the user has typed; nil if all of them are the caller's own.
    package init(
        transport: any Transport, timeout: TimeInterval = 30, retryPolicy: RetryPolicy = .standard,
        userAgent: String = UserAgent.standard, netrc: Netrc = .empty, keys: QueryKeys = .none,
        clock: WallClock = .system, waits: (any HostWaits)? = nil,
        origins: (any OriginRecord)? = nil, observer: @escaping HTTPObserver = { _ in }
    ) {
        self.transport = transport
        self.timeout = timeout
        self.retryPolicy = retryPolicy
        self.userAgent = userAgent
        self.netrc = netrc
        self.keys = keys
        self.clock = clock
        self.waits = waits.map { RecentWaits($0) }
        self.origins = TypedOrigins(origins)
        self.observer = observer
    }

    /// This client without its keys.
    package var withoutKeys: HTTPClient {
        var client = self
        client.keys = .none
        return client
    }

    /// This client with header fields of the user's, each for the requests of sources at its origin.
    package func sending(_ headers: OwnHeaders) -> HTTPClient {
        var client = self
        client.ownHeaders = headers
        return client
    }

    /// This client for an address that the user types now, or that the program names itself.
    package func typing(_ url: URL?, for use: OriginUse = OriginUse()) -> HTTPClient {
        guard let url else { return self }
        var client = self
        client.origins = origins.adding(url, use)
        return client
    }

    /// This client with another record of what the user has typed, as a dry run needs.
    package func remembering(_ record: any OriginRecord) -> HTTPClient {
        var client = self
        client.origins = origins.remembering(record)
        return client
    }

    /// This client for servers that may be sync servers, whose password in `~/.netrc` isn't for their pages: a login is
    /// sent only to one that refuses a request without it.
    package var offeringLogin: HTTPClient {
        var client = self
        client.offersLogin = true
        return client
    }

    /// This client for the requests of a source, whose origin is sent the login for its host in `~/.netrc` if the user has
    /// typed it.
    ///
    /// Other origins are never sent a login: neither addresses in posts and pages, nor the target of a redirect.
    package func forSource(at url: URL) -> HTTPClient {
        var client = self
        client.origin = Origin(url)
        return client
    }

    /// This client with the activity of the server recorded.
    package func recording(_ activity: ServerActivity?) -> HTTPClient {
        var client = self
        client.activity = activity
        return client
    }

    /// Whether a source may move to another address without asking the user: not to a server that would then be sent a
    /// login from `~/.netrc`.
    package func mayMove(from url: URL, to other: URL) -> Bool {
        let (from, to) = (Origin(url), Origin(other))
        return from == to || from.isSecured(by: to) || netrc.login(for: other.host ?? "") == nil
    }

    /// The network address of a source's server at its last successful response; nil if unknown.
    package func peer(ofSourceAt url: URL) -> NetworkAddress? { servers[Origin(url)].peer }

    /// The login for a host in `~/.netrc`, of the user in an address if it names one; nil for none.
    package func login(for url: URL) -> Netrc.Login? {
        netrc.login(for: url.host ?? "", of: url.user(percentEncoded: false))
    }

    /// Whether `~/.netrc` is ignored because other users may read or change it.
    package var hasUnsafeLogins: Bool { netrc.isUnsafe }

    /// Whether there is a key for a query parameter that an address may be sent.
    package func sendsKey(_ name: String?, to url: URL) async -> Bool {
        guard keys.has(name) else { return false }
        return await origins.whyNoLogin(url) == nil
    }

    /// The whole response to a request, with status 2xx or one that the options accept, or 304 if there are validators.
    ///
    /// Throws an ``HTTPError`` for any other response, and for one that ends before it is complete; `CancellationError`; or
    /// a ``StoreError`` if its temporary file can't be read.
    ///
    /// - Parameters:
    ///   - limit: the maximum length of the body in bytes.
    ///   - wants: whether to read the body of a response with this head; otherwise it is empty.
    package func get(
        _ url: URL, options: RequestOptions = .json, validators: CacheValidators? = nil, limit: Int,
        wants: @escaping @Sendable (HTTPHead) -> Bool = { _ in true }
    ) async throws -> HTTPDocument {
        let chain = RequestChain(
            url: url.withoutLogin, options: options, validators: validators, limit: limit,
            deadline: Deadline(in: options.timeLimit, by: clock), wants: wants)
        var attempt = 1
        while true {
            do {
                return try await follow(chain)
            } catch let error as HTTPError {
                guard let wait = wait(after: error, attempt: attempt, of: chain) else { throw error }
                await observer(.retrying(url, error, seconds: wait))
                try await clock.pause(wait)
                attempt += 1
            }
        }
    }

    /// Seconds to wait before the next attempt; nil for none.
    private func wait(after error: HTTPError, attempt: Int, of chain: RequestChain) -> TimeInterval? {
        // Nobody knows what became of it.
        if chain.options.form != nil { return nil }
        let origin = Origin(chain.url)
        if case .unreachable = error, servers[origin].isUnreachable { return nil }
        let wait = retryPolicy.wait(after: error, attempt: attempt, maxWait: timeout, jitter: .random(in: 0...1))
        if let wait, wait < chain.deadline.remaining { return wait }
        if case .unreachable = error { servers.update(origin) { $0.isUnreachable = true } }
        return nil
    }

    /// Waits while a host is rate limiting; throws ``HTTPError/rateLimited(_:until:)`` if that exceeds the timeout.
    private func waitForHost(of url: URL, _ deadline: Deadline) async throws {
        let now = clock.now()
        guard let until = await waits?.wait(of: url, at: now) else { return }
        let seconds = until.timeIntervalSince(now)
        guard seconds <= min(timeout, deadline.remaining) else { throw HTTPError.rateLimited(url, until: until) }
        await observer(.waiting(url, seconds: seconds))
        try await clock.pause(seconds)
    }

    /// The seconds in `Retry-After`, remembered for the host after a 429, and for the address after a 503.
    private func retryAfter(_ head: HTTPHead, of url: URL) async -> TimeInterval? {
        let now = clock.now()
        let seconds = head["Retry-After"].flatMap { RetryAfter.seconds($0, now: now) }
        if let until = HTTPError.status(url, code: head.status, retryAfter: seconds).wait(at: now) {
            await waits?.remember(wait: until, of: head.status == 429 ? url.hostAndPort : url.absoluteString)
        }
        return seconds
    }

    private func follow(_ chain: RequestChain) async throws -> HTTPDocument {
        var redirects = Redirects(from: chain.url, within: chain.options.allowedHosts)
        var sendsLogin = !offersLogin
        while true {
            let target = redirects.target
            try await waitForHost(of: target, chain.deadline)
            let response = try await send(chain, to: target, redirects, sendsLogin: sendsLogin)
            servers.update(Origin(target)) { $0.isUnreachable = false }
            if !sendsLogin, Self.mayWantLogin.contains(response.head.status), await authorization(for: target) != nil {
                sendsLogin = true
                continue
            }
            if chain.options.followsRedirects, !keys.has(chain.options.keyName),
                try redirects.advance(after: response.head, from: response.peer)
            {
                continue
            }
            guard
                response.head.isSuccess || response.head.status == 304 && chain.validators(for: target) != nil
                    || chain.options.acceptedStatuses.contains(response.head.status)
            else {
                let wait = await retryAfter(response.head, of: target)
                if response.head.status == 401 {
                    throw HTTPError.unauthorized(
                        chain.url, await unauthorizedReason(for: chain.url, redirectedTo: target))
                }
                // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
                if response.head["cf-mitigated"] == "challenge" {
                    throw HTTPError.challenged(chain.url, code: response.head.status)
                }
                throw HTTPError.status(chain.url, code: response.head.status, retryAfter: wait)
            }
            let isWanted = chain.wants(response.head)
            // Fail before reading a body that is announced as too long.
            if isWanted, let length = response.head.bodyLength, length > chain.limit {
                throw HTTPError.tooLarge(target, limit: chain.limit)
            }
            if target == chain.url, let origin, Origin(target) == origin {
                servers.update(origin) { $0.peer = response.peer?.serverAddress }
            }
            let body = try await chain.deadline.run(orThrow: { _ in .tooSlow(target) }) {
                isWanted ? try await DocumentBody.collecting(response.body) : DocumentBody([])
            }
            if let location = try chain.options.pageRedirect?(response.head, body.data),
                redirects.advance(to: location, of: response.head, from: response.peer)
            {
                continue
            }
            return HTTPDocument(
                url: chain.url, finalURL: target,
                permanentURL: redirects.arePermanent && target != chain.url ? target : nil,
                // The next request goes to the first page, which can't tell whether the last one has changed.
                head: redirects.includePages ? response.head.withoutValidators : response.head, body: body,
                peer: response.peer)
        }
    }

    /// The `Authorization` header for an address; nil for none.
    private func authorization(for url: URL) async -> String? {
        guard let origin, origin.covers(Origin(url)), let login = netrc.login(for: url.host ?? "")?.basic else {
            return nil
        }
        return await origins.whyNoLogin(url) == nil ? login : nil
    }

    /// The user's header fields for an address: only of the client's source, at exactly the origin that the user has typed.
    private func ownFields(for url: URL) async -> [String: String] {
        guard let origin, origin == Origin(url), case let fields = ownHeaders.fields(for: origin), !fields.isEmpty,
            await origins.whyNoLogin(url) == nil
        else { return [:] }
        return fields
    }

    /// Why a request to `url`, redirected to `target`, got a 401.
    private func unauthorizedReason(for url: URL, redirectedTo target: URL) async -> HTTPError.Unauthorized {
        if await authorization(for: target) != nil { return .refused }
        if await authorization(for: url) != nil {
            return .redirected(to: (target.host ?? "") + (target.port.map { ":\($0)" } ?? ""))
        }
        if netrc.isUnsafe { return .unsafeFile }
        guard let origin else { return .withheld }
        guard origin.covers(Origin(url)), netrc.login(for: url.host ?? "") != nil else { return .missing }
        return await origins.whyNoLogin(url) ?? .missing
    }

    /// Sends a request; one that leads into a private network only if the user has typed its address.
    private func send(
        _ chain: RequestChain, to target: URL, _ redirects: Redirects, sendsLogin: Bool
    ) async throws -> HTTPResponse {
        let allowedHosts = redirects.allowedHosts.narrowed(to: target)
        var headers = chain.validators(for: target)?.requestHeaders ?? [:]
        headers["Accept"] = chain.options.accept
        headers["User-Agent"] = userAgent
        headers["Authorization"] = chain.options.authorization
        if headers["Authorization"] == nil, sendsLogin { headers["Authorization"] = await authorization(for: target) }
        if chain.options.form != nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
        headers["Cookie"] = redirects.cookies.header(for: target)
        headers.merge(await ownFields(for: target)) { $1 }
        let isKeyed = await sendsKey(chain.options.keyName, to: target)
        let address = isKeyed ? keys.adding(chain.options.keyName, to: target) : target
        func send(within allowedHosts: AllowedHosts) async throws -> HTTPResponse {
            guard allowedHosts.mayRequest(host: target.host ?? "") else { throw HTTPError.privateAddress(target) }
            let request = HTTPRequest(
                url: address, headers: headers, timeout: timeout, form: chain.options.form, allowedHosts: allowedHosts)
            let exchange = HTTPExchange(
                url: target, method: chain.options.form == nil ? "GET" : "POST", limit: chain.limit, clock: clock,
                activity: activity, observer: observer)
            return try await chain.deadline.run(orThrow: { .timedOut(target, seconds: $0) }) { [transport] in
                try await exchange.response { try await transport.send(request) }
            }
        }
        if allowedHosts.isLimited || origins.haveIncluded(target) { return try await send(within: allowedHosts) }
        // Most addresses are on the public internet, and need no look at the record.
        do { return try await send(within: .publicInternetOnly) } catch HTTPError.privateAddress(let refused) {
            guard await origins.include(target) else { throw HTTPError.privateAddress(refused) }
            return try await send(within: allowedHosts)
        }
    }

    /// The statuses of servers that want a login; some hide what needs one.
    private static let mayWantLogin: Set = [401, 403, 404]
}

/// What is known about servers, shared by the copies of a client.
private final class KnownServers: Sendable {
    struct Server {
        var peer: NetworkAddress?
        /// Whether the last attempts to connect have failed: of a server with hundreds of feeds, each would be waited for.
        var isUnreachable = false
    }

    private let servers = Mutex<[Origin: Server]>([:])

    subscript(origin: Origin) -> Server { servers.withLock { $0[origin] ?? Server() } }

    func update(_ origin: Origin, _ change: (inout Server) -> Void) {
        servers.withLock { change(&$0[origin, default: Server()]) }
    }
}

/// A request with its redirects.
private struct RequestChain: Sendable {
    let url: URL
    let options: RequestOptions
    let validators: CacheValidators?
    let limit: Int
    let deadline: Deadline
    let wants: @Sendable (HTTPHead) -> Bool

    /// The validators to send to an address; nil for none.
    func validators(for target: URL) -> CacheValidators? {
        guard let validators, !validators.isEmpty, validators.belong(to: target, requestedAs: url) else { return nil }
        return validators
    }
}

/// An event of a request, for progress and for `--verbose`.
public enum HTTPActivity: Sendable {
    /// A request is being sent, with GET or POST.
    case requesting(URL, method: String)
    /// `bytes` of the body have arrived; `total` is the announced length, if any.
    case receiving(URL, bytes: Int, total: Int?)
    /// The response is complete.
    case received(URL, status: Int, bytes: Int, seconds: TimeInterval)
    /// The request failed and will be retried after this many seconds.
    case retrying(URL, HTTPError, seconds: TimeInterval)
    /// The host is rate limiting for this many more seconds.
    case waiting(URL, seconds: TimeInterval)
    /// The response failed or was incomplete.
    case ended(URL)
}

/// Receives the activity of requests.
public typealias HTTPObserver = @Sendable (HTTPActivity) async -> Void

/// The `User-Agent` header (RFC 9110, section 10.1.5, https://www.rfc-editor.org/rfc/rfc9110#section-10.1.5).
package enum UserAgent {
    /// The version of the program, as `blog --version` prints it.
    package static let version = "0.1.0"
    /// The default, for programs that don't set their own.
    package static let standard = "blog/\(version)"
}

/// API keys by query parameter.
///
/// Keys are added just before a request is sent, so ``HTTPError`` and ``HTTPActivity`` never contain one.
package struct QueryKeys: Sendable, CustomStringConvertible, CustomReflectable {
    private let keys: [String: String]

    package static let none = QueryKeys([:])

    /// Nil and blank keys are ignored.
    package init(_ keys: [String: String?]) {
        self.keys = keys.compactMapValues { $0?.trimmed }.filter { !$0.value.isEmpty }
    }

    /// Whether there is a key for a query parameter.
    func has(_ name: String?) -> Bool { name.map { keys[$0] != nil } ?? false }

    /// The address with the key for a parameter added to its query; unchanged without a key.
    func adding(_ name: String?, to url: URL) -> URL {
        guard let name, let key = keys[name],
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return url }
        let item = URLQueryItem(name: name, value: URL.encoded(key))
        components.percentEncodedQueryItems = (components.percentEncodedQueryItems ?? []) + [item]
        return components.url ?? url
    }

    // Printing must not reveal keys.
    package var description: String { "\(keys.count) keys" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
