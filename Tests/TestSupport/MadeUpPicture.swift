import Foundation

/// Files with the first bytes of pictures; nothing reads further.
package enum MadeUpPicture {
    /// A PNG of a size in pixels, of at least `bytes` bytes.
    package static func png(_ width: Int = 320, _ height: Int = 200, bytes: Int = 64) -> Data {
        let head = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        let size = [width, height].flatMap { number in
            stride(from: 24, through: 0, by: -8).map { (number >> $0) & 0xFF }
        }
        let start = head + size.map { UInt8($0) } + [8, 2, 0, 0, 0]
        return Data(start) + Data(count: max(bytes - start.count, 0))
    }

    /// A JPEG with a segment before the one that has its size, and some fill bytes between them.
    package static func jpeg(_ width: Int = 320, _ height: Int = 200, marker: UInt8 = 0xC0, fill: Int = 0) -> Data {
        let filled = [UInt8](repeating: 0xFF, count: fill)
        let start = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 6, 1, 2, 3, 4] + filled)
        return start + Data([0xFF, marker, 0, 17, 8]) + bigEndian(height) + bigEndian(width) + Data(count: 16)
    }

    package static func gif(_ width: Int = 320, _ height: Int = 200) -> Data {
        Data("GIF89a".utf8) + Data(bigEndian(width).reversed()) + Data(bigEndian(height).reversed()) + Data(count: 3)
    }

    private static func bigEndian(_ number: Int) -> Data {
        Data([UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)])
    }

    /// A WebP of one of its three kinds.
    package static func webp(_ kind: String, _ rest: [UInt8]) -> Data {
        let start = Data("RIFF".utf8) + Data([0, 0, 0, 0]) + Data("WEBP".utf8) + Data(kind.utf8) + Data([0, 0, 0, 0])
        return start + Data(rest) + Data(count: 16)
    }
}
