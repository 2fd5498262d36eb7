import BlogEssentials
import BlogModel
import BlogRendering
import Synchronization

/// Fetches the pictures of posts while their text is printed.
package final class PictureLoader: Sendable {
    private struct State {
        /// The source of the current post.
        var source: SourceID?
        var requests: [URL: Task<Void, Never>] = [:]
        /// The addresses of requests that have ended.
        var done: Set<URL> = []
        /// Pictures that could not be stored.
        var unstored: [URL: LoadedPicture] = [:]
        var failures: [(url: URL, error: any Error)] = []
    }

    private let isCurrent: @Sendable (URL) -> Bool
    private let stored: @Sendable (URL) -> LoadedPicture?
    private let maxSeconds: Double
    private let request: @Sendable (URL, _ source: SourceID?) async throws -> LoadedPicture
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isCurrent: whether the picture at an address is stored and shouldn't be fetched again.
    ///   - stored: the picture at an address if it is stored.
    ///   - maxSeconds: the longest time to wait for pictures.
    ///   - request: fetches the picture at an address, which a source names.
    package init(
        isCurrent: @escaping @Sendable (URL) -> Bool, stored: @escaping @Sendable (URL) -> LoadedPicture?,
        maxSeconds: Double, request: @escaping @Sendable (URL, _ source: SourceID?) async throws -> LoadedPicture
    ) {
        (self.isCurrent, self.stored) = (isCurrent, stored)
        (self.maxSeconds, self.request) = (maxSeconds, request)
    }

    /// Sets the source of the current post, whose pictures may be on its own host, even in a private network.
    package func begin(_ source: SourceID) {
        state.withLock { $0.source = source }
    }

    /// Starts to fetch a picture, unless it is cached.
    package func fetch(_ place: PicturePlace) {
        guard !place.urls.contains(where: isCurrent), let url = place.urls.first else { return }
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
            if done.contains(url) || isCurrent(url), let picture = stored(url) { return picture }
        }
        return nil
    }

    /// Waits for the pictures of some places in their order, but in total no longer than the timeout of one.
    package func wait(for places: [PicturePlace], _ arrived: (PicturePlace) async throws -> Void) async rethrows {
        let end = Task {
            try await Task.sleep(for: .seconds(maxSeconds))
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

    private func load(_ url: URL, _ source: SourceID?, isMissed: Bool) async {
        defer { _ = state.withLock { $0.done.insert(url) } }
        do {
            let picture = try await request(url, source)
            if picture.path == nil { state.withLock { $0.unstored[url] = picture } }
        } catch {
            if isMissed { state.withLock { $0.failures.append((url, error)) } }
        }
    }

    /// The most pictures that a run fetches.
    private static let maxRequests = 100
}
