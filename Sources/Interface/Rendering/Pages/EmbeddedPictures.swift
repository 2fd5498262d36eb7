import BlogEssentials
import BlogLibrary
import BlogMarkup
import BlogModel
import Synchronization

/// The pictures embedded in pages (`data:`), so that the pages are complete without a network.
///
/// They are fetched before a page is rendered. The pages of a run share a limit on embedded bytes: a feed may give each
/// author the largest possible picture.
package final class EmbeddedPictures: Sendable {
    private let cache: PictureCache
    private let maxRequests: Int
    private let state = Mutex(State())

    private struct State {
        /// The bytes of the pictures in memory, and of those in pages.
        var (keptBytes, usedBytes) = (0, 0)
        /// The pictures that exceeded the limit.
        var leftOut: Set<String> = []
        /// The pictures as `data:` addresses; nil for unavailable ones.
        var known: [String: String?] = [:]
        var failures: [(url: URL, error: any Error)] = []
    }

    private typealias Arrival = (address: String, result: Result<String, any Error>)

    /// - Parameters:
    ///   - maxBytes: the limit on the bytes in all pages.
    ///   - maxRequests: how many pictures are fetched at once.
    package init(cache: PictureCache, maxBytes: Int, maxRequests: Int) {
        self.cache = cache
        self.maxBytes = maxBytes
        self.maxRequests = maxRequests
    }

    /// The pictures for pages that have been fetched so far.
    package var pictures: PagePictures { PagePictures(areLinked: false) { self.source($0) } }

    private func source(_ address: String) -> String? {
        state.withLock { state in
            guard let data = state.known[address] ?? nil else { return nil }
            guard state.usedBytes + data.utf8.count <= maxBytes else {
                state.leftOut.insert(address)
                return nil
            }
            state.usedBytes += data.utf8.count
            return data
        }
    }

    /// Fetches the pictures of a source's post, unless they were fetched before.
    package func fetch(_ addresses: [String], of source: SourceID) async {
        var waiting = state.withLock { state in Set(addresses).filter { state.known[$0] == nil } }
        await concurrently(atMost: maxRequests) { () -> String? in
            guard let address = waiting.popFirst() else { return nil }
            if state.withLock({ $0.keptBytes < maxBytes }) { return address }
            leaveOut(waiting.union([address]))
            return nil
        } work: {
            await self.fetch($0, source)
        } take: {
            keep($0)
        }
    }

    private func fetch(_ address: String, _ source: SourceID) async -> Arrival {
        guard let url = URL(address: address) else {
            return (address, .failure(PictureError.badAddress(address)))
        }
        do {
            let picture = try await cache.picture(url, of: source)
            let data = "data:\(picture.format.mediaType);base64,\(picture.data.base64EncodedString())"
            return (address, .success(data))
        } catch {
            return (address, .failure(error))
        }
    }

    private func leaveOut(_ addresses: Set<String>) {
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

    /// The pictures that couldn't be fetched, and how many were left out because of the limit.
    package var missing: (failures: [(url: URL, error: any Error)], leftOut: Int) {
        state.withLock { ($0.failures, $0.leftOut.count) }
    }

    /// The limit on the bytes of all pictures together.
    package let maxBytes: Int
}
