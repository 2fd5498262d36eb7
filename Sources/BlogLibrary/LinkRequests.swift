import Essentials
import HTTP
import Model
import Store
import Synchronization

/// Requests addresses that posts name, which are anybody's: none is of a private network unless the source that names
/// it is there itself, and no login is sent.
package struct LinkRequests: Sendable {
    private let client: HTTPClient
    private let place: @Sendable (URL) async -> SourceNetwork

    /// - Parameter place: finds out where the source at an address is, by a request of its own.
    package init(client: HTTPClient, place: @escaping @Sendable (URL) async -> SourceNetwork = { SourceNetwork($0) }) {
        self.client = client
        self.place = place
    }

    /// The whole response of an address; one in a private network is requested only once it is known that the source
    /// is there.
    ///
    /// Throws an ``HTTPError`` or `CancellationError`.
    ///
    /// - Parameters:
    ///   - source: the address of the source that names it; nil for none.
    ///   - limit: the maximum length of the body in bytes.
    ///   - wants: whether the body of a response is wanted, by its head.
    ///   - options: the options of the request, given where the source is.
    func response(
        of url: URL, namedBy source: URL?, validators: CacheValidators? = nil, limit: Int,
        wants: @escaping @Sendable (HTTPHead) -> Bool = { _ in true }, _ options: (SourceNetwork) -> RequestOptions
    ) async throws -> HTTPResponse {
        func get(_ place: SourceNetwork) async throws -> HTTPResponse {
            try await client.getWhole(url, options: options(place), validators: validators, limit: limit, wants: wants)
        }
        let spelled = source.map { SourceNetwork($0) } ?? .unknown
        do {
            return try await get(spelled)
        } catch HTTPError.privateAddress(let refused) {
            guard let source, case let found = await place(source), found != spelled else {
                throw HTTPError.privateAddress(refused)
            }
            return try await get(found)
        }
    }
}

/// The network places of sources whose host is a name.
///
/// A source is requested to find its place when an address that it names turns out to be in a private network.
///
/// Only a source that gives its list then is believed to be there: a public name that leads to somebody's router today
/// gives none.
final class SourceNetworks: Sendable {
    private let store: PostStore
    private let client: HTTPClient
    private let now: @Sendable () -> Date
    private let searches = Mutex<[URL: Task<SourceNetwork, Never>]>([:])

    init(store: PostStore, client: HTTPClient, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.client = client
        self.now = now
    }

    /// Where the source at an address is; it is requested at most once.
    func place(ofSourceAt url: URL) async -> SourceNetwork {
        let search = searches.withLock { searches in
            let search = searches[url] ?? Task { await find(url) }
            searches[url] = search
            return search
        }
        return await search.value
    }

    private func find(_ url: URL) async -> SourceNetwork {
        let sources = ((try? await store.sources()) ?? []).map(\.id).filter { $0.address == url.absoluteString }
        for id in sources {
            guard let source = SourceRegistry.make(id, client) else { continue }
            let reader = SourceReader(source: source, store: store, now: now)
            guard let report = try? await reader.refreshed(respectsMaxAge: false) else { continue }
            if case .failed = report.outcome { continue }
            return SourceNetwork(url, foundAt: Set([client.peer(ofSourceAt: url)].compactMap { $0 }))
        }
        return SourceNetwork(url)
    }
}
