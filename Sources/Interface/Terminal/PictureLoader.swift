import BlogLibrary
import BlogEssentials
import BlogHTTP
import BlogModel
import BlogRendering
import Synchronization

/// Fetches the pictures of posts while their text is printed.
package final class PictureLoader: Sendable {
    private struct State {
        /// The address of the source of the current post.
        var source: URL?
        var requests: [URL: Task<Void, Never>] = [:]
        /// The addresses of requests that have ended.
        var done: Set<URL> = []
        /// Pictures that could not be stored.
        var unstored: [URL: LoadedPicture] = [:]
        var failures: [(url: URL, error: any Error)] = []
    }

    private let cache: PictureCache
    private let state = Mutex(State())

    package init(cache: PictureCache) {
        self.cache = cache
    }

    /// Sets the source of the current post, whose pictures may be on its own host, even in a private network.
    package func begin(_ source: SourceID) {
        state.withLock { $0.source = URL(address: source.address) }
    }

    /// Starts to fetch a picture, unless it is cached.
    package func fetch(_ place: PicturePlace) {
        guard !place.urls.contains(where: cache.isCurrent), let url = place.urls.first else { return }
        state.withLock { state in
            guard state.requests[url] == nil, state.requests.count < Self.maxRequests else { return }
            let source = state.source
            state.requests[url] = Task { await load(url, source, isMissed: !place.isOrnament) }
        }
    }

    /// The picture for a place; nil if it isn't loaded yet.
    package func picture(at place: PicturePlace) -> LoadedPicture? {
        let (unstored, done) = state.withLock { ($0.unstored, $0.done) }
        for url in place.urls {
            if let picture = unstored[url] { return picture }
            // An outdated cached picture is used only if fetching it again fails.
            if done.contains(url) || cache.isCurrent(url), let picture = cache.stored(url) { return picture }
        }
        return nil
    }

    /// Waits for the pictures of some places in their order, but in total no longer than the timeout of one.
    package func wait(for places: [PicturePlace], _ arrived: (PicturePlace) async throws -> Void) async rethrows {
        let end = Task {
            try await Task.sleep(for: .seconds(HTTPLimits.pictureSeconds))
            for request in state.withLock({ $0.requests.values.map(\.self) }) { request.cancel() }
        }
        defer { end.cancel() }
        for place in places {
            guard let url = place.urls.first else { continue }
            await state.withLock { $0.requests[url] }?.value
            if picture(at: place) != nil { try await arrived(place) }
        }
    }

    package var failures: [(url: URL, error: any Error)] { state.withLock { $0.failures } }

    private func load(_ url: URL, _ source: URL?, isMissed: Bool) async {
        defer { _ = state.withLock { $0.done.insert(url) } }
        do {
            let picture = try await cache.picture(url, ofSourceAt: source)
            if picture.path == nil { state.withLock { $0.unstored[url] = picture } }
        } catch {
            let reason = error is CancellationError ? HTTPError.tooSlow(url) : error
            if isMissed { state.withLock { $0.failures.append((url, reason)) } }
        }
    }

    /// The most pictures that a run fetches.
    private static let maxRequests = 100
}
