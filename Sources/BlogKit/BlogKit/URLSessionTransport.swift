import BlogHTTP
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with URLSession.
///
/// On Linux there is no `URLSession.bytes`, and the delegates of tasks aren't called, so the session has one delegate.
/// It reuses connections. Of a session that a program brings, it takes the configuration.
///
/// URLSession doesn't reveal the address that it connects to. If private networks are forbidden, the host is resolved
/// beforehand, so DNS rebinding isn't detected, and behind a proxy the local resolver's addresses are checked. As
/// ``HTTPResponse/peer`` is never set, sources with a host name never count as private.
package final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate = SessionDelegate()
    /// The queue of the delegate.
    ///
    /// Tasks are cancelled on it too: Foundation on Linux traps if a task is cancelled on another thread while its end is
    /// being reported. Besides, cancelling blocks until the response pauses.
    private let queue = OperationQueue()

    /// - Parameter session: the session whose configuration is used; nil for one without cookies, cache and credentials.
    package init(_ session: URLSession? = nil) {
        queue.maxConcurrentOperationCount = 1
        self.session = URLSession(
            configuration: session?.configuration ?? Self.configuration, delegate: delegate, delegateQueue: queue)
    }

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = Politeness.maxConnectionsPerHost
        return configuration
    }

    deinit {
        queue.addOperation { [session] in session.invalidateAndCancel() }
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard await Self.mayConnect(request) else { throw HTTPError.privateAddress(request.url) }
        var urlRequest = URLRequest(url: request.url)
        urlRequest.timeoutInterval = request.timeout
        if let form = request.form {
            urlRequest.httpMethod = "POST"
            urlRequest.httpBody = Data(form.utf8)
        }
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        let transfer = Transfer(
            resume: { task.resume() }, cancel: { [queue] in queue.addOperation { task.cancel() } })
        delegate.begin(task, request, transfer)
        let reader = TransferReader(transfer, over: self)
        task.resume()
        return try await reader.response(to: request)
    }

    private static func mayConnect(_ request: HTTPRequest) async -> Bool {
        guard request.allowedHosts.isLimited else { return true }
        return await withCheckedContinuation { continuation in
            // On another thread, because resolving blocks.
            DispatchQueue.global().async {
                let addresses = NetworkAddress.resolved(request.url.host ?? "")
                continuation.resume(returning: addresses.allSatisfy(request.allowedHosts.mayConnect))
            }
        }
    }
}

/// Tracks the requests in progress by the identifiers of their tasks.
private final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private struct Exchange: Sendable {
        let request: HTTPRequest
        let transfer: Transfer
        var hasHead = false
    }

    private let exchanges = Mutex<[Int: Exchange]>([:])

    func begin(_ task: URLSessionTask, _ request: HTTPRequest, _ transfer: Transfer) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(request: request, transfer: transfer) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // No credentials are supported. With the default handling, Foundation on Linux would never end the task.
        guard challenge.failureResponse is HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        if let response = challenge.failureResponse { receiveHead(response, of: task) }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        receiveHead(response, of: dataTask)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let transfer = exchanges.withLock({ $0[dataTask.taskIdentifier]?.transfer }) else { return }
        transfer.receive(data)
        transfer.deliver()
        // Foundation on Linux traps if a task is suspended, so there only the size limit bounds the buffer.
        #if !os(Linux)
            if transfer.isFull { dataTask.suspend() }
        #endif
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // The response hasn't been received if it is a redirect without a valid target.
        if error == nil, let response = task.response { receiveHead(response, of: task) }
        guard let ended = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        let isRefused = (error as? URLError)?.code == .userAuthenticationRequired && ended.hasHead
        guard let error, !isRefused else { return ended.transfer.end(.success(())) }
        ended.transfer.end(.failure(httpError(for: error, of: ended)))
    }

    /// Passes on the head of a response, once.
    private func receiveHead(_ response: URLResponse, of task: URLSessionTask) {
        guard let response = response as? HTTPURLResponse else { return }
        let transfer = exchanges.withLock { exchanges -> Transfer? in
            guard let exchange = exchanges[task.taskIdentifier], !exchange.hasHead else { return nil }
            exchanges[task.taskIdentifier]?.hasHead = true
            return exchange.transfer
        }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
        transfer?.receive(HTTPHead(status: response.statusCode, headers: headers))
    }

    private func httpError(for error: any Error, of exchange: Exchange) -> any Error {
        let url = exchange.request.url
        switch (error as? URLError)?.code ?? .unknown {
        case .cancelled: return CancellationError()
        case .timedOut where exchange.hasHead: return HTTPError.stalled(url, seconds: exchange.request.timeout)
        case .timedOut: return HTTPError.timedOut(url, seconds: exchange.request.timeout)
        case .cannotFindHost, .dnsLookupFailed: return HTTPError.unreachable(url, reason: .unknownHost)
        case .cannotConnectToHost: return HTTPError.unreachable(url, reason: .refused)
        // Foundation on Linux can't connect to an IPv6 address.
        case .badURL: return HTTPError.unreachable(url, reason: .badAddress)
        case .notConnectedToInternet: return HTTPError.unreachable(url, reason: .noNetwork)
        case .secureConnectionFailed: return HTTPError.insecure(url, reason: .handshake)
        case .serverCertificateHasBadDate: return HTTPError.insecure(url, reason: .expired)
        case .serverCertificateNotYetValid: return HTTPError.insecure(url, reason: .notYetValid)
        case .serverCertificateHasUnknownRoot, .serverCertificateUntrusted:
            return HTTPError.insecure(url, reason: .unknownAuthority)
        case .cannotDecodeContentData, .cannotDecodeRawData: return HTTPError.malformed(url, problem: .encoding)
        // Foundation has no error code for a response that isn't HTTP.
        case .unsupportedURL: return HTTPError.notHTTP(url)
        default: return HTTPError.interrupted(url)
        }
    }
}
