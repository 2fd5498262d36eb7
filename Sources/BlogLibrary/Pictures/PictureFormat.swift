import Essentials
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

/// How large a picture is, in pixels.
package struct PixelSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    /// A size; nil for one that no picture has.
    package init?(width: Int, height: Int) {
        guard (1...Self.max).contains(width), (1...Self.max).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// The size in the header of a file; nil if it can't be read.
    package init?(of data: Data, _ format: PictureFormat) {
        let head = [UInt8](data.prefix(Self.maxHead))
        func number(_ offset: Int, count: Int) -> Int {
            guard offset + count <= head.count else { return 0 }
            return head[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        switch format {
        // The first chunk is the header (https://www.w3.org/TR/png-3/#11IHDR).
        case .png where head.dropFirst(12).starts(with: Array("IHDR".utf8)):
            self.init(width: number(16, count: 4), height: number(20, count: 4))
        // Behind the signature, the low byte first (https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18).
        case .gif where head.count >= 10:
            self.init(width: Int(head[6]) | Int(head[7]) << 8, height: Int(head[8]) | Int(head[9]) << 8)
        case .jpeg:
            guard let frame = Self.frame(ofJPEG: head) else { return nil }
            self.init(width: number(frame + 7, count: 2), height: number(frame + 5, count: 2))
        case .webp:
            guard let size = Self.size(ofWebP: head) else { return nil }
            self.init(width: size.width, height: size.height)
        case .png, .gif: return nil
        }
    }

    /// The size in the first chunk, the low byte first (RFC 9649, https://www.rfc-editor.org/rfc/rfc9649).
    private static func size(ofWebP bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 30 else { return nil }
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        switch Array(bytes[12..<16]) {
        // Both less 1 in 24 bits.
        case Array("VP8X".utf8):
            return (number(24) + (Int(bytes[26]) << 16) + 1, number(27) + (Int(bytes[29]) << 16) + 1)
        // Both in 14 bits, behind a frame tag and a signature.
        case Array("VP8 ".utf8): return (number(26) & 0x3FFF, number(28) & 0x3FFF)
        // Both less 1 in 14 bits without a gap, behind a signature.
        case Array("VP8L".utf8):
            let bits = number(21) | number(23) << 16
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        default: return nil
        }
    }

    /// Where the segment of a JPEG begins that tells its size (ITU-T T.81, B.2.2); nil if it isn't found.
    private static func frame(ofJPEG bytes: [UInt8]) -> Int? {
        var index = 2
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            switch marker {
            // Any number of these may come before a marker.
            case 0xFF: index += 1
            // SOF0 to SOF15, less those that define tables.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker): return index
            // The picture itself follows.
            case 0xD9, 0xDA: return nil
            // Markers without a segment.
            case 0x01, 0xD0...0xD7: index += 2
            default:
                let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
                guard length >= 2 else { return nil }
                index += 2 + length
            }
        }
        return nil
    }

    private static let max = 100_000
    /// Cameras put previews in front of the size.
    private static let maxHead = 1 << 19
}
