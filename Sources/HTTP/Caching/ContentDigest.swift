import Foundation

/// A hash of a body, so that the same bytes are not parsed twice.
///
/// It is not cryptographic: a server that forges a collision affects only its own posts.
package enum ContentDigest {
    /// The length and 64 bits over all bytes, eight at a time (the mixing step of FNV-1a, then xor-shifted).
    package static func of(_ data: Data) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x0000_0100_0000_01b3
            hash ^= hash >> 29
        }
        data.withUnsafeBytes { bytes in
            let whole = bytes.count / 8 * 8
            for offset in stride(from: 0, to: whole, by: 8) {
                mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            for byte in bytes[whole...] { mix(UInt64(byte)) }
        }
        return "\(data.count)-\(String(hash, radix: 16))"
    }
}
