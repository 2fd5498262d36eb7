import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore
import Synchronization

/// Requests addresses found in posts, which anybody may have written: no login is sent, and an address in a private
/// network is requested only if the source that names it is there, at the same origin, which the user has typed.
package struct LinkRequests: Sendable {
    private let client: HTTPClient
    private let place: @Sendable (URL) async -> SourceNetwork

    /// - Parameter place: finds the network of the source at an address, by a request of its own.
    package init(client: HTTPClient, place: @escaping @Sendable (URL) async -> SourceNetwork = { SourceNetwork($0) }) {
        self.client = client
        self.place = place
    }

    /// The complete response from an address; one in a private network is requested only once the source is known to be
    /// there too.
    ///
    /// Throws an ``HTTPError`` or `CancellationError`.
    ///
    /// - Parameters:
    ///   - source: the source that names it; nil for none.
    ///   - limit: the maximum length of the body in bytes.
    ///   - wants: whether the body of a response is wanted, given its head.
    ///   - options: the options of the request, given the network of the source.
    func response(
        of url: URL, namedBy source: SourceID?, validators: CacheValidators? = nil, limit: Int,
        wants: @escaping @Sendable (HTTPHead) -> Bool = { _ in true }, _ options: (SourceNetwork) -> RequestOptions
    ) async throws -> HTTPDocument {
        func get(_ place: SourceNetwork) async throws -> HTTPDocument {
            try await client.get(url, options: options(place), validators: validators, limit: limit, wants: wants)
        }
        do {
            return try await get(.noPrivateNetwork)
        } catch HTTPError.privateAddress(let refused) {
            guard let home = source?.home, Origin(home).covers(Origin(url)), await client.origins.include(home) else {
                throw HTTPError.privateAddress(refused)
            }
            let spelled = SourceNetwork(home)
            do { return try await get(spelled) } catch HTTPError.privateAddress(let refused) {
                guard case let found = await place(home), found != spelled else {
                    throw HTTPError.privateAddress(refused)
                }
                return try await get(found)
            }
        }
    }
}

extension SourceID {
    /// The address of the source, to whose origin its links may lead in a private network; nil for a feed of a sync
    /// server, whose address the server has chosen.
    fileprivate var home: URL? { service == nil ? URL(address: address) : nil }
}

/// Finds the networks of sources whose host is a name.
///
/// When an address named by a source turns out to be in a private network, the source is requested to see whether it
/// is there too. Only a source that returns its list is believed: a public name that resolves to somebody's router
/// returns none.
final class SourceLocator: Sendable {
    private let store: PostStore
    private let client: HTTPClient
    private let searches = Mutex<[URL: Task<SourceNetwork, Never>]>([:])

    init(store: PostStore, client: HTTPClient) {
        self.store = store
        self.client = client
    }

    /// The network of the source at an address, which is requested at most once.
    func place(ofSourceAt url: URL) async -> SourceNetwork {
        let search = searches.withLock { searches in
            let search = searches[url] ?? Task { await find(url) }
            searches[url] = search
            return search
        }
        return await search.value
    }

    private func find(_ url: URL) async -> SourceNetwork {
        let stored = (try? await store.read { try Sources($0).all() }) ?? []
        let sources = stored.map(\.id).filter { $0.address == url.absoluteString }
        for id in sources {
            guard let source = SourceRegistry.make(id, client) else { continue }
            let reader = SourceReader(source: source, store: store, clock: client.clock)
            guard let report = try? await reader.refreshed(respectsMaxAge: false), report.failure == nil else {
                continue
            }
            return SourceNetwork(url, foundAt: Set([client.peer(ofSourceAt: url)].compactMap { $0 }))
        }
        return SourceNetwork(url)
    }
}
