import Foundation
import HTTP

/// How a picture is encoded; others, such as SVG, are not shown.
package enum PictureFormat: Hashable, Sendable {
    case jpeg
    case png
    case gif
    case webp

    /// The format that the first bytes of a file tell; nil for any other.
    package init?(_ data: Data) {
        func begins(_ bytes: [UInt8], at offset: Int = 0) -> Bool { data.dropFirst(offset).starts(with: bytes) }
        if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
            self = .gif
        } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The media type of this format, for example `image/png`.
    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .gif: "image/gif"
        case .webp: "image/webp"
        }
    }

    /// Whether a response of this type may be one of these pictures; many servers only know that a file is binary.
    static func accepts(_ type: MediaType?) -> Bool {
        guard let name = type?.name else { return true }
        return accepted.contains(name)
    }

    private static let accepted: Set = [
        "image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/x-png", "image/apng", "image/gif", "image/webp",
        "application/octet-stream", "binary/octet-stream",
    ]
}
