import BlogEssentials

/// The format of a picture; others, such as SVG, aren't supported.
package enum PictureFormat: Hashable, Sendable {
    case jpeg
    case png
    case gif
    case webp

    /// The format according to the first bytes of a file; nil for any other.
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

    /// Whether a response with this type may be a picture; many servers only know that it is binary.
    package static func accepts(_ type: MediaType?) -> Bool {
        guard let name = type?.name else { return true }
        return accepted.contains(name)
    }

    private static let accepted: Set = [
        "image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/x-png", "image/apng", "image/gif", "image/webp",
        "application/octet-stream", "binary/octet-stream",
    ]
}

/// A picture that was fetched or stored.
package struct LoadedPicture: Sendable {
    /// The file as the server sent it.
    package let data: Data
    package let format: PictureFormat
    /// Nil if it can't be read from the file.
    package let size: PixelSize?
    /// The path of the stored file; nil if it isn't stored.
    package let path: String?

    package init(_ data: Data, _ format: PictureFormat, path: String?) {
        self.data = data
        self.format = format
        self.path = path
        size = PixelSize(of: data, format)
    }
}

/// The size of a picture in pixels.
package struct PixelSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    /// Nil unless both are positive and a PNG can have them.
    package init?(width: Int, height: Int) {
        guard (1...Self.max).contains(width), (1...Self.max).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// The size according to the header of a file; nil if it can't be read.
    package init?(of data: Data, _ format: PictureFormat) {
        let size = data.withUnsafeBytes { Self.size(of: $0, format) }
        guard let size else { return nil }
        self.init(width: size.width, height: size.height)
    }

    private static func size(of file: UnsafeRawBufferPointer, _ format: PictureFormat) -> (width: Int, height: Int)? {
        func number(_ offset: Int, count: Int) -> Int {
            guard offset + count <= file.count else { return 0 }
            return file[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        switch format {
        // The first chunk is the header (https://www.w3.org/TR/png-3/#11IHDR).
        case .png:
            return file.dropFirst(12).starts(with: Array("IHDR".utf8))
                ? (number(16, count: 4), number(20, count: 4)) : nil
        // After the signature, low byte first (https://www.w3.org/Graphics/GIF/spec-gif89a.txt, 18).
        case .gif:
            return file.count >= 10 ? (Int(file[6]) | Int(file[7]) << 8, Int(file[8]) | Int(file[9]) << 8) : nil
        case .jpeg: return frame(ofJPEG: file).map { (number($0 + 7, count: 2), number($0 + 5, count: 2)) }
        case .webp: return size(ofWebP: file)
        }
    }

    /// The size in the first chunk, low byte first (RFC 9649, https://www.rfc-editor.org/rfc/rfc9649).
    private static func size(ofWebP bytes: UnsafeRawBufferPointer) -> (width: Int, height: Int)? {
        guard bytes.count >= 30 else { return nil }
        func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        switch Array(bytes[12..<16]) {
        // Both minus 1, in 24 bits each.
        case Array("VP8X".utf8):
            return (number(24) + (Int(bytes[26]) << 16) + 1, number(27) + (Int(bytes[29]) << 16) + 1)
        // In 14 bits each, after a frame tag and a signature.
        case Array("VP8 ".utf8): return (number(26) & 0x3FFF, number(28) & 0x3FFF)
        // Both minus 1, in 14 adjacent bits each, after a signature.
        case Array("VP8L".utf8):
            let bits = number(21) | number(23) << 16
            return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
        default: return nil
        }
    }

    /// The offset of the JPEG segment with the size (ITU-T T.81, B.2.2); nil if it isn't found.
    ///
    /// Like libjpeg, it skips other bytes between segments.
    private static func frame(ofJPEG bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 2
        while index + 4 <= bytes.count {
            let marker = bytes[index] == 0xFF ? bytes[index + 1] : 0x00
            switch marker {
            // Fill bytes before a marker, and what isn't a marker.
            case 0xFF, 0x00: index += 1
            // SOF0 to SOF15, except those that define tables.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker): return index
            // The image data follows.
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

    private static let max = Int(UInt32.max)
}
