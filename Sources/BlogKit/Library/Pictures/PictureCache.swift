import BlogEssentials
import BlogHTTP
import BlogModel
import BlogStore
import Synchronization

/// The pictures in posts, fetched once and cached in a folder.
///
/// Anybody may have written their addresses: a picture is limited in size and time, no login is sent for it, and it may
/// be in a private network only if the source that names it is there too. The file name is the digest of the address.
package struct PictureCache: Sendable {
    private let folder: PictureFolder?
    private let links: LinkRequests
    private let freshness: Freshness
    private let timeLimit: TimeInterval

    /// - Parameters:
    ///   - folder: where pictures are stored; nil not to store any.
    ///   - freshness: when pictures are requested; by default, once.
    ///   - maxBytes: the limit on their total size.
    ///   - timeLimit: the limit in seconds on fetching one.
    package init(
        folder: String?, links: LinkRequests, freshness: Freshness = .normal, maxBytes: Int = Self.maxBytes,
        timeLimit: TimeInterval = HTTPLimits.pictureSeconds
    ) {
        self.folder = folder.map { PictureFolder(path: $0, maxBytes: maxBytes) }
        self.links = links
        self.freshness = freshness
        self.timeLimit = timeLimit
    }

    /// The picture at an address if it is stored.
    package func stored(_ url: URL) -> LoadedPicture? {
        let name = Self.name(of: url)
        guard let data = folder?.read(name), let format = PictureFormat(data) else { return nil }
        return LoadedPicture(data, format, path: folder?.path(of: name))
    }

    /// Whether the picture at an address is stored and shouldn't be fetched again.
    package func isCurrent(_ url: URL) -> Bool { freshness != .refresh && isStored(url) }

    /// The size in bytes of the picture at an address, if it is stored and shouldn't be fetched again; records a use.
    package func use(_ url: URL) -> Int? { freshness == .refresh ? nil : folder?.use(Self.name(of: url)) }

    private func isStored(_ url: URL) -> Bool { folder?.has(Self.name(of: url)) == true }

    /// The picture at an address, fetched unless it is stored.
    ///
    /// Throws a ``PictureError``, an ``HTTPError`` or `CancellationError`.
    ///
    /// - Parameter source: the source that names the picture; nil for none.
    package func picture(_ address: URL, of source: SourceID?) async throws -> LoadedPicture {
        let url = address.withoutLogin
        if freshness != .refresh, let stored = stored(url) { return stored }
        guard freshness != .offline else { throw PictureError.notStored(url) }
        guard url.isWeb else {
            throw PictureError.badAddress(url.absoluteString)
        }
        let response = try await links.response(of: url, namedBy: source, limit: HTTPLimits.pictureBytes) {
            .picture(ofSourceAt: $0, timeLimit: timeLimit)
        }
        let (data, name) = (try response.body.data, Self.name(of: url))
        guard PictureFormat.accepts(response.head.mediaType), let format = PictureFormat(data) else {
            throw PictureError.notAPicture(url, type: response.head.mediaType?.name)
        }
        folder?.write(data, as: name)
        return LoadedPicture(data, format, path: isStored(url) ? folder?.path(of: name) : nil)
    }

    private static func name(of url: URL) -> String { SHA256.hex(of: url.withoutLogin.absoluteString) }

    /// The default limit on the total size in bytes.
    package static let maxBytes = 200_000_000
}

package enum PictureError: Error, Hashable, Sendable {
    /// The address is not http or https.
    case badAddress(String)
    /// It isn't stored, and requests are off.
    case notStored(URL)
    /// It isn't a JPEG, PNG, GIF or WebP; `type` is its media type according to the server, nil if unknown.
    case notAPicture(URL, type: String?)
}
