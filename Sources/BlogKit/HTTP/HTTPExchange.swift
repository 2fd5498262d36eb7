import BlogEssentials
import BlogModel
import Synchronization

/// A request and its response: counts the bytes, enforces the limit and notifies the observer.
final class HTTPExchange: Sendable {
    private let url: URL
    private let method: String
    private let limit: Int
    private let clock: WallClock
    private let activity: ServerActivity?
    private let observer: HTTPObserver
    private let start = ContinuousClock.now
    private let count = Atomic(0)

    init(
        url: URL, method: String, limit: Int, clock: WallClock, activity: ServerActivity?,
        observer: @escaping HTTPObserver
    ) {
        self.url = url
        self.method = method
        self.limit = limit
        self.clock = clock
        self.activity = activity
        self.observer = observer
    }

    /// Sends the request and returns its response.
    func response(_ send: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        await observer(.requesting(url, method: method))
        activity?.noteRequest(at: clock.now())
        let response = try await observed { try await send() }
        activity?.noteResponse(at: clock.now())
        let body = ResponseBody { [self] in
            try await observed { try await chunk(of: response) }
        }
        return HTTPResponse(url: url, head: response.head, body: body, peer: response.peer)
    }

    private func chunk(of response: HTTPResponse) async throws -> [UInt8]? {
        guard let chunk = try await response.body.next() else {
            activity?.noteEnd()
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let bytes = count.load(ordering: .relaxed)
            await observer(.received(url, status: response.head.status, bytes: bytes, seconds: seconds))
            return nil
        }
        activity?.noteResponse(at: clock.now())
        let total = count.add(chunk.count, ordering: .relaxed).newValue
        guard total <= limit else { throw HTTPError.tooLarge(url, limit: limit) }
        await observer(.receiving(url, bytes: total, total: response.head.bodyLength))
        return chunk
    }

    private func observed<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            activity?.noteEnd()
            await observer(.ended(url))
            // The requested URL may contain an API key.
            throw (error as? HTTPError)?.about(url) ?? error
        }
    }
}
