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
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 20
        exchanges = Exchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    package func send(_ request: HTTPRequest) -> AsyncThrowingStream<TransportEvent, any Error> {
        AsyncThrowingStream { continuation in
            var urlRequest = URLRequest(url: request.url)
            urlRequest.timeoutInterval = request.timeout
            for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
            let task = session.dataTask(with: urlRequest)
            exchanges.begin(task, Exchange(request: request, continuation: continuation))
            continuation.onTermination = { termination in
                // Cancelling waits for the session's queue; a task that has ended needs none of it.
                if case .cancelled = termination { task.cancel() }
            }
            task.resume()
        }
    }
}

/// A request under way and who waits for its answer.
private struct Exchange: Sendable {
    let request: HTTPRequest
    let continuation: AsyncThrowingStream<TransportEvent, any Error>.Continuation
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
        if let response = response as? HTTPURLResponse {
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields { headers["\(name)"] = "\(value)" }
            exchange(of: dataTask)?.continuation.yield(
                .head(HTTPHead(status: response.statusCode, headers: headers)))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.continuation.yield(.bytes(data))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let ended = underWay.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let ended else { return }
        ended.continuation.finish(throwing: error.map { httpError(for: $0, of: ended.request) })
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
