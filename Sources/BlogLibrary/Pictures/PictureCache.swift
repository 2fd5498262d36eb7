import Foundation
import HTTP
import Model
import Store
import Synchronization

/// The pictures in posts, fetched once and kept in a folder.
///
/// Addresses of pictures are anybody's: a picture is bounded in bytes and time, is of no private network unless the
/// source that names it is there itself, and no login is sent for it. Its file is called by the digest of its address.
package struct PictureCache: Sendable {
    private let folder: PictureFolder?
    private let client: HTTPClient
    private let requests: Requests
    private let timeLimit: TimeInterval
    private let place: @Sendable (URL) async -> SourcePlace

    /// Whether and when requests are sent.
    package enum Requests: Sendable {
        /// For pictures that aren't stored.
        case once
        case always
        case never
    }

    /// - Parameters:
    ///   - folder: where pictures are kept; nil to keep none.
    ///   - maxBytes: what all of them may have.
    ///   - timeLimit: how long one may take, in seconds.
    ///   - place: finds out where the source at an address is, by a request of its own.
    package init(
        folder: String?, client: HTTPClient, requests: Requests = .once, maxBytes: Int = Self.maxBytes,
        timeLimit: TimeInterval = HTTPLimits.pictureSeconds,
        place: @escaping @Sendable (URL) async -> SourcePlace = { SourcePlace($0) }
    ) {
        self.place = place
        self.folder = folder.map { PictureFolder(path: $0, maxBytes: maxBytes) }
        self.client = client
        self.requests = requests
        self.timeLimit = timeLimit
    }

    /// The picture at an address if it is kept.
    package func kept(_ url: URL) -> LoadedPicture? {
        let name = Self.name(of: url)
        return folder?.read(name).flatMap { LoadedPicture($0, path: folder?.path(of: name)) }
    }

    /// Whether the picture at an address is kept, and not to be fetched again.
    package func isCurrent(_ url: URL) -> Bool { requests != .always && isKept(url) }

    /// The bytes of the picture at an address if it is kept and not to be fetched again; that counts as a use.
    package func use(_ url: URL) -> Int? { requests == .always ? nil : folder?.use(Self.name(of: url)) }

    private func isKept(_ url: URL) -> Bool { folder?.has(Self.name(of: url)) == true }

    /// The picture at an address, fetched unless it is kept.
    ///
    /// Throws a ``PictureError``, an ``HTTPError`` or `CancellationError`.
    ///
    /// - Parameter source: the address of the source that names the picture; nil for none.
    package func picture(_ address: URL, ofSourceAt source: URL?) async throws -> LoadedPicture {
        let url = address.withoutLogin
        if requests != .always, let kept = kept(url) { return kept }
        guard requests != .never else { throw PictureError.notKept(url) }
        guard ["http", "https"].contains(url.scheme?.lowercased()) else {
            throw PictureError.badAddress(url.absoluteString)
        }
        let response = try await response(url, source)
        let (data, name) = (response.body.whole, Self.name(of: url))
        guard PictureFormat.accepts(response.head.mediaType), PictureFormat(data) != nil else {
            throw PictureError.notAPicture(url, type: response.head.mediaType?.name)
        }
        folder?.write(data, as: name)
        guard let picture = LoadedPicture(data, path: isKept(url) ? folder?.path(of: name) : nil) else {
            throw PictureError.notAPicture(url, type: nil)
        }
        return picture
    }

    /// The response of an address; one in a private network is requested only once it is known that the source is
    /// there.
    private func response(_ url: URL, _ source: URL?) async throws -> HTTPResponse {
        func get(_ place: SourcePlace) async throws -> HTTPResponse {
            let options = RequestOptions.picture(ofSourceAt: place, timeLimit: timeLimit)
            return try await client.getWhole(url, options: options, limit: HTTPLimits.pictureBytes)
        }
        let spelled = source.map { SourcePlace($0) } ?? .unknown
        do {
            return try await get(spelled)
        } catch HTTPError.privateAddress(let refused) {
            guard let source, case let found = await place(source), found != spelled else {
                throw HTTPError.privateAddress(refused)
            }
            return try await get(found)
        }
    }

    /// How many pictures are kept, and their bytes.
    package var facts: (count: Int, bytes: Int) { folder?.facts ?? (0, 0) }

    /// Removes all pictures.
    package func clear() { folder?.clear() }

    private static func name(of url: URL) -> String { SHA256.hex(of: url.withoutLogin.absoluteString) }

    /// What all pictures may have together, in bytes.
    package static let maxBytes = 200_000_000
}

/// A picture that has come, or was kept.
package struct LoadedPicture: Sendable {
    /// The file as its server sent it.
    package let data: Data
    package let format: PictureFormat
    /// Nil where the file doesn't tell.
    package let size: PixelSize?
    /// Where it is kept; nil if it isn't.
    package let path: String?

    /// Nil if the data isn't a picture.
    init?(_ data: Data, path: String?) {
        guard let format = PictureFormat(data) else { return nil }
        self.data = data
        self.format = format
        self.path = path
        size = PixelSize(of: data, format)
    }
}

/// Why a picture can't be loaded.
package enum PictureError: Error, Hashable, Sendable {
    /// The address is not http or https.
    case badAddress(String)
    /// It is not kept, and requests are off.
    case notKept(URL)
    /// It isn't a JPEG, PNG, GIF or WebP; `type` is its media type according to the server, nil if unknown.
    case notAPicture(URL, type: String?)
}

/// The network places of sources whose host is a name.
///
/// A source is requested to find its place when one of its pictures turns out to be in a private network.
///
/// Only a source that gives its list then is believed to be there: a public name that leads to somebody's router today
/// gives none.
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
        let sources = ((try? await store.sources()) ?? []).map(\.id).filter { $0.address == url.absoluteString }
        for id in sources {
            guard let source = SourceRegistry.make(id, client) else { continue }
            let reader = SourceReader(source: source, store: store, now: now)
            guard let report = try? await reader.refreshed(respectsMaxAge: false) else { continue }
            if case .failed = report.outcome { continue }
            return SourcePlace(url, foundAt: Set([client.peer(ofSourceAt: url)].compactMap { $0 }))
        }
        return SourcePlace(url)
    }
}
