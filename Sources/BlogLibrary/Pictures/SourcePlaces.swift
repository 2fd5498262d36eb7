import Foundation
import HTTP
import Model
import Store
import Synchronization

/// Where sources are whose host is a name: found out by a request of their own, when a picture of theirs turns out to be
/// in a private network.
///
/// Only a source that gave its list then is believed to be there: a name of the public internet that leads to somebody's
/// router today brings none.
final class SourcePlaces: Sendable {
    private let store: PostStore
    private let client: HTTPClient
    private let now: @Sendable () -> Date
    private let searches = Mutex<[URL: Task<SourcePlace, Never>]>([:])

    init(store: PostStore, client: HTTPClient, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.client = client
        self.now = now
    }

    /// Where the source at an address is; it is requested at most once.
    func place(ofSourceAt url: URL) async -> SourcePlace {
        let search = searches.withLock { searches in
            let search = searches[url] ?? Task { await find(url) }
            searches[url] = search
            return search
        }
        return await search.value
    }

    private func find(_ url: URL) async -> SourcePlace {
        let ids = ((try? await store.sources()) ?? []).map(\.id).filter { $0.address == url.absoluteString }
        for id in ids {
            guard let source = SourceRegistry.make(id, client) else { continue }
            let reader = SourceReader(source: source, store: store, now: now)
            guard let report = try? await reader.refreshed(respectsMaxAge: false) else { continue }
            if case .failed = report.outcome { continue }
            return SourcePlace(url, foundAt: Set([client.peer(ofSourceAt: url)].compactMap { $0 }))
        }
        return SourcePlace(url)
    }
}
