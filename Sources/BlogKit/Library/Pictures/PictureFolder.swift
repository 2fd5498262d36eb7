import BlogEssentials
import BlogModel
import Synchronization

/// A folder of pictures with a size limit: the least recently used are removed first.
///
/// Several processes may use it at once. Files are written atomically, or not at all if the disk is full or read-only.
final class PictureFolder: Sendable {
    private let path: String
    private let maxBytes: Int
    /// The size in bytes of all files when they were last counted, and of those added since; nil before the first
    /// count.
    private let used = Mutex<(counted: Int, added: Int)?>(nil)

    init(path: String, maxBytes: Int) {
        self.path = path
        self.maxBytes = maxBytes
    }

    /// The folder for the pictures of a store, next to its file.
    static func path(besideStore store: String) -> String { store + "-pictures" }

    func path(of name: String) -> String { path + "/" + name }

    /// The data of a file, which counts as a use; nil if there is none.
    func read(_ name: String) -> Data? {
        guard let data = FileManager.default.contents(atPath: path(of: name)) else { return nil }
        utimes(path(of: name), nil)
        return data
    }

    func has(_ name: String) -> Bool { access(path(of: name), R_OK) == 0 }

    /// The size in bytes of a file, which counts as a use; nil if there is none.
    func use(_ name: String) -> Int? {
        guard utimes(path(of: name), nil) == 0 || has(name) else { return nil }
        return FileFacts(path: path(of: name))?.size
    }

    /// Writes a file if possible.
    func write(_ data: Data, as name: String) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // The file gets its name when it is complete.
        let draft = path(of: UUID().uuidString + Self.draftSuffix)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let stream = FileStream(descriptor: file)
        let isWritten = (try? stream.write(Array(data))) != nil
        guard stream.close(), isWritten, rename(draft, path(of: name)) == 0 else {
            unlink(draft)
            return
        }
        shrink(after: data.count)
    }

    /// The number of pictures, and their total size in bytes.
    var facts: (count: Int, bytes: Int) {
        let files = files().filter { Self.isName($0.name) }
        return (files.count, files.reduce(0) { $0 + $1.bytes })
    }

    func clear() {
        for file in files() { unlink(path(of: file.name)) }
        used.withLock { $0 = nil }
        // This fails if there are other files.
        rmdir(path)
    }

    // MARK: The size limit

    private struct File {
        let name: String
        let bytes: Int
        let lastUse: Date
    }

    /// The pictures and drafts in the folder.
    private func files() -> [File] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { Self.isName($0) || $0.hasSuffix(Self.draftSuffix) }.compactMap { name in
            FileFacts(path: path(of: name)).map { File(name: name, bytes: $0.size, lastUse: $0.modified) }
        }
    }

    /// Removes files until the limit is met.
    ///
    /// Other processes also write, so the files are counted again after a fraction of the limit has been added.
    private func shrink(after bytes: Int) {
        let isDue = used.withLock { used in
            guard let known = used else { return true }
            used = (known.counted, known.added + bytes)
            return known.counted + known.added + bytes > maxBytes || known.added + bytes > maxBytes / 16
        }
        guard isDue else { return }
        var files = files().sorted { $0.lastUse < $1.lastUse }[...]
        var total = files.reduce(0) { $0 + $1.bytes }
        // Only old drafts were left by killed processes; a newer one is being written.
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

    /// Whether a file is a picture: its name is a digest.
    private static func isName(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static let draftSuffix = ".part"
    /// The age in seconds after which a draft is no longer being written.
    private static let maxDraftAge: TimeInterval = 3600
}
