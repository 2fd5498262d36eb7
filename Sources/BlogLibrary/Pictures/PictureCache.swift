import Essentials
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
    private let links: LinkRequests
    private let requests: Requests
    private let timeLimit: TimeInterval

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
    package init(
        folder: String?, links: LinkRequests, requests: Requests = .once, maxBytes: Int = Self.maxBytes,
        timeLimit: TimeInterval = HTTPLimits.pictureSeconds
    ) {
        self.folder = folder.map { PictureFolder(path: $0, maxBytes: maxBytes) }
        self.links = links
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
        let response = try await links.response(of: url, namedBy: source, limit: HTTPLimits.pictureBytes) {
            .picture(ofSourceAt: $0, timeLimit: timeLimit)
        }
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
