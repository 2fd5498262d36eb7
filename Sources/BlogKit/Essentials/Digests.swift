/// A fast hash that identifies unchanged lists and deleted posts.
///
/// It isn't cryptographic: a server that forges a collision only affects its own posts. SHA-256 would take a hundred
/// times as long: "a feed of 15 MB, read and stored" in Benchmarks/RESULTS.md.
package struct ContentDigest {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325
    private var count = 0

    package init() {}

    package static func of(_ data: Data) -> String {
        var digest = ContentDigest()
        data.withUnsafeBytes { digest.add($0) }
        return digest.text
    }

    package static func hash(of text: String) -> UInt64 { Data(text.utf8).withUnsafeBytes { hash(of: $0) } }

    /// A 64-bit hash that processes eight bytes at a time (the mixing step of FNV-1a, followed by an xorshift).
    package static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var digest = ContentDigest()
        digest.add(bytes)
        return digest.state
    }

    /// Adds the next bytes; their number is a multiple of eight except at the end.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var hash = state
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* 0x0000_0100_0000_01b3
            hash ^= hash >> 29
        }
        let whole = bytes.count / 8 * 8
        for offset in stride(from: 0, to: whole, by: 8) {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        for byte in bytes[whole...] { mix(UInt64(byte)) }
        state = hash
        count += bytes.count
    }

    /// The digest of the bytes so far.
    package var text: String { "\(count)-\(String(state, radix: 16))" }
}

/// SHA-256 (FIPS 180-4, https://doi.org/10.6028/NIST.FIPS.180-4), for unforgeable file names and `sha256sum`.
package enum SHA256 {
    package static func hex(of text: String) -> String { hex(of: text.utf8) }

    package static func hex(of bytes: some Sequence<UInt8>) -> String {
        var state: [UInt32] = [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
        let message = padded(Array(bytes))
        for start in stride(from: 0, to: message.count, by: 64) { add(message[start..<start + 64], to: &state) }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The message padded to a multiple of 64 bytes, with its length in bits at the end (5.1.1).
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let bits = UInt64(bytes.count) &* 8
        let zeros = (119 - bytes.count % 64) % 64
        let length = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        return bytes + [0x80] + [UInt8](repeating: 0, count: zeros) + length
    }

    /// Processes a block (6.2.2).
    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        let words = words(of: block)
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let spread = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let sum = h &+ spread &+ choice &+ constants[round] &+ words[round]
            let top = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            (h, g, f, e) = (g, f, e, d &+ sum)
            (d, c, b, a) = (c, b, a, sum &+ top &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    /// The message schedule.
    private static func words(of block: ArraySlice<UInt8>) -> [UInt32] {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (old, recent) = (words[index - 15], words[index - 2])
            let first = rotated(old, 7) ^ rotated(old, 18) ^ (old >> 3)
            let second = rotated(recent, 17) ^ rotated(recent, 19) ^ (recent >> 10)
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        return words
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        (word >> count) | (word << (32 - count))
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
