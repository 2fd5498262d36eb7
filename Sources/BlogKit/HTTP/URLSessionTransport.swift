import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession as a transport.
///
/// `URLSession.bytes` doesn't exist on Linux, and a delegate of a single task is not called there, so one delegate
/// serves the whole session, which keeps connections open from one request to the next.
package final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: Exchanges

    package init() {
        let configuration = Self.configuration
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        // Without this, Foundation on Linux looks for cookies all the same, header by header.
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 20
        exchanges = Exchanges()
        let queue = BoundedQueue()
        queue.maxConcurrentOperationCount = 1
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    /// Making the first configuration has Foundation on Linux make folders for a cache and cookies in the user's home,
    /// which nothing of ours ever uses: where there is no place for them, it goes without.
    private static let configuration: URLSessionConfiguration = {
        #if os(Linux)
            let names = ["XDG_CACHE_HOME", "XDG_DATA_HOME"]
            let before = names.map { getenv($0).map { String(cString: $0) } }
            for name in names { setenv(name, "/dev/null", 1) }
            defer {
                for (name, value) in zip(names, before) {
                    if let value { setenv(name, value, 1) } else { unsetenv(name) }
                }
            }
        #endif
        return .ephemeral
    }()

    deinit {
        // Elsewhere, for the reason that `Exchanges.abandon` tells.
        DispatchQueue.global().async { [session] in session.invalidateAndCancel() }
    }

    package func send(_ request: HTTPRequest) -> AsyncThrowingStream<TransportEvent, any Error> {
        var urlRequest = URLRequest(url: request.url)
        urlRequest.timeoutInterval = request.timeout
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        let inbox = Inbox()
        exchanges.begin(task, Exchange(request: request, inbox: inbox))
        let interest = Interest(in: task, of: exchanges, inbox)
        task.resume()
        return AsyncThrowingStream { try await interest.next() }
    }
}

/// Somebody's waiting for an answer: nobody needs the rest of it when that is over.
private final class Interest: Sendable {
    private let task: URLSessionTask
    private let exchanges: Exchanges
    private let inbox: Inbox

    init(in task: URLSessionTask, of exchanges: Exchanges, _ inbox: Inbox) {
        self.task = task
        self.exchanges = exchanges
        self.inbox = inbox
    }

    deinit {
        exchanges.abandon(task)
    }

    func next() async throws -> TransportEvent? { try await inbox.next() }
}

/// A request under way and where its answer goes.
private struct Exchange: Sendable {
    let request: HTTPRequest
    var hasHead = false
    /// How many bytes of the body have come.
    var bytes = 0
    let inbox: Inbox
}

/// The requests of a session that are under way, by the number of their task.
private final class Exchanges: NSObject, URLSessionDataDelegate {
    private let underWay = Mutex<[Int: Exchange]>([:])

    func begin(_ task: URLSessionTask, _ exchange: Exchange) {
        underWay.withLock { $0[task.taskIdentifier] = exchange }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        underWay.withLock { $0[dataTask.taskIdentifier]?.hasHead = true }
        if let head = head(of: response) { exchange(of: dataTask)?.inbox.put(.head(head)) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let exchange = underWay.withLock { exchanges in
            exchanges[dataTask.taskIdentifier]?.bytes += data.count
            return exchanges[dataTask.taskIdentifier]
        }
        guard let exchange else { return }
        guard exchange.bytes <= exchange.request.limit else {
            // Counted here and not where the bytes are used: those wait in line for that, however many they are.
            exchange.inbox.end(
                .failure(HTTPError.tooLarge(exchange.request.url, limit: exchange.request.limit)))
            return abandon(dataTask)
        }
        exchange.inbox.put(.bytes(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = underWay.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let ended else { return }
        // Of a redirect to nowhere nothing is told before.
        if error == nil, !ended.hasHead, let head = task.response.flatMap(head) {
            ended.inbox.put(.head(head))
        }
        ended.inbox.end(error.map { .failure(httpError(for: $0, of: ended.request)) } ?? .success(()))
    }

    /// Ends a task that is still under way, and takes nothing of it any more.
    ///
    /// Foundation on Linux has who cancels wait until curl finds nothing more to read, which with a server that is
    /// faster than we are is at the end of the answer; so this is done elsewhere.
    func abandon(_ task: URLSessionTask) {
        guard underWay.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) != nil else { return }
        DispatchQueue.global().async { task.cancel() }
    }

    private func head(of response: URLResponse) -> HTTPHead? {
        guard let response = response as? HTTPURLResponse else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        return HTTPHead(status: response.statusCode, headers: headers)
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        underWay.withLock { $0[task.taskIdentifier] }
    }

    private func httpError(for error: any Error, of request: HTTPRequest) -> any Error {
        let code = (error as? URLError)?.code ?? .unknown
        switch code {
        case .cancelled: return CancellationError()
        case .timedOut: return HTTPError.timedOut(request.url, seconds: request.timeout)
        case .cannotFindHost, .dnsLookupFailed: return HTTPError.unreachable(request.url, reason: .unknownHost)
        case .cannotConnectToHost: return HTTPError.unreachable(request.url, reason: .refused)
        // Foundation on Linux can't ask an IPv6 address.
        case .badURL: return HTTPError.unreachable(request.url, reason: .badAddress)
        case .notConnectedToInternet: return HTTPError.unreachable(request.url, reason: .noNetwork)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
            return HTTPError.insecure(request.url)
        // curl says so when what answers does not speak HTTP; Foundation has no code of its own for it.
        case .unsupportedURL: return HTTPError.notHTTP(request.url)
        default: return HTTPError.interrupted(request.url)
        }
    }
}
