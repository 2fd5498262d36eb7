import Foundation

/// The pictures of photos, from a folder; each is used for many photos.
///
/// A picture has a square for cropped sizes, and a whole version for the other sizes. As in the real API, addresses are
/// signed, so modified ones are rejected.
struct PhotoPictures: Sendable {
    /// The cropped sizes (https://github.com/500px/legacy-api-documentation, "Image sizes").
    static let squares: Set = [1, 2, 3, 100, 200, 440, 600]
    /// The other sizes.
    static let wholes: Set = [4, 5, 6, 20, 21, 30, 31, 1080, 1600, 2048]

    private let folder: URL
    private let names: [String]

    /// Reads the folder's `square` and `whole`; throws a ``MockServerError`` if there are no pictures.
    init(folder: URL) throws {
        self.folder = folder
        let found = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "square").path)
        names = (found ?? []).filter { ServedFile.mediaType(of: $0).hasPrefix("image/") }.sorted()
        guard !names.isEmpty else { throw MockServerError(message: "\(folder.path) has no pictures in square") }
    }

    /// The address of a photo's picture in a size.
    func address(of id: Int, size: Int) -> String {
        let signature = String(MadeUpWords.number(seed: id &* 4099 &+ size, below: 1 << 40), radix: 16)
        return "/pictures/\(id)/q%3D80_m%3D\(size)/\(name(of: id))?sig=\(signature)&v=2"
    }

    /// The API's name for the format of a photo's picture.
    func format(of id: Int) -> String { name(of: id).hasSuffix(".png") ? "png" : "jpeg" }

    /// The requested picture; nil if it doesn't exist.
    func response(to request: MockRequest) -> MockResponse? {
        let segments = request.segments
        guard segments.count == 4, let id = Int(segments[1]), let size = Int(segments[2].dropFirst("q=80_m=".count))
        else { return nil }
        guard request.target == address(of: id, size: size) else { return .photoError(403, "Invalid signature.") }
        return ServedFile((Self.squares.contains(size) ? "square/" : "whole/") + segments[3], in: folder)?
            .immutableResponse
    }

    private func name(of id: Int) -> String { names[Int(id.magnitude % UInt(names.count))] }
}

extension MockResponse {
    /// An error of the photo API.
    static func photoError(_ status: Int, _ message: String) -> MockResponse {
        var response = json("{\"status\":\(status),\"error\":\"\(message)\"}\n")
        response.status = status
        return response
    }
}
