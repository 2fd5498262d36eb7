import Essentials
import HTTP
import Model
import Rendering
import Synchronization

/// The pictures that pages hold in themselves (`data:`), so that they are whole without a network.
///
/// Which pictures a page has is only known once it is rendered, so it is rendered twice. All that are put into the pages of
/// a run have a limit together: anybody's feed may name the largest picture as that of each of its authors.
package final class EmbeddedPictures: Sendable {
    private let cache: PictureCache
    private let state = Mutex(State())
    /// Whether a page is rendered only to know its pictures.
    @TaskLocal private static var isProbe = false

    private struct State {
        var wanted: Set<String> = []
        /// The bytes of the pictures that are kept here, and of those that are in pages.
        var (keptBytes, usedBytes) = (0, 0)
        /// The pictures that were over the limit.
        var leftOut: Set<String> = []
        /// The pictures as addresses; nil for those that can't be had.
        var known: [String: String?] = [:]
        var failures: [(url: URL, error: any Error)] = []
    }

    /// A picture that was fetched, or why it was not.
    private struct Arrival: Sendable {
        let address: String
        let result: Result<String, any Error>
    }

    package init(cache: PictureCache, maxBytes: Int = HTTPLimits.embeddedBytes) {
        self.cache = cache
        self.maxBytes = maxBytes
    }

    /// The pictures of pages, as far as they have come.
    package var pictures: PagePictures { PagePictures(areLinked: false) { self.source($0) } }

    private func source(_ address: String) -> String? {
        state.withLock { state in
            guard let known = state.known[address] else {
                state.wanted.insert(address)
                return nil
            }
            guard !Self.isProbe, let data = known else { return known }
            guard state.usedBytes + data.utf8.count <= maxBytes else {
                state.leftOut.insert(address)
                return nil
            }
            state.usedBytes += data.utf8.count
            return data
        }
    }

    /// Fetches the pictures that something of a source is rendered with.
    package func prepare(_ source: SourceID, _ render: () -> Void) async {
        Self.$isProbe.withValue(true) { render() }
        let wanted = state.withLock { state in
            defer { state.wanted = [] }
            return state.wanted
        }
        let source = URL(address: source.address)
        var waiting = Array(wanted)[...]
        await concurrently(atMost: Self.maxFetches) { () -> String? in
            guard let address = waiting.popFirst() else { return nil }
            if state.withLock({ $0.keptBytes < maxBytes }) { return address }
            leaveOut([address] + waiting)
            return nil
        } work: {
            await self.fetch($0, source)
        } take: {
            keep($0)
        }
    }

    private func fetch(_ address: String, _ source: URL?) async -> Arrival {
        guard let url = URL(address: address) else {
            return Arrival(address: address, result: .failure(PictureError.badAddress(address)))
        }
        do {
            let picture = try await cache.picture(url, ofSourceAt: source)
            let data = "data:\(picture.format.mediaType);base64,\(picture.data.base64EncodedString())"
            return Arrival(address: address, result: .success(data))
        } catch {
            return Arrival(address: address, result: .failure(error))
        }
    }

    /// Leaves pictures out for which there is no room any more.
    private func leaveOut(_ addresses: [String]) {
        state.withLock { state in
            for address in addresses { state.known[address] = .some(nil) }
            state.leftOut.formUnion(addresses)
        }
    }

    private func keep(_ arrival: Arrival) {
        state.withLock { state in
            switch arrival.result {
            case .success(let data) where state.keptBytes + data.utf8.count > maxBytes:
                state.known[arrival.address] = .some(nil)
                state.leftOut.insert(arrival.address)
            case .success(let data):
                state.keptBytes += data.utf8.count
                state.known[arrival.address] = .some(data)
            case .failure(let error):
                state.known[arrival.address] = .some(nil)
                if let url = URL(address: arrival.address) { state.failures.append((url, error)) }
            }
        }
    }

    /// How many pictures are fetched at a time.
    private static let maxFetches = 20

    /// The pictures that could not be fetched, and how many were left out because all together are too large.
    package var missing: (failures: [(url: URL, error: any Error)], leftOut: Int) {
        state.withLock { ($0.failures, $0.leftOut.count) }
    }

    /// The bytes that all pictures may have together.
    package let maxBytes: Int
}
