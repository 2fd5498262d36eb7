import Foundation
import Synchronization
@testable import BlogHTTP
@testable import BlogModel

/// A transport to hosts that send the same feed for any address, or are silent until the request is cancelled.
package final class QuietNetwork: Transport {
    private let state = Mutex<(silent: Set<String>, gone: Set<String>, requested: [String])>(([], [], []))
    private let waiting = Mutex<[AsyncStream<Void>.Continuation]>([])

    package init() {}

    /// The addresses requested since the last call.
    package func takeRequests() -> [String] {
        state.withLock { state in
            defer { state.requested = [] }
            return state.requested
        }
    }

    /// Which hosts are silent from now on, and which respond with 410.
    package func set(silent: Set<String> = [], gone: Set<String> = []) {
        state.withLock { ($0.silent, $0.gone) = (silent, gone) }
    }

    /// A clock whose lists stop waiting once `count` requests to silent hosts were sent.
    package func clock(_ clock: TestClock, untilRequests count: Int) -> WallClock {
        let (arrivals, continuation) = AsyncStream<Void>.makeStream()
        waiting.withLock { $0.append(continuation) }
        return clock.wall(endingListsAfter: { for await _ in arrivals.prefix(count) {} })
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let host = request.url.host ?? ""
        let (isSilent, isGone) = state.withLock { state in
            state.requested.append(request.url.absoluteString)
            return (state.silent.contains(host), state.gone.contains(host))
        }
        if isSilent {
            for waiter in waiting.withLock({ $0 }) { waiter.yield() }
            // Ends when its task is cancelled, as nothing ever arrives.
            let (nothing, end) = AsyncStream<Void>.makeStream()
            for await _ in nothing { end.finish() }
            throw CancellationError()
        }
        let item = "<item><guid>\(request.url.path())</guid><title>\(host)</title></item>"
        let feed = "<rss version='2.0'><channel><title>T</title>\(item)</channel></rss>"
        return HTTPResponse(
            url: request.url, head: HTTPHead(status: isGone ? 410 : 200), body: ResponseBody(Data(feed.utf8)))
    }
}
