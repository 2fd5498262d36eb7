import BlogCore
import Foundation
import Synchronization

/// The pictures that pages hold in themselves (`data:`), so that they are whole without a network.
///
/// Which pictures a page has is only known once it is rendered, so it is rendered twice.
final class EmbeddedPictures: Sendable {
    private let cache: PictureCache
    private let state = Mutex(State())

    private struct State {
        var wanted: Set<String> = []
        /// The pictures as addresses; nil for those that can't be had.
        var known: [String: String?] = [:]
        var failures: [(url: URL, error: any Error)] = []
    }

    /// A picture that was fetched, or why it was not.
    private struct Arrival: Sendable {
        let address: String
        let result: Result<String, any Error>
    }

    init(cache: PictureCache) {
        self.cache = cache
    }

    /// The pictures of pages, as far as they have come.
    var pictures: PagePictures { PagePictures(areLinked: false) { self.source($0) } }

    private func source(_ address: String) -> String? {
        state.withLock { state in
            if let known = state.known[address] { return known }
            state.wanted.insert(address)
            return nil
        }
    }

    /// Fetches the pictures that something of a source is rendered with.
    func prepare(_ source: SourceID, _ render: () -> Void) async {
        render()
        let wanted = state.withLock { state in
            defer { state.wanted = [] }
            return state.wanted
        }
        let source = URL(string: source.address)
        var waiting = Array(wanted)[...]
        await withTaskGroup(of: Arrival.self) { group in
            func start() {
                guard let address = waiting.popFirst() else { return }
                group.addTask { await self.fetch(address, source) }
            }
            for _ in 0..<Self.maxFetches { start() }
            while let arrival = await group.next() {
                keep(arrival)
                start()
            }
        }
    }

    private func fetch(_ address: String, _ source: URL?) async -> Arrival {
        guard let url = URL(string: address) else {
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

    private func keep(_ arrival: Arrival) {
        state.withLock { state in
            switch arrival.result {
            case .success(let data): state.known[arrival.address] = .some(data)
            case .failure(let error):
                state.known[arrival.address] = .some(nil)
                if let url = URL(string: arrival.address) { state.failures.append((url, error)) }
            }
        }
    }

    /// How many pictures are fetched at a time.
    private static let maxFetches = 20

    /// Which pictures are missing, and why; nil if none is.
    var missing: Message? { PictureFailures(failures: state.withLock { $0.failures }).message }
}
