import Foundation
import Synchronization

/// A folder of pictures that never grows beyond a limit: the least recently used are removed first.
///
/// Any number of processes may use it at once. A file is there whole or not at all, and what can't be written, because
/// the disk is full or read-only, is not kept.
final class PictureFolder: Sendable {
    private let path: String
    private let maxBytes: Int
    /// The bytes of all files when they were last counted, and the bytes added since; nil before that.
    private let used = Mutex<(counted: Int, added: Int)?>(nil)

    init(path: String, maxBytes: Int) {
        self.path = path
        self.maxBytes = maxBytes
    }

    /// Where the folder of a store is: beside its file.
    static func path(besideStore store: String) -> String { store + "-pictures" }

    /// Where a file of that name is.
    func path(of name: String) -> String { path + "/" + name }

    /// A file's data, which counts as a use; nil if there is none.
    func read(_ name: String) -> Data? {
        guard let data = FileManager.default.contents(atPath: path(of: name)) else { return nil }
        utimes(path(of: name), nil)
        return data
    }

    /// Whether there is a file of that name.
    func has(_ name: String) -> Bool { access(path(of: name), R_OK) == 0 }

    /// The bytes of a file that is used, but not read; nil if there is none.
    func use(_ name: String) -> Int? {
        guard utimes(path(of: name), nil) == 0 || has(name) else { return nil }
        return try? FileManager.default.attributesOfItem(atPath: path(of: name))[.size] as? Int
    }

    /// Writes a file, if that is possible.
    func write(_ data: Data, as name: String) {
        let files = FileManager.default
        try? files.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // A file is not seen before it is whole.
        let draft = path(of: UUID().uuidString + Self.draftSuffix)
        guard files.createFile(atPath: draft, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: draft)
        else { return }
        do {
            try file.write(contentsOf: data)
            try file.close()
            guard rename(draft, path(of: name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
            shrink(after: data.count)
        } catch {
            try? files.removeItem(atPath: draft)
        }
    }

    /// How many pictures there are, and their bytes.
    var facts: (count: Int, bytes: Int) {
        let files = files().filter { Self.isName($0.name) }
        return (files.count, files.reduce(0) { $0 + $1.bytes })
    }

    /// Removes all pictures.
    func clear() {
        for file in files() { unlink(path(of: file.name)) }
        used.withLock { $0 = nil }
        // Anything of others stays, and the folder with it.
        rmdir(path)
    }

    // MARK: Keeping to the limit

    private struct File {
        let name: String
        let bytes: Int
        let lastUse: Date
    }

    /// The files of ours: nothing is known of any other.
    private func files() -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isName($0) || $0.hasSuffix(Self.draftSuffix) }.compactMap { name in
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path(of: name)),
                let bytes = attributes[.size] as? Int, let lastUse = attributes[.modificationDate] as? Date
            else { return nil }
            return File(name: name, bytes: bytes, lastUse: lastUse)
        }
    }

    /// Removes files until the limit is kept.
    ///
    /// Other processes write too; so the files are counted again when a part of the limit has been added.
    private func shrink(after bytes: Int) {
        let isDue = used.withLock { used in
            guard let known = used else { return true }
            used = (known.counted, known.added + bytes)
            return known.counted + known.added + bytes > maxBytes || known.added + bytes > maxBytes / 16
        }
        guard isDue else { return }
        var files = files().sorted { $0.lastUse < $1.lastUse }[...]
        var total = files.reduce(0) { $0 + $1.bytes }
        // Drafts of processes that were killed; those of others that write now are younger.
        for file in files where !Self.isName(file.name) && file.lastUse.timeIntervalSinceNow < -Self.maxDraftAge {
            unlink(path(of: file.name))
            total -= file.bytes
        }
        while total > maxBytes, let oldest = files.popFirst() {
            guard Self.isName(oldest.name), unlink(path(of: oldest.name)) == 0 else { continue }
            total -= oldest.bytes
        }
        let counted = total
        used.withLock { $0 = (counted, 0) }
    }

    /// Whether a name is one that we give: a digest.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static let draftSuffix = ".part"
    /// Seconds after which a draft is no longer being written.
    private static let maxDraftAge: TimeInterval = 3600
}

/// The hash function SHA-256 (FIPS 180-4, https://doi.org/10.6028/NIST.FIPS.180-4): no address can be chosen so that
/// its digest is that of another.
package enum SHA256 {
    /// The digest of a text's UTF-8 in hexadecimal.
    static func hex(of text: String) -> String { hex(of: text.utf8) }

    /// The digest of bytes in hexadecimal.
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

    /// The message up to a multiple of 64 bytes, with its length in bits at the end (5.1.1).
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let bits = UInt64(bytes.count) &* 8
        let zeros = (119 - bytes.count % 64) % 64
        let length = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        return bytes + [0x80] + [UInt8](repeating: 0, count: zeros) + length
    }

    /// One block (6.2.2).
    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var next = state
        for (word, constant) in zip(words(of: block), constants) {
            let (a, e) = (next[0], next[4])
            let choice = (e & next[5]) ^ (~e & next[6])
            let majority = (a & next[1]) ^ (a & next[2]) ^ (next[1] & next[2])
            let spread = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let sum = next[7] &+ spread &+ choice &+ constant &+ word
            let top = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            next = [sum &+ top &+ majority, a, next[1], next[2], next[3] &+ sum, e, next[5], next[6]]
        }
        state = zip(state, next).map { $0 &+ $1 }
    }

    /// The 64 words that a block is spread to.
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

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes (4.2.2).
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
